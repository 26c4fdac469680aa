"""Which records have the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.notation import split_item
from causalrules.encode.columns import Categories, as_categories
from causalrules.errors import OutcomeError, UnknownValueError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray


def find_outcome(
    table: pa.Table, outcome: str, missing: Sequence[str]
) -> tuple[str, str, NDArray[np.bool_], NDArray[np.bool_]]:
    """Column and value of the outcome, which records have it, and for which it is known."""
    column, asked = split_item(outcome, table.column_names, "outcome")
    categories = as_categories(table.column(column), missing)
    counts = np.bincount(categories.codes[categories.codes >= 0], minlength=len(categories.values))
    by_value = dict(zip(categories.values, counts.tolist(), strict=True))
    if not by_value:
        raise OutcomeError(
            f"the outcome column {column!r} has no value in any of the {table.num_rows:,} records."
        )
    if asked is None:
        raise OutcomeError(
            f"the outcome {outcome!r} names a column; say which value of it: {_choices(column, by_value)}."
        )
    code = _find_value(asked, categories)
    if code is None:
        raise UnknownValueError("outcome", column, asked, by_value)
    if len(by_value) == 1:
        raise OutcomeError(
            f"every record with a known {column!r} has the value {categories.values[0]!r}; "
            "nothing can be compared. Choose an outcome that some records have and some have not."
        )
    return column, categories.values[code], categories.codes == code, categories.codes >= 0


def _find_value(asked: str, categories: Categories) -> int | None:
    """The code of a value as written, or as the same number, or as the same truth value."""
    if asked in categories.values:
        return categories.values.index(asked)
    same = [code for code, value in enumerate(categories.values) if _means_the_same(asked, value)]
    return same[0] if len(same) == 1 else None


def _means_the_same(asked: str, value: str) -> bool:
    if {asked.casefold(), value.casefold()} in ({"true"}, {"false"}):
        return True
    try:
        return float(asked) == float(value)
    except ValueError:
        return False


def _choices(column: str, by_value: dict[str, int]) -> str:
    shown = sorted(by_value, key=lambda value: -by_value[value])[:6]
    return " or ".join(f"'{column}={value}' ({by_value[value]:,} records)" for value in shown)
