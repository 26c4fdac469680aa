"""Distinct records in blocks: in memory as long as they fit, on disk after that."""

from __future__ import annotations

import os
import shutil
import sys
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.engines.growing_records import GrowingRecords
from causalrules.engines.unique_records import Profiles, code_type
from causalrules.errors import OutputError
from causalrules.files.available_memory import give_back_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

_FREQUENT_ITEMS = 20
"""Of a column, at most: each has one record in twenty by default."""

_FULL = 0.8
"""Share of the records allowed from which a block is written; the rest is for the next batch."""

_WITH_A_BATCH = 1.25
"""Share of the records allowed that a block may have which was full but for the last batch."""


def records_within(most_bytes: int, first_item: NDArray[np.intp], threads: int | None) -> int:
    """How many distinct records can be studied in so much memory, see docs/scale.md.

    A record takes its codes twice (as they are and collapsed), a number for several of them at once, a bit
    for each frequent item, its counts and keys, and for each thread a place in the work space.

    Parameters
    ----------
    first_item : intp[n_columns + 1]
        As in `Vocabulary`.
    """
    n_columns, n_threads = len(first_item) - 1, threads or os.cpu_count() or 1
    n_packed = min(int(first_item[-1]), _FREQUENT_ITEMS * n_columns)
    bytes_a_record = (
        (2 * code_type(first_item)().itemsize + 1) * n_columns + n_packed // 8 + 90 + 75 * n_threads
    )
    return max(1, most_bytes // bytes_a_record)


class Blocks:
    """The records of a table, batch after batch, with identical ones put together.

    When too many distinct ones have gathered, they are written to the folder
    as one block, each column in as many bytes as its codes need, and
    gathering begins anew.

    Parameters
    ----------
    first_item : intp[n_columns + 1]
        As in `Vocabulary`.
    most_records : int, optional
        Records that memory allows for; any number by default.
    folder : Path, optional
        For what does not fit; a new folder is made in it when it is needed.
    """

    def __init__(
        self, first_item: NDArray[np.intp], most_records: int | None = None, folder: Path | None = None
    ) -> None:
        self.first_item = first_item
        self.most_records = sys.maxsize if most_records is None else most_records
        self.n_with = self.n_without = 0
        self._within = folder
        self._files: list[Path] = []
        self._n_on_disk = 0
        self._gathered = GrowingRecords(first_item)

    @cached_property
    def folder(self) -> Path:
        """Where blocks are written, and what is made of them."""
        return Path(mkdtemp(dir=self._within))

    def add(
        self,
        codes: NDArray[np.unsignedinteger],
        has_outcome: NDArray[np.bool_],
        times: NDArray[np.int64] | None = None,
    ) -> None:
        """Take more records, as in `CodedTable`."""
        times = np.ones(len(has_outcome), np.int64) if times is None else times
        with_it = has_outcome * times
        self.add_records(Profiles.uncollapsed(self.first_item, codes, with_it, times - with_it))

    def add_records(self, records: Profiles) -> None:
        """Take more records, with counts of their own."""
        self.n_with += int(records.n_with.sum())
        self.n_without += int(records.n_without.sum())
        self._gathered.add(records)
        # Waiting records may be alike: only those that stay after they are put together count.
        is_too_many = self._gathered.n_waiting > self.most_records
        if is_too_many and self._gathered.merge().n_profiles > _FULL * self.most_records:
            self._write(self._gathered.take())

    def _write(self, block: Profiles) -> None:
        path = self.folder / f"block-{len(self._files)}.parquet"
        try:
            _write_block(block, path)
        except OSError as error:
            raise OutputError(path, str(error), "Make room there, or set TMPDIR to a larger disk.") from error
        self._files.append(path)
        self._n_on_disk += block.n_profiles
        give_back_memory()

    def keep_in(self, folder: Path, name_of: Callable[[int], str]) -> list[Path]:
        """Have all records in files of a folder that is not ours, which stay; gives the files.

        Blocks that were on disk before are moved there.
        """
        for number, file in enumerate(self._files):
            self._files[number] = _moved(file, folder / name_of(number))
        if not self._gathered.n_waiting:
            return list(self._files)
        last = folder / name_of(len(self._files))
        _write_block(self._gathered.merge(), last)
        return [*self._files, last]

    def take_files(self, files: Sequence[Path]) -> None:
        """Take the records of files that `keep_in` made.

        They are read if all of them fit into memory, or one of them does not; otherwise they
        are blocks as they stand.
        """
        from pyarrow import parquet

        sizes = [parquet.read_metadata(file).num_rows for file in files]
        if sum(sizes) > self.most_records and max(sizes) <= _WITH_A_BATCH * self.most_records:
            for file, size in zip(files, sizes, strict=True):
                for counts in parquet.ParquetFile(file).iter_batches(columns=["n_with", "n_without"]):
                    self.n_with += counts.column(0).sum().as_py()
                    self.n_without += counts.column(1).sum().as_py()
                self._files.append(file)
                self._n_on_disk += size
            return
        for file, size in zip(files, sizes, strict=True):
            if size <= self.most_records:
                self.add_records(_read_block(self.first_item, file))
                continue
            for some in parquet.ParquetFile(file).iter_batches(max(1, self.most_records // 4)):
                self.add_records(Profiles.uncollapsed(self.first_item, *records_of(some)))
        give_back_memory()

    def in_memory(self) -> Profiles | None:
        """All distinct records, if they never had to be written."""
        return None if self._files else self._gathered.merge()

    @property
    def n_records(self) -> int:
        """Distinct records of all blocks."""
        return self._n_on_disk + self._gathered.n_waiting

    @property
    def n_blocks(self) -> int:
        """Blocks of records, in memory or on disk."""
        return len(self._files) + bool(self._gathered.n_waiting)

    def __iter__(self) -> Iterator[Profiles]:
        """One block after the other, first the one that is still in memory."""
        if self._gathered.n_waiting:
            yield self._gathered.merge()
        for path in self._files:
            yield _read_block(self.first_item, path)
            give_back_memory()


def _write_block(block: Profiles, path: Path) -> None:
    from pyarrow import parquet  # records seldom go to disk

    parquet.write_table(_as_arrow(block), path)


def _read_block(first_item: NDArray[np.intp], path: Path) -> Profiles:
    """All records of a file, a column at a time: nothing but they themselves is in memory."""
    from pyarrow import parquet

    file = parquet.ParquetFile(path)
    n_with, n_without, *names = column_names(len(first_item) - 1)
    codes = np.empty((len(names), file.metadata.num_rows), code_type(first_item))
    for place, name in enumerate(names):
        codes[place] = file.read([name]).column(0).to_numpy()
    counts = (file.read([name]).column(0).to_numpy() for name in (n_with, n_without))
    return Profiles.uncollapsed(first_item, codes, *counts)


def _moved(file: Path, target: Path) -> Path:
    """A file in another place, which may be on another disk."""
    try:
        file.replace(target)
    except OSError:
        shutil.copyfile(file, target)
        file.unlink()
    return target


def _as_arrow(block: Profiles) -> pa.Table:
    """Counts, then a column of codes for each column, in one byte where that is enough."""
    columns = [pa.array(block.n_with), pa.array(block.n_without)]
    for codes in block.codes:
        is_narrow = codes.max(initial=0) <= np.iinfo(np.uint8).max
        columns.append(pa.array(codes.astype(np.uint8, copy=False) if is_narrow else codes))
    return pa.table(columns, names=column_names(len(block.codes)))


def column_names(n_columns: int) -> list[str]:
    """Names of the columns of a block on disk."""
    return ["n_with", "n_without", *(f"code_{column}" for column in range(n_columns))]


def records_of(
    table: pa.Table | pa.RecordBatch,
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.int64], NDArray[np.int64]]:
    """Codes and counts of a block as it was written."""
    n_with, n_without, *codes = (column.to_numpy() for column in table.columns)
    return np.stack(codes), n_with, n_without
