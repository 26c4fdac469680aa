"""Matched records as a table: the columns they had, and who was compared with whom."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.domain.frame_libraries import in_library
from causalrules.encode.columns import distinct_of
from causalrules.encode.values import as_numbers, is_text
from causalrules.publish.studied_records import studied_records
from causalrules.read import SourceTable, read_with_outcome, with_text_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Result, Rule
    from causalrules.domain.frame_libraries import Library
    from causalrules.publish.studied_records import StudiedRecords

_LEADING_ZERO = re.compile(r"[+-]?0\d")


def matched_frame(
    result: Result, rule: Rule, frame: Any, library: Library | None = None, y: Any = None
) -> Any:
    """The matched records of a rule, as a data frame of the kind that was given.

    Parameters
    ----------
    result : Result
        Where the rule comes from.
    rule : Rule
        One of its rules.
    frame : path or data frame
        The table that the result was made from.
    library : {'pandas', 'polars', 'arrow'}, optional
        Whose data frame it is to be; that of the frame if not given, and pandas where it has none.
    y : series, array or mask, optional
        The outcome's values, if the result was made of values.

    Returns
    -------
    data frame
        The table's columns, and besides ``row`` (the record's place in the table, from 0), ``arm``
        (``exposed`` or ``unexposed``), ``stratum`` (from 1) and ``weight``. Where the table has a column of
        such a name, an underscore is added to ours.
    """
    if isinstance(frame, pa.RecordBatchReader):
        frame = frame.read_all()
    if isinstance(frame, pa.Table | pa.RecordBatch):
        return in_library(matched_table(result, rule, read_with_outcome(frame, y)), library or "arrow")
    import narwhals as nw

    known = nw.from_native(with_text_names(frame), pass_through=True)
    if library is not None or not isinstance(known, nw.DataFrame | nw.LazyFrame):
        table = matched_table(result, rule, read_with_outcome(frame, y))
        return in_library(with_numbers(table, result.settings.missing), library or "pandas")
    eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    records = studied_records(result, rule, read_with_outcome(eager.to_native(), y))
    chosen = eager[records.row[records.is_matched].tolist()]
    series = [
        nw.new_series(name, values.tolist(), backend=eager.implementation)
        for name, values in _added(records, eager.columns)
    ]
    return chosen.with_columns(*series).to_native()


def matched_table(result: Result, rule: Rule, table: SourceTable) -> pa.Table:
    """The matched records of a rule as an Arrow table, see `matched_frame`."""
    arrow = table.arrow
    whole = SourceTable.in_memory(arrow, table.declared)
    records = studied_records(result, rule, whole)
    chosen = arrow.take(pa.array(records.row[records.is_matched]))
    for name, values in _added(records, arrow.column_names):
        chosen = chosen.append_column(name, pa.array(values.tolist()))
    return chosen


def with_numbers(table: pa.Table, missing: Sequence[str]) -> pa.Table:
    """The table with numbers as numbers where a text file had them, unless that would lose something.

    Codes such as ``01`` stay texts. CSV files do without this and keep every value as it was written.

    Parameters
    ----------
    missing : sequence of str
        Texts that mean a missing value.

    Examples
    --------
    >>> table = with_numbers(pa.table({"age": ["61", "?", "58"], "zip": ["01", "02", "03"]}), ["?"])
    >>> table.to_pydict()
    {'age': [61, None, 58], 'zip': ['01', '02', '03']}
    """
    for place, field in enumerate(table.schema):
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if is_text(kind):
            found = _number_or_text(table.column(place), missing, field.name)
            table = table.set_column(place, field.name, found)
    return table


def _number_or_text(column: pa.ChunkedArray, missing: Sequence[str], name: str) -> pa.Array | pa.ChunkedArray:
    distinct = distinct_of(column, missing, name)
    numbers = as_numbers(distinct.values)
    is_code = any(_LEADING_ZERO.match(text) for text in distinct.values.to_pylist())
    if numbers is None or numbers.are_dates or is_code:
        return column.cast(pa.string())
    values = np.append(numbers.values, np.nan)[distinct.indices]
    found = pa.array(values, mask=distinct.indices < 0)
    is_whole = bool((np.abs(numbers.values) < 2**53).all() and (numbers.values % 1 == 0).all())
    return found.cast(pa.int64()) if is_whole else found


def _added(records: StudiedRecords, taken: Sequence[str]) -> list[tuple[str, NDArray[Any]]]:
    """The columns that tell who was compared, under names that are free."""
    matched = records.is_matched
    arm = np.where(records.is_exposed, "exposed", "unexposed")
    columns = {
        "row": records.row[matched],
        "arm": arm[matched],
        "stratum": records.stratum[matched],
        "weight": records.weight[matched],
    }
    return [(_free(name, taken), values) for name, values in columns.items()]


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name
