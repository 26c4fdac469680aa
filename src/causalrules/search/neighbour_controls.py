"""Controls from what stands next to the outcome: the other probable neighbours, but no consequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.cohort.neighbours.uncut_numbers import LEAST_SPREAD
from causalrules.cohort.neighbours.witness_words import witness_in_words
from causalrules.domain.time_order import OUTCOME
from causalrules.errors import quoted
from causalrules.search.contrast_verdicts import LEAST_POSSIBLE, PROBABLE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from causalrules.cohort.neighbours.interactions import InteractingPair
    from causalrules.cohort.neighbours.neighbourhood import Neighbour, Neighbourhood
    from causalrules.domain.knowledge import KnownRoles
    from causalrules.domain.unique_rows import HeldColumn
    from causalrules.encode import Vocabulary
    from causalrules.search.hypothesis_items import HypothesisItems

MAY_CONFOUND = 0.2
"""Probability of standing next to the outcome from which a column is held in other studies."""


class NeighbourControls:
    """Holds the columns that probably stand next to the outcome.

    Holding the other direct causes of the outcome blocks every path that
    confounds. A leak, or a consequence that the data bear witness to, is never held.

    Parameters
    ----------
    vocabulary : Vocabulary
        The columns.
    neighbourhood : Neighbourhood
        What stands next to the outcome, and which way.
    roles : KnownRoles
        What the user says: columns to hold, columns never to hold, what comes when.
    only_adjust : bool
        Hold what the user wants held and nothing else.
    leaks : collection of str
        Columns that nearly are the outcome.
    asked : collection of str
        Columns of the user's own hypothesis: their probable causes are held too. What was mined has to
        stand next to the outcome beside these columns; the user's hypothesis is judged by its study
        alone, and confounders too weak to be seen next to the outcome may be strong causes of it (of
        eight such, holding them lowered false answers from 30 to 20 %). In mining they cost too much: with
        the columns of Mushroom, which tell much of each other, F1 was 0.76 with them and 0.91 without.
    interacting : sequence of (str, str)
        The columns of the neighbourhood's pairs, the clearest first.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        neighbourhood: Neighbourhood,
        roles: KnownRoles,
        *,
        only_adjust: bool,
        leaks: Collection[str],
        asked: Collection[str],
        interacting: Sequence[tuple[str, str]],
    ) -> None:
        self._columns = [column for column in vocabulary.held_columns if roles.may_be_held(column.name)]
        self._roles, self._has_clusters = roles, vocabulary.n_cluster_digits > 0
        self._known = {one.name: one for one in neighbourhood.columns}
        self._neighbourhood = neighbourhood
        self._adjust = set(roles.knowledge.adjust)
        self._only_adjust = only_adjust
        learnt = (one.name for one in neighbourhood.columns if one.is_leak)
        self._leaks = {*leaks, *(name for name in learnt if not roles.is_before(name))}
        self._asked = set(asked)
        self._interacting = interacting
        self._confounders = {
            one.name for one in neighbourhood.columns if one.p_next >= MAY_CONFOUND and self._may_precede(one)
        }

    def neighbour(self, name: str) -> Neighbour:
        """What is known of a column."""
        return self._known[name]

    @property
    def pairs(self) -> tuple[InteractingPair, ...]:
        """Items whose effects depend on each other, the clearest first."""
        return self._neighbourhood.pairs

    @property
    def are_crowded(self) -> bool:
        """Whether more columns may stand next to the outcome than are looked at side by side."""
        return self._neighbourhood.is_crowded

    def group_of(self, name: str) -> tuple[str, ...]:
        """Other columns that cannot be told apart from this one."""
        number = self._known[name].column
        for group in self._neighbourhood.groups:
            if number in group:
                return tuple(self._neighbourhood.columns[one].name for one in group if one != number)
        return ()

    def p_next(self, name: str) -> float:
        """Probability that the column, or one of its group, stands next to the outcome."""
        return min(1.0, sum(self._known[one].p_next for one in (name, *self.group_of(name))))

    def outdoing(self, name: str, copies: Collection[str]) -> tuple[str, ...]:
        """Near copies that probably stand next to the outcome themselves, where the column hardly can.

        Two of one group are told apart by that. Exact copies share the probability between them, one of
        them with a hair more than half, and neither outdoes the other. None where the user said what to hold.
        """
        if self._only_adjust or self._known[name].p_next >= LEAST_POSSIBLE:
            return ()
        others = self._confounders - {name}
        return tuple(one for one in copies if one in others and self._known[one].p_next >= PROBABLE)

    def explained_by(self, name: str, items: HypothesisItems, vocabulary: Vocabulary) -> tuple[str, ...]:
        """Columns within whose strata the column's association with the outcome is gone."""
        numbers = self.explaining_items(name, items)
        return tuple(dict.fromkeys(vocabulary.columns_of(numbers)))

    def explaining_items(self, name: str, items: HypothesisItems) -> list[int]:
        """The vocabulary's numbers of the items that explain the column's association away.

        What nearly is the outcome explains nothing: within its values nothing else can differ.
        """
        column_of_item, columns = items.column_of_item, self._neighbourhood.columns
        explaining = self._known[name].explained_by
        if any(columns[int(column_of_item[item])].name in self._leaks for item in explaining):
            return []
        return [items.item_of(item) for item in explaining]

    def beside(self, name: str) -> tuple[str, ...]:
        """Other columns that were looked at together with this one in the last window, but no leaks."""
        others = [self._neighbourhood.columns[column].name for column in self._neighbourhood.window]
        return tuple(other for other in others if other != name and other not in self._leaks)

    def witness_of(self, name: str, outcome: str) -> str:
        """Why a column is called a cause or a consequence, in one sentence; empty without a witness."""
        one = self._known[name]
        if one.arrow.is_declared:
            way = (OUTCOME, name) if one.arrow.direction == "effect" else (name, OUTCOME)
            said = " and ".join(quoted(str(statement)) for statement in self._roles.order.why(*way))
            return f"it comes {'after' if way[0] == OUTCOME else 'before'} the outcome, as was said: {said}"
        if not one.arrow.witnesses:
            return ""
        witness = one.arrow.witnesses[0]
        other = self._neighbourhood.columns[witness.column].name
        return witness_in_words(witness, name, other, outcome)

    def controls_of(self, own: Collection[str]) -> Sequence[HeldColumn]:
        """The other neighbours, and the causes of an exposure that the user asks about."""
        if self._only_adjust:
            chosen = self._adjust
        else:
            chosen = self._confounders | self._adjust | self._causes_of(own) | self._acting_together(own)
            chosen |= self._partners(own)
        return [column for column in self._columns if column.name in chosen - set(own)]

    def _may_precede(self, one: Neighbour) -> bool:
        """Whether a column may be held as a cause of the outcome."""
        return (
            one.arrow.direction != "effect"
            and one.name not in self._leaks
            and self._roles.may_be_held(one.name)
            and not self._roles.forbids(one.name, OUTCOME)
        )

    def _acting_together(self, own: Collection[str]) -> set[str]:
        """Numbers whose trend differs between the values of another column, and for each the clearest such.

        A window tells a number by its bins. Where it acts only in company, beside a strong column, all the
        cells of the three cost more than they tell, and the number looks unlikely. The difference of its
        trends, beyond Bonferroni's limit over all pairs, is evidence enough to hold it, if it is large enough
        to confound: of many records trends differ that move no odds ratio. Where records belong together the
        limit is passed by chance, and their probability has to do.
        """
        if self._has_clusters:
            return set()
        partners: dict[str, str] = {}
        columns = self._neighbourhood.columns
        for pair in self._neighbourhood.uncut_pairs:
            number, other = columns[pair.number], columns[pair.other]
            if (
                pair.spread >= LEAST_SPREAD
                and not {number.name, other.name} & set(own)
                and self._may_precede(number)
                and self._may_precede(other)
            ):
                partners.setdefault(number.name, other.name)
        return {*partners, *partners.values()}

    def _partners(self, own: Collection[str]) -> set[str]:
        """Of a hypothesis: for each column held, the one that its effect depends on most clearly.

        Where two columns act only as one but not both, either may be taken for a consequence of the outcome
        and the other, which then looks unlikely, and one alone adjusts for nothing: odds ratios of 2 beside
        two such confounders were covered in 23 of 40 tables. Numbers have `_acting_together`: their intervals
        seem to interact wherever a curve is no step.
        """
        if self._has_clusters or not self._asked.intersection(own):
            return set()
        categories = {column.name for column in self._columns if not column.is_number} - set(own)
        partners: dict[str, str] = {}
        for pair in self._interacting:
            for name, other in (pair, pair[::-1]):
                if name in self._confounders and {name, other} <= categories:
                    partners.setdefault(name, other)
        return {other for other in partners.values() if self._may_precede(self._known[other])}

    def may_be_the_same(self, own: Collection[str]) -> Collection[str]:
        """Columns held because they tell much of the exposure's own, and those of its group.

        A function of a column is its probable cause or effect as well, as far as any table tells.
        """
        groups = {other for name in own for other in self.group_of(name)}
        return (self._causes_of(own) | groups) - self._adjust

    def _causes_of(self, own: Collection[str]) -> set[str]:
        """Probable causes of columns asked about, undecided in direction, that may precede the outcome.

        They must go with the outcome: what acts on the exposure alone confounds nothing, and holding it makes
        hidden confounding worse (Myers et al. 2011).
        """
        causes: set[str] = set()
        for name in self._asked.intersection(own):
            one = self._known[name]
            if one.arrow.direction != "undecided":
                continue
            for column, probability in self._neighbourhood.causes_of(one.column).items():
                other = self._neighbourhood.columns[column]
                if probability >= 0.5 and self._may_precede(other) and other.is_associated:
                    causes.add(other.name)
        return causes

    def doubtful(self, held: Collection[str], own: Collection[str]) -> tuple[str, ...]:
        """The columns held that perhaps should not be.

        Nobody says that they come before the outcome, or the user says that
        they come after the exposure: holding these leaves the direct effect only.
        """
        order = self._roles.order
        return tuple(
            name
            for name in held
            if name not in self._adjust
            and (
                self._known[name].arrow.direction == "undecided"
                or any(order.is_before(exposure, name) for exposure in own)
            )
        )

    def may_be_held(self, own: Collection[str]) -> Sequence[HeldColumn]:
        """All columns but leaks and consequences; none where the user said what to hold."""
        if self._only_adjust:
            return []
        return [column for column in self._columns if self._comes_before(column.name, own)]

    def _comes_before(self, name: str, own: Collection[str]) -> bool:
        known = self._known.get(name)
        return (
            name not in {*own, *self._leaks}
            and known is not None
            and known.arrow.direction != "effect"
            and not self._roles.forbids(name, OUTCOME)
            and not any(self._roles.order.is_before(exposure, name) for exposure in own)
        )

    def may_confound(self, own: Collection[str]) -> Collection[str]:
        """The other neighbours; none where the user said what to hold."""
        return set() if self._only_adjust else self._confounders - set(own)
