"""Distinct records in blocks: in memory as long as they fit, on disk after that."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from causalrules.engines.unique_records import Profiles
from causalrules.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_WORTH_MERGING = 1 << 16
_FULL = 0.8
"""Share of the records allowed from which a block is written; the rest is for the next batch."""


def records_within(most_bytes: int, n_columns: int, threads: int | None) -> int:
    """How many distinct records can be studied in so much memory.

    A record takes its codes three times (as they are and in two collapses),
    its slots, its keys, and for each thread a place in the work space.
    """
    n_threads = threads or os.cpu_count() or 1
    return max(1, most_bytes // (10 * n_columns + 100 + 150 * n_threads))


class Blocks:
    """The records of a table, batch after batch, with identical ones put together.

    New batches are kept aside until they are as many as what was put together
    before, so that the work grows in proportion to the records. When too many
    distinct ones have gathered, they are written to the folder as one block,
    each column in as many bytes as its codes need, and gathering begins anew.

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
        self._within = folder
        self.n_with = self.n_without = 0
        self._files: list[Path] = []
        self._n_on_disk = 0
        self._aside: list[Profiles] = []
        self._n_aside = 0

    @cached_property
    def folder(self) -> Path:
        """Where blocks are written, and what is made of them."""
        return Path(mkdtemp(dir=self._within))

    def add(self, codes: NDArray[np.uint16], has_outcome: NDArray[np.bool_]) -> None:
        """Take more records, as in `CodedTable`."""
        with_it = has_outcome.astype(np.int64)
        self.n_with += int(with_it.sum())
        self.n_without += int(len(with_it) - with_it.sum())
        batch = Profiles.of_records(self.first_item, codes, with_it, 1 - with_it)
        self._aside.append(batch)
        self._n_aside += batch.n_profiles
        n_merged = self._aside[0].n_profiles  # the first is what was put together before
        is_worth_it = self._n_aside > max(2 * n_merged, _WORTH_MERGING)
        if is_worth_it or self._n_aside > self.most_records:
            self._merge()
            if self._n_aside > _FULL * self.most_records:
                self._write()

    def _merge(self) -> None:
        """Put identical records of all batches kept aside together."""
        if len(self._aside) > 1:
            self._aside = [merged(self._aside, self.first_item)]
        self._n_aside = sum(part.n_profiles for part in self._aside)

    def _write(self) -> None:
        """Move the records gathered so far to a file."""
        (block,) = self._aside
        path = self.folder / f"block-{len(self._files)}.parquet"
        try:
            parquet.write_table(_as_arrow(block), path)
        except OSError as error:
            raise OutputError(path, str(error), "Make room there, or set TMPDIR to a larger disk.") from error
        self._files.append(path)
        self._n_on_disk += block.n_profiles
        self._aside, self._n_aside = [], 0

    def in_memory(self) -> Profiles | None:
        """All distinct records, if they never had to be written."""
        self._merge()
        if self._files:
            return None
        return self._aside[0] if self._aside else _no_records(self.first_item)

    @property
    def n_records(self) -> int:
        """Distinct records of all blocks."""
        return self._n_on_disk + self._n_aside

    def __iter__(self) -> Iterator[Profiles]:
        """One block after the other."""
        self._merge()
        yield from self._aside
        for path in self._files:
            yield Profiles.uncollapsed(self.first_item, *records_of(parquet.read_table(path)))


def merged(parts: Sequence[Profiles], first_item: NDArray[np.intp]) -> Profiles:
    """Put identical records of several parts together."""
    both = joined(parts, first_item)
    return Profiles.of_records(first_item, both.codes, both.n_with, both.n_without)


def joined(parts: Sequence[Profiles], first_item: NDArray[np.intp]) -> Profiles:
    """The records of several parts, one after the other."""
    return Profiles.uncollapsed(
        first_item,
        np.concatenate([part.codes for part in parts], axis=1),
        np.concatenate([part.n_with for part in parts]),
        np.concatenate([part.n_without for part in parts]),
    )


def _no_records(first_item: NDArray[np.intp]) -> Profiles:
    nothing = np.empty(0, np.int64)
    return Profiles.of_records(first_item, np.empty((len(first_item) - 1, 0), np.uint16), nothing, nothing)


def _as_arrow(block: Profiles) -> pa.Table:
    """Counts, then a column of codes for each column, in one byte where that is enough."""
    columns = [pa.array(block.n_with), pa.array(block.n_without)]
    for codes in block.codes:
        is_narrow = codes.max(initial=0) <= np.iinfo(np.uint8).max
        columns.append(pa.array(codes.astype(np.uint8) if is_narrow else codes))
    return pa.table(columns, names=column_names(len(block.codes)))


def column_names(n_columns: int) -> list[str]:
    """Names of the columns of a block on disk."""
    return ["n_with", "n_without", *(f"code_{column}" for column in range(n_columns))]


def records_of(
    table: pa.Table,
) -> tuple[NDArray[np.uint16], NDArray[np.int64], NDArray[np.int64]]:
    """Codes and counts of a block as it was written."""
    n_with, n_without, *codes = (column.to_numpy() for column in table.columns)
    return np.stack([column.astype(np.uint16) for column in codes]), n_with, n_without
