"""Distinct records as lines of a few small numbers, each of which tells several columns at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels import lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.unique_records import Profiles

_MOST_TOGETHER = 1 << 8
"""Combinations of codes that one number tells: it has a byte, and its sums stay in the L1 cache."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordLines:
    """The distinct records of a table, and sums over those that have each item.

    To add a weight up for every column of a record, it is added once for each number of its line; what
    the numbers stand for is told apart at the end. Two columns of eight values share a number, five of two.

    Parameters
    ----------
    records : Profiles
        The distinct records.
    lines : uint8 or uint16[n_profiles, n_numbers]
        The numbers of each.
    first_sum : intp[n_numbers + 1]
        Where the sums of each number start: one for each combination of codes that it tells.
    telling, first_telling : intp
        For each slot of `records`, one after the other, the sums whose combination has its code, and where
        those of a slot start.
    """

    records: Profiles
    lines: NDArray[np.unsignedinteger]
    first_sum: NDArray[np.intp]
    telling: NDArray[np.intp]
    first_telling: NDArray[np.intp]

    @classmethod
    def of(cls, records: Profiles) -> RecordLines:
        """Lay out distinct records anew."""
        n_codes = _n_codes(records)
        together = _together(n_codes)
        places, factors = np.empty(len(n_codes), np.intp), np.empty(len(n_codes), np.intp)
        first_sum = np.cumsum([0, *(n_codes[columns].prod() for columns in together)])
        telling = [np.empty(0, np.intp)] * len(n_codes)
        for place, columns in enumerate(together):
            places[columns] = place
            factors[columns] = np.cumprod([1, *n_codes[columns][:0:-1]])[::-1]
            numbers = np.arange(first_sum[place + 1] - first_sum[place])
            for column in columns.tolist():
                by_code = np.argsort(numbers // factors[column] % n_codes[column], kind="stable")
                telling[column] = first_sum[place] + by_code
        is_narrow = n_codes.max(initial=0) <= _MOST_TOGETHER
        written = np.zeros((records.n_profiles, len(together)), np.uint8 if is_narrow else np.uint16)
        lines.write_lines(records.codes, places, factors, written)
        n_telling = np.repeat(
            [len(tell) for tell in telling] // n_codes, n_codes
        )  # for each code equally many
        first_telling = np.cumsum(n_telling) - n_telling
        return cls(records, written, first_sum, np.concatenate(telling), first_telling)

    def counts(self, member: NDArray[np.int32], is_chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        """int64[n_items]: records with each item, of the profiles that are chosen."""
        no_group, no_weight = np.full(len(is_chosen), -1, np.int32), np.empty((0, 2), np.int64)
        counts: NDArray[np.int64] = self.sums(member, is_chosen, no_group, no_weight)[:, 0]
        return counts

    def sums(
        self,
        member: NDArray[np.int32],
        is_exposed: NDArray[np.bool_],
        group: NDArray[np.int32],
        weights: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """For each item: exposed records, matched ones among them, their weight, that of the unexposed.

        Parameters
        ----------
        member : int32[n]
            The profile of each record.
        is_exposed, group : bool[n_profiles], int32[n_profiles]
            Of each profile; group -1 has no partners.
        weights : int64[n_groups, 2]
            Of a record of each group, if it is exposed and if it is not.

        Returns
        -------
        int64[n_items, 4]
        """
        n_sums = int(self.first_sum[-1])
        exposed, unexposed = np.zeros((n_sums, 3), np.int64), np.zeros(n_sums, np.int64)
        lines.weigh_lines(
            self.lines,
            self.first_sum[:-1],
            self.records.n_with,
            self.records.n_without,
            member,
            group,
            np.concatenate([weights, np.zeros((1, 2), np.int64)]),
            is_exposed,
            exposed,
            unexposed,
        )
        alone, matched, weight = exposed.T
        by_number = np.column_stack([alone + matched, matched, weight, unexposed])
        by_slot = np.add.reduceat(by_number[self.telling], self.first_telling, axis=0)
        return by_slot[self.records.slot_of_item]


def _n_codes(records: Profiles) -> NDArray[np.intp]:
    """Codes of each column, that of missing values included."""
    return np.diff(records.first_slot, append=len(records.words))


def _together(n_codes: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Columns that share a number, so that few are needed: those with many codes first, each where it fits.

    Examples
    --------
    >>> _together(np.array([9, 300, 3, 9, 9]))
    [array([1]), array([0, 3, 2]), array([4])]
    """
    found: list[list[int]] = []
    sizes: list[int] = []
    for column in np.argsort(-n_codes, kind="stable").tolist():
        size = int(n_codes[column])
        fits = (place for place, before in enumerate(sizes) if before * size <= _MOST_TOGETHER)
        place = next(fits, len(found))
        if place == len(found):
            found.append([])
            sizes.append(1)
        found[place].append(column)
        sizes[place] *= size
    return [np.array(columns, np.intp) for columns in found]
