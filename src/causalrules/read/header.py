"""The column names of a large file from its first bytes: a misspelt name is reported before it is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa

from causalrules.errors import SettingsError, SourceError
from causalrules.read import compressed, file_kinds
from causalrules.read.addresses import is_address
from causalrules.read.delimited import DelimitedText
from causalrules.read.file_kinds import FileContent, sample_of, suffix_of
from causalrules.read.table_at import TableAt

LARGE_BYTES = 4 << 20
"""A smaller file is read as soon as it is looked at."""


def header_names(source: Any) -> list[str] | None:
    """The column names of a large Parquet file or delimited text, which is not read for it.

    Parameters
    ----------
    source
        As in `read_table`.

    Returns
    -------
    list of str or None
        None where only reading tells, or where reading explains better what is wrong.
    """
    at = source if isinstance(source, TableAt) else TableAt(source) if _is_path(source) else None
    if at is None or is_address(at.location) or str(at.location) == "-":
        return None
    path = Path(at.location)
    if not path.is_file() or path.stat().st_size < LARGE_BYTES:
        return None
    try:
        return _names(path, at)
    except (SourceError, SettingsError, OSError, UnicodeDecodeError, pa.ArrowException):
        return None


def _names(path: Path, at: TableAt) -> list[str] | None:
    file, suffix = FileContent(path), suffix_of(path)
    if compressed.packing_of(file):
        return None
    sample = sample_of(path, file)
    if file_kinds.is_parquet(sample, suffix):
        from pyarrow import parquet

        schema = parquet.read_schema(path)
        names: list[str] = schema.names
        return None if any(map(pa.types.is_struct, schema.types)) else names
    sample.decode("ascii")  # other encodings are found out by reading
    if not file_kinds.is_delimited(sample, suffix) or at.query or at.table:
        return None
    delimiter = at.delimiter or file_kinds.usual_delimiter(suffix)
    text = DelimitedText.of(path, file, at.columns, delimiter, skip_rows=at.skip_rows)
    return list(text.types)


def _is_path(source: Any) -> bool:
    return isinstance(source, str | os.PathLike)
