"""Table 1: who the exposed and the unexposed are, before matching and after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

from causalrules.domain.frame_libraries import in_library
from causalrules.domain.missing_values import missing_in
from causalrules.domain.time_order import OUTCOME
from causalrules.encode.column_codings import text_order
from causalrules.encode.columns import distinct_of, plain
from causalrules.encode.joined_values import joined_names, joins_in
from causalrules.encode.values import as_numbers, cleaned, texts_of
from causalrules.errors import SettingsError, UnknownColumnError
from causalrules.publish.characteristics import (
    CategoryCharacteristic,
    Characteristic,
    Group,
    NumberCharacteristic,
    category_characteristic,
    number_characteristic,
)
from causalrules.publish.document import Document, Line, Sheet
from causalrules.publish.studied_records import StudiedTable
from causalrules.publish.text_formats import html_of
from causalrules.publish.write_document import write_document
from causalrules.read import SourceTable, read_with_outcome

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.domain import Result, Rule, Settings
    from causalrules.domain.frame_libraries import Library
    from causalrules.publish.document import Cell
    from causalrules.publish.studied_records import StudiedRecords

NumbersChoice = Literal["auto", "mean", "median"]
NUMBERS: tuple[NumbersChoice, ...] = ("auto", "mean", "median")

MOST_VALUES = 12
"""Values of a category that are shown; the rarest of more are one line."""

_FEW_NUMBERS = 10
"""Different numbers up to which a column is described as a category, unless it is declared a number."""

_TESTS_BALANCE = (
    "The balance that the study reports weighs strata as its test does, so that it may differ a little after "
    "matching. "
)

LATER = "†"
"""Marks what the user said comes after the exposure."""

GROUPS = ("exposed before", "unexposed before", "exposed after", "unexposed after")


@dataclass(frozen=True, slots=True, repr=False)
class TableOne:
    """The characteristics of exposed and unexposed records.

    Parameters
    ----------
    rule : str
        The exposure.
    outcome : str
        The outcome.
    sizes : tuple of 4 int
        Records of each of `GROUPS`.
    totals : tuple of 4 float
        Sums of their weights.
    effective : float
        How many records of equal weight would tell as much as the matched unexposed ones.
    characteristics : tuple of Characteristic
        One for each column.
    numbers : {'auto', 'mean', 'median'}
        How numbers are shown; ``auto`` takes the median where they are skewed.
    by_pairs : bool
        Whether weights are those of matched pairs, as in the paper's protocol.
    later : frozenset of str
        Columns that the user said come after the exposure; they are marked.
    survey_weights : str, optional
        The weights of a sample: n count its records, all else is weighted, before matching as after it.

    Examples
    --------
    >>> import tempfile
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=1000).table
    >>> table = causalrules.table1(patients, "ill=yes", "smoker=yes", adjust="severity")
    >>> table.to_frame(library="arrow").column_names[:4]
    ['column', 'value', 'n, exposed before', 'n, unexposed before']
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table.save(f"{folder}/table1.md")
    >>> table.worst_after  # smoker_copy is a copy of the exposure
    inf
    >>> type(table.sheet).__name__, type(table.document()).__name__
    ('Sheet', 'Document')
    """

    rule: str
    outcome: str
    sizes: tuple[int, ...]
    totals: tuple[float, ...]
    effective: float
    characteristics: tuple[Characteristic, ...]
    numbers: NumbersChoice = "auto"
    by_pairs: bool = False
    later: frozenset[str] = frozenset()
    survey_weights: str | None = None

    @property
    def worst_after(self) -> float:
        """The largest standardised difference after matching, of what does not come after the exposure."""
        found = (one.difference_after for one in self.characteristics if one.column not in self.later)
        return max((one for one in found if one == one), default=0.0)

    def to_frame(self, library: Library = "pandas") -> Any:
        """Every number without rounding, one row for a number and one for each value of a category.

        Parameters
        ----------
        library : {'pandas', 'polars', 'arrow'}
            Whose data frame it is.
        """
        rows = [row for one in self.characteristics for row in self._rows(one)]
        names = dict.fromkeys(name for row in rows for name in row)  # numbers and categories differ in theirs
        return in_library(pa.table({name: [row.get(name) for row in rows] for name in names}), library)

    def _rows(self, one: Characteristic) -> list[dict[str, Any]]:
        differences = {"smd before": one.difference_before, "smd after": one.difference_after}
        missing = {f"missing, {group}": n for group, n in zip(GROUPS, one.missing, strict=True)}
        rows = []
        if isinstance(one, NumberCharacteristic):
            spreads = zip(GROUPS, one.spreads, strict=True)
            found = {f"{name}, {group}": value for group, s in spreads for name, value in s._asdict().items()}
            rows.append({"column": one.column, "value": None, **found, **missing, **differences})
        elif isinstance(one, CategoryCharacteristic):
            values = zip(one.values, one.counts, one.shares, one.differences, strict=True)
            for value, counts, shares, (before, after) in values:
                differences = {"smd before": before, "smd after": after}
                n = {f"n, {group}": count for group, count in zip(GROUPS, counts, strict=True)}
                share = {f"share, {group}": share for group, share in zip(GROUPS, shares, strict=True)}
                rows.append({"column": one.column, "value": value, **n, **share, **missing, **differences})
        return rows

    @property
    def sheet(self) -> Sheet:
        """The table as it is printed."""
        exposed, others, matched, partners = (f"(n = {size:,})" for size in self.sizes)
        if not self.by_pairs:
            partners = f"(effective n = {self.effective:,.0f})"
        lines = [line for one in self.characteristics for line in self._lines(one)]
        return Sheet(
            title=f"Characteristics of records with and without {self.rule}, before and after matching",
            columns=(
                "Characteristic",
                f"Exposed {exposed}",
                f"Unexposed {others}",
                "SMD",
                f"Exposed {matched}",
                f"Unexposed {partners}",
                "SMD",
            ),
            lines=tuple(lines),
            notes=self._notes(),
            groups=(("Before matching", 3), ("After matching", 3)),
            name="Table 1",
        )

    def _lines(self, one: Characteristic) -> list[Line]:
        differences = _number_or_dash(one.difference_before), _number_or_dash(one.difference_after)
        lines: list[Line] = []
        if isinstance(one, NumberCharacteristic):
            shows_median = self.numbers == "median" or (self.numbers == "auto" and one.is_skewed)
            way = "median (IQR)" if shows_median or one.is_date else "mean (SD)"
            texts = [_spread_text(one, place, way) for place in range(4)]
            cells = _cells(texts, differences)
            lines.append(Line(f"{self._named(one)}, {self._weighted}{way}", cells))
        elif isinstance(one, CategoryCharacteristic):
            lines.append(Line(f"{self._named(one)}, {self._count_heading}", _cells([""] * 4, differences)))
            for value, counts, shares in _shown_values(one):
                texts = self._count_texts(counts, shares)
                lines.append(Line(value, _cells(texts, ("", "")), is_part=True))
        if any(one.missing):
            texts = self._count_texts(one.missing, one.missing_shares)
            lines.append(Line(f"missing, {self._count_heading}", _cells(texts, ("", "")), is_part=True))
        return lines

    @property
    def _weighted(self) -> str:
        return "weighted " if self.survey_weights else ""

    @property
    def _count_heading(self) -> str:
        return f"n ({self._weighted}%)"

    def _named(self, one: Characteristic) -> str:
        return f"{one.column}{LATER}" if one.column in self.later else one.column

    def _count_texts(self, counts: Sequence[float], shares: Sequence[float]) -> list[str]:
        """Counts with shares; shares alone where records are weighted and nobody can be counted."""
        weighted = (2, 3) if self.by_pairs else (3,)
        return [
            _share_text(share) if place in weighted else _count_text(n, share)
            for place, (n, share) in enumerate(zip(counts, shares, strict=True))
        ]

    def _notes(self) -> tuple[str, ...]:
        weights = (
            "After matching, records are weighted by how likely they are to be in a matched pair; only "
            "percentages of them are told."
            if self.by_pairs
            else f"After matching, {self.sizes[3]:,} unexposed records are weighted so that they stand for "
            f"the exposed records of their stratum: they tell as much as {self.effective:,.0f} records of "
            "equal weight (effective n), and only percentages of them are told."
        )
        survey = (
            (
                f"Records are a sample: percentages, means, SD, medians and SMD are weighted by "
                f"{self.survey_weights}, before matching as after it; n are the records themselves. "
                "The balance that the study reports counts records, without these weights.",
            )
            if self.survey_weights
            else ()
        )
        said = (f"{LATER} Said to come after the exposure: no characteristic of who was exposed.",)
        return (
            f"Records whose outcome ({self.outcome}) and exposure are known. {weights}",
            *survey,
            *(said if self.later else ()),
            "SMD: absolute standardised difference, by the standard deviation before matching, of a "
            "category that of the value in which the groups differ most; below 0.1 groups are usually taken "
            f"to be alike. {'' if self.by_pairs else _TESTS_BALANCE}Percentages are of the records with a "
            "known value, those of missing values of all records. SD: standard deviation; IQR: interquartile "
            "range.",
        )

    def document(self) -> Document:
        """The table as a document of its own."""
        return Document("", (self.sheet,))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as .docx, .xlsx, .tex, .md or .html, by the ending of the file's name."""
        write_document(self.document(), path)

    def __repr__(self) -> str:
        from causalrules.publish.terminal_sheet import sheet_text

        return sheet_text(self.sheet)

    def _repr_html_(self) -> str:
        return html_of((self.sheet,))


def table_one(
    result: Result,
    rule: Rule,
    table: Any,
    columns: Sequence[str] | None = None,
    numbers: NumbersChoice = "auto",
    y: Any = None,
) -> TableOne:
    """Describe the records of a rule's study.

    Parameters
    ----------
    result : Result
        Where the rule comes from.
    rule : Rule
        One of its rules.
    table : SourceTable, path or data frame
        The table that the result was made from.
    columns : sequence of str, optional
        What to describe; all columns that take part by default, but for those of exposure and outcome.
    numbers : {'auto', 'mean', 'median'}
        Mean (SD), median (IQR), or the second where a number is skewed.
    y : series, array or mask, optional
        The outcome's values, if the result was made of values.
    """
    if numbers not in NUMBERS:
        raise SettingsError.choice("numbers", NUMBERS, numbers)
    return DescribedTable(result, table, y).table_one(rule, columns, numbers)


class DescribedTable:
    """The table of a result, ready to describe the records of any of its rules.

    Reading, coding and parsing are done once, whatever the number of rules.

    Parameters
    ----------
    result : Result
        Where the rules come from.
    table : SourceTable, path or data frame
        The table that the result was made from.
    y : series, array or mask, optional
        The outcome's values, if the result was made of values.
    """

    def __init__(self, result: Result, table: Any, y: Any = None) -> None:
        read = table if isinstance(table, SourceTable) else read_with_outcome(table, y)
        self._result, self._arrow, self._orders = result, read.arrow, read.declared.orders
        self._studied = StudiedTable(result, SourceTable.in_memory(self._arrow, read.declared))
        self._columns: dict[str, _Column | None] = {}

    def table_one(
        self, rule: Rule, columns: Sequence[str] | None = None, numbers: NumbersChoice = "auto"
    ) -> TableOne:
        """Table 1 of a rule; see the function of this name."""
        records = self._studied.records(rule)
        chosen = _chosen_columns(self._arrow.column_names, rule, records, columns)
        groups = _groups(records)
        described = [column.described(records.row, groups) for column in map(self._column, chosen) if column]
        counts = [
            records.n_records(exposed=exposed, matched=matched)
            for matched in (False, True)
            for exposed in (True, False)
        ]
        return TableOne(
            rule=rule.name,
            outcome=str(self._result.data.outcome),
            sizes=tuple(counts),
            totals=tuple(group.size for group in groups),
            effective=groups[3].effective_size,
            characteristics=tuple(described),
            numbers=numbers,
            by_pairs=rule.design is None,
            later=frozenset(one.column for one in described) & _said_to_come_later(self._result, rule),
            survey_weights=None if records.represents is None else self._result.settings.weights,
        )

    def _column(self, name: str) -> _Column | None:
        if name not in self._columns:
            settings = self._result.settings
            order = settings.orders.get(name) or self._orders.get(name) or ()
            self._columns[name] = _column_of(name, self._arrow.column(name), settings, order)
        return self._columns[name]


def _said_to_come_later(result: Result, rule: Rule) -> set[str]:
    """Columns that the user's order in time puts after the exposure, or after the outcome."""
    order = result.settings.knowledge.about(result.data.outcome.column).order
    known = (order.after(OUTCOME), *(order.after(item.column) for item in rule.pattern))
    return set().union(*known)


def _chosen_columns(
    names: Sequence[str], rule: Rule, records: StudiedRecords, columns: Sequence[str] | None
) -> list[str]:
    """The columns asked for; else those that take part, in the table's order, but for the exposure's."""
    if columns is not None:
        for name in columns:
            if name not in names:
                raise UnknownColumnError("Table 1's", name, names)
        return list(columns)
    chosen = set(records.columns) - {item.column for item in rule.pattern}
    return [name for name in names if name in chosen]


def _groups(records: StudiedRecords) -> list[Group]:
    """The four groups: all of each arm, then its matched records with their weights.

    What a record of a weighted sample represents counts in all of them, so that the halves compare.
    """
    is_sample = records.represents is not None
    all_weights = np.ones(len(records.row)) if records.represents is None else records.represents
    arms = [np.flatnonzero(arm) for arm in (records.is_exposed, ~records.is_exposed)]
    matched = [members[records.is_matched[members]] for members in arms]
    before = [Group(members, all_weights[members], is_sample) for members in arms]
    return before + [Group(members, records.weight[members], is_sample) for members in matched]


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """A column of the whole table: its different values in order, and which of them each record has."""

    name: str
    values: NDArray[np.float64] | tuple[str, ...]
    codes: NDArray[np.int64]
    is_date: bool = False

    def described(self, rows: NDArray[np.int64], groups: Sequence[Group]) -> Characteristic:
        """The column among the records at these places of the table."""
        own = self.codes[rows]
        if isinstance(self.values, tuple):
            return category_characteristic(self.name, self.values, own, groups)
        return number_characteristic(self.name, self.values, own, groups, is_date=self.is_date)


def _column_of(
    name: str, column: pa.ChunkedArray, settings: Settings, in_order: Sequence[str] = ()
) -> _Column | None:
    """A number or a category, whose values come in the order that is known; None for what is neither."""
    usable = plain(column)
    if usable is None:
        return None
    distinct = distinct_of(usable, settings.missing, name)
    numbers = None if name in settings.categorical else as_numbers(distinct.values)
    if numbers is not None and (name in settings.numeric or len(distinct.values) > _FEW_NUMBERS):
        values, places = np.unique(numbers.values, return_inverse=True)
        is_number = ~np.isnan(values)
        codes = np.append(np.where(is_number[places], places, -1), -1)[distinct.indices]
        return _Column(name, values[is_number], codes, is_date=numbers.are_dates)
    merged = cleaned(texts_of(distinct.values), missing_in(settings.missing, name)).dictionary_encode()
    names = merged.dictionary.to_pylist()
    known = {value: place for place, value in enumerate(in_order)}
    order = sorted(
        range(len(names)),
        key=lambda place: (known.get(names[place], len(known)), text_order(names[place])),
    )
    shown, place_of = joined_names([names[place] for place in order], joins_in(settings.join, name))
    recode = np.full(len(names) + 1, -1, np.int64)
    recode[order] = place_of
    merged_codes = np.array([-1 if code is None else code for code in merged.indices.to_pylist()], np.int64)
    codes = np.append(recode[merged_codes], -1)[distinct.indices]
    return _Column(name, tuple(shown), codes)


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
