"""Records spread over parts; DuckDB sorts them, on disk if need be."""

from __future__ import annotations

from importlib import import_module
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.engines.blocks import column_names, records_of
from causalrules.engines.unique_records import Profiles
from causalrules.errors import EngineError, MissingPackageError, Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.engines.blocks import Blocks

_RECORDS_A_BATCH = 1 << 16
_LEAST_MEMORY = 256 << 20
"""For DuckDB's sort, which fails with much less."""


def spread(
    blocks: Blocks, held: NDArray[np.bool_], in_play: NDArray[np.bool_], n_parts: int, threads: int
) -> Iterator[Profiles]:
    """The records in parts; those that agree on the held items are in the same.

    Parameters
    ----------
    held : bool[n_items]
        Items that decide on the part.
    in_play : bool[n_items]
        Items that matter; records of a block that agree on them travel as one.
    """
    schema = _schema(len(blocks.first_item) - 1)
    reader = pa.RecordBatchReader.from_batches(schema, _with_parts(blocks, held, in_play, n_parts, schema))
    connection = _connect(blocks, threads)
    try:
        connection.register("records", reader)
        in_order = connection.sql("SELECT * FROM records ORDER BY part").to_arrow_reader(_RECORDS_A_BATCH)
        pieces = (piece for batch in in_order for piece in _cut_by_part(batch))
        for _, same in groupby(pieces, key=lambda piece: piece[0]):
            part = pa.Table.from_batches([batch for _, batch in same])
            records = Profiles.uncollapsed(blocks.first_item, *records_of(part))
            yield records.collapsed_to(in_play)
    except (_duckdb().Error, pa.ArrowException, OSError) as error:
        problem = str(error).splitlines()[0]
        raise EngineError(
            f"records could not be sorted on disk: {problem}. Allow more with ",
            Setting("memory"),
            f", or make room in {blocks.folder}.",
        ) from error
    finally:
        connection.close()


def _schema(n_columns: int) -> pa.Schema:
    counts, codes = column_names(n_columns)[:2], column_names(n_columns)[2:]
    return pa.schema(
        [
            ("part", pa.int64()),
            *((name, pa.int64()) for name in counts),
            *((name, pa.uint16()) for name in codes),
        ]
    )


def _with_parts(
    blocks: Blocks, held: NDArray[np.bool_], in_play: NDArray[np.bool_], n_parts: int, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    for records in blocks:
        block = records if in_play.all() else records.collapsed_to(in_play)
        columns = [block.parts(held, n_parts), block.n_with, block.n_without, *block.codes]
        table = pa.Table.from_arrays([pa.array(column) for column in columns], schema=schema)
        yield from table.to_batches(_RECORDS_A_BATCH)


def _cut_by_part(batch: pa.RecordBatch) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Pieces of a batch in order of parts, without the parts' column."""
    part = batch.column(0).to_numpy()
    records = batch.select(range(1, batch.num_columns))
    starts = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(part)]
    for start, end in pairwise(starts):
        if end > start:
            yield int(part[start]), records.slice(start, end - start)


def _connect(blocks: Blocks, threads: int) -> Any:
    bytes_a_record = 2 * len(blocks.first_item) + 40
    memory = max(_LEAST_MEMORY, blocks.most_records * bytes_a_record)
    settings = {
        "memory_limit": f"{memory >> 20}MiB",
        "temp_directory": str(blocks.folder),
        "threads": threads,
    }
    return _duckdb().connect(config=settings)


def _duckdb() -> Any:
    try:
        return import_module("duckdb")
    except ImportError as error:
        raise MissingPackageError(
            "a table whose distinct records do not fit memory", "duckdb", "streaming"
        ) from error
