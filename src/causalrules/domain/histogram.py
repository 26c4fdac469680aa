"""The strata histogram: all that a cohort study needs to know about the records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


WEIGHT_UNIT = 1 << 32
"""Weight of a record that is always matched; weights are whole parts of it, so that engines agree exactly."""

_MOST_IN_WHOLE_UNITS = 30
"""Digits, in base 2, of a number of records whose weights add up within 64 bits."""

_OPPOSITE = [1, 0, 3, 2, 4]


def weight_unit(n_records: int) -> int:
    """The weight of a record that is always matched, among so many: their sum has 62 digits at most.

    Examples
    --------
    >>> weight_unit(10**9) == WEIGHT_UNIT, weight_unit(10**10) * 10**10 < 2**63
    (True, True)
    """
    return WEIGHT_UNIT >> max(0, n_records.bit_length() - _MOST_IN_WHOLE_UNITS)


@dataclass(frozen=True, slots=True, eq=False)
class StrataHistogram:
    """How many strata look alike, for one rule and its controls.

    Parameters
    ----------
    rows : int64[k, 5]
        One row for each kind of stratum that has both exposed and unexposed
        records: exposed with the outcome, exposed without, unexposed with,
        unexposed without, and the number of such strata. Rows are distinct
        and, as an engine gives them, in ascending order.
    lonely_exposed, lonely_unexposed : int
        Records in strata where the other side is absent.

    Examples
    --------
    >>> strata = StrataHistogram.from_strata([(1, 0, 0, 2), (1, 0, 0, 2), (0, 1, 1, 1)], 3, 0)
    >>> strata.rows.tolist()
    [[0, 1, 1, 1, 1], [1, 0, 0, 2, 2]]
    >>> strata.n_exposed, strata.n_unexposed
    (6, 6)
    """

    rows: NDArray[np.int64]
    lonely_exposed: int
    lonely_unexposed: int

    @classmethod
    def from_strata(
        cls,
        strata: Iterable[tuple[int, int, int, int]] | NDArray[np.int64],
        lonely_exposed: int,
        lonely_unexposed: int,
    ) -> StrataHistogram:
        """Gather single strata, each with both sides present, in any order."""
        rows = strata if isinstance(strata, np.ndarray) else list(strata)
        counts = np.asarray(rows, dtype=np.int64).reshape(-1, 4)
        once = np.column_stack([counts, np.ones(len(counts), np.int64)])
        return cls(sorted_and_distinct(once, 0), lonely_exposed, lonely_unexposed)

    def to_arrays(self) -> list[NDArray[np.int64]]:
        """The histogram as nothing but numbers."""
        return [self.rows, np.array([self.lonely_exposed, self.lonely_unexposed], np.int64)]

    @classmethod
    def from_arrays(cls, arrays: Sequence[NDArray[np.int64]]) -> StrataHistogram:
        """Read back what `to_arrays` gave."""
        rows, lonely = arrays
        return cls(rows, *lonely.tolist())

    @property
    def matched_exposed(self) -> int:
        """Exposed records in strata that have both sides."""
        return self._matched_side(0)

    @property
    def matched_unexposed(self) -> int:
        """Unexposed records in strata that have both sides."""
        return self._matched_side(2)

    @property
    def n_exposed(self) -> int:
        """All exposed records, matched or not."""
        return self.matched_exposed + self.lonely_exposed

    @property
    def n_unexposed(self) -> int:
        """All unexposed records, matched or not."""
        return self.matched_unexposed + self.lonely_unexposed

    @property
    def n_compared(self) -> int:
        """Records in strata that have both sides."""
        return self.matched_exposed + self.matched_unexposed

    def _matched_side(self, first: int) -> int:
        return int(((self.rows[:, first] + self.rows[:, first + 1]) * self.rows[:, 4]).sum())

    def among(self, n_exposed: int, n_unexposed: int) -> StrataHistogram:
        """The same strata among so many records on each side: those in none of them have no partner."""
        if len(self.rows) == 0:
            return StrataHistogram(self.rows, n_exposed, n_unexposed)
        return StrataHistogram(
            self.rows, n_exposed - self.matched_exposed, n_unexposed - self.matched_unexposed
        )

    def flipped(self) -> StrataHistogram:
        """The same strata, in the same order, for the opposite outcome."""
        return StrataHistogram(
            np.take(self.rows, _OPPOSITE, axis=1), self.lonely_exposed, self.lonely_unexposed
        )

    def __add__(self, other: StrataHistogram) -> StrataHistogram:
        """The strata of two parts of the records, where no stratum is in both."""
        rows = np.concatenate([self.rows, other.rows])
        return StrataHistogram(
            sorted_and_distinct(rows, 0) if len(rows) else rows,
            self.lonely_exposed + other.lonely_exposed,
            self.lonely_unexposed + other.lonely_unexposed,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StrataHistogram):
            return NotImplemented
        return (
            np.array_equal(self.rows, other.rows)
            and self.lonely_exposed == other.lonely_exposed
            and self.lonely_unexposed == other.lonely_unexposed
        )

    __hash__ = None  # type: ignore[assignment]


NO_STRATA = StrataHistogram(np.empty((0, 5), np.int64), 0, 0)
"""Where nobody has a partner."""


def weights_of_pairs(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n, 2]: what records weigh in the fair data set when partners are of the same stratum.

    A stratum of a exposed and b unexposed records gives min(a, b) pairs, so each exposed record counts
    min(a, b) / a, each unexposed one min(a, b) / b, in whole parts of `WEIGHT_UNIT`.

    Parameters
    ----------
    sizes : int64[n, 2]
        Exposed and unexposed records of each stratum.

    Examples
    --------
    >>> (weights_of_pairs(np.array([[1, 4], [2, 0]])) / WEIGHT_UNIT).tolist()
    [[1.0, 0.25], [0.0, 0.0]]
    """
    n_pairs = np.minimum(sizes[:, 0], sizes[:, 1])
    weights: NDArray[np.int64] = WEIGHT_UNIT * n_pairs[:, None] // np.maximum(sizes, 1)
    return weights


def sorted_and_distinct(rows: NDArray[np.int64], n_sorted: int) -> NDArray[np.int64]:
    """Put the rows of a histogram in order and add up equal ones.

    The first `n_sorted` rows are in order and distinct already. Four counts
    below 2^15 sort as one integer, which saves most of the time.

    Examples
    --------
    >>> sorted_and_distinct(np.array([[0, 1, 0, 1, 7], [9, 9, 9, 9, 1], [0, 9, 0, 1, 1], [9, 9, 9, 9, 1]]), 1)
    array([[0, 1, 0, 1, 7],
           [0, 9, 0, 1, 1],
           [9, 9, 9, 9, 2]])
    """
    if n_sorted == len(rows):
        return rows.copy()
    a1, a0, b1, b0, times = rows.T
    is_first = np.ones(len(rows), np.bool_)
    if rows[n_sorted:, :4].max() < 1 << 15:
        packed = a1 << 45 | a0 << 30 | b1 << 15 | b0
        order = np.argsort(packed)
        ordered = packed[order]
        np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    else:
        order = np.lexsort((b0, b1, a0, a1))
        counts = rows[order, :4]
        is_first[1:] = (counts[1:] != counts[:-1]).any(axis=1)
    starts = np.flatnonzero(is_first)
    distinct = rows[order[starts]]
    distinct[:, 4] = np.add.reduceat(times[order], starts)
    return distinct
