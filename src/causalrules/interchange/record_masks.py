"""Which records have a pattern, in any table: values are read as the search reads them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain import Item
from causalrules.domain.missing_values import missing_in
from causalrules.domain.pattern_grammar import Condition, condition_of_item, parse
from causalrules.domain.settings import Settings
from causalrules.encode.columns import MISSING, Batch, Distinct, distinct_of, plain
from causalrules.encode.conditions import OutcomePattern, states_of
from causalrules.encode.tally import Tally
from causalrules.encode.values import as_numbers, cleaned, texts_of
from causalrules.errors import PatternError, SourceError, UnknownColumnError
from causalrules.read import read_table, with_text_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.domain import Pattern


def mask_of(pattern: Pattern, frame: Any, missing: Sequence[str] | None = None) -> Any:
    """Which records of a table have every item of a pattern, as a series of the table's own library.

    A record of which that is unknown, because a value is missing, has not.
    The series of a pandas frame has its index, so it can be used to choose
    rows; whatever is no data frame gets a NumPy array.

    Parameters
    ----------
    pattern : tuple of Item
        As a rule holds it.
    frame : data frame, dict of columns, path, …
        Whatever `mine` reads; lazy frames are collected.
    missing : sequence of str, optional
        Texts that mean a missing value; those of `Settings` by default.
    """
    table = read_table(_columns_of(pattern, frame))
    found = states_of_pattern(pattern, table.arrow, Settings.missing if missing is None else missing) == 1
    return _like(frame, found)


def states_of_pattern(pattern: Pattern, table: pa.Table, missing: Sequence[str]) -> NDArray[np.int8]:
    """For each record: 1 if it has every item, 0 if a known value differs, -1 if that is unknown."""
    states = np.ones(table.num_rows, np.int8)
    for item in pattern:
        if item.column not in table.column_names:
            raise UnknownColumnError("rule", item.column, table.column_names)
        here = _states_of_item(item, table.column(item.column), tuple(missing))
        states = np.where((states == 0) | (here == 0), 0, np.minimum(states, here)).astype(np.int8)
    return states


def states_of_outcome(asked: str | Item, table: pa.Table, missing: Sequence[str]) -> NDArray[np.int8]:
    """For each record: 1 if it has an outcome, 0 if not, -1 if that is unknown."""
    if isinstance(asked, Item):
        return states_of_pattern((asked,), table, missing)
    texts = tuple(missing)
    batch = Batch(table, texts)
    pattern = OutcomePattern(parse(asked, table.column_names, "outcome"), texts)
    unknown = np.full(table.num_rows, 0, np.int8)
    tallies = {name: Tally.of(batch.distinct(name), unknown) for name in pattern.columns}
    return pattern.settled(tallies).distinct_in(batch).indices.astype(np.int8)


def _states_of_item(item: Item, column: pa.ChunkedArray, missing: tuple[str, ...]) -> NDArray[np.int8]:
    usable = plain(column)
    if usable is None:
        problem = f"the column {item.column!r} holds values of type {column.type}"
        raise SourceError("the table", problem, "Give texts, numbers, dates or truth values.")
    distinct = distinct_of(usable, missing, item.column)
    if not len(distinct.values):
        return np.full(len(distinct.indices), MISSING, np.int8)
    return states_of(_condition(item, distinct, missing), distinct, missing, "rule")


def _condition(item: Item, distinct: Distinct, missing: tuple[str, ...]) -> Condition:
    """What an item asks of its column; a value that is spelled like an interval may be a plain text."""
    condition = condition_of_item(item.column, item.value)
    as_value = Condition(item.column, "is", (item.value,))
    if condition.kind == "within":
        return condition if as_numbers(distinct.values) is not None else as_value
    if item.value in cleaned(texts_of(distinct.values), missing_in(missing, item.column)).to_pylist():
        return as_value
    if condition.kind == "is not":
        return condition
    try:
        (listed,) = parse(f"x={item.value}", ["x"])
    except (PatternError, ValueError):
        return as_value
    return replace(listed, column=item.column, raw="") if len(listed.values) > 1 else as_value


def _columns_of(pattern: Pattern, frame: Any) -> Any:
    """A data frame's columns that are needed; anything else is read whole."""
    import narwhals as nw

    known = nw.from_native(with_text_names(frame), pass_through=True)
    if not isinstance(known, nw.DataFrame | nw.LazyFrame):
        return frame
    names = known.collect_schema().names()
    wanted = list(dict.fromkeys(item.column for item in pattern))
    for name in wanted:
        if name not in names:
            raise UnknownColumnError("rule", name, [str(one) for one in names])
    return known.select(wanted).to_native()


def _like(frame: Any, found: NDArray[np.bool_]) -> Any:
    """The mask as the frame's library has it."""
    import narwhals as nw

    known = nw.from_native(with_text_names(frame), pass_through=True)
    if isinstance(known, nw.LazyFrame):
        known = known.head(0).collect()
    if not isinstance(known, nw.DataFrame):
        return found
    series = nw.new_series("mask", found, nw.Boolean, backend=known.implementation).to_native()
    if known.implementation.is_pandas_like():
        series.index = frame.index
    return series
