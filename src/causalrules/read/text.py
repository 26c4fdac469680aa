"""What a text file looks like inside: its encoding, its delimiter, its records."""

from __future__ import annotations

import csv
import io
import re
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.errors import SettingsError, SourceError, UnknownFormatError
from causalrules.read.file_kinds import FileContent, open_bytes

if TYPE_CHECKING:
    from _csv import Reader
    from collections.abc import Iterator
    from pathlib import Path

_PIECE_BYTES = 4 << 20
_SAMPLE_BYTES = 1 << 16
_UTF8_MARK = b"\xef\xbb\xbf"
_MARKS = {  # the longer marks first: that of UTF-32 begins like that of UTF-16
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_SAMPLE_RECORDS = 50
_LONGEST_TITLES, _MOST_TITLES, _FEWEST_RECORDS = 4 << 20, 20, 2
_DELIMITERS = ",\t;|"
_SPELLINGS = {"\\t": "\t", "tab": "\t", "space": " "}
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x19\x1c-\x1f]")


def as_utf8(name: Path | str, content: pa.Buffer) -> pa.Buffer:
    """UTF-8 without a byte order mark.

    A mark tells UTF-8, UTF-16 and UTF-32. What has none and is not UTF-8 is
    taken as Windows' western encoding, or Latin-1, which reads anything, unless it holds
    control characters: then it is no text.
    """
    first = content[:4].to_pybytes()
    mark = next((mark for mark in _MARKS if first.startswith(mark)), None)
    if mark is not None:
        content = _recoded(name, content, _MARKS[mark])
    elif first.startswith(_UTF8_MARK):
        content = content[len(_UTF8_MARK) :]
    sample = content[:_SAMPLE_BYTES].to_pybytes()
    if b"\0" in sample:
        raise _not_text(name)
    if _is_utf8(content):
        return content
    if _CONTROL.search(sample):
        raise _not_text(name)
    return _from_western(content)


def plain_utf8(content: FileContent) -> FileContent | None:
    """The text without a byte order mark, or None if it is not UTF-8."""
    first = content[:4].to_pybytes()
    if first.startswith(_UTF8_MARK):
        content = content[len(_UTF8_MARK) :]
    is_other = first.startswith(tuple(_MARKS)) or b"\0" in content[:_SAMPLE_BYTES].to_pybytes()
    return content if not is_other and _is_utf8(content) else None


def _recoded(name: Path | str, content: pa.Buffer, encoding: str) -> pa.Buffer:
    try:
        return pa.py_buffer(content.to_pybytes().decode(encoding).encode())
    except UnicodeError as error:
        raise SourceError(
            name, f"its {encoding.upper()} text is damaged ({error})", "Save it as UTF-8."
        ) from error


def _from_western(content: pa.Buffer) -> pa.Buffer:
    raw = content.to_pybytes()
    try:
        return pa.py_buffer(raw.decode("cp1252").encode())
    except UnicodeDecodeError:
        return pa.py_buffer(raw.decode("latin-1").encode())


def _not_text(name: Path | str) -> UnknownFormatError:
    return UnknownFormatError(
        name, "it is binary data of an unknown kind", "Save it as CSV, Parquet, Arrow, JSON lines or ARFF."
    )


def _is_utf8(content: pa.Buffer | FileContent) -> bool:
    """Let Arrow check, in pieces; a piece may not end within a character."""
    start = 0
    while start < content.size:
        piece = content[start : start + _PIECE_BYTES + 1]
        piece = pa.py_buffer(piece.to_pybytes()) if isinstance(piece, FileContent) else piece
        end = min(_PIECE_BYTES, piece.size)
        while end < piece.size and end > _PIECE_BYTES - 4 and piece[end] & 0xC0 == 0x80:
            end -= 1
        if not end:
            return False  # the file became shorter
        offsets = pa.py_buffer(np.array([0, end], dtype=np.int32))
        try:
            pa.Array.from_buffers(pa.string(), 1, [None, offsets, piece[:end]]).validate(full=True)
        except pa.ArrowInvalid:
            return False
        start += end
    return True


def records(content: pa.Buffer | FileContent, delimiter: str) -> Reader:
    """The records of UTF-8 text, read lazily by the standard library; `line_num` tells the line."""
    text = io.TextIOWrapper(io.BufferedReader(open_bytes(content)), encoding="utf-8", newline="")
    return csv.reader(text, delimiter=delimiter)


def check_delimiter(delimiter: str) -> str:
    r"""A delimiter as given, with a few spellings that are easier to type.

    Examples
    --------
    >>> check_delimiter("\\t")
    '\t'
    """
    delimiter = _SPELLINGS.get(delimiter, delimiter)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n':
        raise SettingsError(
            "delimiter", "one ASCII character, neither a quotation mark nor a line end", delimiter
        )
    return delimiter


def find_delimiter(content: pa.Buffer | FileContent) -> str:
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
        widths = {len(record) for record in _first_records(sample, delimiter, is_cut) if record}
        if len(widths) == 1 and max(widths) > most:
            best, most = delimiter, max(widths)
    return best


def without_first_lines(
    name: Path | str, content: pa.Buffer | FileContent, n_lines: int
) -> pa.Buffer | FileContent:
    """The text from a line on."""
    if not n_lines:
        return content
    raw, place = content[:_LONGEST_TITLES].to_pybytes(), 0
    for _ in range(n_lines):
        place = raw.find(b"\n", place) + 1
        if not place:
            problem = f"it has no line {n_lines + 1} to begin with"
            raise SourceError(name, problem, "Skip fewer lines.")
    return content[place:]


def lines_of_titles(content: pa.Buffer | FileContent) -> int:
    r"""How many of the first lines look like titles: from there on all have equally many values.

    Examples
    --------
    >>> lines_of_titles(pa.py_buffer(b"Plant 7\nmade on Monday, by Ann\n\na;b;c\n1;2;3\n4;5;6\n7;8;9\n"))
    3
    >>> lines_of_titles(pa.py_buffer(b"a,b\n1,2\n3,4,5\n6,7\n"))
    0
    """
    sample = content[:_SAMPLE_BYTES].to_pybytes().decode("utf-8", errors="replace")
    lines = sample.splitlines()[:_SAMPLE_RECORDS]
    lines = lines[:-1] if content.size > _SAMPLE_BYTES and len(lines) < _SAMPLE_RECORDS else lines
    found = {}
    for delimiter in _DELIMITERS:
        widths = [len(record) for record in csv.reader(lines, delimiter=delimiter)]
        if len(widths) != len(lines) or not widths or widths[-1] < 2:
            continue
        n_titles = len(widths) - next(
            (n for n, width in enumerate(reversed(widths)) if width != widths[-1]), len(widths)
        )
        if 0 < n_titles <= _MOST_TITLES and len(widths) - n_titles > _FEWEST_RECORDS:
            found[widths[-1]] = n_titles
    return found[max(found)] if found else 0


def _first_records(sample: str, delimiter: str, is_cut: bool) -> Iterator[list[str]]:
    """Some records of the sample, without the last if that may be cut off."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    found = list(islice(reader, _SAMPLE_RECORDS))
    is_last_cut = is_cut and len(found) < _SAMPLE_RECORDS
    return iter(found[:-1] if is_last_cut and len(found) > 1 else found)
