"""A table's records as they travel between Spark and us: read once, then kept in packed batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACKED = "batch binary"
"""Each row is a batch of records, as an Arrow stream."""

ROWS_AT_ONCE = 1 << 17
"""Enough that a batch's own costs do not count, and a few tens of megabytes for a wide table."""


@dataclass(frozen=True, slots=True)
class PackPartition:
    """Runs on a worker: the records of a partition in packed batches.

    Spark hands records over value by value, which takes longer than all that
    is done with them afterwards; so it is asked for only once.

    Parameters
    ----------
    names : tuple of str
        Of the columns; Spark is told simpler ones, since not all names may stand in a question to workers.
    """

    names: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of records to batches of one row."""
        for table in large_batches(batches):
            packed = _packed(table.rename_columns(self.names))
            yield pa.RecordBatch.from_arrays([pa.array([packed], pa.binary())], ["batch"])


def unpacked(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Runs on a worker: the records of packed batches, one batch after the other."""
    for batch in batches:
        for packed in batch.column(0):
            yield pa.ipc.open_stream(packed.as_buffer()).read_all()


def large_batches(batches: Iterable[pa.RecordBatch], n_rows: int = ROWS_AT_ONCE) -> Iterator[pa.Table]:
    """The same records in tables of at least so many rows, but for the last; none of them empty."""
    waiting: list[pa.RecordBatch] = []
    n_waiting = 0
    for batch in batches:
        if batch.num_rows:
            waiting.append(batch)
            n_waiting += batch.num_rows
        if n_waiting >= n_rows:
            yield pa.Table.from_batches(waiting)
            waiting, n_waiting = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _packed(table: pa.Table) -> bytes:
    """The table as an Arrow stream, columns whose values repeat as dictionaries."""
    columns = [_with_dictionary(column.combine_chunks()) for column in table.columns]
    records = pa.RecordBatch.from_arrays(columns, table.column_names)
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, records.schema, options=options) as stream:
        stream.write_batch(records)
    return bytes(sink.getvalue().to_pybytes())


def _with_dictionary(column: pa.Array) -> pa.Array:
    if pa.types.is_boolean(column.type) or pa.types.is_null(column.type):
        return column
    encoded = column.dictionary_encode()
    return encoded if 2 * len(encoded.dictionary) <= len(column) else column
