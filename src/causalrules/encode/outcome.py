"""Which records have the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from causalrules.domain.item import Item
from causalrules.domain.notation import split_item
from causalrules.encode.columns import as_categories, plain
from causalrules.errors import NoValueError, OutcomeError, UnknownColumnError, UnknownValueError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class FoundOutcome:
    """Column and value, which records have it, and for which it is known."""

    column: str
    value: str
    has_it: NDArray[np.bool_]
    is_known: NDArray[np.bool_]


def find_outcome(table: pa.Table, outcome: str | Item, missing: Sequence[str]) -> FoundOutcome:
    """Find the records that have an outcome such as ``income=>50K``."""
    name, asked = _column_and_value(table, outcome)
    column = plain(table.column(name))
    if column is None:
        raise OutcomeError(
            f"the outcome column {quoted(name)} holds values of type {table.column(name).type}. "
            "Choose a column of texts, numbers or truth values."
        )
    categories = as_categories(column, missing)
    values = categories.values.to_pylist()
    counts = sorted(zip(values, categories.counts.tolist(), strict=True), key=lambda pair: -pair[1])
    by_value = {value: count for value, count in counts if count}
    if not by_value:
        raise OutcomeError(
            f"the outcome column {quoted(name)} has no value in any of the {table.num_rows:,} records. "
            "Choose another column, or say with --missing which texts mean a missing value."
        )
    value = _choose_value(name, asked, by_value, missing)
    if len(by_value) == 1:
        raise OutcomeError(
            f"every record with a known {quoted(name)} has the value {quoted(value)}; "
            "nothing can be compared. Choose an outcome that some records have and some have not."
        )
    codes = categories.codes
    return FoundOutcome(name, value, codes == values.index(value), codes >= 0)


def _column_and_value(table: pa.Table, outcome: str | Item) -> tuple[str, str | None]:
    if isinstance(outcome, str):
        return split_item(outcome, table.column_names, "outcome")
    if outcome.column not in table.column_names:
        raise UnknownColumnError("outcome", outcome.column, table.column_names)
    return outcome.column, outcome.value


def _choose_value(column: str, asked: str | None, by_value: dict[str, int], missing: Sequence[str]) -> str:
    if asked is None:
        raise NoValueError("outcome", column, by_value)
    if asked in by_value:
        return asked
    same = [value for value in by_value if _means_the_same(asked, value)]
    if len(same) == 1:
        return same[0]
    if asked in missing:
        raise OutcomeError(
            f"the outcome value {quoted(asked)} means a missing value; records that have it are left out. "
            "If it is a value like others, name the missing ones with --missing."
        )
    raise UnknownValueError("outcome", column, asked, by_value)


def _means_the_same(asked: str, value: str) -> bool:
    """The same number, or the same truth value, written in another way."""
    if asked.casefold() == value.casefold() and value.casefold() in ("true", "false"):
        return True
    try:
        return float(asked) == float(value)
    except ValueError:
        return False
