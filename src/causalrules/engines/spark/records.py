"""A Spark table's records on their way: packed as they are read, then coded, then sent to be counted.

Whatever Spark carries for us is thousands of records a row, never a row a
record: handing rows over to Python takes longer than all that is done with
the records afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.encode.columns import Batch
from causalrules.engines.growing_records import GrowingRecords
from causalrules.engines.unique_records import Profiles, code_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.encode import RecordCoder

    _Records = tuple[NDArray[np.unsignedinteger], NDArray[np.int64], NDArray[np.int64]]

PACKED = "batch binary"
"""Each row is a batch of records, as an Arrow stream."""

BYTES_AT_ONCE = 1 << 25
"""Of a batch as it comes from Spark: enough that its own costs do not count."""

_BYTES_GATHERED = 1 << 27
"""Of distinct records, in codes, that a worker gathers before it hands them on."""

ROW = "part int, n_records int, columns binary, codes binary, n_with binary, n_without binary"
"""`part` is where Spark sends the row; `columns` are the numbers of those columns that `codes` has."""

_NAMES = ("part", "n_records", "columns", "codes", "n_with", "n_without")
_BYTES_A_ROW = 1 << 19


@dataclass(frozen=True, slots=True)
class PackPartition:
    """Runs on a worker: the records of a partition in packed batches.

    Spark hands records over value by value, which takes longer than all that
    is done with them afterwards; so it is asked for only once.

    Parameters
    ----------
    names : tuple of str
        Of the columns; Spark is given simpler ones, since not all names may stand in a question to workers.
    """

    names: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of records to batches of one row."""
        return packed_batches(batch.rename_columns(self.names) for batch in batches)


def packed_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs on a worker: records in batches of one row, see `PACKED`."""
    for table in large_batches(batches):
        yield packed_batch(table)


def packed_batch(table: pa.Table) -> pa.RecordBatch:
    """Some records as a batch of one row."""
    return pa.RecordBatch.from_arrays([pa.array([_packed(table)], pa.binary())], ["batch"])


def unpacked(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Runs on a worker: the records of packed batches, one batch after the other."""
    for batch in batches:
        for packed in batch.column(0):
            yield pa.ipc.open_stream(packed.as_buffer()).read_all()


def large_batches(batches: Iterable[pa.RecordBatch], n_bytes: int = BYTES_AT_ONCE) -> Iterator[pa.Table]:
    """Records in tables of at least so many bytes, but for the last; none of them empty."""
    waiting: list[pa.RecordBatch] = []
    n_waiting = 0
    for batch in batches:
        if batch.num_rows:
            waiting.append(batch)
            n_waiting += batch.nbytes
        if n_waiting >= n_bytes:
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
    n_values = len(encoded.dictionary)
    if 2 * n_values > len(column):
        return column
    size = next(size for size in (pa.int8(), pa.int16(), pa.int32()) if n_values <= 1 << (size.bit_width - 1))
    return pa.DictionaryArray.from_arrays(encoded.indices.cast(size), encoded.dictionary)


@dataclass(frozen=True, slots=True)
class CodePartition:
    """Runs on a worker: the distinct records of one partition.

    Should a record come in two rows, it is counted in both; counts add up.

    Parameters
    ----------
    weights : str, optional
        Column that says how many records each row stands for.
    has_keys : bool
        Whether records bring the keys of their rows along, see `with_keys`; `first_item` must have room.
    """

    coder: RecordCoder
    first_item: NDArray[np.intp]
    weights: str | None = None
    has_keys: bool = False

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of rows to batches of rows."""
        columns = np.arange(len(self.first_item) - 1)
        most = _BYTES_GATHERED // bytes_a_record(len(columns))
        gathered = GrowingRecords(self.first_item)
        for table in unpacked(batches):
            batch = Batch(table, self.coder.missing, self.weights)
            codes, has_outcome = self.coder.code(batch)
            if self.has_keys:
                keys = batch.keys()[self.coder.is_known(batch)]
                codes = np.concatenate([codes, _as_codes(keys).astype(codes.dtype)])
            times = self.coder.times(batch)
            n_with = has_outcome.astype(np.int64) if times is None else has_outcome * times
            n_without = 1 - n_with if times is None else times - n_with
            gathered.add(Profiles.uncollapsed(self.first_item, codes, n_with, n_without))
            if gathered.n_waiting > most and gathered.merge().n_profiles > most:
                yield from rows_of(gathered.take(), columns)
        if gathered.n_waiting:
            yield from rows_of(gathered.take(), columns)


_KEY_BYTES = 8


def with_keys(first_item: NDArray[np.intp]) -> NDArray[np.intp]:
    """Room for the key of a record's row: eight more columns, one for each byte."""
    return np.append(first_item, first_item[-1] + 255 * np.arange(1, _KEY_BYTES + 1))


def _as_codes(keys: NDArray[np.uint64]) -> NDArray[np.uint8]:
    return keys.astype("<u8").view(np.uint8).reshape(len(keys), _KEY_BYTES).T


def keys_in(codes: NDArray[np.unsignedinteger]) -> NDArray[np.uint64]:
    """The keys that records brought along in their last columns."""
    sent = np.ascontiguousarray(codes[-_KEY_BYTES:].T.astype(np.uint8))
    return sent.view("<u8").ravel().astype(np.uint64)


def bytes_a_record(n_columns: int) -> int:
    """The most bytes that a distinct record takes: its codes and two counts."""
    return 2 * n_columns + 16


def records_a_row(n_columns: int) -> int:
    """Distinct records that travel together."""
    return max(1, _BYTES_A_ROW // bytes_a_record(n_columns))


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
    start, at_most = 0, records_a_row(len(columns))
    for end in ends.tolist():
        for first in range(start, end, at_most):
            chosen = order[first : min(first + at_most, end)]
            blobs = [
                columns.astype(np.int32).tobytes(),
                _narrow(np.take(records.codes, chosen, axis=1)[columns]),
                _narrow(records.n_with[chosen]),
                _narrow(records.n_without[chosen]),
            ]
            arrays = [pa.array([blob], pa.binary()) for blob in blobs]
            numbers = [pa.array([int(number)], pa.int32()) for number in (parts[chosen[0]], len(chosen))]
            yield pa.RecordBatch.from_arrays([*numbers, *arrays], _NAMES)
        start = end


def _narrow(numbers: NDArray[np.integer]) -> bytes:
    """Numbers of at least 0 in as few bytes each as the largest needs."""
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0)))).tobytes()


def _widened(sent: pa.Buffer, n_numbers: int) -> NDArray[np.unsignedinteger]:
    """Read back what `_narrow` gave."""
    return np.frombuffer(sent, f"u{sent.size // n_numbers}")


def records_in(batches: Iterable[pa.RecordBatch], first_item: NDArray[np.intp]) -> Profiles | None:
    """The records of all rows, identical ones put together; None if there are none."""
    return next(iter(records_by_group(batches, first_item).values()), None)


def no_records(first_item: NDArray[np.intp]) -> Profiles:
    """What `records_in` would be, were there rows of no records."""
    codes, counts = np.empty((len(first_item) - 1, 0), np.uint8), np.empty(0, np.int64)
    return Profiles.of_records(first_item, codes, counts, counts)


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
        for part, n_records, *blobs in zip(*map(batch.column, _NAMES), strict=True):
            group = part.as_py() // parts_a_group if parts_a_group else 0
            found.setdefault(group, []).append(_records_of(n_records.as_py(), blobs, first_item))
    return {
        group: Profiles.of_records(
            first_item, *(np.concatenate(parts, axis=-1) for parts in zip(*rows, strict=True))
        )
        for group, rows in found.items()
    }


def _records_of(n_records: int, blobs: Sequence[pa.BinaryScalar], first_item: NDArray[np.intp]) -> _Records:
    """Codes and counts of one row."""
    sent_columns, sent_codes, *sent_counts = (blob.as_buffer() for blob in blobs)
    columns = np.frombuffer(sent_columns, np.int32)
    codes = np.zeros((len(first_item) - 1, n_records), code_type(first_item))
    if len(columns):
        codes[columns] = _widened(sent_codes, len(columns) * n_records).reshape(len(columns), n_records)
    n_with, n_without = (_widened(sent, n_records).astype(np.int64) for sent in sent_counts)
    return codes, n_with, n_without
