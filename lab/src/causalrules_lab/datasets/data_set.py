"""A data set as a table, from the files as published."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from causalrules.errors import SourceError
from causalrules_lab.datasets.download import cached_file, default_cache, local_file
from causalrules_lab.datasets.published import UCI, DataSetInfo, info

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import pyarrow as pa


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """A table and what is known about it.

    Parameters
    ----------
    info : DataSetInfo
        Its entry in the catalogue.
    table : pyarrow.Table
        All columns as categories of text, just as published but for blanks
        and final dots; missing values (``?``) are null.
    """

    info: DataSetInfo
    table: pa.Table

    @property
    def outcome(self) -> str:
        """The paper's outcome, as ``column=value``."""
        return self.info.outcome

    @property
    def as_the_paper(self) -> dict[str, tuple[str, ...]]:
        """Settings for `mine`: numbers are left out or cut as in the paper, all else is categories.

        ``NA``, which would mean a missing value elsewhere, is a value here
        (of ``hispanic origin`` in the Census Income data).
        """
        others = {"categorical": self.info.nominal, "missing": ("?",)}
        if not self.info.cuts_numbers:
            return {"drop": self.info.numbers, **others}
        known = tuple(name for name in self.info.numbers if self.table[name].null_count < self.table.num_rows)
        return {"numeric": known, **others}


def get(
    name: str,
    from_dir: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | None = None,
    base_url: str = UCI,
) -> DataSet:
    """Get one of the paper's data sets.

    Parameters
    ----------
    name : str
        One of `catalogue`.
    from_dir : path, optional
        A folder that has the files, by themselves or in a folder called as
        the data set; nothing is fetched then.
    cache : path, optional
        Where fetched files are kept; see `default_cache`.
    base_url : str
        Where the folders of the repository are.

    Returns
    -------
    DataSet
        With ``.table`` and ``.outcome``. For the paper's items, call
        ``mine(data.table, data.outcome, **data.as_the_paper)``.

    Examples
    --------
    >>> data = get("adult")  # fetched once  # doctest: +SKIP
    >>> result = causalrules.mine(data.table, data.outcome, **data.as_the_paper)  # doctest: +SKIP
    """
    about = info(name)
    paths = fetch(name, from_dir, cache, base_url)
    table = _parsed(about, paths)
    if table.num_rows != about.rows:
        raise SourceError(
            paths[0], f"it has {table.num_rows:,} records, expected {about.rows:,}", "Get the published file."
        )
    return DataSet(about, table)


def fetch(
    name: str,
    from_dir: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | None = None,
    base_url: str = UCI,
) -> tuple[Path, ...]:
    """The files of a data set, checked; parameters as in `get`.

    Examples
    --------
    >>> fetch("adult")  # doctest: +SKIP
    (PosixPath('/home/me/.cache/causalrules/adult.data'), …)
    """
    about = info(name)
    if from_dir is not None:
        return tuple(local_file(about, file, Path(from_dir)) for file in about.files)
    folder = default_cache() if cache is None else Path(cache)
    return tuple(cached_file(about, file, folder, base_url) for file in about.files)


def _parsed(about: DataSetInfo, paths: Sequence[Path]) -> pa.Table:
    """All files below one another, cleaned of what is no data."""
    import pyarrow as pa
    from pyarrow import csv

    # A bar begins a remark: a line of its own in adult.test, the number of the record in sick.data.
    tables = [
        csv.read_csv(
            pa.BufferReader(re.sub(rb"\|[^\n]*", b"", _content(path))),
            read_options=csv.ReadOptions(column_names=list(about.columns)),
            parse_options=csv.ParseOptions(delimiter=about.separator, quote_char=False),
            convert_options=csv.ConvertOptions(column_types=dict.fromkeys(about.columns, pa.string())),
        )
        for path in paths
    ]
    table = pa.concat_tables(tables).combine_chunks()
    return pa.table({name: _cleaned(table.column(name), name == about.columns[-1]) for name in about.columns})


def _content(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _cleaned(column: pa.ChunkedArray, is_last: bool) -> pa.ChunkedArray:
    """Without blanks around values, without the dot that ends some records, missing values as null."""
    import pyarrow.compute as pc

    column = pc.utf8_trim_whitespace(column)
    if is_last:
        column = pc.utf8_rtrim(column, ".")
    return pc.if_else(pc.equal(column, "?"), None, column).dictionary_encode()
