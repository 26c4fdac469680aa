"""Files that carry types of their own: Parquet, Arrow (Feather), JSON lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.errors import SourceError
from causalrules.read.table import SourceTable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def read_parquet(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read a Parquet file, text columns as dictionaries."""
    from pyarrow import parquet

    def read() -> pa.Table:
        schema = parquet.read_schema(pa.BufferReader(content))
        text = [field.name for field in schema if pa.types.is_string(field.type)]
        return parquet.ParquetFile(pa.BufferReader(content), read_dictionary=text).read()

    return _guarded(name, "Parquet", read)


def read_arrow_file(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read an Arrow file (also called Feather, version 2)."""
    return _guarded(name, "Arrow", lambda: pa.ipc.open_file(pa.BufferReader(content)).read_all())


def read_json_lines(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read one JSON object a line."""
    from pyarrow import json

    return _guarded(name, "JSON lines", lambda: json.read_json(pa.BufferReader(content)))


def _guarded(name: Path | str, kind: str, read: Callable[[], pa.Table]) -> SourceTable:
    try:
        arrow = read()
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0][:200]
        raise SourceError(name, f"it is not a sound {kind} file ({reason})", "Write it again.") from error
    return SourceTable(arrow=arrow, source=str(name))
