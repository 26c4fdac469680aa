"""Cohort studies in one direction: from patterns to rules with verdicts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess import OddsRatios, crude_odds_ratios, judge_expected, judge_random
from causalrules.cohort import Controls, hold_columns, hold_items
from causalrules.domain import Direction, Rule, Settings, largest_count_within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.encode import CodedTable
    from causalrules.engines.contract import Engine, OutcomeCounts
    from causalrules.stopwatch import Stopwatch


class Studies:
    """Judges associations and runs cohort studies for rules of one direction.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    table : CodedTable
        The names of items and columns.
    settings : Settings
        How to choose controls and how to judge.
    direction : {'raises', 'lowers'}
        Which outcome counts as z.
    watch : Stopwatch
        Where time is written down.
    """

    def __init__(
        self, engine: Engine, table: CodedTable, settings: Settings, direction: Direction, watch: Stopwatch
    ) -> None:
        self._engine = engine
        self._table = table
        self._settings = settings
        self._watch = watch
        self.direction = direction
        self.lowers = direction == "lowers"
        self._n_z, self._n_not_z = engine.n_with, engine.n_without
        if self.lowers:
            self._n_z, self._n_not_z = self._n_not_z, self._n_z
        self.largest_rare_count = largest_count_within(settings.min_support, self._n_z)

    def crude(self, counts: OutcomeCounts) -> OddsRatios:
        """Crude odds ratios from counts in this direction."""
        return crude_odds_ratios(
            counts.with_outcome, counts.without_outcome, self._n_z, self._n_not_z, self._settings.confidence
        )

    def are_associations(self, counts: OutcomeCounts) -> NDArray[np.bool_]:
        """Frequent, and an odds ratio above 1 by its interval or above the given minimum."""
        is_frequent = counts.with_outcome > self.largest_rare_count
        return is_frequent & self.crude(counts).are_above(self._settings.min_odds_ratio)

    def run(self, patterns: NDArray[np.intp], counts: OutcomeCounts) -> Iterator[Rule]:
        """One cohort study for each pattern, in order, as they become ready."""
        with self._watch("cohort"):
            controls = self._controls(patterns)
            histograms = self._engine.strata(patterns, controls.items)
        with self._watch("assess"):
            crude = self.crude(counts)
        for index in range(len(patterns)):
            with self._watch("cohort"):
                strata = next(histograms)
            with self._watch("assess"):
                rule = self._rule(patterns[index], counts, crude, controls, strata, index)
            yield rule

    def _rule(
        self,
        pattern: NDArray[np.intp],
        counts: OutcomeCounts,
        crude: OddsRatios,
        controls: Controls,
        strata: StrataHistogram,
        index: int,
    ) -> Rule:
        items = self._table.items
        named = tuple(items[item] for item in pattern)
        if self.lowers:
            strata = strata.flipped()
        if self._settings.pairs == "random":
            name = f"{self.direction}: {' & '.join(map(str, named))}"
            cohort = judge_random(strata, self._settings, name)
        else:
            cohort = judge_expected(strata, self._settings)
        support = int(counts.with_outcome[index])
        exposed = support + int(counts.without_outcome[index])
        return Rule(
            pattern=named,
            direction=self.direction,
            verdict=cohort.verdict,
            support=support,
            local_support=support / self._n_z,
            odds_ratio=crude[index],
            controls=tuple(items[item] for item in np.flatnonzero(controls.items[index])),
            columns_dropped=tuple(
                self._column_names[c] for c in np.flatnonzero(controls.dropped_columns[index])
            ),
            exposed=exposed,
            unexposed=self._n_z + self._n_not_z - exposed,
            pairs=cohort.pairs,
            fair_odds_ratio=cohort.odds_ratio,
            causal_runs=cohort.causal_runs,
        )

    def _controls(self, patterns: NDArray[np.intp]) -> Controls:
        settings = self._settings
        if settings.controls == "columns":
            return hold_columns(self._engine, patterns, self._associated_items, settings.min_support)
        epsilon = self.largest_rare_count if settings.epsilon is None else int(settings.epsilon)
        return hold_items(self._engine, patterns, self._relevant_items, epsilon)

    @cached_property
    def _item_counts(self) -> OutcomeCounts:
        counts = self._engine.item_counts()
        return counts.flipped() if self.lowers else counts

    @cached_property
    def _relevant_items(self) -> NDArray[np.intp]:
        """Items frequent in this direction whose interval excludes 1 on either side."""
        is_frequent = self._item_counts.with_outcome > self.largest_rare_count
        return np.flatnonzero(is_frequent & self.crude(self._item_counts).exclude_one())

    @cached_property
    def _associated_items(self) -> NDArray[np.intp]:
        """Items associated with the outcome in either direction."""
        opposite: Direction = "raises" if self.lowers else "lowers"
        other = Studies(self._engine, self._table, self._settings, opposite, self._watch)
        is_associated = self.are_associations(self._item_counts)
        return np.flatnonzero(is_associated | other.are_associations(self._item_counts.flipped()))

    @cached_property
    def _column_names(self) -> list[str]:
        return [self._table.items[first].column for first in self._table.first_item[:-1]]
