"""Text of any common encoding as UTF-8."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.errors import SourceError, UnknownFormatError

if TYPE_CHECKING:
    from collections.abc import Callable
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


def plain_utf8(content: pa.Buffer, after_each_piece: Callable[[], None]) -> pa.Buffer | None:
    """The text without a mark, if it can be read as it is; gone through in pieces."""
    first = content[:4].to_pybytes()
    if first.startswith(_UTF8_MARK):
        content = content[len(_UTF8_MARK) :]
    is_other = first.startswith(tuple(_MARKS)) or b"\0" in content[:_SAMPLE_BYTES].to_pybytes()
    return content if not is_other and _is_utf8(content, after_each_piece) else None


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


def _is_utf8(content: pa.Buffer, after_each_piece: Callable[[], None] = lambda: None) -> bool:
    """Let Arrow check, in pieces, without copying; a piece may not end within a character."""
    start = 0
    while start < content.size:
        end = min(start + _PIECE_BYTES, content.size)
        while end < content.size and end > start + _PIECE_BYTES - 4 and content[end] & 0xC0 == 0x80:
            end -= 1
        offsets = pa.py_buffer(np.array([0, end - start], dtype=np.int32))
        try:
            pa.Array.from_buffers(pa.string(), 1, [None, offsets, content[start:end]]).validate(full=True)
        except pa.ArrowInvalid:
            return False
        start = end
        after_each_piece()
    return True
