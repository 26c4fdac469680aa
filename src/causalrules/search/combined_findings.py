"""From interacting items to findings: which combinations stand by themselves, and which say the same.

The clearest come first. A combination that no longer interacts within the
strata of an accepted finding's columns says the same as that finding, and is
listed under it. What was accepted early is asked again beside what came
later, the weakest first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from causalrules.cohort.neighbours.screen import SCREEN_LEVEL
from causalrules.search.combined_causes import CombinedCauses
from causalrules.search.contrast_verdicts import PROBABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from causalrules.engines.contract import Opened
    from causalrules.search.crude_screen import Screen
    from causalrules.search.outcome_neighbourhoods import OutcomeNeighbourhoods


@dataclass(slots=True, eq=False)
class CombinedFinding:
    """Items that are a finding together, or one column that is causal alone.

    Parameters
    ----------
    items : tuple of int
        Of different columns; empty for a column alone.
    columns : frozenset of str
        Their columns.
    says_the_same : list of tuple of int
        Other items whose interaction is gone where these columns are held.
    """

    items: tuple[int, ...]
    columns: frozenset[str]
    says_the_same: list[tuple[int, ...]] = field(default_factory=list)


class CombinedFindings:
    """Accepts combinations one after the other.

    Parameters
    ----------
    combined : CombinedCauses
        Says what interacts.
    alone : iterable of str
        Columns that are causal by themselves.
    """

    def __init__(self, combined: CombinedCauses, alone: Iterable[str]) -> None:
        self._combined = combined
        self.alone = [CombinedFinding((), frozenset([name])) for name in alone]
        self.together: list[CombinedFinding] = []

    def accept_pairs(
        self, pairs: Sequence[tuple[int, int]], may_combine: Callable[[frozenset[str]], bool]
    ) -> None:
        """Accept the pairs that interact by themselves and beside each other; at most one of two columns.

        Both columns must probably stand next to the outcome, which `may_combine` has to know: the other
        causes of a consequence interact with it as clearly as two causes do. With every interacting pair,
        half of the tables drawn from random networks had a false column, and 8 % of noise tables.
        """
        for pair in pairs:
            columns = self._combined.columns_of(pair)
            is_new = columns not in [one.columns for one in self.together]
            if is_new and may_combine(columns) and self._combined.interacts(pair):
                self._place(CombinedFinding(pair, columns))
        self._ask_again()

    def grow(self, items: Sequence[int], may_combine: Callable[[frozenset[str]], bool]) -> None:
        """Add a third item to accepted pairs, where the pair's interaction depends on it.

        A pair that interacts only with the third item, or only without it, was
        seen because of the three, and is listed under them.
        """
        for pair in self._of_length(2):
            for item in items:
                three = tuple(sorted((*pair.items, item)))
                columns = self._combined.columns_of(three)
                is_new = len(columns) == 3 and columns not in [one.columns for one in self.together]
                if is_new and may_combine(columns) and self._combined.interacts(three):
                    self._place(CombinedFinding(three, columns))
        for longer in self._of_length(3):
            for pair in self._of_length(2):
                if pair.columns < longer.columns and not self._interacts_either_way(pair, longer):
                    self._list_under(longer, pair)

    def _of_length(self, length: int) -> list[CombinedFinding]:
        return [one for one in self.together if len(one.items) == length]

    def _interacts_either_way(self, pair: CombinedFinding, longer: CombinedFinding) -> bool:
        """Whether a pair interacts with the third item of a longer finding, and also without it."""
        (third,) = (item for item in longer.items if not self._combined.columns_of([item]) <= pair.columns)
        return self._combined.interacts_either_way(pair.items, third)

    def list_explained(
        self, pairs: Sequence[tuple[int, int]], may_combine: Callable[[frozenset[str]], bool]
    ) -> None:
        """List the other pairs that interact under the findings that they say the same as."""
        known = {self._combined.columns_of(items) for one in self._findings for items in one.says_the_same}
        known |= {one.columns for one in self.together}
        for pair in pairs:
            columns = self._combined.columns_of(pair)
            if columns not in known and may_combine(columns) and self._combined.interacts(pair):
                known.add(columns)
                other = CombinedFinding(pair, columns)
                explains = self._explained_by(other)
                if explains is not None:
                    self._list_under(explains, other)

    def patterns_of(self, finding: CombinedFinding) -> Iterator[tuple[int, ...]]:
        """The patterns that may be its exposure, see `CombinedCauses.patterns_of`."""
        return self._combined.patterns_of(finding.items)

    def patterns_that_say_the_same(self) -> dict[frozenset[str], list[tuple[int, ...]]]:
        """For the columns of every finding, one pattern of each that is listed under it."""
        found: dict[frozenset[str], list[tuple[int, ...]]] = {}
        for finding in self._findings:
            patterns = [next(self._combined.patterns_of(others)) for others in finding.says_the_same]
            found.setdefault(finding.columns, []).extend(patterns)
        return found

    @property
    def _findings(self) -> tuple[CombinedFinding, ...]:
        return (*self.alone, *self.together)

    def _place(self, new: CombinedFinding) -> None:
        """Among the findings, or under the one that it says the same as."""
        explains = self._explained_by(new)
        if explains is None:
            self.together.append(new)
        else:
            self._list_under(explains, new)

    def _ask_again(self) -> None:
        for finding in reversed(self.together.copy()):
            explains = self._explained_by(finding)
            if explains is not None:
                self._list_under(explains, finding)

    def _explained_by(self, new: CombinedFinding) -> CombinedFinding | None:
        """The first finding within whose strata the new one's interaction is gone."""
        for one in self._findings:
            others = one.columns - new.columns
            if one is not new and others and not self._combined.interacts(new.items, within=others):
                return one
        return None

    def _list_under(self, finding: CombinedFinding, other: CombinedFinding) -> None:
        known = [self._combined.columns_of(items) for items in finding.says_the_same]
        for items in (other.items, *other.says_the_same):
            if self._combined.columns_of(items) not in known:
                finding.says_the_same.append(items)
        if other in self.together:
            self.together.remove(other)


def find_combined(
    opened: Opened,
    screen: Screen,
    around: OutcomeNeighbourhoods,
    causal: Iterable[str],
    max_length: int,
) -> CombinedFindings:
    """Items whose effects depend on each other, the clearest first; one finding a set of columns.

    Parameters
    ----------
    opened : Opened
        Items and records.
    screen, around
        What is associated with the outcome, and what stands next to it.
    causal : iterable of str
        Columns that are causal by themselves.
    max_length : int
        Items that may be a finding together.
    """
    vocabulary, known = opened.vocabulary, around.of()
    items = [known.items.item_of(item) for item in range(len(known.items.column_of_item))]
    pairs = [(items[pair.first], items[pair.second]) for pair in known.controls.pairs]
    combined = CombinedCauses(opened.engine, vocabulary, len(items), screen.exposure_of_two)
    findings = CombinedFindings(combined, dict.fromkeys(filter(around.roles.may_be_held, causal)))
    # Of two columns that tell nothing alone, either may be a consequence that the other takes part
    # in, or both causes: no table can say which, and they share the probability between them.
    tell_alone = {vocabulary.items[c.item].column for c in screen.contrasts if c.p_value <= SCREEN_LEVEL}

    def may_combine(names: Collection[str]) -> bool:
        """No leaks, no consequences, and nothing that is not asked about."""
        return all(map(around.may_be_asked, names)) and not any(
            one.name in around.leaks or one.arrow.direction == "effect"
            for one in map(known.controls.neighbour, names)
        )

    def are_near(names: Collection[str]) -> bool:
        p_next = [around.p_next(name) for name in names]
        is_near = min(p_next) >= PROBABLE or (tell_alone.isdisjoint(names) and sum(p_next) >= PROBABLE)
        return is_near and may_combine(names)

    findings.accept_pairs(pairs, are_near)
    if max_length > 2:
        findings.grow(items, are_near)
    findings.list_explained(pairs, may_combine)
    return findings
