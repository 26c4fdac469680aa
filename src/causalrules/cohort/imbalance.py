"""How alike the arms are in every column, before and after matching: the balance guard's measure.

The standardised difference of an item is the difference of its shares over
the pooled standard deviation before matching (Austin 2009); that of a number
is the difference of its means. Of a column with several values the largest
counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.histogram import weight_unit
from causalrules.kernels.slots import add_weights_by_slot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.arms import Arms
    from causalrules.domain.unique_rows import HeldColumn, UniqueRows

N_SUMS = 5
"""Exposed and unexposed records before matching, their weights after it, and the matched exposed records."""


@dataclass(frozen=True, slots=True)
class ColumnImbalance:
    """The standardised difference of one column between the arms, and its standard error after matching."""

    before: float
    after: float
    standard_error: float


def row_weights(
    n_rows: int, arms: Arms, stratum: NDArray[np.int64]
) -> tuple[NDArray[np.int64], tuple[float, float]]:
    """What each record of a row adds to the sums of an item, and the effective size of both arms.

    After matching, a stratum counts as the Mantel-Haenszel test counts it: by
    the product of its arms over their sum, shared by the records of each arm.
    Weights are whole parts of a `weight_unit`, so that sums do not depend on
    their order.

    Parameters
    ----------
    n_rows : int
        All unique rows, also those of unknown exposure.
    stratum : int64[number of rows kept]
        -1 for the unmatched.

    Returns
    -------
    int64[n_rows, 5], (float, float)
    """
    rows = arms.rows
    n_records = rows.n_records
    is_matched = stratum >= 0
    n_strata = int(stratum.max(initial=-1)) + 1
    exposed, unexposed = (
        np.bincount(stratum[is_matched & arm], n_records[is_matched & arm], n_strata)
        for arm in (rows.exposed, ~rows.exposed)
    )
    both = np.maximum(exposed + unexposed, 1)
    own = np.where(
        rows.exposed, np.append(unexposed / both, 0.0)[stratum], np.append(exposed / both, 0.0)[stratum]
    )
    whole = np.rint(own * weight_unit(int(n_records.sum()))).astype(np.int64)
    weights = np.zeros((n_rows, N_SUMS), np.int64)
    weights[arms.kept, 0] = rows.exposed
    weights[arms.kept, 1] = ~rows.exposed
    weights[arms.kept, 2] = np.where(rows.exposed, whole, 0)
    weights[arms.kept, 3] = np.where(rows.exposed, 0, whole)
    weights[arms.kept, 4] = rows.exposed & is_matched
    total = float((exposed * unexposed / both).sum())
    squares = (exposed * (unexposed / both) ** 2).sum(), (unexposed * (exposed / both) ** 2).sum()
    effective = tuple(total**2 / float(one) if one > 0 else 0.0 for one in squares)
    return weights, (effective[0], effective[1])


_TOO_LARGE_TO_SQUARE = 1e150


def imbalance_of(
    sums: NDArray[np.int64], column: HeldColumn, effective: tuple[float, float]
) -> ColumnImbalance:
    """The standardised difference of one column.

    Parameters
    ----------
    sums : int64[n_codes, 5]
        The sums of each of its values.
    column : HeldColumn
        Tells categories from numbers.
    effective : (float, float)
        Effective sizes of the arms after matching.

    Examples
    --------
    >>> from causalrules.domain.unique_rows import HeldColumn
    >>> sums = np.array([[30, 10, 20 << 32, 20 << 32, 20], [10, 30, 10 << 32, 10 << 32, 10]])
    >>> found = imbalance_of(sums, HeldColumn("sex", 0, 2), (30.0, 30.0))
    >>> round(found.before, 2), found.after
    (1.15, 0.0)
    """
    totals = np.maximum(sums.sum(axis=0), 1)
    shares = sums / totals
    standard_error = float(np.sqrt(sum(1 / size for size in effective if size > 0)))
    if column.values is not None:
        values = column.values
        largest = float(np.abs(values).max(initial=0.0))
        if largest > _TOO_LARGE_TO_SQUARE:
            values = values / largest  # imbalance has no unit
        means = values @ shares
        squares = values**2 @ shares
        variance = float((squares[:2] - means[:2] ** 2).mean())
        spread = np.sqrt(variance) if variance > 0 else np.inf
        return ColumnImbalance(
            abs(float(means[0] - means[1])) / spread, abs(float(means[2] - means[3])) / spread, standard_error
        )
    variances = (shares[:, :2] * (1 - shares[:, :2])).mean(axis=1)
    spreads = np.where(variances > 0, np.sqrt(variances), np.inf)
    before = np.abs(shares[:, 0] - shares[:, 1]) / spreads
    after = np.abs(shares[:, 2] - shares[:, 3]) / spreads
    return ColumnImbalance(float(before.max(initial=0.0)), float(after.max(initial=0.0)), standard_error)


def imbalance_of_columns(
    sums: NDArray[np.int64],
    first_item: NDArray[np.intp],
    columns: Sequence[HeldColumn],
    effective: tuple[float, float],
) -> dict[str, ColumnImbalance]:
    """The standardised differences of many columns, by name: those of `imbalance_of`, categories all at once.

    Parameters
    ----------
    sums : int64[n_items, 5]
        The sums of each item.
    first_item : intp[n_coded_columns + 1]
        Where the items of each coded column begin.
    columns : sequence of HeldColumn
        The columns that are asked about.
    effective : (float, float)
        Effective sizes of the arms after matching.
    """
    n_items = np.diff(first_item)
    filled = np.flatnonzero(n_items)
    totals = np.maximum(np.add.reduceat(sums, first_item[filled], axis=0), 1)
    shares = sums / np.repeat(totals, n_items[filled], axis=0)
    variances = (shares[:, :2] * (1 - shares[:, :2])).mean(axis=1)
    spreads = np.where(variances > 0, np.sqrt(variances), np.inf)
    before, after = np.zeros(len(n_items)), np.zeros(len(n_items))
    for worst, (one, other) in ((before, (0, 1)), (after, (2, 3))):
        apart = np.abs(shares[:, one] - shares[:, other]) / spreads
        worst[filled] = np.maximum.reduceat(apart, first_item[filled])
    standard_error = float(np.sqrt(sum(1 / size for size in effective if size > 0)))
    found = {}
    for column in columns:
        at = column.place
        if column.is_number:
            own = sums[first_item[at] : first_item[at + 1]]
            found[column.name] = imbalance_of(own, column, effective)
        else:
            found[column.name] = ColumnImbalance(float(before[at]), float(after[at]), standard_error)
    return found


def imbalance_of_held(
    rows: UniqueRows,
    weights: NDArray[np.int64],
    held: Sequence[HeldColumn],
    effective: tuple[float, float],
) -> dict[str, ColumnImbalance]:
    """The standardised differences of the columns held, by name, from a study's unique rows alone.

    Parameters
    ----------
    rows : UniqueRows
        Of the columns held, and of others.
    weights : int64[n_rows, 5]
        What each record of a row adds, see `row_weights`.
    held : sequence of HeldColumn
        The columns that are asked about.
    effective : (float, float)
        Effective sizes of the arms after matching.
    """
    if not held:
        return {}
    place_of = {int(column): place for place, column in enumerate(rows.columns)}
    codes = rows.codes[[place_of[column.place] for column in held]]
    first_slot = np.cumsum([0, *(column.n_codes + 1 for column in held)])
    sums = np.zeros((first_slot[-1], N_SUMS), np.int64)
    every_row = np.arange(rows.n_rows, dtype=np.int32)
    add_weights_by_slot(codes, first_slot[:-1], every_row, rows.counts.sum(axis=1), weights, sums)
    return {
        column.name: imbalance_of(sums[first + 1 : last], column, effective)  # the first is of missing values
        for column, first, last in zip(held, first_slot[:-1], first_slot[1:], strict=True)
    }
