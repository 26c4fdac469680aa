"""The prefix tree of patterns, one level at a time.

A level is an array of patterns in lexicographic order, so patterns with a
common prefix stand side by side and a pattern is found by binary search:
the tree's paths without its nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.engines.contract import OutcomeCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The frequent patterns of one length that no pruning has removed.

    Parameters
    ----------
    patterns : intp[n, length]
        Item numbers, ascending within a pattern, patterns in lexicographic order.
    counts : OutcomeCounts
        How many records have each pattern, with and without the outcome.
    n_candidates : int
        Patterns that were counted.
    n_frequent : int
        Those above the minimum support, before redundant ones were dropped.
    """

    patterns: NDArray[np.intp]
    counts: OutcomeCounts
    n_candidates: int
    n_frequent: int


class PatternTree:
    """Grows frequent patterns of one outcome.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    largest_rare_count : int
        A pattern is frequent when more records than this have it and the
        outcome.
    is_asked : bool[n_items], optional
        Items that patterns are made of; all if not given.
    """

    def __init__(
        self, engine: Engine, largest_rare_count: int, is_asked: NDArray[np.bool_] | None = None
    ) -> None:
        self._engine = engine
        self._is_asked = is_asked
        self._largest_rare_count = largest_rare_count
        self._alive: Level | None = None

    def grow(self) -> Level:
        """The next level: candidates, support pruning, then Observation 2.

        Observation 2: a pattern with the same support as one of its sub-patterns
        covers the same records and is dropped; so are its super-patterns, because a
        candidate needs all its sub-patterns.
        """
        self._alive = self._first_level() if self._alive is None else self._next_level(self._alive)
        return self._alive

    def remove(self, is_removed: NDArray[np.bool_]) -> None:
        """Take patterns of the last level out of the tree (Observation 1: causal ones)."""
        assert self._alive is not None
        last = self._alive
        kept = ~is_removed
        self._alive = Level(last.patterns[kept], last.counts[kept], last.n_candidates, last.n_frequent)

    def _first_level(self) -> Level:
        counts = self._engine.item_counts()
        asked = np.ones(len(counts.support), np.bool_) if self._is_asked is None else self._is_asked
        is_frequent = asked & (counts.with_outcome > self._largest_rare_count)
        patterns = np.flatnonzero(is_frequent)[:, None]
        return Level(patterns, counts[is_frequent], int(asked.sum()), len(patterns))

    def _next_level(self, last: Level) -> Level:
        candidates, parents = join(last.patterns, self._engine.column_of_item)
        if len(candidates) == 0:
            nothing = np.empty(0, np.int64)
            return Level(candidates, OutcomeCounts(nothing, nothing), 0, 0)
        counts = self._engine.pattern_counts(candidates)
        is_frequent = counts.with_outcome > self._largest_rare_count
        is_redundant = (counts.support[:, None] == last.counts.support[parents]).any(axis=1)
        kept = is_frequent & ~is_redundant
        return Level(candidates[kept], counts[kept], len(candidates), int(is_frequent.sum()))


def join(
    patterns: NDArray[np.intp], column_of_item: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Candidates one item longer, all of whose sub-patterns are given, and the rows of these sub-patterns.

    Examples
    --------
    >>> candidates, parents = join(np.array([[0, 2], [0, 4], [2, 4], [2, 6]]), np.arange(7))
    >>> candidates.tolist(), parents.tolist()
    ([[0, 2, 4]], [[0, 1, 2]])
    """
    length = patterns.shape[1]
    left, right = _pairs_with_equal_prefix(patterns)
    ends_differ = column_of_item[patterns[left, -1]] != column_of_item[patterns[right, -1]]
    left, right = left[ends_differ], right[ends_differ]
    candidates = np.column_stack([patterns[left], patterns[right, -1]])
    parents = np.empty((len(candidates), length + 1), np.intp)
    parents[:, 0], parents[:, 1] = left, right
    is_complete = np.ones(len(candidates), np.bool_)
    keys = _sortable(patterns)
    for dropped in range(length - 1):
        wanted = _sortable(np.delete(candidates, dropped, axis=1))
        row = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        is_complete &= keys[row] == wanted
        parents[:, dropped + 2] = row
    return candidates[is_complete], parents[is_complete]


def _pairs_with_equal_prefix(patterns: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of rows, earlier first, that differ in the last item only."""
    n = len(patterns)
    is_new = np.append(True, (patterns[1:, :-1] != patterns[:-1, :-1]).any(axis=1))[:n]
    block = np.cumsum(is_new) - 1
    block_end = np.append(np.flatnonzero(is_new), n)[1:]
    n_later = block_end[block] - np.arange(n) - 1 if n else np.empty(0, np.intp)
    left = np.repeat(np.arange(n), n_later)
    offset = np.arange(len(left)) - np.repeat(np.cumsum(n_later) - n_later, n_later)
    return left, left + 1 + offset


def _sortable(patterns: NDArray[np.intp]) -> NDArray[np.bytes_]:
    """One byte string a row that sorts as the row does."""
    width = patterns.shape[1]
    big_endian = np.ascontiguousarray(patterns + 1, dtype=">u4")
    return big_endian.view(f"S{4 * width}").ravel()
