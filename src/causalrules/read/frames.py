"""Data frames of any library that narwhals knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.domain import Declared
from causalrules.errors import SourceError, quoted
from causalrules.read.table import SourceTable

if TYPE_CHECKING:
    import narwhals as nw


STREAM = "a stream of Arrow batches"


def read_frame(frame: Any) -> SourceTable:
    """Take a pandas, Polars, PyArrow, … data frame as an Arrow table; the caller's frame is not changed.

    A column declared as a category (pandas, Polars) stays one, whatever its values look like.
    """
    if isinstance(frame, pa.RecordBatchReader):
        return SourceTable.in_memory(frame.read_all(), Declared(source=STREAM))
    if isinstance(frame, pa.RecordBatch):
        frame = pa.Table.from_batches([frame])
    if isinstance(frame, pa.Table):
        return SourceTable.in_memory(frame, Declared(source="an Arrow table"))
    import narwhals as nw

    eager, source = _understood(frame), f"a {type(frame).__module__.partition('.')[0]} data frame"
    columns = {name: _as_arrow(eager[name]) for name in eager.columns}
    categories = (name for name, dtype in eager.schema.items() if dtype in (nw.Categorical, nw.Enum))
    ordered = {
        name: tuple(map(str, dtype.categories))
        for name, dtype in eager.schema.items()
        if isinstance(dtype, nw.Enum)
    }
    declared = Declared(source=source, categorical=frozenset(categories), ordered=ordered)
    return SourceTable.in_memory(pa.table(columns), declared)


def is_stream(source: Any) -> bool:
    """Whether the source is read once, from beginning to end, and its length is not known before."""
    return isinstance(source, pa.RecordBatchReader) or hasattr(source, "to_arrow_reader")


def _understood(frame: Any) -> nw.DataFrame[Any]:
    """The frame as narwhals sees it, with unique names that are texts."""
    import narwhals as nw

    try:
        known = nw.from_native(frame)
        eager = known.collect() if isinstance(known, nw.LazyFrame) else known
        names = eager.columns
    except TypeError as error:
        raise SourceError(
            f"an object of type {type(frame).__name__}",
            "it is neither a path nor a data frame",
            "Give a path, or a data frame of pandas, Polars, PyArrow or another library narwhals knows.",
        ) from error
    except nw.exceptions.DuplicateError as error:
        problem = f"column names occur more than once ({quoted(str(error))})"
        raise SourceError("the data frame", problem, "Rename them.") from error
    unnamed = [column for column in names if not isinstance(column, str)]
    if unnamed:
        raise SourceError(
            "the data frame", f"column name {unnamed[0]!r} is not a text", "Name the columns with texts."
        )
    return eager


def _as_arrow(column: nw.Series[Any]) -> pa.Array | pa.ChunkedArray:
    """One column; what Arrow has no type for (mixed objects, periods, intervals, …) becomes text."""
    try:
        arrow = column.to_arrow()
    except (pa.ArrowException, TypeError, ValueError):
        arrow = None
    if arrow is not None and not _is_foreign(arrow.type):
        return arrow
    texts = (
        None if is_null else str(value).encode("utf-8", "replace").decode()
        for value, is_null in zip(column.to_list(), column.is_null().to_list(), strict=True)
    )
    return pa.array(texts, pa.string())


def _is_foreign(kind: pa.DataType) -> bool:
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    return isinstance(values, pa.BaseExtensionType)
