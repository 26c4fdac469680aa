"""Recognise a source and hand it to the reader that knows its kind, to be read at once or in batches.

Readers are imported when they are needed.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.domain import Declared
from causalrules.errors import SettingsError, SourceError, one_line
from causalrules.files.scratch_folder import scratch_folder
from causalrules.read import compressed, file_kinds, parts
from causalrules.read.addresses import is_address, without_credentials
from causalrules.read.choose_reader import read_content
from causalrules.read.file_kinds import FileContent, sample_of, suffix_of
from causalrules.read.frames import (
    STREAM,
    is_lazy,
    is_stream,
    lazy_as_parquet,
    name_of_frame,
    read_frame,
    with_orders,
)
from causalrules.read.python_tables import python_table
from causalrules.read.table import SourceTable
from causalrules.read.table_at import TableAt
from causalrules.read.text import plain_utf8

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROWS_A_BATCH = 1 << 16


def read_table(
    source: Any,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    is_needed: Callable[[str], bool] | None = None,
) -> SourceTable:
    """Read any supported source into memory.

    Parameters
    ----------
    source : path, '-', list of paths, data frame, dict or array
        CSV/TSV, Parquet, Arrow/Feather, JSON lines, C4.5 or ARFF, each also
        gzipped; several of them, by a list or a pattern of names; ``'-'`` is
        standard input; a data frame of pandas, Polars, PyArrow or anything
        else narwhals accepts; a dict of columns; or a NumPy array.
    columns : sequence of str, optional
        Names for a text file without a header, or for an array.
    delimiter : str, optional
        One character; found by itself when not given.
    is_needed : callable, optional
        Whether the values of a column will be looked at, by its name; those of others may be missing.
    """
    source = source_at(source, columns, delimiter)
    if isinstance(source, SourceTable):
        return source
    several = _several(source, read_table)
    if several is not None:
        return SourceTable.in_memory(several.arrow, several.declared)
    if not isinstance(source, str | os.PathLike):
        found = python_table(source)
        return with_orders(read_frame(source)) if found is None else found
    at = _located(source)
    if str(at.location) == "-":
        return read_content("standard input", pa.py_buffer(sys.stdin.buffer.read()), "", at)
    if is_address(at.location):
        with scratch_folder() as folder:
            opened = _open_address(at, folder)
            return SourceTable.in_memory(opened.arrow, opened.declared)
    path = Path(at.location)
    if os.path.isdir(path):
        from causalrules.read.columnar import read_parquet_folder

        at.refuse_all_but("Parquet files")
        return read_parquet_folder(path, file_kinds.parquet_files_of(path))
    return read_content(path, file_kinds.content_of(path), suffix_of(path), at, is_needed)


def source_at(source: Any, columns: Sequence[str] | None = None, delimiter: str | None = None) -> Any:
    """A source with what was said about it, made at the door so that nobody carries that beside it.

    Files become `TableAt`, an array with names for its columns a table; what needs no names stays as it is.

    Parameters
    ----------
    source, columns, delimiter
        As in `read_table`.
    """
    if isinstance(columns, str):
        raise SettingsError("columns", "a list of texts", columns)
    if columns is None and delimiter is None:
        return source
    if isinstance(source, list | tuple) and all(isinstance(one, str | os.PathLike) for one in source):
        return [source_at(one, columns, delimiter) for one in source]
    if isinstance(source, str | os.PathLike):
        at = _located(source)
        names = at.columns if columns is None else tuple(columns)
        return replace(at, columns=names, delimiter=delimiter or at.delimiter)
    if columns is None or isinstance(source, SourceTable):
        return source
    found = python_table(source, columns)
    if found is None:
        asked = "left out for a data frame, which has names of its own"
        raise SettingsError("columns", asked, list(columns))
    return found


def _located(source: str | os.PathLike[str]) -> TableAt:
    """Where a table is, and how it is written there."""
    return source if isinstance(source, TableAt) else TableAt(source)


def _several(source: Any, open_one: Callable[[TableAt], SourceTable]) -> SourceTable | None:
    """The files of a list or of a pattern as one table; None where one file is meant, or none."""
    place = source.location if isinstance(source, TableAt) else source
    files = None if is_address(place) else parts.files_of(place)
    if files is None:
        return None
    name = one_line(str(files[0])) if len(files) == 1 else f"{len(files)} files"
    if not isinstance(place, list | tuple):
        name = one_line(str(place))
    elif len(files) > 1:
        name += f" from {one_line(str(files[0]))} to {one_line(str(files[-1]))}"
    asked = source if isinstance(source, list | tuple) else [source] * len(files)
    ways = [one if isinstance(one, TableAt) else TableAt("") for one in asked]
    tables = [open_one(replace(at, location=file)) for at, file in zip(ways, files, strict=True)]
    return parts.joined(tables, files, name)


def open_batches(source: Any, folder: Path) -> SourceTable:
    """Open a source to be read in batches, as often as needed.

    Delimited text in UTF-8, Parquet and Arrow files and queries are never in memory as a
    whole; other kinds, and data frames, are read by `read_table` and cut.

    Parameters
    ----------
    source
        As in `read_table`; also the relation of a DuckDB query.
    folder : Path
        For what has to be unpacked or fetched first.
    """
    if isinstance(source, SourceTable):
        return _cut(source)
    if is_stream(source):
        return _spooled(source, folder)
    several = _several(source, lambda one: _open_path(Path(one), _new_folder(folder), one))
    if several is not None:
        return several
    if not isinstance(source, str | os.PathLike) and is_lazy(source):
        return _carried_out(source, folder)
    if isinstance(source, str | os.PathLike) and str(source) != "-":
        at = _located(source)
        if is_address(at.location):
            return _open_address(at, folder)
        return _open_path(Path(at.location), folder, at)
    return _cut(read_table(source))


def _open_file(path: Path, folder: Path, at: TableAt) -> SourceTable | None:
    """A file of a kind that can be read in batches, else None."""
    from causalrules.read.columnar import arrow_batches, parquet_batches
    from causalrules.read.delimited import DelimitedText
    from causalrules.read.dirty_text import DIRTY, is_dirty, read_dirty

    if not path.is_file() or not path.stat().st_size:
        return None
    suffix, file = suffix_of(path), FileContent(path)
    if compressed.packing_of(file) and not file_kinds.is_workbook(b"", path.name.lower()):
        unpacked, inside = compressed.unpack_to(folder, path)
        if not unpacked.size:
            return None
        assert isinstance(unpacked, FileContent)
        file, suffix = unpacked, inside or suffix
    sample = sample_of(path, file)
    if file_kinds.is_parquet(sample, suffix):
        at.refuse_all_but("a Parquet file")
        return parquet_batches(path, [file.path], ROWS_A_BATCH)
    if file_kinds.is_arrow(sample, suffix) and sample.startswith(b"ARROW1"):
        at.refuse_all_but("an Arrow file")
        return arrow_batches(path, file, ROWS_A_BATCH)
    if file_kinds.is_database(sample, suffix):
        from causalrules.read.databases import open_database_file

        at.refuse_all_but("a database", "query", "table")
        with open_database_file(file.path, replace(at, location=path)) as records:
            return _called_by(_spooled(records, folder), one_line(str(path)))
    is_text = file_kinds.is_delimited(sample, suffix) and not sample.startswith(b"PK\x03\x04")
    content = plain_utf8(file) if is_text else None
    if content is None:
        return None
    at.refuse_all_but("a text file", "columns", *DIRTY)
    delimiter = at.delimiter or file_kinds.usual_delimiter(suffix)
    if is_dirty(at):
        return read_dirty(path, content, at, delimiter, in_batches=True)
    text = DelimitedText.of(path, content, at.columns, delimiter, skip_rows=at.skip_rows)

    def batches() -> Iterator[pa.Table]:
        yield from text.batches()
        file.check_whole()

    schema = pa.schema(list(text.types.items()))
    declared = Declared(source=one_line(str(path)), is_untyped=True)
    return SourceTable(schema=schema, batches=batches, declared=declared)


def _open_path(path: Path, folder: Path, at: TableAt) -> SourceTable:
    """A file or folder of this machine, in batches."""
    if os.path.isdir(path):
        from causalrules.read.columnar import parquet_batches

        at.refuse_all_but("Parquet files")
        return parquet_batches(path, file_kinds.parquet_files_of(path), ROWS_A_BATCH)
    return _open_file(path, folder, at) or _cut(read_table(at))


def _new_folder(folder: Path) -> Path:
    """A folder for what one of several files is unpacked to."""
    return Path(tempfile.mkdtemp(dir=folder))


def _open_address(at: TableAt, folder: Path) -> SourceTable:
    """A table elsewhere: what a query gives, or files that are fetched; it goes by its address."""
    from causalrules.read.databases import is_database_address, open_server

    address = str(at.location)
    shown = one_line(without_credentials(address))
    if is_database_address(address):
        at.refuse_all_but("a database", "query", "table")
        with open_server(at) as records:
            return _called_by(_spooled(records, folder), shown)
    from causalrules.read.remote import fetched

    local = fetched(address, folder)
    with _called(folder, shown):
        opened = open_batches(replace(at, location=local), folder)

    def batches() -> Iterator[pa.Table]:
        with _called(folder, shown):
            yield from opened.batches()

    return _called_by(replace(opened, batches=batches), shown)


@contextmanager
def _called(folder: Path, shown: str) -> Iterator[None]:
    """Errors call a copy below the folder by the address that it came from."""
    try:
        yield
    except SourceError as error:
        if not error.source.startswith(str(folder)):
            raise
        name = Path(error.source).name
        raise error.renamed(shown if shown.endswith(name) else f"{name} of {shown}") from None


def _spooled(source: Any, folder: Path) -> SourceTable:
    """A stream can be read only once: it is copied to an Arrow file first."""
    from causalrules.read.columnar import arrow_batches

    if isinstance(source, pa.RecordBatchReader):
        reader = source
    elif hasattr(source, "to_arrow_reader"):
        reader = source.to_arrow_reader(ROWS_A_BATCH)
    else:
        reader = pa.RecordBatchReader.from_stream(source)
    path = folder / "stream.arrow"
    try:
        with pa.ipc.new_file(str(path), reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
    except OSError as error:
        raise file_kinds.no_room(path, error) from error
    opened = arrow_batches(path, FileContent(path), ROWS_A_BATCH)
    return SourceTable(schema=opened.schema, batches=opened.batches, declared=Declared(source=STREAM))


def _carried_out(source: Any, folder: Path) -> SourceTable:
    """A lazy frame's library writes its records to a file, which is then read in batches."""
    from causalrules.read.columnar import parquet_batches

    path = folder / "lazy.parquet"
    try:
        names, categorical = lazy_as_parquet(source, path)
    except OSError as error:
        raise file_kinds.no_room(path, error) from error
    files = [path]
    if path.is_dir():  # Dask writes one file a partition: part.0, part.1, …, part.10
        files = sorted(file_kinds.parquet_files_of(path), key=lambda file: (len(file.name), file.name))
    opened = parquet_batches(path, files, ROWS_A_BATCH)

    def batches() -> Iterator[pa.Table]:
        for batch in opened.batches():
            yield batch.select(names)

    schema = pa.schema([opened.schema.field(name) for name in names])
    declared = Declared(source=name_of_frame(source), categorical=categorical)
    return SourceTable(schema=schema, batches=batches, declared=declared)


def _cut(table: SourceTable) -> SourceTable:
    """A table in memory as batches of the usual size."""
    arrow = table.arrow

    def batches() -> Iterator[pa.Table]:
        for start in range(0, arrow.num_rows, ROWS_A_BATCH):
            yield arrow.slice(start, ROWS_A_BATCH)

    return SourceTable(schema=table.schema, batches=batches, declared=table.declared)


def _called_by(table: SourceTable, name: str) -> SourceTable:
    """A table under the name that its user knows."""
    return replace(table, declared=replace(table.declared, source=name))
