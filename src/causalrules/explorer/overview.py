"""What a table holds, for a user who chooses columns from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.encode.columns import distinct_of, plain
from causalrules.encode.values import as_numbers, texts_of
from causalrules.explorer.page_words import in_page_words
from causalrules.report.words.column_answers import why_left_out
from causalrules.report.words.measure import records_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.encode import CodedTable
    from causalrules.encode.values import Numbers
    from causalrules.read.table import SourceTable

_VALUES_SHOWN = 100
_BARS, _FEW_VALUES = 24, 12


def overview(table: SourceTable, missing: Sequence[str]) -> dict[str, Any]:
    """Columns with their kind and most frequent values, before an outcome is chosen."""
    arrow, declared = table.arrow, table.declared
    columns = [_column(name, arrow.column(name), missing) for name in arrow.column_names]
    return {
        "name": declared.source,
        "rows": arrow.num_rows,
        "columns": [
            column
            | {
                "ignored": column["name"] in declared.ignored,
                "in_source": declared.names.get(column["name"], ""),
            }
            for column in columns
        ],
        "notes": list(map(in_page_words, declared.notes)),
    }


def _column(name: str, column: pa.ChunkedArray, missing: Sequence[str]) -> dict[str, Any]:
    usable = plain(column)
    if usable is None:
        return {"name": name, "kind": "other", "n_values": 0, "n_missing": 0, "histogram": None, "values": []}
    distinct = distinct_of(usable, missing, name)
    numbers = as_numbers(distinct.values)
    counts = np.bincount(distinct.indices + 1, minlength=len(distinct.values) + 1)
    most_frequent = np.argsort(-counts[1:], kind="stable")[:_VALUES_SHOWN]
    return {
        "name": name,
        "kind": "categories" if numbers is None else ("dates" if numbers.are_dates else "numbers"),
        "n_values": len(distinct.values),
        "n_missing": int(counts[0]),
        "histogram": _histogram(numbers, counts[1:]),
        "values": [
            {"value": text, "records": int(counts[place + 1])}
            for text, place in zip(_texts(distinct.values, most_frequent), most_frequent, strict=True)
        ],
    }


def _histogram(numbers: Numbers | None, counts: NDArray[np.int64]) -> dict[str, Any] | None:
    """Records in equal steps of a number with many values; None for any other column."""
    if numbers is None or numbers.are_dates or len(numbers.values) <= _FEW_VALUES:
        return None
    finite = np.isfinite(numbers.values)
    values, weights = numbers.values[finite], counts[finite]
    if len(values) < 2:
        return None
    records, edges = np.histogram(values, bins=_BARS, weights=weights)
    return {"low": float(edges[0]), "high": float(edges[-1]), "records": records.astype(int).tolist()}


def _texts(values: pa.Array, places: NDArray[np.intp]) -> list[str]:
    """Some of the values as texts; how moments are written depends on all of them."""
    wanted = pa.array(places.tolist(), pa.int64())
    if pa.types.is_timestamp(values.type):
        texts: list[str] = texts_of(values).take(wanted).to_pylist()
    else:
        texts = texts_of(values.take(wanted)).to_pylist()
    return texts


def items_of(table: CodedTable) -> dict[str, Any]:
    """The items of a coded table: what a hypothesis can be made of, and why columns take no part."""
    outcome = table.summary.outcome
    columns = []
    for number, codes in enumerate(table.codes):
        first, end = table.first_item[number], table.first_item[number + 1]
        n_all = np.bincount(codes, minlength=end - first + 1)[1:]
        n_with = np.bincount(codes[table.has_outcome], minlength=end - first + 1)[1:]
        columns.append(
            {
                "name": table.items[first].column,
                "items": [
                    {"value": item.value, "records": int(n), "with": int(z)}
                    for item, n, z in zip(table.items[first:end], n_all, n_with, strict=True)
                ],
            }
        )
    return {
        "outcome": {"column": outcome.column, "value": outcome.value, "pattern": outcome.written},
        "with": outcome.n_with,
        "without": outcome.n_without,
        "mean": records_of(outcome) if outcome.is_mean else None,
        "columns": columns,
        "left_out": [
            {"column": one.column, "reason": in_page_words(why_left_out(one))}
            for one in table.summary.left_out
        ],
        "notes": list(map(in_page_words, table.summary.notes)),
    }
