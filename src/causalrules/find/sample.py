"""The records that windows are looked at with: a fixed sample, every column by few levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.find.window_rows import (
    MOST_RECORDS,
    LevelsOfCodes,
    fixed_sample,
    put_rows_together,
    rows_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.find.window_rows import WindowRows
    from causalrules.words.records import Records


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Some records of a table, drawn by their place in the canonical order.

    Parameters
    ----------
    codes : tuple of integer[n_rows]
        Of every column, 0 for missing.
    counts : int64[n_rows, 2]
        Records without and with the outcome; of a mean, below it and above.
    is_number : bool[n_columns]
        Whether the codes are in ascending order: numbers, and ordered columns.
    known : tuple of LevelsOfCodes
        How each column's codes become levels.
    levels : tuple of uint8[n_rows]
        Of every column: ten bins of a number, the frequent values of a category.
    n_levels : int64[n_columns]
    """

    codes: tuple[NDArray[np.integer], ...]
    counts: NDArray[np.int64]
    is_number: NDArray[np.bool_]
    known: tuple[LevelsOfCodes, ...]
    levels: tuple[NDArray[np.uint8], ...]
    n_levels: NDArray[np.int64]

    @classmethod
    def of(cls, records: Records) -> Sample:
        """At most `MOST_RECORDS` of a table's records; more where the outcome is rare."""
        middle = np.average(records.outcome, weights=records.count) if records.is_mean else 0.5
        has = records.outcome > middle
        counts = np.stack([~has * records.count, has * records.count], axis=1).astype(np.int64)
        drawn, is_drawn = _drawn(counts, MOST_RECORDS)
        codes = tuple(column.codes[is_drawn] for column in records.columns)
        is_number = np.array([column.kind != "category" for column in records.columns], np.bool_)
        size = drawn.sum(axis=1)
        known = tuple(
            LevelsOfCodes.of(own, size, bool(number)) for own, number in zip(codes, is_number, strict=True)
        )
        levels = tuple(own.ten.astype(np.uint8)[of] for own, of in zip(known, codes, strict=True))
        n_levels = np.array([int(own.max(initial=0)) + 1 for own in levels], np.int64)
        return cls(codes, drawn, is_number, known, levels, n_levels)

    def smaller(self, most: int) -> Sample:
        """Fewer of these records, with the same levels; these themselves where they are few enough."""
        drawn, is_drawn = _drawn(self.counts, most)
        if len(drawn) == len(self.counts):
            return self
        return Sample(
            tuple(own[is_drawn] for own in self.codes),
            drawn,
            self.is_number,
            self.known,
            tuple(own[is_drawn] for own in self.levels),
            self.n_levels,
        )

    def window(self, columns: Sequence[int], complete: Sequence[int] = ()) -> WindowRows:
        """The different rows of some columns; only those in which the `complete` ones are known."""
        codes, is_number = [self.codes[c] for c in columns], self.is_number[list(columns)]
        if not complete:
            known = [self.known[c] for c in columns]
            return put_rows_together(columns, codes, self.counts, is_number, known)
        is_known = np.logical_and.reduce([self.codes[c] > 0 for c in complete])
        return rows_of(columns, [own[is_known] for own in codes], self.counts[is_known], is_number)

    def has_missing(self, column: int) -> bool:
        """Whether a value of the column is missing in some record."""
        return bool((self.codes[column] == 0).any())


def _drawn(counts: NDArray[np.int64], most: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The rows of a sample with their counts, and which rows they are."""
    drawn = fixed_sample(counts, most)
    is_drawn = drawn.any(axis=1)
    return drawn[is_drawn], is_drawn
