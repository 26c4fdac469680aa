"""Unique rows of some columns, and sums of weights over records, from distinct records in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.unique_rows import UniqueRows
from causalrules.kernels.slots import add_weights_by_slot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.unique_records import Profiles

MOST_REMEMBERED = 8
"""Answers that are kept, with the row of every record: the same, or sums over it, may soon be asked for."""


class RowCounts:
    """Answers questions about unique rows.

    Several threads may ask at the same time.

    Parameters
    ----------
    records : Profiles
        Distinct records.
    """

    def __init__(self, records: Profiles) -> None:
        self._records = records
        self._counts = np.stack([records.n_without, records.n_with], axis=1)
        self._known: dict[tuple[int, ...], tuple[UniqueRows, NDArray[np.intp]]] = {}

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns with their counts."""
        key = tuple(columns.tolist())
        known = self._known.get(key)
        if known is None:
            known = UniqueRows.with_members(columns, self._records.codes[columns], self._counts)
            while len(self._known) >= MOST_REMEMBERED:
                self._known.pop(next(iter(self._known)), None)
            self._known[key] = known
        return known[0]

    def item_sums(self, rows: UniqueRows, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each item the sum of its records' weights; a record's weights are those of its row.

        Parameters
        ----------
        rows : UniqueRows
            Of these records.
        weights : int64[rows.n_rows, m]

        Returns
        -------
        int64[n_items, m]
        """
        records = self._records
        known, row_of = self._known.get(tuple(rows.columns.tolist()), (None, None))
        if row_of is None or known is not rows:  # rows of more records than these
            row_of = rows.find(records.codes[rows.columns])
        sums = np.zeros((len(records.words), weights.shape[1]), np.int64)
        n_records = records.n_with + records.n_without
        add_weights_by_slot(records.codes, records.first_slot, row_of, n_records, weights, sums)
        return sums[records.slot_of_item]
