"""Columns that nearly tell who is exposed: held, they would leave nobody to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAR_COPY = 0.1
"""Share of the exposure's variance below which a column leaves too little of it to compare."""


def variance_left(
    both: NDArray[np.int64],
    support: NDArray[np.int64],
    n_exposed: int,
    n_records: int,
    first_item: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Share of the exposure's variance that is left within the values of each column.

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
    >>> variance_left(both, support, 10, 20, np.array([0, 2, 4])).tolist()
    [0.0, 1.0]
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
    left: NDArray[np.float64] = (within + exposed - exposed**2 / np.maximum(total, 1)) / whole
    return left


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
    >>> share_left_within(age, over_60, np.ones(4)), share_left_within(over_60, age, np.ones(4)) > 0.5
    (0.0, True)
    """
    n = float(counts.sum())
    of_given, of_codes = np.bincount(given, counts), np.bincount(codes, counts)
    within = n - float((counts * counts / of_given[given]).sum())
    whole = n - float((of_codes**2).sum()) / n
    return within / whole if whole > 0 else 0.0
