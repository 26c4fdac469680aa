"""Data frames of any library that narwhals knows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.domain import Declared
from causalrules.errors import SourceError, quoted
from causalrules.read.table import SourceTable

if TYPE_CHECKING:
    from pathlib import Path

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
    if is_other_stream(frame):
        return read_frame(pa.RecordBatchReader.from_stream(frame))
    eager, source = _understood(frame), name_of_frame(frame)
    columns = {name: column_as_arrow(eager[name]) for name in eager.columns}
    declared = Declared(source=source, categorical=_categories(eager))
    return SourceTable.in_memory(pa.table(columns), declared)


def name_of_frame(frame: Any) -> str:
    """What a result calls its source."""
    library = type(frame).__module__.partition(".")[0]
    return f"{'an' if library[:1] in 'aeiou' else 'a'} {library} data frame"


def is_stream(source: Any) -> bool:
    """Whether the source is read once, from beginning to end, and its length is not known before."""
    return (
        isinstance(source, pa.RecordBatchReader)
        or hasattr(source, "to_arrow_reader")
        or is_other_stream(source)
    )


def is_other_stream(source: Any) -> bool:
    """Whether an object hands its records over by Arrow's own protocol, and no library we know made it."""
    return hasattr(source, "__arrow_c_stream__") and not _is_known_frame(source)


def is_lazy(source: Any) -> bool:
    """Whether the source is a plan that has not been carried out, of Polars, DuckDB, Dask or ibis."""
    import narwhals as nw

    return isinstance(_as_known(source), nw.LazyFrame)


def lazy_as_parquet(frame: Any, path: Path) -> tuple[list[str], frozenset[str]]:
    """Let the library that made a lazy frame write it to a file, part by part.

    Returns
    -------
    tuple of list of str and frozenset of str
        The frame's columns, for a file may have more, such as an index; and which are categorical.
    """
    import narwhals as nw

    known = nw.from_native(frame)
    known.lazy().sink_parquet(path)
    return known.collect_schema().names(), _categories(known)


def _is_known_frame(source: Any) -> bool:
    return isinstance(source, pa.Table | pa.RecordBatch) or _as_known(source) is not source


def _as_known(source: Any) -> Any:
    """The source as narwhals sees it, itself if it does not know it; None if it refuses its names."""
    import narwhals as nw

    try:
        return nw.from_native(source, pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError:
        return None


def _categories(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> frozenset[str]:
    import narwhals as nw

    kinds = frame.collect_schema().items()
    return frozenset(name for name, dtype in kinds if dtype in (nw.Categorical, nw.Enum))


def _understood(frame: Any) -> nw.DataFrame[Any]:
    """The frame as narwhals sees it, with unique names that are texts."""
    import narwhals as nw

    frame = with_text_names(frame)
    try:
        known = nw.from_native(frame)
        eager = known.collect() if isinstance(known, nw.LazyFrame) else known
        names = eager.columns
    except TypeError as error:
        raise SourceError(
            f"an object of type {type(frame).__name__}",
            "it is neither a path nor a data frame",
            "Give a path, or a data frame of pandas, Polars, PyArrow or another library narwhals knows, "
            "a dict of columns, or a NumPy array with columns=[…].",
        ) from error
    except nw.exceptions.DuplicateError as error:
        count = Counter(map(str, getattr(frame, "columns", ())))
        repeated = ", ".join(quoted(name) for name, times in count.items() if times > 1)
        problem = f"column names occur more than once: {repeated or quoted(str(error))}"
        raise SourceError("the data frame", problem, "Rename them.") from error
    unnamed = [column for column in names if not isinstance(column, str)]
    if unnamed:
        raise SourceError(
            "the data frame", f"column name {unnamed[0]!r} is not a text", "Name the columns with texts."
        )
    return eager


def with_text_names(frame: Any) -> Any:
    """A frame of pandas whose columns go by numbers or several levels, by texts; any other as it is."""
    is_of_pandas = hasattr(frame, "set_axis") and hasattr(frame, "columns")
    if not is_of_pandas or all(isinstance(name, str) for name in frame.columns):
        return frame
    return frame.set_axis([column_text(name) for name in frame.columns], axis=1)


def column_text(name: Any) -> str:
    """What a column is called whose name is no text; levels are joined as the paths of nested columns are.

    Examples
    --------
    >>> column_text(0), column_text(("blood", "sodium")), column_text(("age", ""))
    ('0', 'blood.sodium', 'age')
    """
    if isinstance(name, tuple):
        return ".".join(str(level) for level in name if level != "")
    return str(name)


def column_as_arrow(column: nw.Series[Any]) -> pa.Array | pa.ChunkedArray:
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


def with_orders(table: SourceTable) -> SourceTable:
    """The table, with the order of its ordered categories declared."""
    arrow, orders = table.arrow, {}
    for name, column in zip(arrow.column_names, arrow.columns, strict=True):
        if pa.types.is_dictionary(column.type) and column.type.ordered and column.num_chunks:
            values = column.chunk(0).dictionary.to_pylist()
            orders[name] = tuple(str(value).strip() for value in values)
    if not orders:
        return table
    return SourceTable.in_memory(arrow, replace(table.declared, orders=orders, ordered=frozenset(orders)))
