"""The items of a table, and its records as their codes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.unique_rows import HeldColumn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from causalrules.domain import DataSummary, Item
    from causalrules.encode.number_digits import CarriedNumber, Role


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
    fine_cuts : tuple of (tuple of float, bool)
        The bounds between the bins of each of the `fine`, and whether they are dates; a value on a bound
        belongs below it.
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
    fine_cuts: tuple[tuple[tuple[float, ...], bool], ...] = ()

    @property
    def column_of_item(self) -> NDArray[np.intp]:
        """For each item the number of its column."""
        return np.repeat(np.arange(len(self.first_item) - 1), np.diff(self.first_item))

    @property
    def n_item_columns(self) -> int:
        """Columns whose items may be hypotheses; they come first."""
        return self._n_not_carried - len(self.fine) - self.n_cluster_digits

    @property
    def _n_not_carried(self) -> int:
        """Columns but for the digits of carried numbers."""
        return len(self.first_item) - 1 - sum(one.n_digits for one in self.carried)

    @property
    def cluster_places(self) -> NDArray[np.intp]:
        """The columns that together say which records belong together; none if all stand for themselves."""
        return np.arange(self._n_not_carried - self.n_cluster_digits, self._n_not_carried)

    def carries(self, role: Role) -> tuple[CarriedNumber, NDArray[np.intp]] | None:
        """The number that has this role and the columns of its digits; None if there is none."""
        first = self._n_not_carried
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
    def hypotheses(self) -> tuple[Item, ...]:
        """The items that may be hypotheses; their numbers are those among all items."""
        return self.items[: self.n_items]

    @property
    def items_of_column(self) -> dict[str, range]:
        """The numbers of every column's items, of the columns whose items may be hypotheses."""
        first = self.first_item[: self.n_item_columns + 1].tolist()
        return {self.items[start].column: range(start, end) for start, end in pairwise(first) if end > start}

    def items_in(self, place: int) -> range:
        """The numbers of the items of one coded column."""
        return range(int(self.first_item[place]), int(self.first_item[place + 1]))

    def columns_of(self, pattern: Iterable[int]) -> list[str]:
        """The names of the columns that items belong to, in the order of the items."""
        return [self.items[item].column for item in pattern]

    def name_of(self, pattern: Iterable[int]) -> str:
        """A pattern as people read it, such as ``sex=m & drug=a``."""
        return " & ".join(self.items[item].name for item in pattern)

    def column_and_code(self, item: int) -> tuple[int, int]:
        """The number of an item's column, and its code there, from 1.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from causalrules.domain import Settings
        >>> from causalrules.encode import encode
        >>> columns = {"sex": ["f", "m"] * 9, "ill": ["no", "yes"] * 9, "drug": ["a", "b", "b"] * 6}
        >>> coded = encode(pa.table(columns), "ill=yes", Settings())
        >>> [(coded.items[item].name, coded.column_and_code(item)) for item in (1, 2)]
        [('sex=m', (0, 2)), ('drug=a', (1, 1))]
        """
        column = int(np.searchsorted(self.first_item, item, side="right")) - 1
        return column, item - int(self.first_item[column]) + 1

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
