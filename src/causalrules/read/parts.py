"""Tables in several files: a list of paths, a pattern of names, and folders whose names are values.

In ``visits/sex=Male/part-0.parquet`` the column ``sex`` stands in the path
alone, as Hive and Spark write it; every reader of folders adds it.
"""

from __future__ import annotations

import glob
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pyarrow as pa

from causalrules.errors import SourceError, SourceMissingError, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from causalrules.read.table import SourceTable

_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_TEXT = pa.dictionary(pa.int32(), pa.string())


def files_of(source: Any) -> list[Path] | None:
    """The files of a list, or of a pattern in order of their names; None for any other source.

    A file of the very name of a pattern is meant first.
    """
    if isinstance(source, list | tuple):
        if not source or not all(isinstance(one, str | os.PathLike) for one in source):
            raise SourceError(
                f"a {type(source).__name__}",
                "it is empty" if not source else "it holds something else than paths",
                "Give a list of paths, a data frame, or a dict of columns.",
            )
        return [Path(one) for one in source]
    if not isinstance(source, str | os.PathLike) or not any(sign in str(source) for sign in "*?["):
        return None
    if os.path.lexists(source):
        return None
    files = [Path(found) for found in sorted(glob.glob(os.fspath(source), recursive=True))]
    files = [file for file in files if file.is_file()]
    if not files:
        raise SourceMissingError(source, [], "No file fits this pattern. Check it, and quote it in a shell.")
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


def joined(tables: Sequence[SourceTable], files: Sequence[Path], name: str) -> SourceTable:
    """One table of several with the same columns, one after the other; names of folders may be values.

    Types that differ are widened where nothing is lost (whole numbers to
    numbers), and refused elsewhere.

    Parameters
    ----------
    tables, files
        What was read, and from where.
    name : str
        Of the whole, for messages and the result.
    """
    folder = Path(os.path.commonpath([file.parent for file in files]))
    paths = values_in_paths(folder, files)
    schemas = [
        _plain_texts(with_path_values(table.schema.empty_table(), values, file).schema)
        for table, values, file in zip(tables, paths, files, strict=True)
    ]
    schema = _common(schemas, files)

    def batches() -> Iterator[pa.Table]:
        for table, values, file in zip(tables, paths, files, strict=True):
            for part in table.parts():
                whole = with_path_values(part, values, file)
                yield pa.table([_cast(whole.column(one.name), one.type) for one in schema], schema=schema)

    said = [table.declared for table in tables]
    declared = replace(
        said[0],
        source=name,
        categorical=frozenset().union(*(one.categorical for one in said)),
        numeric=frozenset().union(*(one.numeric for one in said)),
        ignored=frozenset().union(*(one.ignored for one in said)),
        notes=tuple(dict.fromkeys(note for one in said for note in one.notes)),
    )
    return replace(tables[0], schema=schema, batches=batches, declared=declared)


def _common(schemas: Sequence[pa.Schema], files: Sequence[Path]) -> pa.Schema:
    """The columns of all files in the order of the first, with types that hold the values of each."""
    first = schemas[0]
    for schema, file in zip(schemas, files, strict=True):
        others = set(schema.names) ^ set(first.names)
        if others:
            name = min(others)
            has, lacks = (file, files[0]) if name in schema.names else (files[0], file)
            problem = f"column {quoted(name)} is in {one_line(str(has))} but not in {one_line(str(lacks))}"
            raise SourceError(file, problem, "Give all files the same columns.")
    try:
        return pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        reason = quoted(str(error).partition("\n")[0])
        problem = f"the files' columns differ in type ({reason})"
        raise SourceError(files[0], problem, "Write them alike.") from error


def _plain_texts(schema: pa.Schema) -> pa.Schema:
    """Columns of texts as one type: files differ in which of them are dictionaries."""
    return pa.schema([(one.name, _TEXT if _is_text(one.type) else one.type) for one in schema])


def _is_text(kind: pa.DataType) -> bool:
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(values) or pa.types.is_large_string(values) or pa.types.is_null(values))


def _cast(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    if column.type == kind:
        return column
    return column.cast(pa.string()).dictionary_encode().cast(kind) if kind == _TEXT else column.cast(kind)
