"""Unique rows of some columns, and sums of weights over records, from distinct records in memory."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from causalrules.domain.unique_rows import UniqueRows
from causalrules.kernels.slots import add_weights_by_slot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.unique_records import Profiles

_MOST_BYTES = 512 << 20
"""Of answers that are kept, with the row of every record, after the last study that uses them: two of six
million records by twelve columns."""


class RowCounts:
    """Answers questions about unique rows.

    The same question, or one about sums over its rows, often comes soon after. An answer that
    somebody holds is known as long as they do; besides, the last one is kept, and those before it
    as long as all fit into `most_bytes`. Several threads may ask at the same time.

    Parameters
    ----------
    records : Profiles
        Distinct records.
    most_bytes : int
        Memory for answers that nobody holds.
    """

    def __init__(self, records: Profiles, most_bytes: int = _MOST_BYTES) -> None:
        self._records = records
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._answers: WeakValueDictionary[tuple[int, ...], UniqueRows] = WeakValueDictionary()
        self._row_of: WeakKeyDictionary[UniqueRows, NDArray[np.int32]] = WeakKeyDictionary()
        self._kept: dict[UniqueRows, int] = {}

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return np.stack([self._records.n_without, self._records.n_with], axis=1)

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns with their counts."""
        key = tuple(columns.tolist())
        with self._lock:
            known = self._answers.get(key)
        if known is not None:
            return known
        found, row_of = UniqueRows.with_members(columns, self._records.codes[columns], self._counts)
        rows = replace(found, codes=found.codes.astype(np.uint16))
        with self._lock:
            self._answers[key] = rows
            self._row_of[rows] = row_of.astype(np.int32)
            self._keep(rows)
        return rows

    def _keep(self, rows: UniqueRows) -> None:
        """Keep an answer, and let go of the oldest ones where all take too much memory."""
        arrays = rows.codes, rows.counts, self._row_of[rows]
        self._kept[rows] = sum(array.nbytes for array in arrays)
        while len(self._kept) > 1 and sum(self._kept.values()) > self._most_bytes:
            del self._kept[next(iter(self._kept))]

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
        with self._lock:
            row_of = self._row_of.get(rows)
        if row_of is None:  # rows of more records than these
            row_of = rows.find(records.codes[rows.columns]).astype(np.int32)
        sums = np.zeros((len(records.words), weights.shape[1]), np.int64)
        n_records = records.n_with + records.n_without
        add_weights_by_slot(records.codes, records.first_slot, row_of, n_records, weights, sums)
        return sums[records.slot_of_item]
