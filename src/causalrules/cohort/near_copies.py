"""Columns that nearly tell who is exposed: held, they would leave nobody to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain.unique_rows import HeldColumn
    from causalrules.engines.contract import Counts, Engine

NEAR_COPY = 0.1
"""Share of the exposure's variance below which a column leaves too little of it to compare."""

LEAST_FREE = 10
"""Records more than values; with fewer, a column may leave nothing by chance."""


def near_copies(
    engine: Counts,
    patterns: Sequence[tuple[int, ...]],
    columns: Sequence[HeldColumn],
    first_item: NDArray[np.intp],
) -> list[set[str]]:
    """Columns within whose values the exposure hardly varies, for each of some exposures.

    Parameters
    ----------
    engine : Counts
        Where records are counted.
    patterns : sequence of tuple of int
        The exposures' items, of one length.
    columns : sequence of HeldColumn
        Those that are asked about; a pattern's own are among what is found.
    first_item : intp[n_coded_columns + 1]
        Where the items of each coded column begin.
    """
    if not patterns:
        return []
    asked = np.array(patterns, np.intp)
    overlaps = engine.overlaps(asked, np.arange(first_item[-1]))
    support = engine.item_counts().support
    n_records = engine.n_with + engine.n_without
    found = []
    for both, n_exposed in zip(overlaps, engine.pattern_counts(asked).support.tolist(), strict=True):
        left = variance_left(both, support, n_exposed, n_records, first_item)
        found.append({column.name for column in columns if left[column.place] < NEAR_COPY})
    return found


def coarser_copies(engine: Engine, column: HeldColumn, others: Sequence[HeldColumn]) -> set[str]:
    """Columns that are nearly functions of a column: among records of one value, few of theirs differ."""
    found = set()
    for other in others:
        rows = engine.unique_rows(np.array(sorted((column.place, other.place)), np.intp))
        codes = rows.codes if column.place < other.place else rows.codes[::-1]
        if share_left_within(codes[0], codes[1], rows.counts.sum(axis=1)) < NEAR_COPY:
            found.add(other.name)
    return found


def variance_left(
    both: NDArray[np.int64],
    support: NDArray[np.int64],
    n_exposed: int,
    n_records: int,
    first_item: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Share of the exposure's variance that is left within the values of each column.

    As sums of squares by their degrees of freedom: within nearly as many values as there are records hardly
    any variance is left by chance, whatever they mean.

    Parameters
    ----------
    both, support : int64[n_items]
        Exposed records with each item, and all records with it.
    n_exposed, n_records : int
        Exposed records, and all.
    first_item : intp[n_columns + 1]
        Where the items of each column begin; records with none of them have a missing value.

    Examples
    --------
    A column that tells who is exposed, and one that tells nothing:

    >>> both, support = np.array([10, 0, 5, 5]), np.array([10, 10, 10, 10])
    >>> variance_left(both, support, 10, 20, np.array([0, 2, 4])).round(3).tolist()
    [0.0, 1.056]
    """

    def by_column(values: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.append(0.0, np.cumsum(values))
        own: NDArray[np.float64] = sums[first_item[1:]] - sums[first_item[:-1]]
        return own

    share = n_exposed / n_records
    whole = n_records * share * (1 - share)
    if whole <= 0:
        return np.zeros(len(first_item) - 1)
    within = by_column(both - both**2 / np.maximum(support, 1))
    exposed = n_exposed - by_column(both.astype(np.float64))
    total = n_records - by_column(support.astype(np.float64))
    left = (within + exposed - exposed**2 / np.maximum(total, 1)) / whole
    n_values = by_column((support > 0).astype(np.float64)) + (total > 0)
    return by_chance(left, n_values, n_records)


def by_chance(
    left: NDArray[np.float64], n_values: NDArray[np.float64], n_records: float
) -> NDArray[np.float64]:
    """A share of variance left within so many values, over what chance would leave; 1 if that is too little.

    Examples
    --------
    >>> by_chance(np.array([0.0, 0.5, 0.05]), np.array([15.0, 10.0, 2.0]), 20).round(3).tolist()
    [1.0, 0.95, 0.053]
    """
    free = n_records - n_values
    return np.where(free >= LEAST_FREE, left * (n_records - 1) / np.maximum(free, 1), 1.0)


def share_left_within(
    given: NDArray[np.integer], codes: NDArray[np.integer], counts: NDArray[np.int64]
) -> float:
    """Share of a category's variance that is left within the values of another; 0 for a function of it.

    Parameters
    ----------
    given, codes : integer[n]
        Of different combinations.
    counts : int64[n]
        Records of each.

    Examples
    --------
    >>> age, over_60 = np.array([50, 55, 65, 70]), np.array([0, 0, 1, 1])
    >>> counts = np.full(4, 10)
    >>> share_left_within(age, over_60, counts), share_left_within(over_60, age, counts) > 0.5
    (0.0, True)
    """
    n = float(counts.sum())
    of_given, of_codes = np.bincount(given, counts), np.bincount(codes, counts)
    within = n - float((counts * counts / of_given[given]).sum())
    whole = n - float((of_codes**2).sum()) / n
    if whole <= 0:
        return 0.0
    n_values = np.array([np.count_nonzero(of_given)], np.float64)
    return float(by_chance(np.array([within / whole]), n_values, n)[0])
