"""A source in parts, for tables that do not fit into memory."""

from __future__ import annotations

import gzip
import mmap
import os
import shutil
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.domain import Declared
from causalrules.errors import OutputError, SourceError, one_line
from causalrules.read.columnar import arrow_batches, parquet_batches
from causalrules.read.delimited import DelimitedText
from causalrules.read.encoding import plain_utf8
from causalrules.read.frames import STREAM
from causalrules.read.source import (
    GZIP,
    files_of,
    is_arrow,
    is_delimited,
    is_parquet,
    read_table,
    sample_of,
    suffix_of,
    usual_delimiter,
)
from causalrules.read.table import SourceBatches, SourceTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROWS = 1 << 16


def open_batches(
    source: Any, folder: Path, *, columns: Sequence[str] | None = None, delimiter: str | None = None
) -> SourceBatches:
    """Open a source to be read in parts, as often as needed.

    Delimited text in UTF-8, Parquet and Arrow files are never in memory as a
    whole; other kinds, and data frames, are read by `read_table` and cut.

    Parameters
    ----------
    source, columns, delimiter
        As in `read_table`; also the relation of a DuckDB query.
    folder : Path
        For what has to be unpacked first.
    """
    if is_stream(source):
        reader = source if isinstance(source, pa.RecordBatchReader) else source.to_arrow_reader(_ROWS)
        return _spooled(reader, folder)
    if isinstance(source, str | os.PathLike) and str(source) != "-":
        path = Path(source)
        if os.path.isdir(path):
            return parquet_batches(path, files_of(path), _ROWS)
        found = _open_file(path, folder, columns, delimiter)
        if found is not None:
            return found
    return _cut(read_table(source, columns=columns, delimiter=delimiter))


def is_stream(source: Any) -> bool:
    """Whether the source is read once, from beginning to end, and nobody knows how long it is."""
    return isinstance(source, pa.RecordBatchReader) or hasattr(source, "to_arrow_reader")


def _open_file(
    path: Path, folder: Path, columns: Sequence[str] | None, delimiter: str | None
) -> SourceBatches | None:
    """A file of a kind that can be read in parts, else None."""
    if not path.is_file() or not path.stat().st_size:
        return None
    suffix = suffix_of(path)
    file = MappedFile(path)
    if file.content[:2].to_pybytes() == GZIP:
        unpacked = _unpack(path, folder)
        if not unpacked.stat().st_size:
            return None
        file = MappedFile(unpacked)
    sample = sample_of(path, file.content)
    if columns is None and is_parquet(sample, suffix):
        return parquet_batches(path, [file.path], _ROWS)
    if columns is None and is_arrow(sample, suffix) and sample.startswith(b"ARROW1"):
        return arrow_batches(path, file.content, _ROWS)
    text = plain_utf8(file.content, file.forget) if is_delimited(sample, suffix) else None
    if text is None:
        return None
    found = DelimitedText.of(path, text, columns, delimiter or usual_delimiter(suffix))

    def batches() -> Iterator[pa.Table]:
        for batch in found.batches():
            yield batch
            file.forget()

    schema = pa.schema(list(found.types.items()))
    return SourceBatches(schema=schema, batches=batches, declared=Declared(source=one_line(str(path))))


class MappedFile:
    """A file's bytes, in memory only where they are being read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.content = pa.py_buffer(self._mapped)

    def forget(self) -> None:
        """Let go of what was read; it is there again when somebody looks."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._mapped.madvise(mmap.MADV_DONTNEED)


def _unpack(path: Path, folder: Path) -> Path:
    unpacked = folder / "unpacked"
    try:
        with gzip.open(path) as packed, unpacked.open("wb") as file:
            shutil.copyfileobj(packed, file, 1 << 20)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise SourceError(path, f"its gzip data is damaged ({error})", "Compress it again.") from error
    except OSError as error:
        raise OutputError(unpacked, str(error), "Make room there, or set TMPDIR to a larger disk.") from error
    return unpacked


def _spooled(reader: pa.RecordBatchReader, folder: Path) -> SourceBatches:
    """A stream can be read only once: it is copied to an Arrow file first."""
    path = folder / "stream.arrow"
    try:
        with pa.ipc.new_file(str(path), reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
    except OSError as error:
        raise OutputError(path, str(error), "Make room there, or set TMPDIR to a larger disk.") from error
    opened = arrow_batches(path, MappedFile(path).content, _ROWS)
    return SourceBatches(schema=opened.schema, batches=opened.batches, declared=Declared(source=STREAM))


def _cut(table: SourceTable) -> SourceBatches:
    def batches() -> Iterator[pa.Table]:
        for start in range(0, table.arrow.num_rows, _ROWS):
            yield table.arrow.slice(start, _ROWS)

    return SourceBatches(schema=table.arrow.schema, batches=batches, declared=table.declared)
