"""Distinct combinations of some columns, with counts: all that a study needs to know of the records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.ordering import ranks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class UniqueRows:
    """The distinct combinations of some columns, in ascending order, and how many records have each.

    They add up over parts of the records, so every engine gives the same.

    Parameters
    ----------
    columns : intp[k]
        Column numbers.
    codes : uint16[k, n_rows]
        Codes of each combination, 0 for a missing value; the first column counts most in the order.
    counts : int64[n_rows, 2]
        Records without and with the outcome.

    Examples
    --------
    >>> codes = np.array([[1, 2, 1], [0, 1, 0]], np.uint16)
    >>> rows = UniqueRows.of(np.array([4, 7]), codes, np.array([[1, 0], [0, 1], [0, 1]]))
    >>> rows.codes.tolist(), rows.counts.tolist()
    ([[1, 2], [0, 1]], [[1, 1], [0, 1]])
    >>> rows.find(np.array([[2, 1], [1, 0]], np.uint16)).tolist()
    [1, 0]
    """

    columns: NDArray[np.intp]
    codes: NDArray[np.uint16]
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls, columns: NDArray[np.intp], codes: NDArray[np.uint16], counts: NDArray[np.int64]
    ) -> UniqueRows:
        """Put equal combinations together; `codes` and `counts` as in the class, in any order."""
        return cls.with_members(columns, codes, counts)[0]

    @classmethod
    def with_members(
        cls, columns: NDArray[np.intp], codes: NDArray[np.uint16], counts: NDArray[np.int64]
    ) -> tuple[UniqueRows, NDArray[np.intp]]:
        """Put equal combinations together, and tell the row that each of those given went into."""
        numbers = number_combinations(codes, codes.shape[1])
        n_rows = int(numbers.max(initial=-1)) + 1
        first = first_of_each(numbers, n_rows)
        summed = [np.bincount(numbers, side, n_rows).astype(np.int64) for side in counts.T]
        return cls(columns, np.take(codes, first, axis=1), np.stack(summed, axis=1)), numbers

    def __add__(self, other: UniqueRows) -> UniqueRows:
        """The rows of two parts of the records."""
        codes = np.concatenate([self.codes, other.codes], axis=1)
        return UniqueRows.of(self.columns, codes, np.concatenate([self.counts, other.counts]))

    @property
    def n_rows(self) -> int:
        """Distinct combinations."""
        return len(self.counts)

    def flipped(self) -> UniqueRows:
        """The same rows for the opposite outcome."""
        return UniqueRows(self.columns, self.codes, self.counts[:, ::-1])

    def find(self, codes: NDArray[np.uint16]) -> NDArray[np.intp]:
        """The row of each record, given its codes of the same columns; every combination must be here."""
        numbers = number_combinations(
            np.concatenate([self.codes, codes], axis=1), self.n_rows + codes.shape[1]
        )
        row_of = np.empty(int(numbers.max(initial=-1)) + 1, np.intp)
        row_of[numbers[: self.n_rows]] = np.arange(self.n_rows)
        return row_of[numbers[self.n_rows :]]


@dataclass(frozen=True, slots=True, eq=False)
class HeldColumn:
    """A column as studies hold it.

    Parameters
    ----------
    name : str
        The column's name.
    place : int
        Its number among the coded columns.
    n_codes : int
        Different values, missing not counted.
    values : float64[n_codes] or None
        For numbers the mean of each fine bin; None for categories.
    """

    name: str
    place: int
    n_codes: int
    values: NDArray[np.float64] | None = None

    @property
    def is_number(self) -> bool:
        """Whether it is held as a number."""
        return self.values is not None


def number_combinations(
    columns: Sequence[NDArray[np.integer]] | NDArray[np.integer], n: int
) -> NDArray[np.int64]:
    """Number the distinct combinations of codes from 0, in ascending order of the codes.

    Examples
    --------
    >>> number_combinations([np.array([2, 0, 2]), np.array([1, 9, 0])], 3).tolist()
    [2, 0, 1]
    """
    numbers, bound = np.zeros(n, np.int64), 1
    for column in columns:
        width = int(column.max(initial=0)) + 1
        if bound * width >= 1 << 62:  # would not fit: give the combinations so far small numbers
            numbers = _ranked(numbers, bound)
            bound = n
        numbers = numbers * width + column
        bound *= width
    return _ranked(numbers, bound)


def first_of_each(group: NDArray[np.integer], n_groups: int) -> NDArray[np.intp]:
    """Index of the first member of each group.

    Examples
    --------
    >>> first_of_each(np.array([1, 0, 1]), 2).tolist()
    [1, 0]
    """
    first = np.empty(n_groups, np.intp)
    first[group[::-1]] = np.arange(len(group))[::-1]
    return first


_WORTH_A_LIST = 8
"""Possible numbers for each given one, up to which they are ticked off in a list instead of sorted."""


def _ranked(numbers: NDArray[np.int64], bound: int) -> NDArray[np.int64]:
    """The rank of each number, all below a bound, among the different ones."""
    ranks: NDArray[np.int64]
    if bound <= _WORTH_A_LIST * len(numbers):
        occurs = np.zeros(bound, np.bool_)
        occurs[numbers] = True
        ranks = (np.cumsum(occurs) - 1)[numbers]
    else:
        ranks = ranks_of(numbers, bound)
    return ranks
