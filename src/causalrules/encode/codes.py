"""The items of a table, and its records as their codes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import DataSummary, Item, LeftOut, Outcome
from causalrules.domain.column_labels import ColumnLabel
from causalrules.domain.cut_points import cuts_between, written_cuts
from causalrules.domain.unique_rows import HeldColumn
from causalrules.encode.carried_numbers import BASE as BASE_OF_NUMBERS
from causalrules.encode.clusters_of_records import BASE, N_DIGITS
from causalrules.encode.column_codings import Bins, Categories
from causalrules.encode.item_kinds import items_of
from causalrules.errors import NothingToMineError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.domain import Declared
    from causalrules.encode.carried_numbers import CarriedNumber, Role
    from causalrules.encode.column_codings import Coding, FineBins
    from causalrules.encode.outcome import OutcomeValue


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vocabulary:
    """The items of a table and what the table was.

    Parameters
    ----------
    items : tuple of Item
        All items, those of one column side by side and in the order of codes.
    first_item : intp[n_columns + 1]
        Items of column c are ``items[first_item[c]:first_item[c + 1]]``.
    summary : DataSummary
        What the table was, and which columns were left out.
    fine : tuple of float64[n]
        The last columns, one for each: numbers as studies hold them, with the mean of each fine bin. Their
        items are never hypotheses.
    chosen_cuts : frozenset of str
        Numbers whose cut points were chosen by looking at the outcome.
    n_cluster_digits : int
        So many columns after those say which records belong together, see `encode.clusters_of_records`.
    orders : dict of str to tuple of str
        Columns whose values have an order by what the source says, from low to high.
    carried : tuple of CarriedNumber
        Numbers that studies add up; their digits are the last columns.
    repeating : tuple of str
        Columns whose equal values may mean records that belong together, though nobody said so.
    """

    items: tuple[Item, ...]
    first_item: NDArray[np.intp]
    summary: DataSummary
    fine: tuple[NDArray[np.float64], ...] = ()
    chosen_cuts: frozenset[str] = frozenset()
    n_cluster_digits: int = 0
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    carried: tuple[CarriedNumber, ...] = ()
    repeating: tuple[str, ...] = ()

    @property
    def column_of_item(self) -> NDArray[np.intp]:
        """For each item the number of its column."""
        return np.repeat(np.arange(len(self.first_item) - 1), np.diff(self.first_item))

    @property
    def n_item_columns(self) -> int:
        """Columns whose items may be hypotheses; they come first."""
        return self._n_told - len(self.fine) - self.n_cluster_digits

    @property
    def _n_told(self) -> int:
        """Columns but for the digits of carried numbers."""
        return len(self.first_item) - 1 - sum(one.n_digits for one in self.carried)

    @property
    def cluster_places(self) -> NDArray[np.intp]:
        """The columns that together say which records belong together; none if all stand for themselves."""
        return np.arange(self._n_told - self.n_cluster_digits, self._n_told)

    def carries(self, role: Role) -> tuple[CarriedNumber, NDArray[np.intp]] | None:
        """The number that has this role and the columns of its digits; None if there is none."""
        first = self._n_told
        for one in self.carried:
            if one.role == role:
                return one, np.arange(first, first + one.n_digits)
            first += one.n_digits
        return None

    @property
    def n_items(self) -> int:
        """Items that may be hypotheses; they come first."""
        return int(self.first_item[self.n_item_columns])

    @property
    def held_columns(self) -> tuple[HeldColumn, ...]:
        """Every column as studies hold it: categories by their values, numbers by fine bins."""
        sizes = np.diff(self.first_item).tolist()
        names = [self.items[first].column for first in self.first_item[:-1]]
        n = self.n_item_columns
        numbers = [
            HeldColumn(names[n + i], n + i, sizes[n + i], values) for i, values in enumerate(self.fine)
        ]
        are_numbers = {column.name for column in numbers}
        categories = [
            HeldColumn(name, place, sizes[place])
            for place, name in enumerate(names[:n])
            if name not in are_numbers
        ]
        return (*categories, *numbers)

    @property
    def numbers_without_items(self) -> list[str]:
        """Numbers in which no cut tells about the outcome: hypotheses that were tried all the same."""
        n = self.n_item_columns
        with_items = {self.items[first].column for first in self.first_item[:n]}
        numbers = [self.items[first].column for first in self.first_item[n : n + len(self.fine)]]
        return [name for name in numbers if name not in with_items]

    def is_chosen_cut(self, item: int) -> bool:
        """Whether the item is an interval whose limits were chosen by looking at the outcome."""
        return self.items[item].column in self.chosen_cuts


def name_items(
    columns: Mapping[str, Coding | str],
    fine: Mapping[str, FineBins],
    outcome: OutcomeValue,
    n_rows: int,
    n_with: int,
    n_without: int,
    declared: Declared,
    types: Mapping[str, pa.DataType],
    cluster: str | None = None,
    carried: tuple[CarriedNumber, ...] = (),
    repeating: tuple[str, ...] = (),
) -> Vocabulary:
    """All items, and what the table was.

    Parameters
    ----------
    columns : mapping of str to Coding or str
        How each column is coded, or why it is left out.
    fine : mapping of str to FineBins
        Numbers as studies hold them.
    n_rows, n_with, n_without : int
        All records, those with the outcome and those without.
    types : mapping of str to pyarrow.DataType
        Of the columns.
    cluster : str, optional
        The column that says which records belong together.
    carried : tuple of CarriedNumber
        Numbers that studies add up.
    repeating : tuple of str
        See `Vocabulary`.
    """
    left_out = tuple(LeftOut(name, why) for name, why in columns.items() if isinstance(why, str))
    names = {name: coding.names for name, coding in columns.items() if not isinstance(coding, str)}
    if not names and not fine:
        raise NothingToMineError({entry.column: entry.reason for entry in left_out})
    items = tuple(
        item
        for name, coding in columns.items()
        if not isinstance(coding, str)
        for item in items_of(
            name,
            coding.names,
            types[name],
            joined=coding.joined if isinstance(coding, Categories) else (),
            are_intervals=isinstance(coding, Bins),
            is_untyped=declared.is_untyped,
        )
    )
    summary = DataSummary(
        source=declared.source,
        rows=n_rows,
        rows_without_outcome=n_rows - n_with - n_without,
        columns=len({*names, *fine}),
        items=len(items),
        outcome=_named(outcome, n_with, n_without),
        left_out=left_out,
        notes=declared.notes,
        labels=tuple(ColumnLabel(label, name) for label, name in declared.names.items()),
        cuts=tuple(
            written_cuts(name, cuts_between(coding.names))
            for name, coding in columns.items()
            if isinstance(coding, Bins)
        ),
    )
    held = tuple(Item(name, value) for name, bins in fine.items() for value in bins.names)
    sizes = [*map(len, names.values()), *(len(bins.names) for bins in fine.values())]
    digits: list[Item] = []
    if cluster is not None:
        digits = [
            Item(cluster, f"digit {place}: {one:x}") for place in range(N_DIGITS) for one in range(BASE)
        ]
        sizes += [BASE] * N_DIGITS
    for number in carried:
        digits += [
            Item(number.column, f"digit {place}: {one:x}")
            for place in range(number.n_digits)
            for one in range(BASE_OF_NUMBERS)
        ]
        sizes += [BASE_OF_NUMBERS] * number.n_digits
    return Vocabulary(
        items=(*items, *held, *digits),
        first_item=np.cumsum([0, *sizes], dtype=np.intp),
        summary=summary,
        fine=tuple(bins.values for bins in fine.values()),
        chosen_cuts=frozenset(
            name for name, coding in columns.items() if isinstance(coding, Bins) and coding.are_chosen
        ),
        n_cluster_digits=N_DIGITS if cluster is not None else 0,
        orders={name: _order(declared.orders[name], columns.get(name)) for name in declared.ordered},
        carried=carried,
        repeating=repeating,
    )


def _order(values: tuple[str, ...], coding: Coding | str | None) -> tuple[str, ...]:
    """The order that a source gives to values; those that were joined stand where their first value does."""
    if not isinstance(coding, Categories) or not coding.joined:
        return values
    return tuple(name for name in coding.names if name in values or name in coding.joined)


def _named(outcome: OutcomeValue, n_with: int, n_without: int) -> Outcome:
    """The outcome under the name of its column, if it is made of one."""
    if outcome.pattern is None:
        return Outcome(outcome.column, outcome.text, n_with, n_without)
    conditions = outcome.pattern.conditions
    text = " & ".join(map(str, conditions))
    if len(conditions) > 1:
        return Outcome(text, outcome.text, n_with, n_without, text)
    return Outcome(conditions[0].column, conditions[0].item_value, n_with, n_without, text)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedTable(Vocabulary):
    """Records as small integers.

    Parameters
    ----------
    codes : uint16[n_columns, n_records]
        For each column and record the number of its value, from 1; 0 is missing.
    has_outcome : bool[n_records]
        Whether the record has the outcome.
    times : int64[n_records], optional
        How many records each stands for; one by default.
    keys : uint64[n_records], optional
        Which records are the same, see `record_keys`; by them some are held out.
    """

    codes: NDArray[np.uint16]
    has_outcome: NDArray[np.bool_]
    times: NDArray[np.int64] | None = None
    keys: NDArray[np.uint64] | None = None

    def only(self, records: NDArray[np.bool_]) -> CodedTable:
        """A table of some of the records, with all items."""
        return replace(
            self,
            codes=np.compress(records, self.codes, axis=1),
            has_outcome=self.has_outcome[records],
            times=None if self.times is None else self.times[records],
            keys=None if self.keys is None else self.keys[records],
        )
