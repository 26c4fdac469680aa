"""Delimited text: CSV, TSV and their relatives, through Arrow's reader.

Arrow was chosen by measurement (`make bench`): it reads the Census Income CSV
straight into dictionaries faster than DuckDB or Polars do.
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from causalrules.errors import SourceError, one_line
from causalrules.read import complaints
from causalrules.read.dialect import check_delimiter, find_delimiter, records
from causalrules.read.table import SourceTable, check_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_BLOCK_BYTES = 4 << 20
_SAMPLE_BYTES = 1 << 16
_DICTIONARY = pa.dictionary(pa.int32(), pa.string())
_BLANK_START = re.compile(rb"(?:[ \t]*\r?\n|[ \t]*\r)+")
_BLANK_END = re.compile(rb"(?<=\n)[ \r\n]+\Z")


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
        The text, as UTF-8.
    names : sequence of str, optional
        Column names; the file then has no header.
    delimiter, quote : str
        One character each; the delimiter is found by itself when not given.
    declared : frozenset of str
        Passed on to `SourceTable`.
    """
    content = _without_blank_ends(content)
    delimiter = check_delimiter(delimiter, quote) if delimiter else find_delimiter(content, quote)
    first = _first_record(name, content, delimiter, quote)
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
    arrow = _parse(name, content, list(names), int(has_header), delimiter, quote)
    complaints.check_values(name, arrow, content, quote)
    return SourceTable(arrow=arrow, source=one_line(str(name)), notes=tuple(notes), **declared)


def _without_blank_ends(content: pa.Buffer) -> pa.Buffer:
    """Without blank lines at the beginning and the end; a short text also gets its last line end."""
    start = _BLANK_START.match(content[:_SAMPLE_BYTES].to_pybytes())
    content = content[start.end() :] if start else content
    end = _BLANK_END.search(content[max(0, content.size - _SAMPLE_BYTES) :].to_pybytes())
    content = content[: content.size - len(end[0])] if end else content
    if content.size < _SAMPLE_BYTES and not content.to_pybytes().endswith((b"\n", b"\r")):
        # Arrow takes a header without a line end for a record that never ends.
        content = pa.py_buffer(content.to_pybytes() + b"\n")
    return content


def _first_record(name: Path | str, content: pa.Buffer, delimiter: str, quote: str) -> list[str]:
    try:
        return [text.strip() for text in next(records(content, delimiter, quote))]
    except csv.Error as error:
        raise complaints.too_long(
            name, "the first record has a value of more than 100,000 characters"
        ) from error


def _parse(
    name: Path | str, content: pa.Buffer, names: list[str], skipped: int, delimiter: str, quote: str
) -> pa.Table:
    """Parse all records, and explain a failure as well as it can be explained."""
    try:
        return pacsv.read_csv(
            pa.BufferReader(content),
            read_options=pacsv.ReadOptions(
                column_names=names, skip_rows_after_names=skipped, block_size=_BLOCK_BYTES
            ),
            parse_options=_parse_options(delimiter, quote),
            convert_options=pacsv.ConvertOptions(
                column_types=_column_types(content, names, skipped, delimiter, quote)
            ),
        ).unify_dictionaries()
    except pa.ArrowInvalid as error:
        if "straddl" in str(error):
            raise complaints.too_long(name, f"a record has more than {_BLOCK_BYTES:,} bytes") from error
        raise complaints.ragged(name, records(content, delimiter, quote), len(names), error) from error


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
