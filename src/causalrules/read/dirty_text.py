"""Text as people leave it: ragged lines, decimal commas, signs of thousands and money, the day first.

Nothing of this is guessed: the user asks for it, and a remark says what was changed. Values are
rewritten one by one, so a file that is read in batches is changed in the same way as one read whole.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from causalrules.domain import Declared
from causalrules.errors import one_line, quoted
from causalrules.read.delimited import DelimitedText
from causalrules.read.table import SourceTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from causalrules.read.file_kinds import FileContent
    from causalrules.read.table_at import TableAt

DIRTY = ("bad_lines", "decimal", "thousands", "day_first", "skip_rows")
"""What of `TableAt` is about text."""

_DAY_FIRST = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?")
_MONEY = "€$£¥"
_SIGNS = {",": "comma", ".": "point", " ": "space", "'": "apostrophe", "_": "underscore"}


def is_dirty(at: TableAt) -> bool:
    """Whether the user says that the text needs help."""
    return at.bad_lines == "skip" or at.decimal != "." or at.thousands != "" or at.day_first


def read_dirty(
    name: Path | str,
    content: pa.Buffer | FileContent,
    at: TableAt,
    delimiter: str | None,
    *,
    in_batches: bool,
) -> SourceTable:
    """Read delimited text as the user says it is written, at once or in batches.

    In batches, the text is gone through once more before, since the remarks must tell what is in all of it.
    """
    bad = _BadLines()
    on_bad_line = bad.skip if at.bad_lines == "skip" else None
    text = DelimitedText.of(
        name, content, at.columns, delimiter, on_bad_line=on_bad_line, skip_rows=at.skip_rows
    )
    values = _Values(at)
    if in_batches:
        bad.clear()  # the sample that was looked at may have had some
        for batch in text.batches():
            values.rewritten(batch)
        notes = (*bad.remarks(len(text.types)), *values.remarks())

        def batches() -> Iterator[pa.Table]:
            return (_Values(at).rewritten(batch) for batch in text.batches())

        schema = pa.schema(list(text.types.items()))
        declared = Declared(source=one_line(str(name)), notes=notes, is_untyped=True)
        return SourceTable(schema=schema, batches=batches, declared=declared)
    bad.clear()
    table = values.rewritten(text.read())
    notes = (*bad.remarks(len(text.types)), *values.remarks())
    return SourceTable.in_memory(table, Declared(source=one_line(str(name)), notes=notes, is_untyped=True))


def rewritten(table: SourceTable, at: TableAt) -> SourceTable:
    """A workbook's table with the texts among its cells as the user says they are written."""
    values = _Values(at)
    changed = values.rewritten(table.arrow)
    notes = (*table.declared.notes, *values.remarks())
    return SourceTable.in_memory(changed, replace(table.declared, notes=notes))


class _BadLines:
    """Counts the lines that were skipped and keeps the first."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._n, self._first = 0, ""

    def skip(self, line: Any) -> str:
        self._n += 1
        self._first = self._first or line.text
        return "skip"

    def remarks(self, n_columns: int) -> Iterator[str]:
        if self._n:
            lines = "1 line that does" if self._n == 1 else f"{self._n:,} lines that do"
            yield f"Skipped {lines} not have {n_columns} values, the first: {quoted(self._first)}."


class _Values:
    """Rewrites numbers and dates, and counts the records of each column that were changed."""

    def __init__(self, at: TableAt) -> None:
        self._at = at
        self._numbers: Counter[str] = Counter()
        self._dates: Counter[str] = Counter()
        self._no_dates: dict[str, str] = {}
        decimal, thousands = re.escape(at.decimal), re.escape(at.thousands)
        grouped = rf"\d{{1,3}}(?:{thousands}\d{{3}})+|" if at.thousands else ""
        number = rf"(?:{grouped}\d+)(?:{decimal}\d+)?(?:[eE][+-]?\d+)?"
        self._number = rf"^\s*[+-]?\s*[{_MONEY}]?\s*[+-]?{number}\s*[{_MONEY}]?\s*$"

    def rewritten(self, table: pa.Table) -> pa.Table:
        """The table with its numbers and dates as everybody reads them."""
        if not (self._at.decimal != "." or self._at.thousands or self._at.day_first):
            return table
        columns = [
            self._column(name, column) for name, column in zip(table.column_names, table.columns, strict=True)
        ]
        return pa.table(columns, names=table.column_names)

    def _column(self, name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            return column  # a workbook has numbers and dates of its own
        plain = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        coded = plain if pa.types.is_dictionary(plain.type) else plain.dictionary_encode()
        texts = coded.dictionary
        changed = self._as_numbers(texts) if self._at.decimal != "." or self._at.thousands else texts
        self._numbers[name] += _n_changed(coded, texts, changed)
        if self._at.day_first:
            dated = self._as_dates(name, changed)
            self._dates[name] += _n_changed(coded, changed, dated)
            changed = dated
        if changed is texts:
            return column
        taken = changed.take(coded.indices)
        is_coded = pa.types.is_dictionary(plain.type)
        return pa.chunked_array([taken.dictionary_encode().cast(column.type) if is_coded else taken])

    def _as_numbers(self, texts: pa.Array) -> pa.Array:
        is_number = pc.match_substring_regex(texts, self._number)
        plain = pc.replace_substring_regex(texts, rf"[{_MONEY}\s]", "")
        if self._at.thousands:
            plain = pc.replace_substring(plain, self._at.thousands, "")
        if self._at.decimal != ".":
            plain = pc.replace_substring(plain, self._at.decimal, ".")
        return pc.if_else(is_number, plain, texts)

    def _as_dates(self, name: str, texts: pa.Array) -> pa.Array:
        written = texts.to_pylist()
        dates = [_date(text) for text in written]
        for text, date in zip(written, dates, strict=True):
            if date is None and text and _DAY_FIRST.fullmatch(text.strip()):
                self._no_dates.setdefault(name, text)
        if not any(dates):
            return texts
        return pa.array([date or text for text, date in zip(written, dates, strict=True)], pa.string())

    def remarks(self) -> Iterator[str]:
        """What was changed, for the user to check."""
        at = self._at
        if at.decimal != "." or at.thousands:
            signs = [f"a decimal {_SIGNS[at.decimal]}"] if at.decimal != "." else []
            signs += [f"a {_SIGNS[at.thousands]} between thousands"] if at.thousands else []
            yield _changed(f"Numbers with {' and '.join(signs)}", self._numbers)
        if at.day_first:
            yield _changed("Dates with the day first", self._dates)
        for column, text in self._no_dates.items():
            yield f"Column {quoted(column)} has {quoted(text)}, no date with the day first: it stays text."


def _changed(what: str, counts: Counter[str]) -> str:
    columns = [name for name, n in counts.items() if n]
    if not columns:
        return f"{what} were asked for, but there are none."
    listed = ", ".join(map(quoted, columns[:8])) + (", …" if len(columns) > 8 else "")
    return f"{what} were read in {sum(counts.values()):,} values of {listed}."


def _n_changed(coded: pa.DictionaryArray, before: pa.Array, after: pa.Array) -> int:
    """How many records have a text that is now another."""
    if before is after or not len(before):
        return 0
    is_other = pc.not_equal(before, after)
    return pc.sum(is_other.take(coded.indices)).as_py() or 0


def _date(text: str | None) -> str | None:
    """A date written with the day first, as ISO 8601 writes it; None for anything else."""
    found = _DAY_FIRST.fullmatch(text.strip()) if text else None
    if found is None:
        return None
    day, month, year, hour, minute, second = (int(part) if part else 0 for part in found.groups())
    try:
        moment = datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    return moment.isoformat(" ") if found[4] else moment.date().isoformat()
