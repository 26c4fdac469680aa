"""A number for every row of a table that is the same for the same row, whatever is asked of the table.

All columns of a known type count, also those that take no part, with their
names and their values as texts. Settings, the order of rows and columns, batches and engines do not.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from causalrules.encode.columns import distinct_of, plain
from causalrules.encode.values import as_numbers, is_text, texts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROWS_AT_ONCE = 1 << 16
_STEP = np.uint64(0x9E3779B97F4A7C15)
_WHOLE = r"^([+-]?\d+)\.0+$"
"""Texts such as 7.0, which are 7 elsewhere."""


def record_keys(table: pa.Table) -> NDArray[np.uint64]:
    """uint64[n]: the key of each row.

    Examples
    --------
    >>> numbers = record_keys(pa.table({"n": [7.0, 8.5], "x": ["a", None]}))
    >>> texts = record_keys(pa.table({"x": ["a", ""], "n": ["7.0", "8.5"]}))
    >>> (numbers == texts).tolist(), int(numbers[0]) == int(numbers[1])
    ([True, True], False)
    """
    keys = np.zeros(table.num_rows, np.uint64)
    for start in range(0, table.num_rows, _ROWS_AT_ONCE):
        some = table.slice(start, _ROWS_AT_ONCE)
        for name in table.column_names:
            usable = plain(some.column(name))
            if usable is not None:
                distinct = distinct_of(usable, ())
                words = np.append(_words(name, distinct.values), np.uint64(0))  # 0 for missing values
                keys[start : start + some.num_rows] += words[distinct.indices]
    return mixed_word(keys)


def stream_of(keys: NDArray[np.uint64], copies: NDArray[np.uint64], salt: np.uint64) -> NDArray[np.uint64]:
    """A well-mixed number for each copy of a row: a stream of SplitMix64 that begins at the key.

    References
    ----------
    Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
    """
    return mixed_word(mixed_word(keys ^ salt) + (copies + np.uint64(1)) * _STEP)


def mixed_word(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Words in which every bit of the given ones changes half the bits (Stafford's mix 13)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def salt_of(text: str) -> np.uint64:
    """A number that stands for a text."""
    return np.uint64(int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little"))


def _words(name: str, values: pa.Array) -> NDArray[np.uint64]:
    """A number for each value of a column: the sum of its text's bytes, each times a number of its place."""
    data, ends = _bytes_of(_texts(values))
    starts = ends[:-1]
    place = np.arange(len(data)) - np.repeat(starts, np.diff(ends))
    weight = mixed_word((place.astype(np.uint64) + np.uint64(1)) * _STEP) | np.uint64(1)
    sums = np.append(
        np.uint64(0), np.cumsum((data.astype(np.uint64) + np.uint64(1)) * weight, dtype=np.uint64)
    )
    return mixed_word((sums[ends[1:]] - sums[starts]) ^ salt_of(name))


def _texts(values: pa.Array) -> pa.Array:
    """Values as texts that do not depend on how they are stored."""
    numbers = as_numbers(values) if pa.types.is_temporal(values.type) else None
    if numbers is not None:
        return texts_of(pa.array(numbers.values))
    texts = texts_of(values)
    return pc.replace_substring_regex(texts, _WHOLE, r"\1") if is_text(values.type) else texts


def _bytes_of(texts: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes of all texts, and where each begins and the last ends."""
    whole = pa.concat_arrays([texts.cast(pa.large_binary())])
    _, ends, data = whole.buffers()
    if not len(whole):
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    found = np.frombuffer(ends, np.int64)[whole.offset : whole.offset + len(whole) + 1]
    content = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    return content[found[0] : found[-1]], found - found[0]
