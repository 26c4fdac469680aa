"""What each column becomes: categories, bins, or nothing, with the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.encode.bins import (
    bin_codes,
    bin_names,
    mdl_cuts,
    moment_texts,
    number_texts,
    quantile_cuts,
    whole_moments,
)
from causalrules.encode.columns import Categories, Numbers, as_categories, as_numbers, plain
from causalrules.errors import SettingsError, quoted

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.domain import Settings

FEW_WHOLE_VALUES = 5
"""A number with at most this many distinct values, all whole, is a category."""

MOST_VALUES = np.iinfo(np.uint16).max
"""Codes have 16 bits, and 0 is for missing values."""

_ENOUGH_TO_TELL = 20
_DAY = 86_400
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
    known: NDArray[np.bool_] | None,
    has_outcome: NDArray[np.bool_],
    settings: Settings,
    *,
    is_categorical: bool,
    is_numeric: bool,
) -> CodedColumn | str:
    """Code one column, or give the reason why it is left out.

    Parameters
    ----------
    known : bool[n], optional
        The records whose outcome is known, if not all; only these take part.
    has_outcome : bool[number of known]
        Whether each of these has the outcome.
    """
    usable = plain(column)
    if usable is None:
        return f"its values are of type {column.type}"
    numbers = None if is_categorical else as_numbers(usable, settings.missing)
    if numbers is None:
        categories = as_categories(usable, settings.missing).only(known)
        if name in settings.numeric:
            _refuse_texts(name, categories)
        return _coded(name, categories, settings, may_be_identifier=not is_categorical)
    numbers = numbers.only(known)
    distinct = np.unique(numbers.values[~np.isnan(numbers.values)])
    if settings.bins != "none" and (is_numeric or not _are_few_whole_values(distinct)):
        return _binned(name, numbers, distinct, has_outcome, settings)
    if len(distinct) > settings.max_values:
        return _too_many(len(distinct), settings.max_values)
    return _coded(
        name, as_categories(usable, settings.missing).only(known), settings, may_be_identifier=False
    )


def _refuse_texts(name: str, categories: Categories) -> None:
    """A column that was asked to be numbers and has texts."""
    values, _ = categories.in_order()
    if values:
        raise SettingsError(
            "numeric", "columns of numbers", f"{quoted(name)}, which has {quoted(values[-1])}"
        )


def _are_few_whole_values(distinct: NDArray[np.float64]) -> bool:
    return len(distinct) <= FEW_WHOLE_VALUES and bool((distinct == np.floor(distinct)).all())


def _binned(
    name: str,
    numbers: Numbers,
    distinct: NDArray[np.float64],
    has_outcome: NDArray[np.bool_],
    settings: Settings,
) -> CodedColumn | str:
    present = ~np.isnan(numbers.values)
    values = numbers.values[present]
    if len(distinct) == 0:
        return "it never has a value"
    if len(distinct) == 1:
        return "it is constant"
    if len(distinct) == len(values) and _are_running_numbers(name, distinct):
        return "it looks like an identifier: every record has a number of its own"
    if settings.n_quantiles is not None:
        cuts = quantile_cuts(values, settings.n_quantiles)
    else:
        cuts = mdl_cuts(values, has_outcome[present])
        if not cuts:
            what = "date" if numbers.are_dates else "number"
            return f"it is a {what} without a cut that tells about the outcome (MDL); try --bins quantile:4"
    if len(cuts) >= MOST_VALUES:
        return _too_many(len(cuts) + 1, MOST_VALUES)
    are_days = not (distinct % _DAY).any() if numbers.are_dates else False
    if numbers.are_dates:
        cuts = whole_moments(cuts, are_days=are_days)
    texts = moment_texts(cuts, are_days=are_days) if numbers.are_dates else number_texts(cuts)
    return CodedColumn(name, bin_names(texts), bin_codes(numbers.values, cuts))


def _are_running_numbers(name: str, distinct: NDArray[np.float64]) -> bool:
    """Whole numbers either packed like 1, 2, 3 … or named like an identifier."""
    if len(distinct) < _ENOUGH_TO_TELL or not (distinct == np.floor(distinct)).all():
        return False
    is_packed = float(distinct[-1]) - float(distinct[0]) < 2 * len(distinct)
    return is_packed or _NAMED_LIKE_AN_IDENTIFIER.search(name) is not None


def _coded(
    name: str, categories: Categories, settings: Settings, *, may_be_identifier: bool
) -> CodedColumn | str:
    n_values = int(np.count_nonzero(categories.counts))
    n_present = int(categories.counts.sum())
    if n_values == 0:
        return "it never has a value"
    if n_values == 1 and n_present == len(categories.codes):
        return f"it is constant: always {quoted(categories.in_order()[0][0])}"
    if may_be_identifier and n_present >= _ENOUGH_TO_TELL and 10 * n_values > 9 * n_present:
        return f"it looks like an identifier: {n_values:,} different values in {n_present:,} records"
    most = min(settings.max_values, MOST_VALUES)
    if n_values > most:
        return _too_many(n_values, most)
    return CodedColumn(name, *categories.in_order())


def _too_many(n_values: int, most: int) -> str:
    return f"it has {n_values:,} different values, more than {most:,}"
