"""What a delimited text looks like: its delimiter and its first record."""

from __future__ import annotations

import csv
import io
from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa

from causalrules.errors import SettingsError

if TYPE_CHECKING:
    from _csv import Reader
    from collections.abc import Iterator

_SAMPLE_BYTES = 1 << 16
_SAMPLE_RECORDS = 50
_DELIMITERS = ",\t;|"
_SPELLINGS = {"\\t": "\t", "tab": "\t", "space": " "}


def records(content: pa.Buffer, delimiter: str, quote: str) -> Reader:
    """The records of UTF-8 text, read lazily by the standard library; `line_num` tells the line."""
    text = io.TextIOWrapper(io.BufferedReader(pa.BufferReader(content)), encoding="utf-8", newline="")
    return csv.reader(text, delimiter=delimiter, quotechar=quote)


def check_delimiter(delimiter: str, quote: str) -> str:
    r"""A delimiter as given, with a few spellings that are easier to type.

    Examples
    --------
    >>> check_delimiter("\\t", '"')
    '\t'
    """
    delimiter = _SPELLINGS.get(delimiter, delimiter)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in f"{quote}\r\n":
        raise SettingsError(
            "delimiter", "one ASCII character, neither a quotation mark nor a line end", delimiter
        )
    return delimiter


def find_delimiter(content: pa.Buffer, quote: str = '"') -> str:
    r"""Guess the delimiter: the one that cuts the first lines into most pieces, equally many each.

    A space is taken only if the first line has none of the others.

    Examples
    --------
    >>> find_delimiter(pa.py_buffer(b"a;b;c\n1,5;2;3\n"))
    ';'
    >>> find_delimiter(pa.py_buffer(b"just one column\n1\n"))
    ','
    """
    sample = content[:_SAMPLE_BYTES].to_pybytes().decode("utf-8", errors="replace")
    is_cut = content.size > _SAMPLE_BYTES
    first_line = sample.partition("\n")[0]
    best, most = max(_DELIMITERS, key=first_line.count), 1
    for delimiter in _DELIMITERS if any(sign in first_line for sign in _DELIMITERS) else " ":
        widths = {len(record) for record in _first_records(sample, delimiter, quote, is_cut) if record}
        if len(widths) == 1 and max(widths) > most:
            best, most = delimiter, max(widths)
    return best


def _first_records(sample: str, delimiter: str, quote: str, is_cut: bool) -> Iterator[list[str]]:
    """Some records of the sample, without the last if that may be cut off."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, quotechar=quote)
    found = list(islice(reader, _SAMPLE_RECORDS))
    is_last_cut = is_cut and len(found) < _SAMPLE_RECORDS
    return iter(found[:-1] if is_last_cut and len(found) > 1 else found)
