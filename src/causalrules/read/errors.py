"""What is wrong with a delimited text, in words a person can act on."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from causalrules.errors import SourceError, quoted

if TYPE_CHECKING:
    from _csv import Reader
    from pathlib import Path

_LONGEST_VALUE = 1_000_000


def too_long(name: Path | str, problem: str) -> SourceError:
    """A value or record is unreasonably long."""
    return SourceError(
        name,
        problem,
        "Look for a quotation mark that is never closed, or remove the long text.",
    )


def ragged(name: Path | str, found: Reader, n_columns: int, error: Exception) -> SourceError:
    """A record has more or fewer values than there are columns; the line of the first such record is told."""
    problem = quoted(str(error))
    try:
        for record in found:
            if record and len(record) != n_columns:
                values = f"{len(record)} value{'s' if len(record) > 1 else ''}"
                problem = f"line {found.line_num} has {values} ({quoted(', '.join(record))}), but there are "
                problem += f"{n_columns} columns"
                break
    except csv.Error:
        return too_long(name, f"line {found.line_num} has a value of more than 100,000 characters")
    return SourceError(
        name,
        problem,
        "Give every record as many values as there are columns, quoting values that contain the separator.",
    )


def check_lengths(name: Path | str, table: pa.Table) -> None:
    """Refuse values so long that a closing quotation mark must be missing."""
    for column in table.column_names:
        values = table.column(column)
        if pa.types.is_dictionary(values.type):
            values = pa.chunked_array([chunk.dictionary for chunk in values.chunks[:1]], pa.string())
        longest = pc.max(pc.binary_length(values)).as_py() or 0
        if longest > _LONGEST_VALUE:
            problem = (
                f"column {quoted(column)} has a value of {longest:,} bytes, more than {_LONGEST_VALUE:,}"
            )
            raise too_long(name, problem)


def check_last_value(name: Path | str, table: pa.Table, content: pa.Buffer, quote: str) -> None:
    """Refuse a last value that runs over lines up to the very end of the file: it was never closed."""
    if not (table.num_rows and table.num_columns):
        return
    value = table.column(table.num_columns - 1)[-1].as_py() or ""
    as_written = (quote + value.replace(quote, quote + quote)).encode()
    if "\n" in value and content[max(0, content.size - len(as_written)) :].to_pybytes() == as_written:
        raise SourceError(
            name,
            f"a quotation mark is never closed; what it opens begins {quoted(value[:40])}",
            "Close it, or write it twice if it belongs to the text.",
        )
