"""Distinct records in the rows of a Spark table: thousands of records a row, never a row a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.engines.profiles import Profiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

ROW = "part int, columns binary, codes binary, n_with binary, n_without binary"
"""`part` is where Spark sends the row; `columns` are the numbers of those columns that `codes` has."""

_NAMES = ("part", "columns", "codes", "n_with", "n_without")
_RECORDS_A_ROW = 1 << 14


def rows_of(
    records: Profiles, columns: NDArray[np.intp], parts: NDArray[np.int64] | None = None
) -> Iterator[pa.RecordBatch]:
    """Records as rows.

    Parameters
    ----------
    columns : intp[k]
        The columns to send; the others are taken to be missing.
    parts : int64[n_profiles], optional
        The part of each record; 0 if not given.
    """
    if parts is None:
        parts = np.zeros(records.n_profiles, np.int64)
    order = np.argsort(parts, kind="stable")
    ends = np.flatnonzero(np.diff(parts[order], append=-1)) + 1
    start = 0
    for end in ends.tolist():
        for first in range(start, end, _RECORDS_A_ROW):
            chosen = order[first : min(first + _RECORDS_A_ROW, end)]
            codes = np.take(records.codes, chosen, axis=1)[columns]
            counts = (np.asarray(side[chosen], np.int64) for side in (records.n_with, records.n_without))
            values = [columns.astype(np.int32), codes, *counts]
            arrays = [pa.array([int(parts[chosen[0]])], pa.int32()), *map(_one_blob, values)]
            yield pa.RecordBatch.from_arrays(arrays, _NAMES)
        start = end


def records_in(batches: Iterable[pa.RecordBatch], first_item: NDArray[np.intp]) -> Profiles | None:
    """The records of all rows, identical ones put together; None if there are none."""
    n_columns = len(first_item) - 1
    found: list[tuple[NDArray[np.uint16], NDArray[np.int64], NDArray[np.int64]]] = []
    for batch in batches:
        for blobs in zip(*map(batch.column, _NAMES[1:]), strict=True):
            columns, codes, n_with, n_without = (
                np.frombuffer(blob.as_buffer(), kind)
                for blob, kind in zip(blobs, (np.int32, np.uint16, np.int64, np.int64), strict=True)
            )
            whole = np.zeros((n_columns, len(n_with)), np.uint16)
            whole[columns] = codes.reshape(len(columns), len(n_with))
            found.append((whole, n_with, n_without))
    if not found:
        return None
    codes, n_with, n_without = (np.concatenate(parts, axis=-1) for parts in zip(*found, strict=True))
    return Profiles.of_records(first_item, codes, n_with, n_without)


def _one_blob(values: NDArray[np.generic]) -> pa.Array:
    return pa.array([values.tobytes()], pa.binary())
