"""Recognise a source and hand its bytes to the reader that knows them."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.errors import SourceError, SourceMissingError, UnknownFormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.read.table import SourceTable

_GZIP = b"\x1f\x8b"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SAMPLE_BYTES = 1 << 16


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
    if not isinstance(source, str | os.PathLike):
        from causalrules.read.frames import read_frame

        return read_frame(source)
    if str(source) == "-":
        return _read_bytes("standard input", pa.py_buffer(sys.stdin.buffer.read()), "", columns, delimiter)
    path = Path(source)
    if path.is_dir():
        raise SourceError(path, "it is a folder", "Name a file in it.")
    if not path.exists():
        siblings = (
            [str(path.with_name(name)) for name in os.listdir(path.parent)] if path.parent.is_dir() else []
        )
        raise SourceMissingError(path, siblings)
    suffix = "".join(path.suffixes).lower().removesuffix(".gz")
    return _read_bytes(path, _content(path), suffix, columns, delimiter)


def _content(path: Path) -> pa.Buffer:
    """The file's bytes without copying them, if it is an ordinary file."""
    try:
        if path.is_file() and path.stat().st_size:
            return pa.memory_map(str(path)).read_buffer()
        return pa.py_buffer(path.read_bytes())
    except OSError as error:
        raise SourceError(path, error.strerror or str(error), "Check that it can be read.") from error


def _read_bytes(
    name: Path | str, content: pa.Buffer, suffix: str, columns: Sequence[str] | None, delimiter: str | None
) -> SourceTable:
    """Look at the first bytes, then choose the reader; readers are imported when needed."""
    if content[:2].to_pybytes() == _GZIP:
        content = _unpacked(name, content)
    sample = content[:_SAMPLE_BYTES].to_pybytes()
    if not sample.strip():
        raise SourceError(name, "it is empty", "Give a table with a header and records.")
    if sample.startswith(b"PAR1") or suffix.endswith((".parquet", ".pq")):
        from causalrules.read.columnar import read_parquet

        return read_parquet(name, content)
    if sample.startswith(b"ARROW1") or suffix.endswith((".feather", ".arrow", ".ipc")):
        from causalrules.read.columnar import read_arrow_file

        return read_arrow_file(name, content)
    if b"\0" in sample and not sample.startswith(_UTF16):
        raise UnknownFormatError(
            name,
            "it is binary data of an unknown kind",
            "Save it as CSV, Parquet, Arrow, JSON lines or ARFF.",
        )
    if suffix.endswith((".jsonl", ".ndjson", ".json")) or sample.lstrip().startswith(b'{"'):
        from causalrules.read.columnar import read_json_lines

        return read_json_lines(name, content)
    if suffix.endswith(".arff") or sample.lstrip().lower().startswith(b"@relation"):
        from causalrules.read.arff import read_arff

        return read_arff(name, content)
    if suffix.endswith((".data", ".test")):
        from causalrules.read.c45 import read_c45

        return read_c45(name, content, columns, delimiter)
    from causalrules.read.delimited import read_delimited

    return read_delimited(
        name, content, names=columns, delimiter="\t" if suffix.endswith(".tsv") else delimiter
    )


def _unpacked(name: Path | str, content: pa.Buffer) -> pa.Buffer:
    try:
        return pa.py_buffer(gzip.decompress(content))
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(name, f"its gzip data is damaged ({error})", "Compress it again.") from error
