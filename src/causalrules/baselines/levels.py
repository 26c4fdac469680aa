"""All frequent patterns of one direction, level by level, with nothing pruned but the infrequent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.odds import crude_odds_ratios
from causalrules.domain import largest_count_within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.assess.odds import OddsRatios
    from causalrules.baselines.budget import Budget
    from causalrules.domain import Direction
    from causalrules.engines.contract import Engine, OutcomeCounts


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The frequent patterns of one length.

    Parameters
    ----------
    patterns : intp[n, length]
        Item numbers, ascending within a pattern, patterns in lexicographic order.
    counts : OutcomeCounts
        For the direction's outcome.
    odds_ratios : OddsRatios
        For the direction's outcome.
    parents : intp[n, length]
        Rows, in the level before, of the patterns with one item less; none for single items.
    """

    patterns: NDArray[np.intp]
    counts: OutcomeCounts
    odds_ratios: OddsRatios
    parents: NDArray[np.intp]


def frequent_levels(
    engine: Engine,
    direction: Direction,
    *,
    min_support: float,
    confidence: float,
    max_length: int,
    budget: Budget,
) -> Iterator[Level]:
    """Frequent patterns of length 1, 2, … up to the longest asked for."""
    lowers = direction == "lowers"
    n_z, n_not_z = (engine.n_without, engine.n_with) if lowers else (engine.n_with, engine.n_without)
    largest_rare_count = largest_count_within(min_support, n_z)

    def level(patterns: NDArray[np.intp], parents: NDArray[np.intp], counts: OutcomeCounts) -> Level:
        counts = counts.flipped() if lowers else counts
        is_frequent = counts.with_outcome > largest_rare_count
        counts = counts[is_frequent]
        ratios = crude_odds_ratios(counts.with_outcome, counts.without_outcome, n_z, n_not_z, confidence)
        return Level(patterns[is_frequent], counts, ratios, parents[is_frequent])

    n_items = len(engine.column_of_item)
    budget.spend(n_items)
    last = level(np.arange(n_items)[:, None], np.empty((n_items, 0), np.intp), engine.item_counts())
    yield last
    for _ in range(1, max_length):
        candidates, parents = _joined(last.patterns, engine.column_of_item)
        if len(candidates) == 0:
            return
        budget.spend(len(candidates))
        last = level(candidates, parents, engine.pattern_counts(candidates))
        yield last


def _joined(
    patterns: NDArray[np.intp], column_of_item: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Patterns one item longer, all of whose parts are given, and the rows of these parts.

    Examples
    --------
    >>> candidates, parents = _joined(np.array([[0, 2], [0, 4], [2, 4], [2, 6]]), np.arange(7))
    >>> candidates.tolist(), parents.tolist()
    ([[0, 2, 4]], [[0, 1, 2]])
    """
    n, length = patterns.shape
    prefix = _keys(patterns[:, :-1]) if length > 1 else np.zeros(n, "S1")
    n_later = np.searchsorted(prefix, prefix, side="right") - np.arange(n) - 1
    left = np.repeat(np.arange(n), n_later)
    right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(n_later) - n_later, n_later)
    differ = column_of_item[patterns[left, -1]] != column_of_item[patterns[right, -1]]
    left, right = left[differ], right[differ]
    candidates = np.column_stack([patterns[left], patterns[right, -1]])
    parents = np.column_stack([left, right, np.zeros((len(left), length - 1), np.intp)])
    keys = _keys(patterns)
    is_complete = np.ones(len(candidates), np.bool_)
    for dropped in range(length - 1):
        part = _keys(np.delete(candidates, dropped, axis=1))
        row = np.minimum(np.searchsorted(keys, part), n - 1)
        is_complete &= keys[row] == part
        parents[:, dropped + 2] = row
    return candidates[is_complete], parents[is_complete]


def _keys(patterns: NDArray[np.intp]) -> NDArray[np.bytes_]:
    """One byte string a row that sorts as the row does."""
    return np.ascontiguousarray(patterns + 1, dtype=">u4").view(f"S{4 * patterns.shape[1]}").ravel()
