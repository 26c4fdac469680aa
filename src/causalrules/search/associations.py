"""Associations with the outcome of one direction, and the items that the paper's studies hold for them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess import OddsRatios, crude_odds_ratios
from causalrules.cohort.controls import Controls, hold_columns, hold_items
from causalrules.domain import largest_count_within
from causalrules.engines.opposite import OppositeOutcome

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain import Settings
    from causalrules.domain.knowledge import KnownRoles
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine, OutcomeCounts


class Associations:
    """Tells which patterns go with the outcome, and chooses controls among the items that do.

    Parameters
    ----------
    engine : Engine
        The records; of the opposite outcome for rules that lower it.
    vocabulary : Vocabulary
        The names of items and columns.
    settings : Settings
        What is frequent, and how to choose controls.
    roles : KnownRoles, optional
        What the user says about columns: some are never held.
    """

    def __init__(
        self, engine: Engine, vocabulary: Vocabulary, settings: Settings, roles: KnownRoles | None = None
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
        """Frequent, and an odds ratio above 1 by its interval or above the given minimum."""
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
        column = self._engine.column_of_item
        is_own = np.zeros(int(column[-1]) + 1, np.bool_)
        is_own[column[pattern]] = True
        return is_own[column]

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
