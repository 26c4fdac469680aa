"""What a table holds, for who chooses from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.encode.columns import as_categories, as_numbers, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from causalrules.encode import CodedTable
    from causalrules.read.table import SourceTable

_VALUES_SHOWN = 100


def overview(table: SourceTable, missing: Sequence[str]) -> dict[str, Any]:
    """Columns with their kind and most frequent values, before an outcome is chosen."""
    columns = [_column(name, table.arrow.column(name), missing) for name in table.arrow.column_names]
    return {
        "name": table.source,
        "rows": table.arrow.num_rows,
        "columns": [column | {"ignored": column["name"] in table.ignored} for column in columns],
        "notes": list(table.notes),
    }


def _column(name: str, column: pa.ChunkedArray, missing: Sequence[str]) -> dict[str, Any]:
    usable = plain(column)
    if usable is None:
        return {"name": name, "kind": "other", "n_values": 0, "n_missing": 0, "values": []}
    numbers = as_numbers(usable, missing)
    kind = "categories" if numbers is None else ("dates" if numbers.are_dates else "numbers")
    categories = as_categories(usable, missing)
    most_frequent = np.argsort(-categories.counts, kind="stable")[:_VALUES_SHOWN]
    values = categories.values.take(_places(most_frequent)).to_pylist()
    counts = categories.counts[most_frequent].tolist()
    return {
        "name": name,
        "kind": kind,
        "n_values": int(np.count_nonzero(categories.counts)),
        "n_missing": int(np.count_nonzero(categories.codes < 0)),
        "values": [
            {"value": value, "records": n} for value, n in zip(values, counts, strict=True) if n and value
        ],
    }


def _places(indices: Any) -> pa.Array:
    import pyarrow as pa

    return pa.array(indices.tolist(), pa.int64())


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
        "outcome": {"column": outcome.column, "value": outcome.value},
        "with": outcome.n_with,
        "without": outcome.n_without,
        "columns": columns,
        "left_out": [{"column": one.column, "reason": one.reason} for one in table.summary.left_out],
        "notes": list(table.summary.notes),
    }
