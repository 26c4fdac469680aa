"""Distinct records in the rows of a Spark table: thousands of records a row, never a row a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.engines.unique_records import Profiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    _Records = tuple[NDArray[np.uint16], NDArray[np.int64], NDArray[np.int64]]

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
            is_narrow = codes.max(initial=0) <= np.iinfo(np.uint8).max
            blobs = [
                columns.astype(np.int32).tobytes(),
                (codes.astype(np.uint8) if is_narrow else codes).tobytes(),
                records.n_with[chosen].tobytes(),
                records.n_without[chosen].tobytes(),
            ]
            arrays = [pa.array([blob], pa.binary()) for blob in blobs]
            part = pa.array([int(parts[chosen[0]])], pa.int32())
            yield pa.RecordBatch.from_arrays([part, *arrays], _NAMES)
        start = end


def records_in(batches: Iterable[pa.RecordBatch], first_item: NDArray[np.intp]) -> Profiles | None:
    """The records of all rows, identical ones put together; None if there are none."""
    return next(iter(records_by_group(batches, first_item).values()), None)


def records_by_group(
    batches: Iterable[pa.RecordBatch], first_item: NDArray[np.intp], parts_a_group: int | None = None
) -> dict[int, Profiles]:
    """The records of groups of parts, identical ones of a group put together.

    Parameters
    ----------
    parts_a_group : int, optional
        Parts 0 up to this are group 0, the next as many are group 1, and so on; all are group 0 if not given.
    """
    found: dict[int, list[_Records]] = {}
    for batch in batches:
        for part, *blobs in zip(*map(batch.column, _NAMES), strict=True):
            group = part.as_py() // parts_a_group if parts_a_group else 0
            found.setdefault(group, []).append(_records_of(blobs, len(first_item) - 1))
    return {
        group: Profiles.of_records(
            first_item, *(np.concatenate(parts, axis=-1) for parts in zip(*rows, strict=True))
        )
        for group, rows in found.items()
    }


def _records_of(blobs: Sequence[pa.BinaryScalar], n_columns: int) -> _Records:
    """Codes and counts of one row."""
    sent_columns, sent_codes, *sent_counts = (blob.as_buffer() for blob in blobs)
    columns = np.frombuffer(sent_columns, np.int32)
    n_with, n_without = (np.frombuffer(sent, np.int64) for sent in sent_counts)
    is_narrow = sent_codes.size == len(columns) * len(n_with)
    codes = np.zeros((n_columns, len(n_with)), np.uint16)
    sent = np.frombuffer(sent_codes, np.uint8 if is_narrow else np.uint16)
    codes[columns] = sent.reshape(len(columns), len(n_with))
    return codes, n_with, n_without
