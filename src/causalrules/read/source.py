"""Recognise a source and hand it to the reader that knows its kind, to be read at once or in batches.

Readers are imported when they are needed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.domain import Declared
from causalrules.errors import SettingsError, one_line
from causalrules.read import file_kinds
from causalrules.read.file_kinds import FileContent, sample_of, suffix_of
from causalrules.read.frames import STREAM, is_lazy, is_stream, lazy_as_parquet, name_of_frame, read_frame
from causalrules.read.many_files import files_of, joined
from causalrules.read.python_tables import python_table
from causalrules.read.table import SourceTable
from causalrules.read.text import as_utf8, plain_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROWS_A_BATCH = 1 << 16


def read_table(
    source: Any, *, columns: Sequence[str] | None = None, delimiter: str | None = None
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
    """
    if isinstance(columns, str):
        raise SettingsError("columns", "a list of texts", columns)
    if isinstance(source, SourceTable):
        return source
    files = files_of(source)
    if files is not None:
        several = joined([read_table(one, columns=columns, delimiter=delimiter) for one in files], files)
        return SourceTable.in_memory(several.arrow, several.declared)
    if not isinstance(source, str | os.PathLike):
        found = python_table(source, columns)
        if found is not None:
            return found
        _refuse_names(columns, "a data frame")
        return read_frame(source)
    if str(source) == "-":
        return _read_bytes("standard input", pa.py_buffer(sys.stdin.buffer.read()), "", columns, delimiter)
    path = Path(source)
    if os.path.isdir(path):
        from causalrules.read.columnar import read_parquet_folder

        _refuse_names(columns, "Parquet files")
        return read_parquet_folder(path, file_kinds.parquet_files_of(path))
    return _read_bytes(path, file_kinds.content_of(path), suffix_of(path), columns, delimiter)


def _read_bytes(
    name: Path | str, content: pa.Buffer, suffix: str, columns: Sequence[str] | None, delimiter: str | None
) -> SourceTable:
    """Look at the first bytes, then choose the reader."""
    if file_kinds.is_gzip(content):
        content = file_kinds.unpacked(name, content)
    sample = sample_of(name, content)
    if file_kinds.is_parquet(sample, suffix):
        from causalrules.read.columnar import read_parquet

        _refuse_names(columns, "a Parquet file")
        return read_parquet(name, content)
    if file_kinds.is_arrow(sample, suffix):
        from causalrules.read.columnar import read_arrow_file

        _refuse_names(columns, "an Arrow file")
        return read_arrow_file(name, content)
    file_kinds.refuse_other_binary(name, sample)
    return _read_text(name, as_utf8(name, content), suffix, columns, delimiter)


def _read_text(
    name: Path | str, content: pa.Buffer, suffix: str, columns: Sequence[str] | None, delimiter: str | None
) -> SourceTable:
    """Choose the reader for a text, now that it is UTF-8."""
    sample = sample_of(name, content)
    if file_kinds.is_json(sample, suffix):
        from causalrules.read.columnar import read_json_lines

        _refuse_names(columns, "a JSON lines file")
        return read_json_lines(name, content)
    if file_kinds.is_arff(sample, suffix):
        from causalrules.read.arff import read_arff

        _refuse_names(columns, "an ARFF file")
        return read_arff(name, content)
    if file_kinds.is_c45(suffix):
        from causalrules.read.c45 import read_c45

        return read_c45(name, content, columns, delimiter)
    from causalrules.read.delimited import read_delimited

    delimiter = delimiter or file_kinds.usual_delimiter(suffix)
    return read_delimited(name, content, names=columns, delimiter=delimiter)


def _refuse_names(columns: Sequence[str] | None, kind: str) -> None:
    if columns is not None:
        raise SettingsError("columns", f"left out for {kind}, which has names of its own", list(columns))


def open_batches(
    source: Any, folder: Path, *, columns: Sequence[str] | None = None, delimiter: str | None = None
) -> SourceTable:
    """Open a source to be read in batches, as often as needed.

    Delimited text in UTF-8, Parquet and Arrow files are never in memory as a
    whole; other kinds, and data frames, are read by `read_table` and cut.

    Parameters
    ----------
    source, columns, delimiter
        As in `read_table`; also the relation of a DuckDB query.
    folder : Path
        For what has to be unpacked first.
    """
    if isinstance(source, SourceTable):
        return _cut(source)
    if is_stream(source):
        return _spooled(source, folder)
    files = files_of(source)
    if files is not None:
        return joined(
            [_opened_in(folder / str(number), one, columns, delimiter) for number, one in enumerate(files)],
            files,
        )
    if not isinstance(source, str | os.PathLike) and is_lazy(source):
        return _carried_out(source, folder)
    if isinstance(source, str | os.PathLike) and str(source) != "-":
        path = Path(source)
        if os.path.isdir(path):
            from causalrules.read.columnar import parquet_batches

            return parquet_batches(path, file_kinds.parquet_files_of(path), ROWS_A_BATCH)
        found = _open_file(path, folder, columns, delimiter)
        if found is not None:
            return found
    return _cut(read_table(source, columns=columns, delimiter=delimiter))


def _opened_in(folder: Path, path: Path, columns: Sequence[str] | None, delimiter: str | None) -> SourceTable:
    """One of several files, with a folder of its own for what is unpacked."""
    folder.mkdir()
    return open_batches(path, folder, columns=columns, delimiter=delimiter)


def _open_file(
    path: Path, folder: Path, columns: Sequence[str] | None, delimiter: str | None
) -> SourceTable | None:
    """A file of a kind that can be read in batches, else None."""
    from causalrules.read.columnar import arrow_batches, parquet_batches
    from causalrules.read.delimited import DelimitedText

    if not path.is_file() or not path.stat().st_size:
        return None
    suffix = suffix_of(path)
    file = FileContent(path)
    if file_kinds.is_gzip(file):
        unpacked = file_kinds.unpack_to(folder, path)
        if not unpacked.stat().st_size:
            return None
        file = FileContent(unpacked)
    sample = sample_of(path, file)
    if columns is None and file_kinds.is_parquet(sample, suffix):
        return parquet_batches(path, [file.path], ROWS_A_BATCH)
    if columns is None and file_kinds.is_arrow(sample, suffix) and sample.startswith(b"ARROW1"):
        return arrow_batches(path, file, ROWS_A_BATCH)
    content = plain_utf8(file) if file_kinds.is_delimited(sample, suffix) else None
    if content is None:
        return None
    text = DelimitedText.of(path, content, columns, delimiter or file_kinds.usual_delimiter(suffix))

    def batches() -> Iterator[pa.Table]:
        yield from text.batches()
        file.check_whole()

    schema = pa.schema(list(text.types.items()))
    return SourceTable(schema=schema, batches=batches, declared=Declared(source=one_line(str(path))))


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
