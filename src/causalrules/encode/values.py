"""Different values of a column as numbers, and as the texts by which items are named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_LARGEST_PLAIN = 10**15
_PLAIN_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?")
_MOST_DECIMALS = 6
Scalar = TypeVar("Scalar", np.int32, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A number for each value (NaN: none); dates count as seconds since 1970.

    `kind` is the type that texts were read as, None for values that have a type of their own.
    """

    values: NDArray[np.float64]
    are_dates: bool = False
    kind: pa.DataType | None = None


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
    if is_text(own) and len(values):
        return _parsed(values, _TEXT_KINDS if kind is None else (kind,))
    return None


_TEXT_KINDS = (pa.float64(), pa.timestamp("us"), pa.timestamp("us", "UTC"))
_FIRST_TEXTS = 64


def _parsed(texts: pa.Array, kinds: Sequence[pa.DataType]) -> Numbers | None:
    """The texts as the first of these types that all of them fit."""
    for kind in kinds:
        try:
            texts.slice(0, _FIRST_TEXTS).cast(kind)  # fails early on most columns that do not fit
            read = texts.cast(kind)
        except pa.ArrowInvalid:
            continue
        are_dates = pa.types.is_timestamp(kind)
        return Numbers(_seconds(read) if are_dates else _floats(read), are_dates, kind)
    return None


def is_text(kind: pa.DataType) -> bool:
    """Whether values of this type are texts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _seconds(moments: pa.Array) -> NDArray[np.float64]:
    """Seconds since 1970, in local time where the values have a time zone."""
    return _floats(_local(moments).cast(pa.timestamp("s"), safe=False).cast(pa.int64()))


def _local(moments: pa.Array) -> pa.Array:
    """Moments as a clock of their time zone shows them; UTC where the system does not know the zone."""
    if not pa.types.is_timestamp(moments.type) or moments.type.tz is None:
        return moments
    try:
        return pc.local_timestamp(moments)
    except pa.ArrowInvalid:
        return moments.cast(pa.timestamp(moments.type.unit))


def _floats(values: pa.Array) -> NDArray[np.float64]:
    """The values as floats; an integer too large for one is rounded."""
    return as_numpy(values.cast(pa.float64(), safe=False), np.float64(np.nan))


def as_numpy(array: pa.Array, for_null: Scalar) -> NDArray[Scalar]:
    """Numbers straight from Arrow's buffers, because `to_numpy` and `fill_null` would import pandas."""
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


def cleaned(texts: pa.Array | pa.ChunkedArray, missing: Sequence[str]) -> pa.Array | pa.ChunkedArray:
    """Trim texts, and turn those that mean a missing value into nulls."""
    trimmed = pc.utf8_trim_whitespace(texts.cast(pa.string()))
    absent = pc.is_in(trimmed, value_set=_text_array(["", *spellings(missing)]))
    return pc.if_else(absent, pa.nulls(1, pa.string())[0], trimmed)


def spellings(missing: Sequence[str]) -> list[str]:
    """The texts that mean a missing value; of numbers also with more decimals, as other programs write them.

    Examples
    --------
    >>> spellings(["NA", "-9"])[:4], "99.50" in spellings(["99.5"]), "99" in spellings(["99.5"])
    (['NA', '-9', '-9.0', '-9.00'], True, False)
    """
    found: dict[str, None] = {}
    for token in missing:
        text = token.strip()
        found[text] = None
        if _PLAIN_NUMBER.fullmatch(text):
            whole, _, decimals = text.partition(".")
            decimals = decimals.rstrip("0")
            shortest = f"{whole}.{decimals}" if decimals else whole
            found[shortest] = None
            more = range(len(decimals) + 1, _MOST_DECIMALS + 1)
            found |= dict.fromkeys(f"{whole}.{decimals:0<{n}}" for n in more)
    return list(found)


def _text_array(texts: list[str]) -> pa.Array:
    """The texts as an Arrow array, without `pa.array`, which would import pandas only to look at it."""
    encoded = [text.encode() for text in texts]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(texts), buffers)


def texts_of(values: pa.Array) -> pa.Array:
    """Values of any known type as texts; whole numbers lose their ``.0``, days their midnight."""
    kind = values.type
    if pa.types.is_floating(kind):
        return pa.array(map(_number_text, values.to_numpy(zero_copy_only=False)), pa.string())
    if pa.types.is_decimal(kind):
        return pa.array(map(_number_text, values.to_pylist()), pa.string())
    if pa.types.is_timestamp(kind):
        return _moment_texts(values)
    return values.cast(pa.string())


def _number_text(value: Any) -> str | None:
    """As short as it can be written without loss; None for NaN."""
    if value is None or value != value:  # NaN is the only number that differs from itself
        return None
    is_plain = abs(value) <= _LARGEST_PLAIN
    return str(int(value)) if is_plain and value == int(value) else str(value)


def _moment_texts(moments: pa.Array) -> pa.Array:
    """``2026-03-01`` where all are midnights, else with the time, and its fraction where there is one."""
    moments = _local(moments)
    for coarser in (pa.date32(), pa.timestamp("s")):
        short = moments.cast(coarser, safe=False)
        if short.cast(moments.type).equals(moments):  # nothing is lost
            return short.cast(pa.string())
    return moments.cast(pa.string())
