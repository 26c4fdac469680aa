"""A table in several files: a list of paths, or a pattern of names such as ``data/part-*.csv``."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.domain import Declared
from causalrules.errors import SourceError, SourceMissingError, one_line, quoted
from causalrules.read.table import SourceTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WILD = ("*", "?", "[")


def files_of(source: Any) -> list[Path] | None:
    """The files of a list or of a pattern, in order; None for any other source."""
    if isinstance(source, list | tuple):
        if not source or not all(isinstance(one, str | os.PathLike) for one in source):
            raise SourceError(
                f"a {type(source).__name__}",
                "it is empty" if not source else "it holds something else than paths",
                "Give a list of paths, a data frame, or a dict of columns.",
            )
        return [Path(one) for one in source]
    if not isinstance(source, str) or not any(sign in source for sign in _WILD) or os.path.lexists(source):
        return None
    found = sorted(glob.glob(source, recursive=True))
    if not found:
        raise SourceMissingError(source, [], "No name fits this pattern; check it.")
    return [Path(one) for one in found]


def joined(tables: Sequence[SourceTable], files: Sequence[Path]) -> SourceTable:
    """Tables below one another; they must have the same columns.

    Types that differ are widened where nothing is lost (whole numbers to
    numbers), and refused elsewhere.
    """
    first = tables[0]
    for table, file in zip(tables, files, strict=True):
        others = set(table.schema.names) ^ set(first.schema.names)
        if others:
            name = min(others)
            has, lacks = (file, files[0]) if name in table.schema.names else (files[0], file)
            raise SourceError(
                file,
                f"column {quoted(name)} is in {one_line(str(has))} but not in {one_line(str(lacks))}",
                "Give all files the same columns.",
            )
    plain = [_plain(table.schema, first.schema.names) for table in tables]
    try:
        schema = pa.unify_schemas(plain, promote_options="permissive")
    except pa.ArrowException as error:
        reason = quoted(str(error).partition("\n")[0])
        raise SourceError(
            files[0], f"the files' columns differ in type ({reason})", "Write them alike."
        ) from error

    def batches() -> Iterator[pa.Table]:
        for table in tables:
            for part in table.parts():
                yield part.select(schema.names).cast(schema)

    source = f"{len(files)} files from {one_line(str(files[0]))} to {one_line(str(files[-1]))}"
    declared = Declared(
        source=one_line(str(files[0])) if len(files) == 1 else source,
        categorical=frozenset().union(*(table.declared.categorical for table in tables)),
        numeric=frozenset().union(*(table.declared.numeric for table in tables)),
        ignored=frozenset().union(*(table.declared.ignored for table in tables)),
        notes=tuple(dict.fromkeys(note for table in tables for note in table.declared.notes)),
    )
    return SourceTable(schema=schema, batches=batches, declared=declared)


def _plain(schema: pa.Schema, order: Sequence[str]) -> pa.Schema:
    """Names in one order, dictionaries as their values."""
    fields = (schema.field(name) for name in order)
    return pa.schema(
        [
            (field.name, field.type.value_type if pa.types.is_dictionary(field.type) else field.type)
            for field in fields
        ]
    )
