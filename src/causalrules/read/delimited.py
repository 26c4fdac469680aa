"""Delimited text: CSV, TSV and their relatives, through Arrow's reader.

Arrow was chosen by measurement (`benchmarks/reading.py`): it reads the Census
Income CSV straight into dictionaries in less than half the time of DuckDB or
Polars and with the smallest peak memory.
"""

from __future__ import annotations

import csv
import io
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from causalrules.errors import SettingsError, SourceError
from causalrules.read.table import SourceTable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_BLOCK_BYTES = 4 << 20
_SAMPLE_BYTES = 1 << 16
_LONGEST_VALUE = 1_000_000
_DELIMITERS = ",\t;| "
_DICTIONARY = pa.dictionary(pa.int32(), pa.string())


def read_delimited(
    name: Path | str,
    content: pa.Buffer,
    *,
    names: Sequence[str] | None = None,
    delimiter: str | None = None,
    quote: str = '"',
    notes: Sequence[str] = (),
    **declared: frozenset[str],
) -> SourceTable:
    """Read delimited text; every column stays text, as a dictionary where values repeat.

    Parameters
    ----------
    name : path or str
        For messages and the result.
    content : pyarrow.Buffer
        The bytes: UTF-8 with or without a mark, UTF-16 with one, else Latin-1.
    names : sequence of str, optional
        Column names; the file then has no header.
    delimiter, quote : str
        One character each; the delimiter is found by itself when not given.
    declared : frozenset of str
        Passed on to `SourceTable`.
    """
    content = _as_utf8(content)
    sample = content[:_SAMPLE_BYTES].to_pybytes().decode("utf-8", errors="replace")
    if delimiter is None:
        delimiter = find_delimiter(sample, quote)
    elif len(delimiter) != 1:
        raise SettingsError("delimiter", "one character", delimiter)
    header = next(csv.reader(io.StringIO(sample), delimiter=delimiter, quotechar=quote))
    first_row = [text.strip() for text in header]
    if names is None:
        names = [text or f"column_{number}" for number, text in enumerate(first_row, 1)]
        skipped = 1
    else:
        _check_names(name, names, first_row, delimiter)
        skipped = int(list(names) == first_row)
    arrow = _parse(name, content, list(names), skipped, delimiter, quote)
    _check_lengths(name, arrow)
    return SourceTable(arrow=arrow, source=str(name), notes=tuple(notes), **declared)


def find_delimiter(sample: str, quote: str = '"') -> str:
    r"""Guess the delimiter: the one that cuts the first lines into most pieces, equally many each.

    Examples
    --------
    >>> find_delimiter("a;b;c\n1,5;2;3\n")
    ';'
    >>> find_delimiter("just one column\n1\n")
    ','
    """
    lines = sample.splitlines(keepends=True)
    whole_lines = lines[:-1] if len(lines) > 1 and not sample.endswith("\n") else lines
    best, most = ",", 1
    for delimiter in _DELIMITERS:
        rows = list(islice(csv.reader(whole_lines, delimiter=delimiter, quotechar=quote), 50))
        widths = {len(row) for row in rows if row}
        if len(widths) == 1 and max(widths) > most:
            best, most = delimiter, max(widths)
    return best if most > 1 else max(_DELIMITERS[:4], key=lines[0].count)


def _parse(
    name: Path | str, content: pa.Buffer, names: list[str], skipped: int, delimiter: str, quote: str
) -> pa.Table:
    """Parse all records, and explain a failure as well as it can be explained."""
    types = _column_types(content, names, skipped, delimiter, quote)

    def attempt(use_threads: bool) -> pa.Table:
        return pacsv.read_csv(
            pa.BufferReader(content),
            read_options=pacsv.ReadOptions(
                column_names=names,
                skip_rows_after_names=skipped,
                block_size=_BLOCK_BYTES,
                use_threads=use_threads,
            ),
            parse_options=_parse_options(delimiter, quote),
            convert_options=pacsv.ConvertOptions(column_types=types),
        )

    try:
        return attempt(use_threads=True).unify_dictionaries()
    except pa.ArrowInvalid as error:
        if "Expected" not in str(error):
            raise _explained(name, error) from error
    try:  # once more in one thread, which can tell the number of the row
        return attempt(use_threads=False)
    except pa.ArrowInvalid as error:
        raise _explained(name, error) from error


def _parse_options(delimiter: str, quote: str) -> pacsv.ParseOptions:
    return pacsv.ParseOptions(delimiter=delimiter, quote_char=quote, newlines_in_values=True)


def _column_types(
    content: pa.Buffer, names: list[str], skipped: int, delimiter: str, quote: str
) -> dict[str, pa.DataType]:
    """Dictionaries for columns whose values repeat in the first records, plain text for the others."""
    everything_text = dict.fromkeys(names, pa.string())
    try:
        first = pacsv.open_csv(
            pa.BufferReader(content),
            read_options=pacsv.ReadOptions(
                column_names=names, skip_rows_after_names=skipped, block_size=_SAMPLE_BYTES
            ),
            parse_options=_parse_options(delimiter, quote),
            convert_options=pacsv.ConvertOptions(column_types=everything_text),
        ).read_next_batch()
    except (pa.ArrowInvalid, StopIteration):
        return everything_text
    return {
        name: _DICTIONARY if 2 * pc.count_distinct(column).as_py() <= first.num_rows else pa.string()
        for name, column in zip(names, first.columns, strict=True)
    }


def _as_utf8(content: pa.Buffer) -> pa.Buffer:
    """UTF-8 without a byte order mark, from UTF-8, marked UTF-16, or else Latin-1, which reads anything."""
    first = content[:3].to_pybytes()
    if first == b"\xef\xbb\xbf":
        return content[3:]
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):
        return pa.py_buffer(content.to_pybytes().decode("utf-16").encode())
    return content if _is_utf8(content) else pa.py_buffer(content.to_pybytes().decode("latin-1").encode())


def _is_utf8(content: pa.Buffer) -> bool:
    """Let Arrow check, in pieces, without copying; a piece may end within a character."""
    start = 0
    while start < content.size:
        end = min(start + _BLOCK_BYTES, content.size)
        while end < content.size and end > start + _BLOCK_BYTES - 4 and content[end] & 0xC0 == 0x80:
            end -= 1
        offsets = pa.py_buffer(np.array([0, end - start], dtype=np.int32))
        try:
            pa.Array.from_buffers(pa.string(), 1, [None, offsets, content[start:end]]).validate(full=True)
        except pa.ArrowInvalid:
            return False
        start = end
    return True


def _check_names(name: Path | str, names: Sequence[str], first_row: list[str], delimiter: str) -> None:
    if len(names) != len(first_row):
        raise SourceError(
            name,
            f"{len(names)} column names were given but the first record has {len(first_row)} values "
            f"(separated by {delimiter!r})",
            "Give one name for each column, in order.",
        )


def _check_lengths(name: Path | str, table: pa.Table) -> None:
    for column in table.column_names:
        values = table.column(column)
        if pa.types.is_dictionary(values.type):
            values = values.chunk(0).dictionary if values.num_chunks else values
        longest = pc.max(pc.binary_length(values)).as_py() or 0
        if longest > _LONGEST_VALUE:
            raise _too_long(name, f"column {column!r} has a value of {longest:,} bytes")


def _too_long(name: Path | str, problem: str) -> SourceError:
    return SourceError(
        name,
        f"{problem}; at most {_LONGEST_VALUE:,} are allowed",
        "Look for a quotation mark that is never closed, or remove the long text.",
    )


def _explained(name: Path | str, error: pa.ArrowInvalid) -> SourceError:
    text = str(error).removeprefix("CSV parse error: ")
    if "straddl" in text:
        return _too_long(name, f"a record is longer than {_BLOCK_BYTES:,} bytes")
    if len(text) > 200:
        text = text[:200] + "…"
    return SourceError(
        name,
        text,
        "Give every record as many values as there are columns, quoting values that contain the separator.",
    )
