"""What each column becomes: categories, bins, or nothing, with the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.encode.bins import bin_codes, bin_names, mdl_cuts, quantile_cuts
from causalrules.encode.columns import Categories, Numbers, as_categories, as_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain import Settings

FEW_WHOLE_VALUES = 5
"""A number with at most this many distinct values, all whole, is a category."""

_ENOUGH_TO_TELL = 20
_NAMED_LIKE_AN_IDENTIFIER = re.compile(
    r"(^|[\W_])(id|uuid|guid|key|index|rowid|record)($|[\W_])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """A column that takes part: the names of its items, and each record's code (0: missing)."""

    name: str
    values: list[str]
    codes: NDArray[np.uint16]


def code_column(
    name: str,
    column: pa.ChunkedArray,
    is_known: NDArray[np.bool_],
    has_outcome: NDArray[np.bool_],
    settings: Settings,
    *,
    is_categorical: bool,
    is_numeric: bool,
) -> CodedColumn | str:
    """Code one column, or give the reason why it is left out.

    Parameters
    ----------
    is_known : bool[n]
        The records whose outcome is known; only these take part.
    has_outcome : bool[number of known]
        Whether each of these has the outcome.
    """
    if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
        return f"its values are of type {column.type}"
    numbers = None if is_categorical else as_numbers(column, settings.missing)
    if numbers is not None:
        numbers = Numbers(numbers.values[is_known], numbers.are_dates)
        is_binned = is_numeric or not _are_few_whole_values(numbers)
        if is_binned and settings.bins != "none":
            return _binned(name, numbers, has_outcome, settings)
    categories = as_categories(column, settings.missing).kept(is_known)
    return _coded(name, categories, settings, may_be_identifier=not is_categorical and numbers is None)


def _are_few_whole_values(numbers: Numbers) -> bool:
    distinct = np.unique(numbers.values[~np.isnan(numbers.values)])
    return len(distinct) <= FEW_WHOLE_VALUES and bool((distinct == np.floor(distinct)).all())


def _binned(
    name: str, numbers: Numbers, has_outcome: NDArray[np.bool_], settings: Settings
) -> CodedColumn | str:
    present = ~np.isnan(numbers.values)
    values = numbers.values[present]
    if len(values) == 0:
        return "it never has a value"
    if values.min() == values.max():
        return "it is constant"
    if _is_running_number(name, values):
        return "it looks like an identifier: every record has a number of its own"
    if settings.n_quantiles is None:
        cuts = mdl_cuts(values, has_outcome[present])
        if not cuts:
            return "it is a number without a cut that tells about the outcome (MDL)"
    else:
        cuts = quantile_cuts(values, settings.n_quantiles)
        if not cuts:
            return f"more than half of its numbers are equal; {settings.bins} finds no cut"
    names = bin_names(cuts, are_dates=numbers.are_dates)
    return CodedColumn(name, names, (bin_codes(numbers.values, cuts) + 1).astype(np.uint16))


def _is_running_number(name: str, values: NDArray[np.float64]) -> bool:
    """Whole numbers, all different, and either packed like 1, 2, 3 … or named like an identifier."""
    if len(values) < _ENOUGH_TO_TELL or not (values == np.floor(values)).all():
        return False
    if len(np.unique(values)) < len(values):
        return False
    is_packed = values.max() - values.min() < 2 * len(values)
    return bool(is_packed) or _NAMED_LIKE_AN_IDENTIFIER.search(name) is not None


def _coded(
    name: str, categories: Categories, settings: Settings, *, may_be_identifier: bool
) -> CodedColumn | str:
    n_values = len(categories.values)
    n_present = int((categories.codes >= 0).sum())
    if n_values == 0:
        return "it never has a value"
    if n_values == 1 and n_present == len(categories.codes):
        return f"it is constant: always {categories.values[0]!r}"
    if may_be_identifier and n_present >= _ENOUGH_TO_TELL and 10 * n_values > 9 * n_present:
        return f"it looks like an identifier: {n_values:,} different values in {n_present:,} records"
    if n_values > settings.max_values:
        return f"it has {n_values:,} different values, more than {settings.max_values:,}"
    return CodedColumn(name, categories.values, (categories.codes + 1).astype(np.uint16))
