"""Tables in several files: those that a pattern means, and folders whose names are values.

In ``visits/sex=Male/part-0.parquet`` the column ``sex`` stands in the path
alone, as Hive and Spark write it; every reader of folders adds it.
"""

from __future__ import annotations

import glob
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pyarrow as pa

from causalrules.errors import SourceError, SourceMissingError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from causalrules.read.table import SourceTable

_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_TEXT = pa.dictionary(pa.int32(), pa.string())


def is_pattern(path: Path) -> bool:
    """Whether a path is a pattern for several files; a file of that very name is meant first."""
    return any(sign in str(path) for sign in "*?[") and not os.path.exists(path)


def files_of_pattern(pattern: Path) -> list[Path]:
    """The files that a pattern means, in order of their names."""
    files = [Path(found) for found in sorted(glob.glob(str(pattern), recursive=True))]
    files = [file for file in files if file.is_file()]
    if not files:
        raise SourceMissingError(pattern, [], "No file fits this pattern. Check it, and quote it in a shell.")
    return files


def values_in_paths(folder: Path, files: Sequence[Path]) -> list[dict[str, str | None]]:
    """For each file the columns that stand in the names of its folders, if all files have them.

    Examples
    --------
    >>> values_in_paths(Path("visits"), [Path("visits/sex=Male/year=2024/part-0.parquet")])
    [{'sex': 'Male', 'year': '2024'}]
    """
    found = []
    for file in files:
        inside = file.relative_to(folder).parts[:-1] if file.is_relative_to(folder) else ()
        pairs = (part.partition("=") for part in inside)
        found.append({unquote(column): _value(value) for column, sign, value in pairs if sign and column})
    return [
        {column: one[column] for column in one if all(column in other for other in found)} for one in found
    ]


def _value(text: str) -> str | None:
    return None if text == _NO_VALUE else unquote(text)


def with_path_values(table: pa.Table, values: dict[str, str | None], file: Path) -> pa.Table:
    """The table and a column for each value of its path."""
    for column, value in values.items():
        if column in table.column_names:
            problem = f"its column {quoted(column)} stands in the file and in the names of its folders"
            raise SourceError(file, problem, "Leave one of them out.")
        codes = pa.nulls(table.num_rows, pa.int32()) if value is None else _zeros(table.num_rows)
        array = pa.DictionaryArray.from_arrays(codes, pa.array([value or ""], pa.string()))
        table = table.append_column(pa.field(column, _TEXT), array)
    return table


def _zeros(n_rows: int) -> pa.Array:
    return pa.repeat(pa.scalar(0, pa.int32()), n_rows)


def joined(
    name: Path, folder: Path, files: Sequence[Path], open_one: Callable[[Path], SourceTable]
) -> SourceTable:
    """One table of several files with the same columns, one after the other.

    Parameters
    ----------
    name : Path
        Of the whole, for messages and the result.
    folder : Path
        Below it, names of folders are values of columns.
    files : sequence of Path
        At least one.
    open_one : callable
        Opens one of the files.
    """
    first = open_one(files[0])
    paths = values_in_paths(folder, files)
    schema = _plain_texts(with_path_values(first.schema.empty_table(), paths[0], files[0]).schema)

    opened = {files[0]: first}

    def batches() -> Iterator[pa.Table]:
        for file, values in zip(files, paths, strict=True):
            if file not in opened:
                opened[file] = open_one(file)
            for batch in opened[file].batches():
                yield _alike(with_path_values(batch, values, file), schema, file)

    declared = replace(first.declared, source=str(name))
    return replace(first, schema=schema, batches=batches, declared=declared)


def _plain_texts(schema: pa.Schema) -> pa.Schema:
    """Columns of texts as one type: files differ in which of them are dictionaries."""
    return pa.schema([(one.name, _TEXT if _is_text(one.type) else one.type) for one in schema])


def _is_text(kind: pa.DataType) -> bool:
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(values) or pa.types.is_large_string(values) or pa.types.is_null(values))


def _alike(table: pa.Table, schema: pa.Schema, file: Path) -> pa.Table:
    """The columns of a file in the order of the first file; other names or types are refused."""
    others = [*(set(table.column_names) ^ set(schema.names))]
    if others:
        problem = f"its columns are not those of the first file: {', '.join(map(quoted, sorted(others)[:5]))}"
        raise SourceError(file, problem, "Give all files the same columns, or name one of them.")
    columns = []
    for field in schema:
        column = table.column(field.name)
        if column.type != field.type:
            if not (_is_text(column.type) and _is_text(field.type)) and not _are_numbers(column, field):
                problem = (
                    f"its column {quoted(field.name)} is {column.type}, in the first file it is {field.type}"
                )
                raise SourceError(file, problem, "Give all files the same columns, or name one of them.")
            column = (
                column.cast(pa.string()).dictionary_encode()
                if _is_text(field.type)
                else column.cast(field.type)
            )
            column = column.cast(field.type)
        columns.append(column)
    return pa.table(columns, schema=schema)


def _are_numbers(column: pa.ChunkedArray, field: pa.Field) -> bool:
    """Whether whole numbers stand where the first file has fractions."""
    return bool(pa.types.is_integer(column.type) and pa.types.is_floating(field.type))
