"""Pairs of columns whose associations with the outcome depend on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.interaction_contrasts import strongest_contrasts
from causalrules.kernels.special_functions import erfc
from causalrules.words import constants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.find.sample import Sample

MOST_WORK, WORK_OF_A_PAIR = 1 << 28, 64
"""Words of 64 records that are compared, and what a pair costs besides: 800 items at 50,000 records, 2,300 at
2,000 and 2,800 at 200. Of more, those of the columns that go with the outcome most are paired."""


class InteractingColumns(NamedTuple):
    """Two columns that interact beyond Bonferroni's limit.

    Parameters
    ----------
    first, second : int
        Columns.
    first_level, second_level : int
        Their levels that act together most; of a number, the first level above the cut.
    deviate : float
        Woolf's contrast by its standard error.
    p : float
        Corrected for all pairs of items.
    """

    first: int
    second: int
    first_level: int
    second_level: int
    deviate: float
    p: float


class _Items(NamedTuple):
    """What is paired: column and level of each item, and the records that have it."""

    column: NDArray[np.int64]
    level: NDArray[np.int64]
    has: list[NDArray[np.bool_]]


def interacting_columns(sample: Sample, by_strength: Sequence[int]) -> list[InteractingColumns]:
    """Pairs of columns that act together on the outcome, the clearest first.

    A cause may show in company only (an exclusive or has no crude association), so every pair of items is
    asked about, however weak each is alone: levels of categories, and numbers cut at their quarters.

    Parameters
    ----------
    sample : Sample
    by_strength : sequence of int
        All columns, the strongest first: the first of them are asked about where there are too many.

    Returns
    -------
    list of InteractingColumns
        One for each pair of columns, `first` before `second` in the table.
    """
    items = _items(sample, by_strength)
    if not items.has:
        return []
    without, having = (_bits(items.has, side) for side in sample.counts.T)
    single = np.array([sample.counts[has].sum(axis=0) for has in items.has]).reshape(-1, 2)
    asked, column = np.unique(items.column, return_inverse=True)
    n = len(asked)
    strength, pair = np.zeros((n, n)), np.zeros((n, n, 2), np.int32)
    everybody = sample.counts.sum(axis=0)
    strongest_contrasts(without, having, column, single, everybody, constants.LEAST_RECORDS, strength, pair)
    in_column = np.bincount(column, minlength=n)
    n_pairs = (int(in_column.sum()) ** 2 - int((in_column**2).sum())) // 2
    corrected = np.minimum(n_pairs * erfc(np.sqrt(strength / 2)), 1.0)
    found = [
        InteractingColumns(
            int(asked[i]),
            int(asked[j]),
            int(items.level[pair[i, j, 0]]),
            int(items.level[pair[i, j, 1]]),
            float(np.sqrt(strength[i, j]).round(9)),
            float(corrected[i, j]),
        )
        for i, j in np.argwhere((corrected <= constants.BEYOND_DOUBT) & (strength > 0)).tolist()
    ]
    return sorted(found, key=lambda one: (-one.deviate, one.first, one.second))


def _items(sample: Sample, by_strength: Sequence[int]) -> _Items:
    """Items of as many columns as may be asked about, in the order of the columns."""
    work = WORK_OF_A_PAIR + 1 + int(sample.counts.sum()) // 64
    chosen, n_items = [], 0
    for column in by_strength:
        cuts = _cuts(sample, column)
        if (n_items + len(cuts)) ** 2 / 2 * work > MOST_WORK:
            break
        n_items += len(cuts)
        chosen.append((column, cuts))
    columns, levels, has = [], [], []
    for column, cuts in sorted(chosen):
        for level in cuts:
            columns.append(column)
            levels.append(level)
            has.append(_has(sample, column, level))
    return _Items(np.array(columns, np.int64), np.array(levels, np.int64), has)


def _cuts(sample: Sample, column: int) -> list[int]:
    """Levels that make items: of two-valued columns one, of other categories all, of numbers the quarters."""
    k = int(sample.n_levels[column])
    if not sample.is_number[column]:
        return [1] if k == 2 else list(range(k)) if k > 2 else []
    size = np.bincount(sample.levels[column], sample.counts.sum(axis=1), k)
    size = size[: k - sample.known[column].has_missing]
    below = np.cumsum(size) / max(float(size.sum()), 1.0)
    near = {
        int(np.abs(below - part / constants.QUARTERS).argmin()) + 1 for part in range(1, constants.QUARTERS)
    }
    return sorted(cut for cut in near if cut < len(size))


def _has(sample: Sample, column: int, level: int) -> NDArray[np.bool_]:
    """Whether a row has a category's level, or a number from that level on; missing is below all."""
    levels = sample.levels[column]
    has: NDArray[np.bool_] = levels == level
    if sample.is_number[column]:
        beyond = sample.n_levels[column] - sample.known[column].has_missing
        has = (levels >= level) & (levels < beyond)
    return has


def _bits(has: Sequence[NDArray[np.bool_]], times: NDArray[np.int64]) -> NDArray[np.uint64]:
    """uint64[n_items, n_words]: a bit for every record, each row's as often as it occurs."""
    rows = np.repeat(np.arange(len(times)), times)
    n_words = 1 + len(rows) // 64
    bits = np.zeros((len(has), 8 * n_words), np.uint8)
    for place, own in enumerate(has):
        packed = np.packbits(own[rows])
        bits[place, : len(packed)] = packed
    return bits.view(np.uint64)
