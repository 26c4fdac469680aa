"""Files that carry types of their own: Parquet, Arrow (Feather), JSON lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.errors import SourceError, one_line, quoted
from causalrules.read.table import SourceTable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_LONGEST_JSON_LINE = 16 << 20


def read_parquet(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read a Parquet file, text columns as dictionaries."""
    from pyarrow import parquet

    def read() -> pa.Table:
        schema = parquet.read_schema(pa.BufferReader(content))
        text = [field.name for field in schema if pa.types.is_string(field.type)]
        return parquet.ParquetFile(pa.BufferReader(content), read_dictionary=text).read()

    return _guarded(name, "Parquet", read, "Write it again.")


def read_arrow_file(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read an Arrow file (also called Feather, version 2) or a saved Arrow stream."""

    def read() -> pa.Table:
        is_file = content[:6].to_pybytes() == b"ARROW1"
        open_arrow = pa.ipc.open_file if is_file else pa.ipc.open_stream
        return open_arrow(pa.BufferReader(content)).read_all()

    return _guarded(name, "Arrow", read, "Write it again.")


def read_json_lines(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read one JSON object a line."""
    from pyarrow import json

    def read() -> pa.Table:
        return json.read_json(pa.BufferReader(content), json.ReadOptions(block_size=_LONGEST_JSON_LINE))

    return _guarded(name, "JSON lines", read, "Write one object a line, a name always with the same type.")


def _guarded(name: Path | str, kind: str, read: Callable[[], pa.Table], remedy: str) -> SourceTable:
    """Read, and look for damage that the reader does not notice, such as text that is none."""
    try:
        arrow = read()
        arrow.validate(full=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = quoted(str(error).partition("\n")[0])
        raise SourceError(name, f"it is not a sound {kind} file ({reason})", remedy) from error
    return SourceTable(arrow=arrow, source=one_line(str(name)), ignored=_saved_index(arrow.column_names))


def _saved_index(names: list[str]) -> frozenset[str]:
    """Row numbers that pandas saved along with the columns."""
    return frozenset(name for name in names if name.startswith("__index_level_"))
