"""Unique rows of some columns, and sums of weights over records, from distinct records in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.unique_rows import UniqueRows
from causalrules.kernels.slots import add_weights_by_slot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.unique_records import Profiles


def unique_rows_of(records: Profiles, columns: NDArray[np.intp]) -> UniqueRows:
    """The distinct combinations of some columns with their counts."""
    counts = np.stack([records.n_without, records.n_with], axis=1)
    return UniqueRows.of(columns, records.codes[columns], counts)


def item_sums_of(records: Profiles, rows: UniqueRows, weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each item the sum of its records' weights; a record's weights are those of its row.

    Parameters
    ----------
    weights : int64[rows.n_rows, m]

    Returns
    -------
    int64[n_items, m]
    """
    row_of = rows.find(records.codes[rows.columns])
    n_records = records.n_with + records.n_without
    sums = np.zeros((len(records.words), weights.shape[1]), np.int64)
    add_weights_by_slot(records.codes, records.first_slot, row_of, n_records, weights, sums)
    return sums[records.slot_of_item]
