"""Pairs of columns whose associations with the outcome depend on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.interaction_contrasts import strongest_contrasts
from causalrules.kernels.special_functions import erfc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.find.sample import Sample

FAMILY_LEVEL = 0.05
"""Chance that any pair is found where none interacts: Bonferroni over all pairs of items."""

LEAST_CELL = 10
"""Records that each of the four combinations must have: below, Woolf's variance is not to be trusted."""

N_PARTS = 4
"""Of a number: whether it is above each quarter of its values, three items."""

MOST_WORK = 1 << 28
"""Words that are compared, 64 records each. All items of tables with 50,000 records and 800 items, or 3,000 and
3,300, are paired; of larger ones those of the columns that go with the outcome most."""


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
    without, having = (_bits(items.has, side) for side in sample.counts.T)
    single = np.array([sample.counts[has].sum(axis=0) for has in items.has]).reshape(-1, 2)
    n = len(sample.codes)
    strength, pair = np.zeros((n, n)), np.zeros((n, n, 2), np.int32)
    everybody = sample.counts.sum(axis=0)
    strongest_contrasts(without, having, items.column, single, everybody, LEAST_CELL, strength, pair)
    in_column = np.bincount(items.column, minlength=n)
    n_pairs = (int(in_column.sum()) ** 2 - int((in_column**2).sum())) // 2
    corrected = np.minimum(n_pairs * erfc(np.sqrt(strength / 2)), 1.0)
    found = [
        InteractingColumns(
            i,
            j,
            int(items.level[pair[i, j, 0]]),
            int(items.level[pair[i, j, 1]]),
            float(np.sqrt(strength[i, j]).round(9)),
            float(corrected[i, j]),
        )
        for i, j in np.argwhere((corrected <= FAMILY_LEVEL) & (strength > 0)).tolist()
    ]
    return sorted(found, key=lambda one: (-one.deviate, one.first, one.second))


def _items(sample: Sample, by_strength: Sequence[int]) -> _Items:
    """Items of as many columns as may be asked about, in the order of the columns."""
    n_words = 1 + int(sample.counts.sum()) // 64
    chosen, n_items = [], 0
    for column in by_strength:
        cuts = _cuts(sample, column)
        if (n_items + len(cuts)) ** 2 / 2 * n_words > MOST_WORK:
            break
        n_items += len(cuts)
        chosen.append((column, cuts))
    columns, levels, has = [], [], []
    for column, cuts in sorted(chosen):
        own = sample.levels[column]
        for level in cuts:
            columns.append(column)
            levels.append(level)
            has.append(_above(sample, column, level) if sample.is_number[column] else own == level)
    return _Items(np.array(columns, np.int64), np.array(levels, np.int64), has)


def _cuts(sample: Sample, column: int) -> list[int]:
    """Levels that make items: of two-valued columns one, of other categories all, of numbers the quarters."""
    k = int(sample.n_levels[column])
    if not sample.is_number[column]:
        return [1] if k == 2 else list(range(k)) if k > 2 else []
    size = np.bincount(sample.levels[column], sample.counts.sum(axis=1), k)
    size = size[: k - sample.known[column].has_missing]
    below = np.cumsum(size) / max(float(size.sum()), 1.0)
    near = {int(np.abs(below - part / N_PARTS).argmin()) + 1 for part in range(1, N_PARTS)}
    return sorted(cut for cut in near if cut < len(size))


def _above(sample: Sample, column: int, cut: int) -> NDArray[np.bool_]:
    """Whether a number is above a cut; a level of missing values is not."""
    above: NDArray[np.bool_] = sample.levels[column] >= cut
    if sample.known[column].has_missing:
        above &= sample.levels[column] < sample.n_levels[column] - 1
    return above


def _bits(has: Sequence[NDArray[np.bool_]], times: NDArray[np.int64]) -> NDArray[np.uint64]:
    """uint64[n_items, n_words]: a bit for every record, each row's as often as it occurs."""
    rows = np.repeat(np.arange(len(times)), times)
    n_words = 1 + len(rows) // 64
    bits = np.zeros((len(has), 8 * n_words), np.uint8)
    for place, own in enumerate(has):
        packed = np.packbits(own[rows])
        bits[place, : len(packed)] = packed
    return bits.view(np.uint64)
