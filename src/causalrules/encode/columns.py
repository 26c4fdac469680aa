"""One Arrow column as categories or as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MISSING = -1


@dataclass(frozen=True, slots=True)
class Categories:
    """Distinct values in order, and for each record the index of its value (-1: missing)."""

    values: list[str]
    codes: NDArray[np.int64]

    def kept(self, keep: NDArray[np.bool_]) -> Categories:
        """Only these records, and only values that still occur."""
        codes = self.codes[keep]
        occurs = np.bincount(codes[codes >= 0], minlength=len(self.values)) > 0
        renumbered = np.append(np.cumsum(occurs) - 1, MISSING)
        return Categories(
            [value for value, kept in zip(self.values, occurs, strict=True) if kept], renumbered[codes]
        )


@dataclass(frozen=True, slots=True)
class Numbers:
    """One number for each record (NaN: missing); dates count as seconds since 1970."""

    values: NDArray[np.float64]
    are_dates: bool = False


def as_categories(column: pa.ChunkedArray, missing: Sequence[str]) -> Categories:
    """Take every distinct value as a category, in the order of numbers if all are numbers, else of texts."""
    return _with_merged_texts(*_dictionary(_as_text(column)), missing)


def as_numbers(column: pa.ChunkedArray, missing: Sequence[str]) -> Numbers | None:
    """Take the column as numbers or dates; None if it holds anything else."""
    kind = column.type
    if pa.types.is_boolean(kind) or pa.types.is_nested(kind) or pa.types.is_binary(kind):
        return None
    if pa.types.is_temporal(kind):
        return _dates(column)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Numbers(_floats(column.cast(pa.float64(), safe=False)))
    if pa.types.is_dictionary(kind):
        values, indices = _dictionary(column)
        parsed = _parsed(_cleaned(values, missing))
        if parsed is None:
            return None
        return Numbers(np.append(parsed.values, np.nan)[indices], parsed.are_dates)
    return _parsed(_cleaned(column, missing))


def _parsed(texts: pa.Array | pa.ChunkedArray) -> Numbers | None:
    if texts.null_count == len(texts):
        return None
    try:
        return Numbers(_floats(texts.cast(pa.float64())))
    except pa.ArrowInvalid:
        pass
    try:
        return _dates(texts.cast(pa.timestamp("s")))
    except pa.ArrowInvalid:
        return None


def _dates(column: pa.Array | pa.ChunkedArray) -> Numbers | None:
    if not (pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)):
        return None
    seconds = column.cast(pa.timestamp("s"), safe=False).cast(pa.int64())
    return Numbers(_floats(seconds.cast(pa.float64(), safe=False)), are_dates=True)


def _floats(column: pa.Array | pa.ChunkedArray) -> NDArray[np.float64]:
    filled = pc.fill_null(column, float("nan"))
    return np.asarray(filled.to_numpy(), dtype=np.float64)


def _cleaned(texts: pa.Array | pa.ChunkedArray, missing: Sequence[str]) -> pa.Array | pa.ChunkedArray:
    """Trim, and turn missing tokens into nulls."""
    trimmed = pc.utf8_trim_whitespace(texts.cast(pa.string()))
    absent = pc.is_in(trimmed, value_set=pa.array(["", *missing], pa.string()))
    return pc.if_else(absent, pa.scalar(None, pa.string()), trimmed)


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Any column as text or as a dictionary of text; whole floats lose their ``.0``."""
    kind = column.type
    if pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return column
    if pa.types.is_floating(kind):
        distinct = pc.unique(column)
        texts = pa.array([_float_text(value) for value in distinct.to_pylist()], pa.string())
        return pa.chunked_array([texts.take(pc.index_in(column.combine_chunks(), value_set=distinct))])
    return column.cast(pa.string())


def _float_text(value: float | None) -> str | None:
    if value is None or value != value:  # NaN is the only number that differs from itself
        return None
    return str(int(value)) if value.is_integer() else repr(value)


def _dictionary(column: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int64]]:
    """Distinct values and each record's index into them (-1: null)."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.unify_dictionaries()
    if column.num_chunks == 0:
        return pa.array([], pa.string()), np.empty(0, np.int64)
    indices = [pc.fill_null(chunk.indices.cast(pa.int64()), MISSING).to_numpy() for chunk in column.chunks]
    return column.chunk(0).dictionary, np.concatenate(indices)


def _with_merged_texts(values: pa.Array, indices: NDArray[np.int64], missing: Sequence[str]) -> Categories:
    """Trim the values, merge those that become equal, drop the missing ones, put them in order."""
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        values = _as_text(pa.chunked_array([values]))
    absent = {"", *missing}
    texts: list[Any] = [None if text is None else text.strip() for text in values.to_pylist()]
    distinct = sorted({text for text in texts if text is not None and text not in absent}, key=_text_order)
    position = {text: code for code, text in enumerate(distinct)}
    recode = np.array([position.get(text, MISSING) for text in texts] + [MISSING], dtype=np.int64)
    return Categories(distinct, recode[indices])


def _text_order(text: str) -> tuple[int, float, str]:
    """Numbers first and by size, then texts."""
    try:
        number = float(text)
    except ValueError:
        return 1, 0.0, text
    return (0, number, text) if number == number else (1, 0.0, text)
