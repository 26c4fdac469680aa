"""Records on disk, spread over parts so that those who belong together are in one."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.engines.blocks import column_names, records_of
from causalrules.engines.unique_records import Profiles
from causalrules.errors import EngineError, Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.engines.blocks import Blocks

_RECORDS_A_BATCH = 1 << 16
_MOST_OPEN_FILES = 256
"""A part that has to wait for its turn gets another file."""

_FORM = "arrow"
"""Arrow's own, not compressed: parts are read once and then removed. 3 million records of 43 codes go to
16 parts and are read again in a third of the time, and half of the memory, that sorting them takes."""


def spread(
    blocks: Blocks, held: NDArray[np.bool_], in_play: NDArray[np.bool_], n_parts: int
) -> Iterator[Profiles]:
    """The records in parts; those that agree on the held items are in the same.

    Parameters
    ----------
    held : bool[n_items]
        Items that decide on the part.
    in_play : bool[n_items]
        Items that matter; records of a block that agree on them travel as one.
    """
    from pyarrow import dataset  # it loads pandas where that is installed, half a second

    folder = Path(mkdtemp(dir=blocks.folder))
    try:
        _write(folder, blocks, held, in_play, n_parts)
        for part in sorted(folder.iterdir()):
            table = dataset.dataset(part, format=_FORM).to_table()
            shutil.rmtree(part)
            records = Profiles.uncollapsed(blocks.first_item, *records_of(table))
            yield records.collapsed_to(in_play)
    except (pa.ArrowException, OSError) as error:
        problem = str(error).splitlines()[0]
        raise EngineError(
            f"records could not be spread on disk: {problem}. Allow more with ",
            Setting("memory"),
            f", or make room in {blocks.folder}.",
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write(
    folder: Path, blocks: Blocks, held: NDArray[np.bool_], in_play: NDArray[np.bool_], n_parts: int
) -> None:
    """A folder for each part, named by its number."""
    from pyarrow import dataset

    schema = _schema(blocks.first_item)
    dataset.write_dataset(
        _batches(blocks, held, in_play, n_parts, schema),
        folder,
        schema=schema,
        format=_FORM,
        partitioning=["part"],
        max_partitions=n_parts,
        max_open_files=_MOST_OPEN_FILES,
        use_threads=False,  # the reader of blocks is the bottleneck, and waiting batches take memory
    )


def _schema(first_item: NDArray[np.intp]) -> pa.Schema:
    """The part, two counts, and each column's codes in as many bytes as its values need."""
    n_with, n_without, *names = column_names(len(first_item) - 1)
    is_narrow = np.diff(first_item) <= np.iinfo(np.uint8).max
    codes = [
        (name, pa.uint8() if narrow else pa.uint16()) for name, narrow in zip(names, is_narrow, strict=True)
    ]
    return pa.schema([("part", pa.int32()), (n_with, pa.int64()), (n_without, pa.int64()), *codes])


def _batches(
    blocks: Blocks, held: NDArray[np.bool_], in_play: NDArray[np.bool_], n_parts: int, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    for records in blocks:
        block = records if in_play.all() else records.collapsed_to(in_play)
        columns = [block.parts(held, n_parts), block.n_with, block.n_without, *block.codes]
        arrays = [
            pa.array(column.astype(field.type.to_pandas_dtype(), copy=False))
            for column, field in zip(columns, schema, strict=True)
        ]
        yield from pa.Table.from_arrays(arrays, schema=schema).to_batches(_RECORDS_A_BATCH)
