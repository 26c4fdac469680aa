"""Data frames of any library that narwhals knows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from causalrules.errors import SourceError
from causalrules.read.table import SourceTable


def read_frame(frame: Any) -> SourceTable:
    """Take a pandas, Polars, PyArrow, … data frame as an Arrow table; the caller's frame is not changed."""
    if isinstance(frame, pa.Table):
        return SourceTable(arrow=frame, source="an Arrow table")
    import narwhals as nw

    library = type(frame).__module__.partition(".")[0]
    try:
        known = nw.from_native(frame)
    except TypeError as error:
        raise SourceError(
            f"an object of type {type(frame).__name__}",
            "it is neither a path nor a data frame",
            "Give a path, or a data frame of pandas, Polars, PyArrow or another library narwhals knows.",
        ) from error
    eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    unnamed = [column for column in eager.columns if not isinstance(column, str)]
    if unnamed:
        raise SourceError(
            f"a {library} data frame",
            f"column name {unnamed[0]!r} is not a text",
            "Name the columns with texts.",
        )
    return SourceTable(arrow=eager.to_arrow(), source=f"a {library} data frame")
