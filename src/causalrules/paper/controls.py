"""Associations with the outcome of one direction, and the control variables of a rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess import OddsRatios, crude_odds_ratios
from causalrules.domain import largest_count_within, smallest_count_reaching
from causalrules.engines.opposite import OppositeOutcome

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain.knowledge import KnownRoles
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine, OutcomeCounts
    from causalrules.paper.settings import PaperSettings


@dataclass(frozen=True, slots=True, eq=False)
class Controls:
    """The controls of several patterns.

    Parameters
    ----------
    items : bool[n_patterns, n_items]
        The items held fixed.
    dropped_columns : bool[n_patterns, n_columns]
        Columns that might have been held fixed but leave too little to compare.
    """

    items: NDArray[np.bool_]
    dropped_columns: NDArray[np.bool_]


class Associations:
    """Tells which patterns go with the outcome, and chooses controls among the items that do.

    Parameters
    ----------
    engine : Engine
        The records; of the opposite outcome for rules that lower it.
    vocabulary : Vocabulary
        The names of items and columns.
    settings : PaperSettings
        What is frequent, and how to choose controls.
    roles : KnownRoles, optional
        What the user says about columns: some are never held.
    """

    def __init__(
        self, engine: Engine, vocabulary: Vocabulary, settings: PaperSettings, roles: KnownRoles | None = None
    ) -> None:
        self._engine, self._vocabulary, self._settings, self._roles = engine, vocabulary, settings, roles
        self.largest_rare_count = largest_count_within(settings.min_support, engine.n_with)

    def crude(self, counts: OutcomeCounts) -> OddsRatios:
        """Crude odds ratios from counts in this direction."""
        engine, confidence = self._engine, self._settings.confidence
        return crude_odds_ratios(
            counts.with_outcome, counts.without_outcome, engine.n_with, engine.n_without, confidence
        )

    def are_associations(self, counts: OutcomeCounts) -> NDArray[np.bool_]:
        """Definition of association rules: frequent, with an odds ratio above 1, or above the minimum."""
        return self._are_frequent(counts) & self.crude(counts).are_above(self._settings.min_odds_ratio)

    def _are_frequent(self, counts: OutcomeCounts) -> NDArray[np.bool_]:
        return counts.with_outcome > self.largest_rare_count

    def controls_of(self, patterns: NDArray[np.intp]) -> Controls:
        """The items that studies of these patterns hold fixed."""
        settings, candidates = self._settings, np.flatnonzero(self._is_candidate)
        if settings.controls == "columns":
            return hold_columns(self._engine, patterns, candidates, settings.min_support)
        epsilon = self.largest_rare_count if settings.epsilon is None else int(settings.epsilon)
        return hold_items(self._engine, patterns, candidates, epsilon)

    def might_be_held(self, pattern: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Candidates for controls of a pattern, those of its own columns left out."""
        return self._is_candidate & ~self.in_own_columns(pattern)

    def in_own_columns(self, pattern: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Items of the columns that a pattern has an item of."""
        is_own: NDArray[np.bool_] = _in_columns_of(self._engine, pattern[None, :])[0]
        return is_own[self._engine.column_of_item]

    @cached_property
    def _is_candidate(self) -> NDArray[np.bool_]:
        """Items that may be held fixed.

        For items: frequent in this direction, with an interval that excludes
        1 on either side. For columns: associated in either direction.
        """
        may_be_held = np.array(
            [self._roles is None or self._roles.may_be_held(item.column) for item in self._vocabulary.items],
            np.bool_,
        )
        counts = self._engine.item_counts()
        if self._settings.controls != "columns":
            return may_be_held & self._are_frequent(counts) & self.crude(counts).exclude_one()
        opposite = Associations(OppositeOutcome(self._engine), self._vocabulary, self._settings)
        is_associated = self.are_associations(counts) | opposite.are_associations(counts.flipped())
        return may_be_held & is_associated


def hold_items(
    engine: Engine,
    patterns: NDArray[np.intp],
    candidates: NDArray[np.intp],
    largest_exclusive_overlap: int,
) -> Controls:
    """Hold single items fixed, as the paper's text says.

    Definition of exclusive variables: an item is exclusive of a pattern when hardly any record has both, or
    hardly any has the item without the pattern; holding it fixed would leave
    nobody to compare.

    Parameters
    ----------
    candidates : intp[k]
        Frequent and relevant items.
    largest_exclusive_overlap : int
        The ε of the paper, in records.
    """
    controls = np.zeros((len(patterns), len(engine.column_of_item)), np.bool_)
    dropped = np.zeros((len(patterns), _n_columns(engine)), np.bool_)
    if len(candidates) and len(patterns):
        both = engine.overlaps(patterns, candidates)
        item_only = engine.item_counts().support[candidates] - both
        is_exclusive = np.minimum(both, item_only) <= largest_exclusive_overlap
        controls[:, candidates] = ~is_exclusive
        controls &= ~_in_columns_of(engine, patterns)[:, engine.column_of_item]
    return Controls(controls, dropped)


def hold_columns(
    engine: Engine,
    patterns: NDArray[np.intp],
    associated: NDArray[np.intp],
    min_support: float,
) -> Controls:
    """Hold whole columns fixed, as the authors' released program does (on Tic-tac-toe the two differ).

    A column is held fixed when one of its items is associated with the
    outcome, unless one of these splits the pattern's records, or the others,
    too unevenly (by `min_support`, as a share of each).

    Parameters
    ----------
    associated : intp[k]
        Items associated with the outcome in either direction.
    """
    column_of_item = engine.column_of_item
    n_records = engine.n_with + engine.n_without
    is_candidate = np.zeros(_n_columns(engine), np.bool_)
    is_candidate[column_of_item[associated]] = True
    held = np.repeat(is_candidate[None, :], len(patterns), axis=0)
    held &= ~_in_columns_of(engine, patterns)
    dropped = np.zeros_like(held)
    if len(associated) and len(patterns):
        both = engine.overlaps(patterns, associated)
        support = engine.pattern_counts(patterns).support
        item_only = engine.item_counts().support[associated] - both
        enough_with = _counts_reaching(min_support, support)
        enough_without = _counts_reaching(min_support, n_records - support)
        is_uneven = np.minimum(both, support[:, None] - both) < enough_with
        is_uneven |= item_only < enough_without
        for position, item in enumerate(associated):
            dropped[:, column_of_item[item]] |= is_uneven[:, position]
    dropped &= held
    held &= ~dropped
    return Controls(held[:, column_of_item], dropped)


def _counts_reaching(share: float, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array([smallest_count_reaching(share, int(count)) for count in counts], np.int64)[:, None]


def _in_columns_of(engine: Engine, patterns: NDArray[np.intp]) -> NDArray[np.bool_]:
    """For each pattern and column, whether the pattern has an item of it."""
    own = np.zeros((len(patterns), _n_columns(engine)), np.bool_)
    np.put_along_axis(own, engine.column_of_item[patterns], True, axis=1)
    return own


def _n_columns(engine: Engine) -> int:
    return int(engine.column_of_item[-1]) + 1
