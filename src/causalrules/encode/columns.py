"""One Arrow column: its different values, and these as numbers or as texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from causalrules.encode.texts import cleaned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MISSING = -1
Scalar = TypeVar("Scalar", np.int32, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """The different values of a column in any order, and for each record the index of its value.

    Parameters
    ----------
    values : pyarrow.Array
        No nulls; texts are trimmed, and those that mean a missing value are gone.
    indices : int32[n]
        One for each record, -1 where the value is missing.
    """

    values: pa.Array
    indices: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A number for each value (NaN: none); dates count as seconds since 1970.

    `kind` is the type that texts were read as, None for values that have a type of their own.
    """

    values: NDArray[np.float64]
    are_dates: bool = False
    kind: pa.DataType | None = None


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The column in one of the types we know; None if it holds lists, bytes or other things."""
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type))
    if pa.types.is_run_end_encoded(kind):
        chunks = [pc.run_end_decode(chunk) for chunk in column.chunks]
        return plain(pa.chunked_array(chunks, kind.value_type))
    if pa.types.is_string_view(kind) or pa.types.is_null(kind):
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
)


def distinct_of(column: pa.ChunkedArray, missing: Sequence[str]) -> Distinct:
    """The different values of a plain column."""
    values, indices = _dictionary(column)
    if _is_text(values.type):
        values = cleaned(values, missing)
    elif pa.types.is_floating(values.type):
        values = pc.if_else(pc.is_nan(values), pa.nulls(1, values.type)[0], values)
    elif values.null_count == 0:
        return Distinct(values, indices)
    merged = values.dictionary_encode()
    if merged.null_count == 0 and len(merged.dictionary) == len(values):
        return Distinct(merged.dictionary, indices)
    return Distinct(merged.dictionary, np.append(indices_of(merged), np.int32(MISSING))[indices])


def as_numbers(values: pa.Array, kind: pa.DataType | None = None) -> Numbers | None:
    """Take different values as numbers or dates; None if any of them is something else.

    Parameters
    ----------
    values : pyarrow.Array
        As in `Distinct`.
    kind : pyarrow.DataType, optional
        What texts are read as, if it is settled.
    """
    own = values.type
    if pa.types.is_integer(own) or pa.types.is_floating(own) or pa.types.is_decimal(own):
        return Numbers(_floats(values))
    if pa.types.is_date(own) or pa.types.is_timestamp(own):
        return Numbers(_seconds(values), are_dates=True)
    if pa.types.is_duration(own):
        return Numbers(_floats(values.cast(pa.duration("s"), safe=False).cast(pa.int64())))
    if _is_text(own) and len(values):
        return _parsed(values, _TEXT_KINDS if kind is None else (kind,))
    return None


_TEXT_KINDS = (pa.float64(), pa.timestamp("us"), pa.timestamp("us", "UTC"))
_FIRST_TEXTS = 64


def _parsed(texts: pa.Array, kinds: Sequence[pa.DataType]) -> Numbers | None:
    """The texts as the first of these types that all of them fit; the first texts mostly tell."""
    for kind in kinds:
        try:
            texts.slice(0, _FIRST_TEXTS).cast(kind)
            read = texts.cast(kind)
        except pa.ArrowInvalid:
            continue
        are_dates = pa.types.is_timestamp(kind)
        return Numbers(_seconds(read) if are_dates else _floats(read), are_dates, kind)
    return None


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _seconds(moments: pa.Array) -> NDArray[np.float64]:
    """Seconds since 1970, by the clock on the wall where the values have a time zone."""
    if pa.types.is_timestamp(moments.type) and moments.type.tz is not None:
        moments = pc.local_timestamp(moments)
    return _floats(moments.cast(pa.timestamp("s"), safe=False).cast(pa.int64()))


def _floats(values: pa.Array) -> NDArray[np.float64]:
    """A number too large for a float comes as near as it can."""
    return _from_buffers(values.cast(pa.float64(), safe=False), np.float64(np.nan))


def _dictionary(column: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int32]]:
    """Distinct values and each record's index into them (-1: null)."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.unify_dictionaries()
    if column.num_chunks == 0:
        return pa.array([], column.type.value_type), np.empty(0, np.int32)
    chunks = [indices_of(chunk) for chunk in column.chunks]
    return column.chunk(0).dictionary, chunks[0] if len(chunks) == 1 else np.concatenate(chunks)


def places_in(known: pa.Array, values: pa.Array) -> NDArray[np.int32]:
    """Where each value stands among the known ones, -1 if it does not."""
    return _from_buffers(pc.index_in(values, known), np.int32(MISSING))


def indices_of(chunk: pa.DictionaryArray) -> NDArray[np.int32]:
    """Each entry's index into the dictionary, -1 for null."""
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
    first_byte = part.start // 8
    needed = np.frombuffer(validity, np.uint8)[first_byte : -(-part.stop // 8)]
    is_valid = np.unpackbits(needed, bitorder="little")[part.start - 8 * first_byte :][: len(array)]
    return np.where(is_valid, numbers, for_null)
