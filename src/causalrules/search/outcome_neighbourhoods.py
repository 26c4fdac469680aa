"""The neighbourhood of the outcome that each exposure is studied in: its items, and what to adjust for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from causalrules.cohort.neighbours.learn import learn
from causalrules.errors import ExposureError, Setting, SettingsError, quoted
from causalrules.search.contrast_verdicts import LEAST_POSSIBLE, Place
from causalrules.search.hypothesis_items import HypothesisItems
from causalrules.search.negative_controls import negative_columns
from causalrules.search.neighbour_controls import NeighbourControls

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from causalrules.domain import Settings
    from causalrules.domain.unique_rows import HeldColumn
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine


class ItemsAndControls(NamedTuple):
    """One neighbourhood of the outcome: the items as the search sees them, and what to adjust for."""

    items: HypothesisItems
    controls: NeighbourControls


class OutcomeNeighbourhoods:
    """Finds what is directly linked to the outcome, without the columns that are never adjusted for.

    Such a column must not explain another away either: a mediator would take
    the place of what acts through it. As an exposure it is looked at beside
    the others, so there is one neighbourhood for each of them that is asked
    about, and one for all the rest.

    Parameters
    ----------
    engine : Engine
        The records that hypotheses and controls are chosen from.
    vocabulary : Vocabulary
        Items and columns.
    settings : Settings
        What the user knows.
    keep : collection of str
        Columns of the user's hypothesis, which are looked at in any case.

    Attributes
    ----------
    leaks : tuple of str
        Columns that nearly are the outcome, once they are known; they are not held.
    """

    def __init__(
        self, engine: Engine, vocabulary: Vocabulary, settings: Settings, keep: Collection[str] = ()
    ) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._settings = settings
        self._keep = keep
        self._negative = negative_columns(settings, vocabulary)
        held = [column.name for column in vocabulary.held_columns]
        left_out = vocabulary.summary.why_left_out
        columns = list(dict.fromkeys([*held, *left_out, vocabulary.summary.outcome.column]))
        knowledge = settings.knowledge_about(columns)
        knowledge.check_names(columns)
        self.roles = knowledge.about(vocabulary.summary.outcome.column)
        for name in knowledge.adjust:
            if name in self._negative:
                raise SettingsError("adjust", "columns that are no negative controls", name)
            if name not in held:
                raise _cannot_be_held(name, vocabulary)
        self.leaks: tuple[str, ...] = ()
        self._known: dict[frozenset[str], ItemsAndControls] = {}

    @property
    def is_mined(self) -> bool:
        """Whether hypotheses are searched for; the user's own is judged by its study alone."""
        return not self._keep

    def of(self, own: Collection[str] = ()) -> ItemsAndControls:
        """The neighbourhood in which an exposure made of these columns is studied."""
        never = frozenset(self.roles.knowledge.never_adjust)
        but = (never | self._negative | self._later_than(own)) - set(own)
        if but not in self._known:
            items = HypothesisItems(self._engine, self._vocabulary, but)
            kept = [number for number, name in enumerate(items.columns.names) if name in self._keep]
            neighbourhood = learn(
                items,
                items.unique_rows,
                items.columns,
                roles=self.roles,
                keep=kept,
                threads=self._settings.threads,
            )
            only_adjust, names = self._settings.adjusts_for_nothing_else, items.columns.names
            controls = NeighbourControls(
                self._vocabulary,
                neighbourhood,
                self.roles,
                only_adjust=only_adjust,
                leaks=self.leaks,
                asked=self._keep,
                interacting=[
                    (names[items.column_of_item[pair.first]], names[items.column_of_item[pair.second]])
                    for pair in neighbourhood.pairs
                ],
            )
            self._known[but] = ItemsAndControls(items, controls)
        return self._known[but]

    def _later_than(self, own: Collection[str]) -> frozenset[str]:
        """What the user says comes after the exposure of a hypothesis, and does not adjust for.

        Held, it would leave only the effect that does not go through it. A search asks for just that, what is
        next to the outcome; of a hypothesis people ask for the whole effect.
        """
        if self.is_mined or not set(own) <= set(self._keep):
            return frozenset()
        return self.roles.later_than(own) - set(self.roles.knowledge.adjust)

    def controls_of(self, own: Collection[str]) -> Sequence[HeldColumn]:
        """The columns to hold in a study of an exposure made of these columns."""
        return self.of(own).controls.controls_of(own)

    def may_confound(self, own: Collection[str]) -> Collection[str]:
        """Names of the columns whose imbalance decides whether a study can be trusted."""
        return self.of(own).controls.may_confound(own)

    def may_be_held(self, own: Collection[str]) -> Sequence[HeldColumn]:
        """The columns that may be held where no neighbour of the outcome is left to hold."""
        return self.of(own).controls.may_be_held(own)

    def may_be_the_same(self, own: Collection[str]) -> Collection[str]:
        """Names of columns to hold that may be the exposure's own in other words."""
        return self.of(own).controls.may_be_the_same(own)

    def may_be_a_cause(self, own: Collection[str]) -> bool:
        """Whether an exposure made of these columns may come out as causal or possible.

        A hypothesis of the user's may, and a combination; else what may stand next to the outcome.
        """
        return not self.is_mined or len(own) > 1 or all(self.p_next(one) >= LEAST_POSSIBLE for one in own)

    def p_next(self, name: str) -> float:
        """Probability that a column stands next to the outcome."""
        return self.of((name,)).controls.p_next(name)

    def place_of(self, names: Sequence[str], copies: Sequence[str] = ()) -> Place:
        """Where an exposure stands; of several columns the one that is least likely a neighbour.

        `copies` are columns that nearly determine the exposure and could not be held.
        """
        around = self.of(names)
        controls = around.controls
        name = min(names, key=controls.p_next)
        one = controls.neighbour(name)
        after = [name for name in names if self.roles.is_after(name)]
        witness = controls.witness_of(after[0] if after else name, self.roles.outcome)
        return Place(
            p_next=controls.p_next(name),
            p_cause=one.p_cause,
            p_effect=one.p_effect,
            arrow="effect" if after else one.arrow.direction,
            witness=witness,
            explained_by=controls.explained_by(name, around.items, self._vocabulary),
            group=tuple(other for other in controls.group_of(name) if other not in names),
            is_combined=len(names) > 1,
            is_declared_after=bool(after),
            outdone_by=controls.outdoing(name, copies),
            later=self.roles.later_than(names),
        )

    def may_be_asked(self, name: str) -> bool:
        """Whether a column may be a hypothesis."""
        return self.roles.why_not_asked(name) is None and name not in self._negative

    def check_exposure(self, names: Sequence[str]) -> None:
        """Refuse a hypothesis that the user's own statements leave out."""
        for name in names:
            if name in self._negative:
                raise ExposureError(
                    f"the exposure column {quoted(name)} is a negative control. Leave out one of the two."
                )
            said = self.roles.why_not_asked(name)
            if said is not None:
                raise ExposureError(
                    f"the exposure column {quoted(name)} is not to be asked about: {quoted(str(said))} was "
                    "said. Leave out one of the two."
                )


def _cannot_be_held(name: str, vocabulary: Vocabulary) -> SettingsError:
    """Why a column cannot be adjusted for: that of its being left out, if it was."""
    reasons = vocabulary.summary.why_left_out
    if name not in reasons:
        return SettingsError("adjust", "columns that take part in the search", name)
    subject = Setting("adjust", is_subject=True)
    return SettingsError.saying(
        "adjust", subject, f" names {quoted(name)}, which is left out: {reasons[name]}."
    )
