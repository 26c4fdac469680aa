"""Delimited text: CSV, TSV and their relatives, through Arrow's reader.

Arrow was chosen by measurement (`make bench`): it reads the Census Income CSV
straight into dictionaries faster than DuckDB or Polars do.
"""

from __future__ import annotations

import csv
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from causalrules.domain import Declared
from causalrules.errors import SourceError, one_line, quoted
from causalrules.read.file_kinds import open_bytes
from causalrules.read.table import SourceTable, check_names
from causalrules.read.text import (
    check_delimiter,
    find_delimiter,
    lines_of_titles,
    records,
    without_first_lines,
)

if TYPE_CHECKING:
    from _csv import Reader
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from causalrules.read.file_kinds import FileContent

BLOCK_BYTES = 4 << 20
"""What Arrow parses at a time; a record may not be longer."""

_BLOCKS_A_PART = 8
_SAMPLE_BYTES = 1 << 16
_LONGEST_VALUE = 1_000_000
_DICTIONARY = pa.dictionary(pa.int32(), pa.string())
_BLANK_START = re.compile(rb"(?:[ \t]*\r?\n|[ \t]*\r)+")


def read_delimited(
    name: Path | str,
    content: pa.Buffer,
    *,
    names: Sequence[str] | None = None,
    delimiter: str | None = None,
    skip_rows: int = 0,
    notes: Sequence[str] = (),
    is_needed: Callable[[str], bool] | None = None,
    **declared: Any,
) -> SourceTable:
    """Read delimited text; every column stays text, as a dictionary where values repeat.

    Parameters
    ----------
    name : path or str
        For messages and the result.
    content : pyarrow.Buffer
        The text, as UTF-8.
    names : sequence of str, optional
        Column names; the file then has no header.
    delimiter : str, optional
        One character; it is found by itself when not given.
    skip_rows : int
        Lines above the header.
    is_needed : callable, optional
        Whether the values of a column will be looked at; others may be all missing.
    notes, declared
        See `Declared`.
    """
    text = DelimitedText.of(name, content, names, delimiter, skip_rows=skip_rows)
    said = replace(Declared(source=one_line(str(name)), notes=tuple(notes), is_untyped=True), **declared)
    return SourceTable.in_memory(text.read(is_needed), said)


@dataclass(frozen=True, slots=True)
class DelimitedText:
    """A delimited text whose columns are known.

    Parameters
    ----------
    content : pyarrow.Buffer
        The text, as UTF-8, without blank lines at its ends.
    types : dict of str to pyarrow.DataType
        Of each column: dictionaries where values repeat, else plain text.
    skipped : int
        Lines of the header.
    on_bad_line : callable, optional
        Told of a line with too many or too few values, it says ``"skip"``; without it such a line is refused.
    above : int
        Lines above the content, for messages.
    """

    name: Path | str
    content: pa.Buffer | FileContent
    types: dict[str, pa.DataType]
    skipped: int
    delimiter: str
    on_bad_line: Callable[[Any], str] | None = None
    above: int = 0

    @classmethod
    def of(
        cls,
        name: Path | str,
        content: pa.Buffer | FileContent,
        names: Sequence[str] | None,
        delimiter: str | None,
        on_bad_line: Callable[[Any], str] | None = None,
        skip_rows: int = 0,
    ) -> DelimitedText:
        """Look at the beginning of the text; parameters as in `read_delimited`."""
        content = without_first_lines(name, _without_blank_ends(content), skip_rows)
        delimiter = check_delimiter(delimiter) if delimiter else find_delimiter(content)
        first = _first_record(name, content, delimiter)
        has_header = names is None or list(names) == first
        if names is None:
            names = [text or f"column_{number}" for number, text in enumerate(first, 1)]
        elif len(names) != len(first):
            raise SourceError(
                name,
                f"{len(names)} column names were given but the first record has {len(first)} values "
                f"(separated by {delimiter!r})",
                "Give one name for each column, in order.",
            )
        check_names(name, names)
        everything_text = dict.fromkeys(names, pa.string())
        text = cls(name, content, everything_text, int(has_header), delimiter, on_bad_line, skip_rows)
        return replace(text, types=text._types_by_sample())

    def read(self, is_needed: Callable[[str], bool] | None = None) -> pa.Table:
        """All records at once, by all cores.

        Where nothing is quoted, every line is a record, and columns that nobody
        needs are not read: their values cannot tell of a mark that was never closed.
        """
        is_plain = not self._has_quotes()
        options = self._options(BLOCK_BYTES, newlines_in_values=not is_plain)
        if is_plain and is_needed is not None:
            options["convert_options"].include_columns = list(filter(is_needed, self.types))
        with self._explained(), open_bytes(self.content) as stream:
            table = pacsv.read_csv(stream, **options)
        table = table.unify_dictionaries()
        _check_lengths(self.name, table)
        if not is_plain:
            _check_last_value(self.name, table, self.content)
        return _with_unread(table, list(self.types))

    def _has_quotes(self) -> bool:
        """Whether the text has a quotation mark anywhere; what is not in memory may have one."""
        if not isinstance(self.content, pa.Buffer):
            return True
        signs = np.frombuffer(self.content, np.uint8)
        parts = (signs[start : start + BLOCK_BYTES] for start in range(0, len(signs), BLOCK_BYTES))
        return any((part == ord('"')).any() for part in parts)

    def batches(self) -> Iterator[pa.Table]:
        """The records in parts, each of several blocks of the text."""
        table = None
        with self._explained(), open_bytes(self.content) as stream:
            blocks = pacsv.open_csv(stream, **self._options(BLOCK_BYTES))
            while some := list(islice(blocks, _BLOCKS_A_PART)):
                table = pa.Table.from_batches(some).unify_dictionaries()
                _check_lengths(self.name, table)
                yield table
        if table is not None:
            _check_last_value(self.name, table, self.content)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Explain a failure as well as it can be explained."""
        try:
            yield
        except pa.ArrowInvalid as error:
            if "straddl" in str(error):
                problem = f"a record has more than {BLOCK_BYTES:,} bytes"
                raise _too_long(self.name, problem) from error
            found = records(self.content, self.delimiter)
            titles = 0 if self.above else lines_of_titles(self.content)
            raise _ragged(self.name, found, self.above, len(self.types), titles, error) from error

    def _options(self, block_bytes: int, *, newlines_in_values: bool = True) -> dict[str, Any]:
        return {
            "read_options": pacsv.ReadOptions(
                column_names=list(self.types), skip_rows_after_names=self.skipped, block_size=block_bytes
            ),
            "parse_options": pacsv.ParseOptions(
                delimiter=self.delimiter,
                newlines_in_values=newlines_in_values,
                invalid_row_handler=self.on_bad_line,
            ),
            # A text in memory was found to be UTF-8 as a whole; to check its values again takes a tenth of
            # the time of reading. A file may have changed since.
            "convert_options": pacsv.ConvertOptions(
                column_types=self.types, check_utf8=not isinstance(self.content, pa.Buffer)
            ),
        }

    def _types_by_sample(self) -> dict[str, pa.DataType]:
        """Dictionaries for columns whose values repeat in the first records, plain text for the others."""
        try:
            with open_bytes(self.content) as stream:
                first = pacsv.open_csv(stream, **self._options(_SAMPLE_BYTES)).read_next_batch()
        except (pa.ArrowInvalid, StopIteration):
            return self.types
        return {
            name: _DICTIONARY if 2 * pc.count_distinct(column).as_py() <= first.num_rows else pa.string()
            for name, column in zip(self.types, first.columns, strict=True)
        }


def _with_unread(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """The table with all its columns; those that were not read are all missing."""
    found = dict(zip(table.column_names, table.columns, strict=True))
    unread = pa.chunked_array([pa.nulls(table.num_rows)])
    return table if len(found) == len(names) else pa.table({name: found.get(name, unread) for name in names})


def _without_blank_ends(content: pa.Buffer | FileContent) -> pa.Buffer | FileContent:
    """Without blank lines at the beginning and the end; a short text also gets its last line end."""
    start = _BLANK_START.match(content[:_SAMPLE_BYTES].to_pybytes())
    content = content[start.end() :] if start else content
    last = content[max(0, content.size - _SAMPLE_BYTES) :].to_pybytes()
    line_end = last.find(b"\n", len(last.rstrip(b" \r\n")))
    content = content[: content.size - (len(last) - line_end - 1)] if line_end >= 0 else content
    if content.size < _SAMPLE_BYTES and not content.to_pybytes().endswith((b"\n", b"\r")):
        # Arrow takes a header without a line end for a record that never ends.
        content = pa.py_buffer(content.to_pybytes() + b"\n")
    return content


def _first_record(name: Path | str, content: pa.Buffer | FileContent, delimiter: str) -> list[str]:
    try:
        return [text.strip() for text in next(records(content, delimiter))]
    except csv.Error as error:
        raise _too_long(name, "the first record has a value of more than 100,000 characters") from error


def _too_long(name: Path | str, problem: str) -> SourceError:
    """A value or record is unreasonably long."""
    return SourceError(
        name,
        problem,
        "Look for a quotation mark that is never closed, or remove the long text.",
    )


def _ragged(
    name: Path | str, found: Reader, above: int, n_columns: int, titles: int, error: Exception
) -> SourceError:
    """A record has more or fewer values than there are columns; the message names the line of the first one.

    Where the first lines look like titles above the table, the option that leaves them out is named.
    """
    problem = quoted(str(error))
    try:
        for record in found:
            if record and len(record) != n_columns:
                values = f"{len(record)} value{'s' if len(record) > 1 else ''}"
                line = found.line_num + above
                columns = "is one column" if n_columns == 1 else f"are {n_columns} columns"
                problem = f"line {line} has {values} ({quoted(', '.join(record))}), but there {columns}"
                break
    except csv.Error:
        line = found.line_num + above
        return _too_long(name, f"line {line} has a value of more than 100,000 characters")
    if titles:
        what, them = ("line seems", "it") if titles == 1 else (f"{titles} lines seem", "them")
        remedy = f"The first {what} to stand above the table: --skip-rows {titles} leaves {them} out."
        return SourceError(name, problem, remedy)
    return SourceError(
        name,
        problem,
        "Give every record as many values as there are columns, quoting values that contain the separator.",
    )


def _check_lengths(name: Path | str, table: pa.Table) -> None:
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
            raise _too_long(name, problem)


def _check_last_value(name: Path | str, table: pa.Table, content: pa.Buffer | FileContent) -> None:
    """Refuse a last value that runs over lines up to the very end of the file: it was never closed."""
    if not (table.num_rows and table.num_columns):
        return
    value = table.column(table.num_columns - 1)[-1].as_py() or ""
    as_written = ('"' + value.replace('"', '""')).encode()
    if "\n" in value and content[max(0, content.size - len(as_written)) :].to_pybytes() == as_written:
        raise SourceError(
            name,
            f"a quotation mark is never closed; what it opens begins {quoted(value[:40])}",
            "Close it, or write it twice if it belongs to the text.",
        )
