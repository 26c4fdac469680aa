"""Multi-level HITON-PC: neighbours of the outcome among single and combined variables."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain import largest_count_within
from causalrules.engines.contract import OutcomeCounts
from causalrules.paper.patterns import join
from causalrules_lab.baselines.coded_tables import run_on_table
from causalrules_lab.baselines.findings import Findings
from causalrules_lab.baselines.neighbours import MOST_CONDITIONED, MOST_TESTS, keep_neighbours
from causalrules_lab.baselines.separation import Separation, separation_findings
from causalrules_lab.baselines.variables import complements_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import Engine
    from causalrules_lab.baselines.budget import Budget
    from causalrules_lab.baselines.independence import TestKind


def ml_hiton_pc(
    table: Any,
    outcome: str,
    *,
    test: TestKind = "g2",
    max_conditioning: int = MOST_CONDITIONED,
    max_tests: int | None = MOST_TESTS,
    **options: Any,
) -> Findings:
    """Find single and combined neighbours of the outcome, level by level (Ma et al. 2016).

    HITON-PC among single variables first. Then combinations of two items,
    of three, … whose parts are no neighbours are variables too: such a
    combination is a neighbour unless a set of those found so far separates
    it from the outcome.

    Parameters
    ----------
    table, outcome, max_tests, **options
        As in `pc_select`; `max_length` is the number of levels, and
        `min_support` says which combinations there are.
    test : {'g2', 'chi2'}
        The test of independence.
    max_conditioning : int
        Most variables in a separating set.

    Notes
    -----
    A combination is present in a record that has all its items. It is looked
    at if more than `min_support` of the records with the outcome, or of those
    without, have it, and fewer than have any part of it. What a lower level
    found is tested no more.
    """
    method = partial(find_ml_hiton_pc, test=test, max_conditioning=max_conditioning)
    return run_on_table(method, table, outcome, max_tests=max_tests, **options)


def find_ml_hiton_pc(
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    *,
    test: TestKind = "g2",
    max_conditioning: int = MOST_CONDITIONED,
) -> Findings:
    """Single and combined neighbours of the outcome, from the counts of an engine."""
    combined = CombinedItems(engine)
    separation = Separation(combined, settings.alpha, test, budget)
    kept: list[int] = []
    candidates: list[int] = []
    separated: dict[int, tuple[int, ...]] = {}
    with budget.until_spent():
        candidates = separation.associated()
        keep_neighbours(separation, candidates, kept, separated, max_conditioning)
        parts, support = _first_parts(engine, settings, kept)
        for _ in range(1, settings.max_length):
            patterns, parents = join(parts, engine.column_of_item)
            if len(patterns) == 0:
                break
            budget.spend(len(patterns))
            counts = engine.pattern_counts(patterns)
            is_new = (counts.support[:, None] < support[parents]).all(axis=1)
            chosen = _are_frequent(counts, engine, settings) & is_new
            patterns, counts = patterns[chosen], counts[chosen]
            numbers = combined.add(patterns, counts)
            entering = separation.associated(numbers)
            candidates += entering
            keep_neighbours(separation, entering, kept, separated, max_conditioning)
            is_found = np.isin(numbers, kept)
            parts, support = patterns[~is_found], counts.support[~is_found]
    if budget.stopped:
        kept = [variable for variable in candidates if variable not in separated]
    names = [tuple(items[item] for item in pattern) for pattern in combined.patterns]
    return separation_findings("ml-hiton-pc", names, settings, separation, kept, separated)


def _first_parts(
    engine: Engine, settings: TableSettings, kept: list[int]
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Items that combinations are made of, and their supports: frequent, and no neighbours by themselves."""
    counts = engine.item_counts()
    is_part = _are_frequent(counts, engine, settings)
    is_part[kept] = False
    is_part[[item for item, variable in complements_of(engine).items() if variable in kept]] = False
    parts = np.flatnonzero(is_part)
    return parts[:, None], counts.support[parts]


def _are_frequent(counts: OutcomeCounts, engine: Engine, settings: TableSettings) -> NDArray[np.bool_]:
    """Frequent among the records with the outcome, or among those without it."""
    with_it = counts.with_outcome > largest_count_within(settings.min_support, engine.n_with)
    without_it = counts.without_outcome > largest_count_within(settings.min_support, engine.n_without)
    return with_it | without_it


class CombinedItems:
    """The items of an engine and, numbered after them, combinations that count as items of their own.

    Every combination is a column by itself, since a record may have several
    of them; two that need different values of one column are never both there.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.n_with, self.n_without = engine.n_with, engine.n_without
        self.column_of_item: NDArray[np.intp] = engine.column_of_item
        self.patterns: list[tuple[int, ...]] = [(item,) for item in range(len(engine.column_of_item))]
        self._counts = engine.item_counts()

    def add(self, patterns: NDArray[np.intp], counts: OutcomeCounts) -> NDArray[np.intp]:
        """Number some combinations, given their counts."""
        first = len(self.patterns)
        numbers = np.arange(first, first + len(patterns))
        last_column = int(self.column_of_item[-1])
        self.patterns += [tuple(pattern) for pattern in patterns.tolist()]
        new_columns = last_column + 1 + np.arange(len(patterns))
        self.column_of_item = np.concatenate([self.column_of_item, new_columns])
        self._counts = OutcomeCounts(
            np.concatenate([self._counts.with_outcome, counts.with_outcome]),
            np.concatenate([self._counts.without_outcome, counts.without_outcome]),
        )
        return numbers

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item and every combination."""
        return self._counts

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern of items and combinations: of records that have all their items."""
        counts = np.zeros((2, len(patterns)), np.int64)
        column = self._engine.column_of_item
        rows_of: dict[int, list[int]] = {}
        unions: list[tuple[int, ...]] = []
        for row, pattern in enumerate(patterns.tolist()):
            union = tuple(sorted({item for number in pattern for item in self.patterns[number]}))
            unions.append(union)
            if len(set(column[list(union)].tolist())) == len(union):
                rows_of.setdefault(len(union), []).append(row)
        for rows in rows_of.values():
            found = self._engine.pattern_counts(np.array([unions[row] for row in rows], np.intp))
            counts[:, rows] = found.to_array()
        return OutcomeCounts(counts[0], counts[1])
