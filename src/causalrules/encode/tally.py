"""How many records have each value of a column: all that is needed to decide what becomes of it.

Tallies add up, so a table can be counted batch after batch, or partition by
partition, and the decision is the same as for the whole table.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.encode.columns import Distinct, indices_of
from causalrules.encode.values import Numbers, as_numbers
from causalrules.errors import TooManyNumbersError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MOST_VALUES = np.iinfo(np.uint16).max
"""Codes have 16 bits, and 0 is for missing values."""


@dataclass(frozen=True, eq=False)
class Tally:
    """Different values of a column and how many records have each.

    Parameters
    ----------
    values : pyarrow.Array
        As in `Distinct`.
    n_with, n_without : int64[number of values]
        Records with and without the outcome; both 0 for a value of records whose outcome is unknown.
    n_records : int
        Records whose outcome is known.
    overflowed : bool
        There are more than `MOST_VALUES` values that are no numbers; none of them is kept.
    absent : mapping of str to int
        How many rows have each word that was taken for a missing value.
    """

    values: pa.Array
    n_with: NDArray[np.int64]
    n_without: NDArray[np.int64]
    n_records: int
    overflowed: bool = False
    absent: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, distinct: Distinct, outcome: NDArray[np.int8], times: NDArray[np.int64] | None = None
    ) -> Tally:
        """Count the records of one batch.

        Parameters
        ----------
        outcome : int8[n]
            1 with the outcome, 0 without, -1 unknown.
        times : int64[n], optional
            How many records each row stands for; one by default.
        """
        # One pass: value and outcome in one number, missing values and unknown outcomes counted apart.
        joint = 3 * (distinct.indices.astype(np.intp) + 1) + outcome + 1
        counts = np.bincount(joint, times, 3 * len(distinct.values) + 3).reshape(-1, 3).astype(np.int64)
        return cls(
            values=distinct.values,
            n_with=counts[1:, 2].copy(),
            n_without=counts[1:, 1].copy(),
            n_records=int(counts[:, 1:].sum()),
            absent=distinct.absent,
        )

    @property
    def counts(self) -> NDArray[np.int64]:
        """Records with each value."""
        return self.n_with + self.n_without

    @cached_property
    def numbers(self) -> Numbers | None:
        """The values as numbers or dates, read once; None if any of them is something else."""
        return as_numbers(self.values)


class GrowingTally:
    """Adds tallies up, batch after batch.

    New tallies are kept aside until they are as large as what was merged
    before, so that merging takes time in proportion to all that is added.

    Parameters
    ----------
    name : str
        The column, for messages.
    may_be_numbers : bool
        Whether values that look like numbers may be so many that each record has its own.
    most_numbers : int, optional
        Different numbers that memory allows for.
    keeps_texts : bool
        Keep texts however many there are.
    """

    def __init__(
        self,
        name: str,
        *,
        may_be_numbers: bool,
        most_numbers: int | None = None,
        keeps_texts: bool = False,
    ) -> None:
        self._name = name
        self._keeps_texts = keeps_texts
        self._may_be_numbers = may_be_numbers
        self._most_numbers = most_numbers
        self._merged: Tally | None = None
        self._aside: list[Tally] = []
        self._n_aside = 0

    def add(self, tally: Tally) -> None:
        """Take another part of the table into account."""
        self._aside.append(tally)
        self._n_aside += len(tally.values)
        if self._n_aside > max(MOST_VALUES, 0 if self._merged is None else len(self._merged.values)):
            self.total()

    def total(self) -> Tally:
        """All that was added."""
        if self._aside:
            parts = [*([] if self._merged is None else [self._merged]), *self._aside]
            self._aside, self._n_aside = [], 0
            self._merged = self._bounded(_merged(parts))
        assert self._merged is not None, "a table has at least one batch"
        return self._merged

    def _bounded(self, tally: Tally) -> Tally:
        """The tally, or an empty one where no code could number all its texts anyway."""
        n_values = len(tally.values)
        if n_values <= MOST_VALUES or self._keeps_texts:
            return tally
        if not self._may_be_numbers or tally.numbers is None:
            none = np.empty(0, np.int64)
            return Tally(tally.values.slice(0, 0), none, none, tally.n_records, overflowed=True)
        if self._most_numbers is not None and n_values > self._most_numbers:
            raise TooManyNumbersError(self._name, n_values)
        return tally


def _merged(parts: list[Tally]) -> Tally:
    """The sum of tallies; one that overflowed makes the sum overflow."""
    n_records = sum(part.n_records for part in parts)
    if any(part.overflowed for part in parts):
        none = np.empty(0, np.int64)
        return Tally(parts[0].values.slice(0, 0), none, none, n_records, overflowed=True)
    if len(parts) == 1:
        return parts[0]
    values = pa.chunked_array([part.values for part in parts]).combine_chunks().dictionary_encode()
    number_of, n_values = indices_of(values), len(values.dictionary)

    def summed(counts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
        return np.bincount(number_of, np.concatenate(counts), n_values).astype(np.int64)

    return Tally(
        values=values.dictionary,
        n_with=summed([part.n_with for part in parts]),
        n_without=summed([part.n_without for part in parts]),
        n_records=n_records,
        absent=sum((Counter(part.absent) for part in parts), Counter()),
    )
