"""Recognise a source and hand its bytes to the reader that knows them."""

from __future__ import annotations

import gzip
import os
import re
import sys
import zlib
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.errors import SettingsError, SourceError, SourceMissingError, UnknownFormatError
from causalrules.read.encoding import as_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.read.table import SourceTable

GZIP = b"\x1f\x8b"
_NOT_READ = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an Excel workbook",
    b"SQLite format 3": "an SQLite database",
    b"BZh": "compressed by bzip2",
    b"\xfd7zXZ": "compressed by xz",
    b"\x28\xb5\x2f\xfd": "compressed by Zstandard",
    b"%PDF": "a PDF document",
}
_SAMPLE_BYTES = 1 << 16
_JSON_START = re.compile(rb'\s*\{\s*"')
_ARFF_START = re.compile(rb"(?:\s|%[^\n]*\n)*@relation", re.IGNORECASE)


def read_table(
    source: Any, *, columns: Sequence[str] | None = None, delimiter: str | None = None
) -> SourceTable:
    """Read any supported source.

    Parameters
    ----------
    source : path, '-', or data frame
        CSV/TSV, Parquet, Arrow/Feather, JSON lines, C4.5 or ARFF, each also
        gzipped; ``'-'`` is standard input; or a data frame of pandas, Polars,
        PyArrow or anything else narwhals accepts.
    columns : sequence of str, optional
        Names for a text file without a header.
    delimiter : str, optional
        One character; found by itself when not given.
    """
    if isinstance(columns, str):
        raise SettingsError("columns", "a list of texts", columns)
    if not isinstance(source, str | os.PathLike):
        from causalrules.read.frames import read_frame

        _refuse_names(columns, "a data frame")
        return read_frame(source)
    if str(source) == "-":
        return _read_bytes("standard input", pa.py_buffer(sys.stdin.buffer.read()), "", columns, delimiter)
    path = Path(source)
    if os.path.isdir(path):
        from causalrules.read.columnar import read_parquet_folder

        _refuse_names(columns, "Parquet files")
        return read_parquet_folder(path, files_of(path))
    return _read_bytes(path, content_of(path), suffix_of(path), columns, delimiter)


def suffix_of(path: Path) -> str:
    """All endings of the name but the one for compression."""
    return "".join(path.suffixes).lower().removesuffix(".gz")


def files_of(folder: Path) -> list[Path]:
    """The Parquet files below a folder, in order of their names."""
    files = sorted(path for path in folder.rglob("*.parquet") if path.is_file())
    if not files:
        raise SourceError(folder, "it is a folder without Parquet files", "Name a file in it.")
    return files


def content_of(path: Path) -> pa.Buffer:
    """The file's bytes, without copying them if it is an ordinary file."""
    try:
        if not path.exists():
            raise SourceMissingError(path, os.listdir(path.parent) if path.parent.is_dir() else [])
        if not path.is_file() or not path.stat().st_size:
            return pa.py_buffer(path.read_bytes())
        with path.open("rb") as file:  # Arrow's own memory map refuses names that are not UTF-8
            return pa.py_buffer(mmap(file.fileno(), 0, access=ACCESS_READ))
    except SourceError:
        raise
    except OSError as error:
        problem = os.strerror(error.errno) if error.errno else str(error)
        raise SourceError(path, problem, "Check the path and that it may be read.") from error


def _read_bytes(
    name: Path | str, content: pa.Buffer, suffix: str, columns: Sequence[str] | None, delimiter: str | None
) -> SourceTable:
    """Look at the first bytes, then choose the reader; readers are imported when needed."""
    if content[:2].to_pybytes() == GZIP:
        content = _unpacked(name, content)
    sample = sample_of(name, content)
    if is_parquet(sample, suffix):
        from causalrules.read.columnar import read_parquet

        _refuse_names(columns, "a Parquet file")
        return read_parquet(name, content)
    if is_arrow(sample, suffix):
        from causalrules.read.columnar import read_arrow_file

        _refuse_names(columns, "an Arrow file")
        return read_arrow_file(name, content)
    for start, kind in _NOT_READ.items():
        if sample.startswith(start):
            raise UnknownFormatError(name, f"it is {kind}", "Unpack it or save it as CSV or Parquet.")
    return _read_text(name, as_utf8(name, content), suffix, columns, delimiter)


def sample_of(name: Path | str, content: pa.Buffer) -> bytes:
    """The first bytes, by which a kind of file is recognised."""
    sample: bytes = content[:_SAMPLE_BYTES].to_pybytes()
    if not sample.strip():
        raise SourceError(name, "it is empty", "Give a table with a header and records.")
    return sample


def is_parquet(sample: bytes, suffix: str) -> bool:
    """Whether the file is, or is meant to be, a Parquet file."""
    return sample.startswith(b"PAR1") or suffix.endswith((".parquet", ".pq"))


def is_arrow(sample: bytes, suffix: str) -> bool:
    """Whether the file is, or is meant to be, an Arrow file."""
    return sample.startswith(b"ARROW1") or suffix.endswith((".feather", ".arrow", ".ipc"))


def is_delimited(sample: bytes, suffix: str) -> bool:
    """Whether the text is none of the kinds that have a form of their own."""
    has_own_name = suffix.endswith((".jsonl", ".ndjson", ".json", ".arff", ".data", ".test"))
    is_known = any(sample.startswith(start) for start in _NOT_READ)
    return not (has_own_name or is_known or _JSON_START.match(sample) or _ARFF_START.match(sample))


def _read_text(
    name: Path | str, content: pa.Buffer, suffix: str, columns: Sequence[str] | None, delimiter: str | None
) -> SourceTable:
    sample = sample_of(name, content)
    if suffix.endswith((".jsonl", ".ndjson", ".json")) or _JSON_START.match(sample):
        from causalrules.read.columnar import read_json_lines

        _refuse_names(columns, "a JSON lines file")
        return read_json_lines(name, content)
    if suffix.endswith(".arff") or _ARFF_START.match(sample):
        from causalrules.read.arff import read_arff

        _refuse_names(columns, "an ARFF file")
        return read_arff(name, content)
    if suffix.endswith((".data", ".test")):
        from causalrules.read.c45 import read_c45

        return read_c45(name, content, columns, delimiter)
    from causalrules.read.delimited import read_delimited

    return read_delimited(name, content, names=columns, delimiter=delimiter or usual_delimiter(suffix))


def usual_delimiter(suffix: str) -> str | None:
    """The separator that a name promises."""
    return "\t" if suffix.endswith((".tsv", ".tab")) else None


def _refuse_names(columns: Sequence[str] | None, kind: str) -> None:
    if columns is not None:
        raise SettingsError("columns", f"left out for {kind}, which has names of its own", list(columns))


def _unpacked(name: Path | str, content: pa.Buffer) -> pa.Buffer:
    try:
        return pa.py_buffer(gzip.decompress(content))
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(name, f"its gzip data is damaged ({error})", "Compress it again.") from error
