"""Table 1 as it is printed: lines, texts in cells, and notes below."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from causalrules.publish.characteristics import CategoryCharacteristic, NumberCharacteristic
from causalrules.publish.document import Line, Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.publish.characteristics import Characteristic
    from causalrules.publish.document import Cell
    from causalrules.publish.table_one import TableOne

MOST_VALUES = 12
"""Values of a category that are shown; the rarest of more are one line."""

_TESTS_BALANCE = (
    "The balance that the study reports weighs strata as its test does, so that it may differ a little after "
    "matching. "
)

LATER = "†"
"""Marks what the user said comes after the exposure."""


NOT_ADJUSTED_FOR = "‡"
"""Marks columns that the study did not adjust for and in which the groups stay unlike."""

UNLIKE = 0.1
"""From this standardised difference on groups are usually not taken to be alike."""


def sheet_of(table: TableOne) -> Sheet:
    """The table as it is printed."""
    exposed, others, matched = (f"(n = {size:,})" for size in table.sizes[:3])
    lines = [line for one in table.characteristics for line in _lines(table, one)]
    return Sheet(
        title=f"Characteristics of records with and without {table.rule}, before and after matching",
        columns=(
            "Characteristic",
            f"Exposed {exposed}",
            f"Unexposed {others}",
            "SMD",
            f"Exposed {matched}",
            f"Unexposed (effective n = {table.effective:,.0f})",
            "SMD",
        ),
        lines=tuple(lines),
        notes=_notes(table),
        groups=(("Before matching", 3), ("After matching", 3)),
        name="Table 1",
    )


def _lines(table: TableOne, one: Characteristic) -> list[Line]:
    differences = _number_or_dash(one.difference_before), _number_or_dash(one.difference_after)
    lines: list[Line] = []
    if isinstance(one, NumberCharacteristic):
        shows_median = table.numbers == "median" or (table.numbers == "auto" and one.is_skewed)
        way = "median (IQR)" if shows_median or one.is_date else "mean (SD)"
        texts = [_spread_text(one, place, way) for place in range(4)]
        cells = _cells(texts, differences)
        lines.append(Line(f"{_named(table, one)}, {_weighted(table)}{way}", cells))
    elif isinstance(one, CategoryCharacteristic):
        lines.append(Line(f"{_named(table, one)}, {_count_heading(table)}", _cells([""] * 4, differences)))
        for value, counts, shares in _shown_values(one):
            texts = _count_texts(counts, shares)
            lines.append(Line(value, _cells(texts, ("", "")), is_part=True))
    if any(one.missing):
        texts = _count_texts(one.missing, one.missing_shares)
        lines.append(Line(f"missing, {_count_heading(table)}", _cells(texts, ("", "")), is_part=True))
    return lines


def _weighted(table: TableOne) -> str:
    return "weighted " if table.survey_weights else ""


def _count_heading(table: TableOne) -> str:
    return f"n ({_weighted(table)}%)"


def _named(table: TableOne, one: Characteristic) -> str:
    if one.column in table.later:
        return f"{one.column}{LATER}"
    return f"{one.column}{NOT_ADJUSTED_FOR}" if one.column in table.left_unlike else one.column


def _count_texts(counts: Sequence[float], shares: Sequence[float]) -> list[str]:
    """Counts with shares; shares alone of the matched unexposed, who are weighted and cannot be counted."""
    counted = [_count_text(n, share) for n, share in zip(counts[:3], shares[:3], strict=True)]
    return [*counted, _share_text(shares[3])]


def _notes(table: TableOne) -> tuple[str, ...]:
    weights = (
        f"After matching, {table.sizes[3]:,} unexposed records are weighted so that they stand for "
        f"the exposed records of their stratum: they tell as much as {table.effective:,.0f} records of "
        "equal weight (effective n), and only percentages of them are shown."
    )
    survey = (
        (
            f"Records are a sample: percentages, means, SD, medians and SMD are weighted by "
            f"{table.survey_weights}, before matching as after it; n are the records themselves. "
            "The balance that the study reports counts records, without these weights.",
        )
        if table.survey_weights
        else ()
    )
    said = (f"{LATER} Said to come after the exposure: no characteristic of who was exposed.",)
    unlike = (
        f"{NOT_ADJUSTED_FOR} The study did not adjust for it. That exposed and unexposed differ in it biases "
        "the estimate only if it affects the outcome, too.",
    )
    return (
        f"Records whose outcome ({table.outcome}) and exposure are known. {weights}",
        *survey,
        *(said if table.later else ()),
        *(unlike if table.left_unlike else ()),
        "SMD: absolute standardised difference, by the standard deviation before matching, of a "
        "category that of the value in which the groups differ most; below 0.1 groups are usually taken "
        f"to be alike. {_TESTS_BALANCE}Percentages are of the records with a "
        "known value, those of missing values of all records. SD: standard deviation; IQR: interquartile "
        "range.",
    )


def _shown_values(
    one: CategoryCharacteristic,
) -> list[tuple[str, Sequence[float], Sequence[float]]]:
    """The values with counts and shares; of many the most frequent, and the others together."""
    every = list(zip(one.values, one.counts, one.shares, strict=True))
    if len(every) <= MOST_VALUES:
        return [(value, counts, shares) for value, counts, shares in every]
    frequent = sorted(range(len(every)), key=lambda i: (-sum(one.counts[i][:2]), i))[: MOST_VALUES - 1]
    others = [i for i in range(len(every)) if i not in frequent]
    counts = np.array(one.counts)[others].sum(axis=0).tolist()
    shares = np.array(one.shares)[others].sum(axis=0).tolist()
    shown = [every[i] for i in sorted(frequent)]
    return [*shown, (f"{len(others)} other values", counts, shares)]


def _cells(texts: Sequence[str], differences: tuple[Cell, Cell]) -> tuple[Cell, ...]:
    return texts[0], texts[1], differences[0], texts[2], texts[3], differences[1]


def _number_or_dash(value: float) -> Cell:
    return "–" if value != value else value


def _count_text(count: float, share: float) -> str:
    """A count and its share in per cent.

    Examples
    --------
    >>> _count_text(1234.0, 0.256), _count_text(0.0, float("nan"))
    ('1,234 (25.6)', '–')
    """
    return "–" if share != share else f"{count:,.0f} ({100 * share:.1f})"


def _share_text(share: float) -> str:
    return "–" if share != share else f"{100 * share:.1f}%"


def _spread_text(one: NumberCharacteristic, place: int, way: str) -> str:
    spread = one.spreads[place]
    if spread.mean != spread.mean:
        return "–"
    if one.is_date:
        low, middle, high = (
            (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).date().isoformat()
            for seconds in (spread.lower_quartile, spread.median, spread.upper_quartile)
        )
        return f"{middle} ({low} to {high})"
    digits = _digits(max(one.spreads[0].sd, one.spreads[1].sd))
    if way == "mean (SD)":
        return f"{spread.mean:,.{digits}f} ({spread.sd:,.{digits}f})"
    texts = (spread.median, spread.lower_quartile, spread.upper_quartile)
    middle, low, high = (f"{value:,.{digits}f}" for value in texts)
    return f"{middle} ({low} to {high})"


def _digits(sd: float) -> int:
    """So many decimals that the standard deviation has about three significant digits.

    Examples
    --------
    >>> [_digits(sd) for sd in (1234.0, 12.3, 1.23, 0.0123, 0.0)]
    [0, 1, 2, 4, 2]
    """
    if not sd > 0:
        return 2
    return int(min(max(2 - np.floor(np.log10(sd)), 0), 6))
