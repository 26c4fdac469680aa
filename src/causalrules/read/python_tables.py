"""Tables as Python holds them without a data frame, and outcomes that are values instead of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from causalrules.domain import Declared, Item
from causalrules.domain.quoted_names import in_quotes
from causalrules.errors import OutcomeError, SettingsError, SourceError
from causalrules.read.frames import column_as_arrow
from causalrules.read.table import SourceTable

OUTCOME_NAME = "outcome"
"""Of a column of values that have no name."""


def python_table(source: Any, columns: Sequence[str] | None = None) -> SourceTable | None:
    """A table from an array or a dict; None for anything else.

    Parameters
    ----------
    source : ndarray or mapping
        Two dimensions, or one of a structured type; or columns by name.
    columns : sequence of str, optional
        Names of an array's columns, which it cannot do without.
    """
    if isinstance(source, np.ndarray):
        return _of_array(source, columns)
    if isinstance(source, Mapping):
        if columns is not None:
            raise SettingsError("columns", "left out for a dict, which has names of its own", list(columns))
        return _of_columns(source, "a dict of columns")
    if type(source).__module__.startswith("scipy.sparse"):
        raise SourceError("a sparse matrix", "it is no table", "Give matrix.toarray() with columns=[…].")
    return None


def _of_array(array: np.ndarray[Any, Any], names: Sequence[str] | None) -> SourceTable:
    what = "a NumPy array"
    if array.dtype.names and array.ndim == 1:
        return _of_columns({name: array[name] for name in array.dtype.names}, what)
    if array.ndim != 2:
        raise SourceError(
            what, f"it has {array.ndim} dimension(s)", "Give one of two: records below, columns beside."
        )
    if names is None:
        raise SourceError(what, "its columns have no names", "Name them: columns=['age', 'smoker', …].")
    if len(names) != array.shape[1]:
        raise SettingsError("columns", f"one name for each of the array's {array.shape[1]} columns", names)
    return _of_columns({name: array[:, place] for place, name in enumerate(names)}, what)


def _of_columns(columns: Mapping[Any, Any], what: str) -> SourceTable:
    for name in columns:
        if not isinstance(name, str):
            raise SourceError(what, f"column name {name!r} is not a text", "Name the columns with texts.")
    arrays = {name: values_as_arrow(values) for name, values in columns.items()}
    sizes = {name: len(array) for name, array in arrays.items()}
    if len(set(sizes.values())) > 1:
        first, other = next(iter(sizes)), next(one for one in sizes if sizes[one] != sizes[next(iter(sizes))])
        problem = f"column {first!r} has {sizes[first]:,} values and {other!r} {sizes[other]:,}"
        raise SourceError(what, problem, "Give all columns the same length.")
    return SourceTable.in_memory(pa.table(arrays), Declared(source=what))


def values_as_arrow(values: Any) -> pa.Array | pa.ChunkedArray:
    """Values of one column, given as a series of any library, an array or a list."""
    import narwhals as nw

    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values
    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return column_as_arrow(series)
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise SourceError("a column", f"it has {values.ndim} dimensions", "Give one value a record.")
    plain = values.tolist() if isinstance(values, np.ndarray) and values.dtype == object else values
    try:
        return pa.array(plain, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError):
        return pa.array([None if _is_absent(one) else str(one) for one in plain], pa.string())


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def is_values(outcome: Any) -> bool:
    """Whether an outcome is given as one value a record instead of as a text."""
    return hasattr(outcome, "__len__") and not isinstance(outcome, str | bytes | Item | Mapping)


def check_same_order(table: Any, values: Any) -> None:
    """Refuse a series of pandas whose index is not its table's: by place, values would meet other records."""
    import narwhals as nw

    frame = nw.from_native(table, eager_only=True, pass_through=True)
    series = nw.from_native(values, series_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame) or not isinstance(series, nw.Series):
        return
    own, other = nw.maybe_get_index(series), nw.maybe_get_index(frame)
    if own is None or other is None or len(own) != len(other) or own.equals(other):
        return
    raise OutcomeError(
        "the outcome's index is not that of the table, so its values would meet other records. Bring it into "
        "the table's order with outcome.loc[table.index], or give outcome.to_numpy() if it is in that order."
    )


def with_outcome(table: SourceTable, given: Any) -> tuple[SourceTable, str | Item]:
    """A table with the outcome's values as a column of it, and how to ask for it.

    A series with the name of a column takes that column's place, since it was
    made of it: ``df["bmi"] >= 30`` must not be explained by ``bmi``. pandas
    says False of a missing number too; where that happened the outcome is
    unknown.

    Parameters
    ----------
    table : SourceTable
        As read.
    given : series, array or list
        One value a record, in the same order: truth values, or two values of which one is a yes.
    """
    arrow = table.arrow
    if len(getattr(given, "shape", (0,))) > 1:
        raise OutcomeError(
            f"the outcome is a {type(given).__name__} of several columns. Give one value a record, such as "
            "df['bmi'] >= 30, or a text such as 'bmi>=30'."
        )
    values = values_as_arrow(given)
    if len(values) != arrow.num_rows:
        raise OutcomeError(
            f"the outcome has {len(values):,} values and the table {arrow.num_rows:,} records. "
            "Give one value a record, in the same order."
        )
    own = getattr(given, "name", None)
    name = own if isinstance(own, str) and own else _free_name(arrow.column_names)
    is_mask = pa.types.is_boolean(values.type)
    if name in arrow.column_names:
        values = _unknown_where_missing(values, arrow.column(name)) if is_mask else values
        arrow = arrow.drop_columns([name])
    arrow = arrow.append_column(name, values)
    declared = replace(
        table.declared,
        categorical=table.declared.categorical - {name},
        numeric=table.declared.numeric - {name},
        ignored=table.declared.ignored - {name},
    )
    asked = Item(name, "true") if is_mask else in_quotes(name)
    return SourceTable.in_memory(arrow, declared), asked


def read_with_outcome(table: Any, given: Any) -> SourceTable:
    """Read a table whose outcome may be given as values, None if it is a column."""
    from causalrules.read.source import read_table

    if given is None:
        return read_table(table)
    check_same_order(table, given)
    return with_outcome(read_table(table), given)[0]


def _unknown_where_missing(mask: Any, column: pa.ChunkedArray) -> Any:
    missing = pc.is_null(column, nan_is_null=True)
    mask, missing = (
        part.combine_chunks() if isinstance(part, pa.ChunkedArray) else part for part in (mask, missing)
    )
    if pc.any(pc.and_(missing, mask)).as_py():  # it was asked who has no value
        return mask
    return pc.if_else(missing, pa.scalar(None, pa.bool_()), mask)


def _free_name(taken: Sequence[str]) -> str:
    names = (OUTCOME_NAME if number == 1 else f"{OUTCOME_NAME}_{number}" for number in range(1, 10**6))
    return next(name for name in names if name not in taken)
