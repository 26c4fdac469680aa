"""Records as codes: the items of a table, the code of every value, and whole batches coded."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from causalrules.domain import DataSummary, Item, LeftOut, Outcome
from causalrules.domain.column_labels import ColumnLabel
from causalrules.domain.unique_rows import HeldColumn
from causalrules.encode.bins import bin_codes
from causalrules.encode.carried_numbers import BASE as BASE_OF_NUMBERS
from causalrules.encode.clusters_of_records import BASE, N_DIGITS, cluster_digits
from causalrules.encode.columns import indices_of, positions_in
from causalrules.encode.item_kinds import items_of
from causalrules.encode.values import as_numbers, cleaned, texts_of
from causalrules.errors import NothingToMineError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.domain import Declared
    from causalrules.encode.carried_numbers import CarriedNumber, Role
    from causalrules.encode.columns import Batch
    from causalrules.encode.outcome import OutcomeValue
    from causalrules.encode.tally import Tally


class Coding(Protocol):
    """A column that takes part: the names of its items, and the code of every value."""

    @property
    def names(self) -> list[str]:
        """Names of the items, in the order of their codes from 1."""

    def codes_of(self, values: pa.Array) -> NDArray[np.uint16]:
        """The code of each value, 0 where it is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """Every value is a category of its own, numbers by size before texts.

    Parameters
    ----------
    names : list of str
        The texts of those that occur.
    known : pyarrow.Array
        All values met.
    codes : uint16[number of values met]
        The code of each.
    counts : int64[number of names]
        Records with each.
    joined : str
        The name that stands for several values, or for all but some.
    """

    names: list[str]
    known: pa.Array
    codes: NDArray[np.uint16]
    counts: NDArray[np.int64]
    joined: str = ""

    @classmethod
    def of(cls, tally: Tally, missing: Sequence[str], in_order: Sequence[str] = ()) -> Categories:
        """Name the values; those written alike are one category. Values may have an order of their own."""
        merged = cleaned(texts_of(tally.values), missing).dictionary_encode()
        group = indices_of(merged)
        counts = np.bincount(group + 1, tally.counts, len(merged.dictionary) + 1)[1:].astype(np.int64)
        texts = merged.dictionary.to_pylist()
        place = {text: number for number, text in enumerate(in_order)}
        order = sorted(
            np.flatnonzero(counts).tolist(),
            key=lambda number: (place.get(texts[number], len(place)), _text_order(texts[number])),
        )
        recode = np.zeros(len(texts) + 1, np.uint16)  # the last, reached by -1, is for missing values
        recode[order] = np.arange(1, len(order) + 1)
        return cls([texts[number] for number in order], tally.values, recode[group], counts[order])

    def codes_of(self, values: pa.Array) -> NDArray[np.uint16]:
        """The code of each value, 0 for one that is missing or was not met before."""
        if values is self.known:
            return self.codes
        return np.append(self.codes, np.uint16(0))[positions_in(self.known, values)]


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Numbers belong to intervals.

    Parameters
    ----------
    names : list of str
        Of the intervals.
    cuts : list of float
        The bounds between them.
    kind : pyarrow.DataType or None
        What texts are read as.
    are_chosen : bool
        Whether the cuts were chosen by looking at the outcome.
    """

    names: list[str]
    cuts: list[float]
    kind: pa.DataType | None
    are_chosen: bool

    def codes_of(self, values: pa.Array) -> NDArray[np.uint16]:
        """The number of each value's interval, 0 where there is no number."""
        numbers = as_numbers(values, self.kind)
        return np.zeros(len(values), np.uint16) if numbers is None else bin_codes(numbers.values, self.cuts)


@dataclass(frozen=True, slots=True, eq=False)
class FineBins(Bins):
    """A number as studies hold it: many narrow intervals and the mean of each.

    Parameters
    ----------
    values : float64[number of intervals]
        Mean of the number in each interval.
    """

    values: NDArray[np.float64]


def _text_order(text: str) -> tuple[int, float, str]:
    """Numbers first and by size, then texts."""
    try:
        number = float(text)
    except ValueError:
        return 1, 0.0, text
    return (0, number, text) if number == number else (1, 0.0, text)


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
    """

    items: tuple[Item, ...]
    first_item: NDArray[np.intp]
    summary: DataSummary
    fine: tuple[NDArray[np.float64], ...] = ()
    chosen_cuts: frozenset[str] = frozenset()
    n_cluster_digits: int = 0
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    carried: tuple[CarriedNumber, ...] = ()

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
            joined=coding.joined if isinstance(coding, Categories) else "",
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
        orders={name: declared.orders[name] for name in declared.ordered},
        carried=carried,
    )


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


@dataclass(frozen=True, slots=True, eq=False)
class RecordCoder:
    """Writes batches of records in codes, once it is settled what every column becomes.

    Parameters
    ----------
    outcome : OutcomeValue
        Tells which records have it.
    columns : tuple of (str, Coding)
        The columns that take part, in order; a number may come twice.
    missing : tuple of str
        Texts that mean a missing value.
    cluster : str, optional
        The column that says which records belong together.
    carried : tuple of CarriedNumber
        Numbers that studies add up.
    """

    outcome: OutcomeValue
    columns: tuple[tuple[str, Coding], ...]
    missing: tuple[str, ...]
    cluster: str | None = None
    carried: tuple[CarriedNumber, ...] = ()

    def times(self, batch: Batch) -> NDArray[np.int64] | None:
        """How many records each row with a known outcome stands for; None where each stands for itself."""
        if batch.times is None:
            return None
        states = self.outcome.states_of(self.outcome.distinct_in(batch))
        times: NDArray[np.int64] = batch.times[states >= 0]
        return times

    def is_known(self, batch: Batch) -> NDArray[np.bool_]:
        """bool[n_rows]: whether the outcome of each row is known."""
        known: NDArray[np.bool_] = self.outcome.states_of(self.outcome.distinct_in(batch)) >= 0
        return known

    def code(self, batch: Batch) -> tuple[NDArray[np.unsignedinteger], NDArray[np.bool_]]:
        """Codes and outcome of the records whose outcome is known.

        They are as in `CodedTable`, but codes have one byte where that is enough for every column.
        """
        states = self.outcome.states_of(self.outcome.distinct_in(batch))
        n_values = max((len(coding.names) for _, coding in self.columns), default=0)
        size = np.uint8 if n_values <= np.iinfo(np.uint8).max else np.uint16
        codes = np.empty((len(self.columns), len(states)), size)
        for number, (column, coding) in enumerate(self.columns):
            codes[number] = batch.take_codes(column, coding)
        if self.cluster is not None:
            digits = cluster_digits(batch.distinct(self.cluster))
            codes = np.concatenate([codes, digits.astype(size)])
        for one in self.carried:
            codes = np.concatenate([codes, one.digits(batch.distinct(one.column)).astype(size)])
        is_known = states >= 0
        return (codes if is_known.all() else np.compress(is_known, codes, axis=1)), states[is_known] == 1
