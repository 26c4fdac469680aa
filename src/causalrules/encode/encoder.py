"""The whole table as items and codes, with a reason for every column left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import DataSummary, Item, LeftOut, Outcome, Settings
from causalrules.encode.outcome import find_outcome
from causalrules.encode.roles import CodedColumn, code_column
from causalrules.errors import NothingToMineError, SettingsError, UnknownColumnError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedTable:
    """Records as small integers.

    Parameters
    ----------
    codes : uint16[n_columns, n_records]
        For each column and record the number of its value, from 1; 0 is missing.
    items : tuple of Item
        All items, those of one column side by side and in the order of codes.
    first_item : intp[n_columns + 1]
        Items of column c are ``items[first_item[c]:first_item[c + 1]]``.
    has_outcome : bool[n_records]
        Whether the record has the outcome.
    summary : DataSummary
        What the table was, and which columns were left out.
    """

    codes: NDArray[np.uint16]
    items: tuple[Item, ...]
    first_item: NDArray[np.intp]
    has_outcome: NDArray[np.bool_]
    summary: DataSummary

    def only(self, records: NDArray[np.bool_]) -> CodedTable:
        """The same items over some of the records."""
        return replace(
            self, codes=np.compress(records, self.codes, axis=1), has_outcome=self.has_outcome[records]
        )

    @property
    def column_of_item(self) -> NDArray[np.intp]:
        """For each item the number of its column."""
        return np.repeat(np.arange(len(self.first_item) - 1), np.diff(self.first_item))


def encode(
    table: pa.Table,
    outcome: str | Item,
    settings: Settings,
    *,
    source: str = "a table",
    categorical: Iterable[str] = (),
    numeric: Iterable[str] = (),
    ignored: Iterable[str] = (),
    notes: Iterable[str] = (),
) -> CodedTable:
    """Turn a table into items and codes.

    Parameters
    ----------
    table : pyarrow.Table
        Any named columns.
    outcome : str or Item
        ``column=value``.
    settings : Settings
        Which columns take part and how numbers become items.
    source : str
        Where the table came from, for the summary.
    categorical, numeric, ignored : iterable of str
        What the source itself declares about its columns; settings win.
    notes : iterable of str
        Remarks of the reader, for the summary.
    """
    _check_names(table.column_names, settings)
    found = find_outcome(table, outcome, settings.missing)
    known = None if found.is_known.all() else found.is_known
    has_outcome = found.has_it if known is None else found.has_it[known]
    chosen = _ChosenColumns(settings, frozenset(categorical), frozenset(numeric), frozenset(ignored))
    coded: list[CodedColumn] = []
    left_out: list[LeftOut] = []
    for name in table.column_names:
        if name == found.column:
            continue
        result = chosen.why_not(name) or code_column(
            name,
            table.column(name),
            known,
            has_outcome,
            settings,
            is_categorical=chosen.is_categorical(name),
            is_numeric=chosen.is_numeric(name),
        )
        if isinstance(result, CodedColumn):
            coded.append(result)
        else:
            left_out.append(LeftOut(name, result))
    if not coded:
        raise NothingToMineError({entry.column: entry.reason for entry in left_out})
    n_with = int(has_outcome.sum())
    summary = DataSummary(
        source=source,
        rows=table.num_rows,
        rows_without_outcome=table.num_rows - len(has_outcome),
        columns=len(coded),
        items=sum(len(entry.values) for entry in coded),
        outcome=Outcome(found.column, found.value, n_with, len(has_outcome) - n_with),
        left_out=tuple(left_out),
        notes=tuple(notes),
    )
    return CodedTable(
        codes=np.stack([entry.codes for entry in coded]),
        items=tuple(Item(entry.name, value) for entry in coded for value in entry.values),
        first_item=np.cumsum([0, *(len(entry.values) for entry in coded)], dtype=np.intp),
        has_outcome=has_outcome,
        summary=summary,
    )


@dataclass(frozen=True, slots=True)
class _ChosenColumns:
    """Which columns take part and what the user or the source says of them."""

    settings: Settings
    declared_categorical: frozenset[str]
    declared_numeric: frozenset[str]
    ignored: frozenset[str]

    def why_not(self, name: str) -> str | None:
        if name in self.settings.drop:
            return "dropped on request"
        if self.settings.only and name not in self.settings.only:
            return "not among the columns asked for"
        if name in self.ignored and name not in self.settings.only:
            return "its description says to ignore it"
        return None

    def is_categorical(self, name: str) -> bool:
        declared = name in self.declared_categorical and name not in self.settings.numeric
        return name in self.settings.categorical or declared

    def is_numeric(self, name: str) -> bool:
        declared = name in self.declared_numeric and name not in self.settings.categorical
        return name in self.settings.numeric or declared


def _check_names(columns: list[str], settings: Settings) -> None:
    for role in ("exact_on", "drop", "only", "categorical", "numeric"):
        for name in getattr(settings, role):
            if name not in columns:
                raise UnknownColumnError(role, name, columns)
    for name in settings.numeric:
        if name in settings.categorical:
            raise SettingsError("numeric", "columns that are not categorical as well", name)
