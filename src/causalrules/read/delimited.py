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

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from causalrules.errors import SourceError, one_line
from causalrules.read import errors
from causalrules.read.dialect import check_delimiter, find_delimiter, records
from causalrules.read.table import SourceTable, check_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_BLOCK_BYTES = 4 << 20
_BLOCKS_A_PART = 8
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
    text = DelimitedText.of(name, content, names, delimiter, quote)
    return SourceTable(arrow=text.read(), source=one_line(str(name)), notes=tuple(notes), **declared)


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
    """

    name: Path | str
    content: pa.Buffer
    types: dict[str, pa.DataType]
    skipped: int
    delimiter: str
    quote: str

    @classmethod
    def of(
        cls,
        name: Path | str,
        content: pa.Buffer,
        names: Sequence[str] | None,
        delimiter: str | None,
        quote: str = '"',
    ) -> DelimitedText:
        """Look at the beginning of the text; parameters as in `read_delimited`."""
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
        everything_text = dict.fromkeys(names, pa.string())
        text = cls(name, content, everything_text, int(has_header), delimiter, quote)
        return replace(text, types=text._types_by_sample())

    def read(self) -> pa.Table:
        """All records at once, by all cores."""
        with self._explained():
            table = pacsv.read_csv(pa.BufferReader(self.content), **self._options(_BLOCK_BYTES))
        table = table.unify_dictionaries()
        errors.check_lengths(self.name, table)
        errors.check_last_value(self.name, table, self.content, self.quote)
        return table

    def batches(self) -> Iterator[pa.Table]:
        """The records in parts, each of several blocks of the text."""
        table = None
        with self._explained():
            blocks = pacsv.open_csv(pa.BufferReader(self.content), **self._options(_BLOCK_BYTES))
            while some := list(islice(blocks, _BLOCKS_A_PART)):
                table = pa.Table.from_batches(some).unify_dictionaries()
                errors.check_lengths(self.name, table)
                yield table
        if table is not None:
            errors.check_last_value(self.name, table, self.content, self.quote)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Explain a failure as well as it can be explained."""
        try:
            yield
        except pa.ArrowInvalid as error:
            if "straddl" in str(error):
                problem = f"a record has more than {_BLOCK_BYTES:,} bytes"
                raise errors.too_long(self.name, problem) from error
            found = records(self.content, self.delimiter, self.quote)
            raise errors.ragged(self.name, found, len(self.types), error) from error

    def _options(self, block_bytes: int) -> dict[str, Any]:
        return {
            "read_options": pacsv.ReadOptions(
                column_names=list(self.types), skip_rows_after_names=self.skipped, block_size=block_bytes
            ),
            "parse_options": pacsv.ParseOptions(
                delimiter=self.delimiter, quote_char=self.quote, newlines_in_values=True
            ),
            "convert_options": pacsv.ConvertOptions(column_types=self.types),
        }

    def _types_by_sample(self) -> dict[str, pa.DataType]:
        """Dictionaries for columns whose values repeat in the first records, plain text for the others."""
        try:
            options = self._options(_SAMPLE_BYTES)
            first = pacsv.open_csv(pa.BufferReader(self.content), **options).read_next_batch()
        except (pa.ArrowInvalid, StopIteration):
            return self.types
        return {
            name: _DICTIONARY if 2 * pc.count_distinct(column).as_py() <= first.num_rows else pa.string()
            for name, column in zip(self.types, first.columns, strict=True)
        }


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
        raise errors.too_long(name, "the first record has a value of more than 100,000 characters") from error
