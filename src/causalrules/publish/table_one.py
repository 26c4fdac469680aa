"""Table 1: who the exposed and the unexposed are, before matching and after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

from causalrules.domain.frame_libraries import in_library
from causalrules.domain.time_order import OUTCOME
from causalrules.errors import SettingsError, UnknownColumnError
from causalrules.publish.characteristics import (
    CategoryCharacteristic,
    Characteristic,
    Group,
    NumberCharacteristic,
)
from causalrules.publish.document import Document
from causalrules.publish.studied_records import StudiedTable
from causalrules.publish.table_columns import table_column
from causalrules.publish.table_one_sheet import UNLIKE, sheet_of
from causalrules.publish.text_formats import html_of
from causalrules.publish.write_document import write_document
from causalrules.read import SourceTable, read_with_outcome

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from causalrules.domain import Result, Rule
    from causalrules.domain.frame_libraries import Library
    from causalrules.publish.document import Sheet
    from causalrules.publish.studied_records import StudiedRecords
    from causalrules.publish.table_columns import TableColumn

NumbersChoice = Literal["auto", "mean", "median"]
NUMBERS: tuple[NumbersChoice, ...] = ("auto", "mean", "median")

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
    later : frozenset of str
        Columns that the user said come after the exposure; they are marked.
    not_adjusted_for : frozenset of str
        Other columns that the study did not adjust for; they are marked where the groups stay unlike.
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
    >>> table.worst_after, table.left_unlike[0]  # a copy of the exposure, and not adjusted for
    (inf, 'smoker_copy')
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
    later: frozenset[str] = frozenset()
    not_adjusted_for: frozenset[str] = frozenset()
    survey_weights: str | None = None

    @property
    def worst_after(self) -> float:
        """The largest standardised difference after matching, of what does not come after the exposure."""
        found = (one.difference_after for one in self.characteristics if one.column not in self.later)
        return max((one for one in found if one == one), default=0.0)

    @property
    def left_unlike(self) -> tuple[str, ...]:
        """Columns not adjusted for in which the groups differ after matching, the worst first."""
        others = [one for one in self.characteristics if one.column in self.not_adjusted_for]
        unlike = [one for one in others if one.difference_after > UNLIKE]
        return tuple(one.column for one in sorted(unlike, key=lambda one: -one.difference_after))

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
        return sheet_of(self)

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
        self._columns: dict[str, TableColumn | None] = {}

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
        columns_shown = frozenset(one.column for one in described)
        later = columns_shown & _said_to_come_later(self._result, rule)
        return TableOne(
            rule=rule.name,
            outcome=str(self._result.data.outcome),
            sizes=tuple(counts),
            totals=tuple(group.size for group in groups),
            effective=groups[3].effective_size,
            characteristics=tuple(described),
            numbers=numbers,
            later=later,
            not_adjusted_for=columns_shown - later - set(rule.design.held),
            survey_weights=None if records.represents is None else self._result.settings.weights,
        )

    def _column(self, name: str) -> TableColumn | None:
        if name not in self._columns:
            settings = self._result.settings
            order = settings.orders.get(name) or self._orders.get(name) or ()
            self._columns[name] = table_column(name, self._arrow.column(name), settings, order)
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
