"""One Arrow column as categories or as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from causalrules.encode.texts import cleaned, texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MISSING = -1
Scalar = TypeVar("Scalar", np.int32, np.float64)


@dataclass(frozen=True, slots=True)
class Categories:
    """Distinct values in any order, and for each record the index of its value (-1: missing).

    Parameters
    ----------
    values : pyarrow.StringArray
        Left in Arrow: a column with very many values is refused before anybody looks at them.
    codes : int32[n]
        One for each record.
    counts : intp[number of values]
        How many records have each value; counted, not given.
    """

    values: pa.Array
    codes: NDArray[np.int32]
    counts: NDArray[np.intp] = field(init=False)

    def __post_init__(self) -> None:
        counts = np.bincount(self.codes + 1, minlength=len(self.values) + 1)
        object.__setattr__(self, "counts", counts[1:])

    def only(self, keep: NDArray[np.bool_] | None) -> Categories:
        """Only these records; None keeps all."""
        return self if keep is None else Categories(self.values, self.codes[keep])

    def in_order(self) -> tuple[list[str], NDArray[np.uint16]]:
        """Values that occur, numbers by size before texts, and each record's place from 1 (0: missing)."""
        occurring = np.flatnonzero(self.counts)
        places = pa.Array.from_buffers(pa.int64(), len(occurring), [None, pa.py_buffer(occurring)])
        texts = self.values.take(places).to_pylist()
        order = sorted(range(len(texts)), key=lambda place: _text_order(texts[place]))
        recode = np.zeros(len(self.values) + 1, np.uint16)  # the last, reached by -1, is for missing values
        recode[occurring[order]] = np.arange(1, len(order) + 1, dtype=np.uint16)
        return [texts[place] for place in order], recode[self.codes]


_FIRST_TEXTS = 64


@dataclass(frozen=True, slots=True)
class Numbers:
    """One number for each record (NaN: missing); dates count as seconds since 1970."""

    values: NDArray[np.float64]
    are_dates: bool = False

    def only(self, keep: NDArray[np.bool_] | None) -> Numbers:
        """Only these records; None keeps all."""
        return self if keep is None else Numbers(self.values[keep], self.are_dates)


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The column in one of the types we know; None if it holds lists, bytes or other things."""
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type))
    if pa.types.is_run_end_encoded(kind):
        chunks = [pc.run_end_decode(chunk) for chunk in column.chunks]
        return plain(pa.chunked_array(chunks, kind.value_type))
    if pa.types.is_string_view(kind):
        return column.cast(pa.string())
    if pa.types.is_float16(kind):
        return column.cast(pa.float32())
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    return column if any(knows(values) for knows in _KNOWN) else None


_KNOWN = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_date,
    pa.types.is_timestamp,
    pa.types.is_time,
    pa.types.is_duration,
    pa.types.is_null,
)


def as_categories(column: pa.ChunkedArray, missing: Sequence[str]) -> Categories:
    """Take every distinct value of a plain column as a category; texts are trimmed and equal ones merged."""
    values, indices = _dictionary(column)
    merged = cleaned(texts_of(values), missing).dictionary_encode()
    if merged.null_count == 0 and len(merged.dictionary) == len(values):
        return Categories(merged.dictionary, indices)
    recode = np.append(_indices(merged), np.int32(MISSING))
    return Categories(merged.dictionary, recode[indices])


def as_numbers(column: pa.ChunkedArray, missing: Sequence[str]) -> Numbers | None:
    """Take a plain column as numbers or dates; None if it holds anything else."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        values, indices = _dictionary(column)
        numbers = as_numbers(pa.chunked_array([values]), missing)
        return (
            None
            if numbers is None
            else Numbers(np.append(numbers.values, np.nan)[indices], numbers.are_dates)
        )
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Numbers(_floats(column))
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _dates(column)
    if pa.types.is_duration(kind):
        return Numbers(_floats(column.cast(pa.duration("s"), safe=False).cast(pa.int64())))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _parsed(cleaned(column, missing))
    return None


def _parsed(texts: pa.ChunkedArray) -> Numbers | None:
    if texts.null_count == len(texts):
        return None
    numbers = _cast(texts, pa.float64())
    if numbers is not None:
        return Numbers(_floats(numbers))
    for moment in (pa.timestamp("us"), pa.timestamp("us", "UTC")):
        dates = _cast(texts, moment)
        if dates is not None:
            return _dates(dates)
    return None


def _cast(texts: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray | None:
    """The texts as this type; None if one of them is something else. The first ones mostly tell."""
    try:
        texts.slice(0, _FIRST_TEXTS).cast(kind)
        return texts.cast(kind)
    except pa.ArrowInvalid:
        return None


def _dates(column: pa.ChunkedArray) -> Numbers:
    """Seconds since 1970, by the clock on the wall where the column has a time zone."""
    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        column = pc.local_timestamp(column)
    seconds = column.cast(pa.timestamp("s"), safe=False).cast(pa.int64())
    return Numbers(_floats(seconds), are_dates=True)


def _floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """NaN for nulls; a number too large for a float comes as near as it can."""
    floats = column.cast(pa.float64(), safe=False)
    chunks = floats.chunks if isinstance(floats, pa.ChunkedArray) else [floats]
    return np.concatenate([np.empty(0), *(_from_buffers(chunk, np.float64(np.nan)) for chunk in chunks)])


def _dictionary(column: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int32]]:
    """Distinct values and each record's index into them (-1: null)."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.unify_dictionaries()
    if column.num_chunks == 0:
        return pa.array([], column.type.value_type), np.empty(0, np.int32)
    chunks = [_indices(chunk) for chunk in column.chunks]
    return column.chunk(0).dictionary, chunks[0] if len(chunks) == 1 else np.concatenate(chunks)


def _indices(chunk: pa.DictionaryArray) -> NDArray[np.int32]:
    return _from_buffers(chunk.indices.cast(pa.int32()), np.int32(MISSING))


def _from_buffers(array: pa.Array, for_null: Scalar) -> NDArray[Scalar]:
    """Numbers from Arrow's own buffers: `to_numpy` and `fill_null` would import pandas."""
    if len(array) == 0:
        return np.empty(0, type(for_null))
    validity, values = array.buffers()
    part = slice(array.offset, array.offset + len(array))
    numbers: NDArray[Scalar] = np.frombuffer(values, type(for_null))[part]
    if array.null_count == 0:
        return numbers
    is_valid = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little")[part]
    return np.where(is_valid, numbers, for_null)


def _text_order(text: str) -> tuple[int, float, str]:
    """Numbers first and by size, then texts."""
    try:
        number = float(text)
    except ValueError:
        return 1, 0.0, text
    return (0, number, text) if number == number else (1, 0.0, text)
