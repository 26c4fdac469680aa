"""Parquet files that workers open themselves: Java would hand their values over one by one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from causalrules.engines.spark.records import packed_batches
from causalrules.read.columnar import open_parquet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame

    Piece = tuple[tuple[str, int], ...]

MOST_FILES = 1000
"""That the driver looks into; a folder of more is left to Spark."""

_LEAST_BYTES, _MOST_BYTES = 4 << 20, 128 << 20
"""Of a piece, as in Spark's own defaults for what a task reads of files."""


@dataclass(frozen=True, slots=True)
class PackFiles:
    """Runs on a worker: the records of some pieces in packed batches.

    Parameters
    ----------
    pieces : tuple of tuples of (str, int)
        Files and row groups of each piece.
    names : tuple of str
        Of the columns.
    """

    pieces: tuple[Piece, ...]
    names: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From numbers of pieces to batches of one row."""
        numbers = chain.from_iterable(batch.column(0).to_pylist() for batch in batches)
        return packed_batches(chain.from_iterable(map(self._records, numbers)))

    def _records(self, number: int) -> Iterator[pa.RecordBatch]:
        for path, group in self.pieces[number]:
            with open_parquet(path) as file:
                wanted = {"row_groups": [group], "columns": list(self.names), "use_threads": False}
                for batch in file.iter_batches(**wanted):
                    batch.validate(full=True)
                    yield batch.select(self.names)


def pieces_of(frame: DataFrame, schema: pa.Schema, n_tasks: int) -> tuple[Piece, ...] | None:
    """The row groups of the Parquet files that a data frame reads, in pieces for tasks.

    None where Spark has to read: files that are not in a file system of the machines, or whose columns Spark
    does not take as they are, such as moments or values from the names of folders.

    Parameters
    ----------
    schema : pyarrow.Schema
        What Spark would hand over.
    n_tasks : int
        As many as keep the cluster busy.
    """
    addresses = [urlsplit(address) for address in frame.inputFiles()]
    if not addresses or len(addresses) > MOST_FILES or any(one.scheme != "file" for one in addresses):
        return None
    groups: list[tuple[int, tuple[str, int]]] = []
    for path in (unquote(address.path) for address in addresses):
        try:
            with open_parquet(path) as file:
                about, columns = file.metadata, file.schema_arrow
        except (pa.ArrowException, OSError):
            return None  # Spark will tell what is wrong
        if not _is_the_same(columns, schema):
            return None
        sizes = [about.row_group(group).total_byte_size for group in range(about.num_row_groups)]
        groups += [(size, (path, group)) for group, size in enumerate(sizes)]
    return tuple(_filled(groups, n_tasks))


def _filled(groups: list[tuple[int, tuple[str, int]]], n_tasks: int) -> Iterator[Piece]:
    """Row groups put together until a piece is worth a task."""
    enough = min(max(sum(size for size, _ in groups) // n_tasks, _LEAST_BYTES), _MOST_BYTES)
    piece: list[tuple[str, int]] = []
    n_bytes = 0
    for size, group in groups:
        piece.append(group)
        n_bytes += size
        if n_bytes >= enough:
            yield tuple(piece)
            piece, n_bytes = [], 0
    if piece:
        yield tuple(piece)


def _is_the_same(here: pa.Schema, on_spark: pa.Schema) -> bool:
    """Whether a file has these columns, all of types that are the same for everybody."""
    return here.names == on_spark.names and all(
        _plain(field.type) == _plain(other.type) and _is_simple(_plain(field.type))
        for field, other in zip(here, on_spark, strict=True)
    )


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type of the values, however they are stored."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.string() if pa.types.is_large_string(kind) else kind


def _is_simple(kind: pa.DataType) -> bool:
    is_number = pa.types.is_integer(kind) or kind in (pa.float32(), pa.float64())
    return bool(is_number) or kind in (pa.string(), pa.bool_(), pa.date32())
