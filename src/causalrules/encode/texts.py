"""Values as texts: how items are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST_PLAIN = 10**15


def cleaned(texts: pa.Array | pa.ChunkedArray, missing: Sequence[str]) -> pa.Array | pa.ChunkedArray:
    """Trim, and turn missing tokens into nulls."""
    trimmed = pc.utf8_trim_whitespace(texts.cast(pa.string()))
    absent = pc.is_in(trimmed, value_set=_text_array(["", *(token.strip() for token in missing)]))
    return pc.if_else(absent, pa.nulls(1, pa.string())[0], trimmed)


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
    """As short as it can be written without loss; None for what is not a number."""
    if value is None or value != value:  # NaN is the only number that differs from itself
        return None
    is_plain = abs(value) <= _LARGEST_PLAIN
    return str(int(value)) if is_plain and value == int(value) else str(value)


def _moment_texts(moments: pa.Array) -> pa.Array:
    """``2026-03-01`` where all are midnights, else with the time, and its fraction where there is one."""
    if moments.type.tz is not None:
        moments = pc.local_timestamp(moments)
    for coarser in (pa.date32(), pa.timestamp("s")):
        short = moments.cast(coarser, safe=False)
        if short.cast(moments.type).equals(moments):  # nothing is lost
            return short.cast(pa.string())
    return moments.cast(pa.string())
