"""Files that carry types of their own: Parquet, Arrow (Feather), JSON lines and arrays."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.domain import Declared
from causalrules.errors import SourceError, one_line, quoted
from causalrules.read.file_kinds import FileContent, open_bytes
from causalrules.read.parts import values_in_paths, with_path_values
from causalrules.read.table import SourceTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pyarrow.parquet import ParquetFile

_LONGEST_JSON_LINE = 16 << 20
_DEEPEST_JSON = 500
_DEPTH_BYTES = 4 << 20
_READ_AT_ONCE = 1 << 16
"""Bytes of a column of a Parquet file."""


def read_parquet(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read a Parquet file, text columns as dictionaries."""
    return _whole(name, "Parquet", lambda: open_parquet(pa.BufferReader(content)).read())


def read_parquet_folder(folder: Path, files: Sequence[Path]) -> SourceTable:
    """Read Parquet files that are parts of one table; names of folders may be values of columns."""

    def read() -> pa.Table:
        parts = [
            with_path_values(open_parquet(str(file)).read(), values, file)
            for file, values in zip(files, values_in_paths(folder, files), strict=True)
        ]
        alike = [
            _like_the_first(part, parts[0].schema, file) for part, file in zip(parts, files, strict=True)
        ]
        return pa.concat_tables(alike).unify_dictionaries()

    return _whole(folder, "Parquet", read)


def parquet_batches(name: Path, files: Sequence[Path], rows: int) -> SourceTable:
    """Parquet files, one after the other, in parts of so many rows."""

    def batches() -> Iterator[pa.Table]:
        with _guarded(name, "Parquet", "Write it again."):
            for file, values in zip(files, in_paths, strict=True):
                with open_parquet(str(file)) as opened:
                    for batch in opened.iter_batches(rows):
                        batch.validate(full=True)
                        part = with_path_values(pa.Table.from_batches([batch]), values, file)
                        yield _like_the_first(part, schema, file)

    in_paths = values_in_paths(name, files)
    with _guarded(name, "Parquet", "Write it again."), open_parquet(str(files[0])) as first:
        schema = with_path_values(first.schema_arrow.empty_table(), in_paths[0], files[0]).schema
        return SourceTable(schema=schema, batches=batches, declared=_declared(name, schema.names))


def _like_the_first(part: pa.Table, schema: pa.Schema, file: Path) -> pa.Table:
    """The columns of a part in the order of the first file; other names or types are refused."""
    found, expected = ({field.name: _plain(field.type) for field in one} for one in (part.schema, schema))
    for column in {**expected, **found}:
        here, first = found.get(column, "missing"), expected.get(column, "missing")
        if here != first:
            raise SourceError(
                file,
                f"its column {quoted(column)} is {here}, in the first file of the folder it is {first}",
                "Give all files the same columns, or name one of them.",
            )
    return part.select(schema.names)


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type of the values, however they are stored."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def open_parquet(file: Any) -> ParquetFile:
    """A Parquet file whose texts are read as dictionaries.

    Arrow would read ahead, and keep what it read until the file is closed: in the end all of it.
    """
    from pyarrow import parquet

    with parquet.ParquetFile(file) as opened:
        text = [field.name for field in opened.schema_arrow if pa.types.is_string(field.type)]
        if not isinstance(file, str):
            file.seek(0)
    return parquet.ParquetFile(file, read_dictionary=text, pre_buffer=False, buffer_size=_READ_AT_ONCE)


def n_parquet_cells(files: Sequence[Path]) -> int:
    """Values that Parquet files hold, as they say themselves; 0 if they are not sound."""
    from pyarrow import parquet

    try:
        about = [parquet.read_metadata(file) for file in files]
    except (pa.ArrowException, OSError):
        return 0
    return sum(one.num_rows * one.num_columns for one in about)


def read_arrow_file(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read an Arrow file (also called Feather, version 2) or a saved Arrow stream."""

    def read() -> pa.Table:
        is_file = content[:6].to_pybytes() == b"ARROW1"
        open_arrow = pa.ipc.open_file if is_file else pa.ipc.open_stream
        return open_arrow(pa.BufferReader(content)).read_all()

    return _whole(name, "Arrow", read)


def arrow_batches(name: Path, content: FileContent, rows: int) -> SourceTable:
    """An Arrow file in parts of at most so many rows."""

    def batches() -> Iterator[pa.Table]:
        with _guarded(name, "Arrow", "Write it again."), open_bytes(content) as stream:
            opened = pa.ipc.open_file(stream)
            for place in range(opened.num_record_batches):
                batch = opened.get_batch(place)
                batch.validate(full=True)
                for start in range(0, batch.num_rows, rows):
                    yield pa.Table.from_batches([batch.slice(start, rows)])

    with _guarded(name, "Arrow", "Write it again."), open_bytes(content) as stream:
        schema = pa.ipc.open_file(stream).schema
        return SourceTable(schema=schema, batches=batches, declared=_declared(name, schema.names))


def read_json_lines(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read one JSON object from each line."""
    from pyarrow import json as arrow_json

    _refuse_deep_json(name, content)

    def read() -> pa.Table:
        options = arrow_json.ReadOptions(block_size=_LONGEST_JSON_LINE)
        return arrow_json.read_json(pa.BufferReader(content), options)

    return _whole(
        name, "JSON lines", read, "Write one object on each line, a name always with the same type."
    )


def read_json_array(name: Path | str, content: pa.Buffer) -> SourceTable:
    """Read an array of JSON objects, as if each stood on a line of its own."""
    _refuse_deep_json(name, content)
    try:
        records = json.loads(content.to_pybytes())
    except (ValueError, RecursionError) as error:
        raise SourceError(name, f"it is no sound JSON ({quoted(str(error))})", "Write it again.") from error
    if not all(isinstance(record, dict) for record in records):
        raise SourceError(name, "it is a JSON array, but not of objects", "Write one object a record.")
    lines = "\n".join(json.dumps(record, separators=(",", ":")) for record in records)
    return read_json_lines(name, pa.py_buffer(lines.encode()))


def _refuse_deep_json(name: Path | str, content: pa.Buffer) -> None:
    """Refuse objects very deep in objects: Arrow's reader calls itself, and they would end the process."""
    codes, depth = np.frombuffer(content, dtype=np.uint8), 0
    steps = np.zeros(256, dtype=np.int8)
    steps[[ord("["), ord("{")]] = 1
    steps[[ord("]"), ord("}")]] = -1
    for start in range(0, len(codes), _DEPTH_BYTES):
        piece = codes[start : start + _DEPTH_BYTES]
        depths = depth + np.cumsum(steps[piece], dtype=np.int64)
        # A line begins anew: brackets within texts may be unbalanced, but not so many on one line.
        line_ends = np.flatnonzero(piece == ord("\n"))
        offsets = np.concatenate([[0], depths[line_ends]])[np.searchsorted(line_ends, np.arange(len(piece)))]
        if (depths - offsets).max(initial=0) > _DEEPEST_JSON:
            problem = f"it holds more than {_DEEPEST_JSON} objects or lists within one another"
            raise SourceError(name, problem, "Write one flat object on each line.")
        depth = int(depths[-1] - offsets[-1])
        if line_ends.size and line_ends[-1] == len(piece) - 1:
            depth = 0


def _whole(
    name: Path | str, kind: str, read: Callable[[], pa.Table], remedy: str = "Write it again."
) -> SourceTable:
    """Read, and look for damage that the reader does not notice, such as text that is not UTF-8."""
    with _guarded(name, kind, remedy):
        arrow = read()
        arrow.validate(full=True)
    return SourceTable.in_memory(arrow, _declared(name, arrow.column_names))


def _declared(name: Path | str, columns: Sequence[str]) -> Declared:
    """The row numbers that pandas saved along with the columns are to be ignored."""
    saved_index = frozenset(column for column in columns if column.startswith("__index_level_"))
    return Declared(source=one_line(str(name)), ignored=saved_index)


@contextmanager
def _guarded(name: Path | str, kind: str, remedy: str) -> Iterator[None]:
    """Explain a failure of the reader as one of the file."""
    try:
        yield
    except MemoryError as error:
        problem = "there is not enough memory to read it as a whole"
        raise SourceError(name, problem, "Read it with --engine streaming.") from error
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = quoted(str(error).partition("\n")[0])
        raise SourceError(name, f"it is not a sound {kind} file ({reason})", remedy) from error
