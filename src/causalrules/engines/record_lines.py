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
    together : list of intp[k]
        The columns that each number tells.
    """

    records: Profiles
    lines: NDArray[np.unsignedinteger]
    together: list[NDArray[np.intp]]

    @classmethod
    def of(cls, records: Profiles) -> RecordLines:
        """Lay out distinct records anew."""
        n_codes = _n_codes(records)
        together = _together(n_codes)
        places, factors = np.empty(len(n_codes), np.intp), np.empty(len(n_codes), np.intp)
        for place, columns in enumerate(together):
            places[columns] = place
            factors[columns] = np.cumprod([1, *n_codes[columns][:0:-1]])[::-1]
        is_narrow = n_codes.max(initial=0) <= _MOST_TOGETHER
        numbers = np.zeros((records.n_profiles, len(together)), np.uint8 if is_narrow else np.uint16)
        lines.write_lines(records.codes, places, factors, numbers)
        return cls(records, numbers, together)

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
        n_codes = _n_codes(self.records)
        sizes = [int(n_codes[columns].prod()) for columns in self.together]
        first = np.cumsum([0, *sizes])
        exposed, unexposed = np.zeros((first[-1], 3), np.int64), np.zeros(first[-1], np.int64)
        lines.weigh_lines(
            self.lines,
            first[:-1],
            self.records.n_with,
            self.records.n_without,
            member,
            group,
            np.concatenate([weights, np.zeros((1, 2), np.int64)]),
            is_exposed,
            exposed,
            unexposed,
        )
        sums = np.zeros((len(self.records.words), 4), np.int64)
        for columns, start, end in zip(self.together, first, first[1:], strict=False):
            alone, matched, weight = exposed[start:end].T
            here = np.column_stack([alone + matched, matched, weight, unexposed[start:end]])
            apart = here.reshape(*n_codes[columns], 4)
            for axis, column in enumerate(columns.tolist()):
                others = tuple(other for other in range(len(columns)) if other != axis)
                slot = self.records.first_slot[column]
                sums[slot : slot + n_codes[column]] = apart.sum(axis=others)
        return sums[self.records.slot_of_item]


def _n_codes(records: Profiles) -> NDArray[np.intp]:
    """Codes of each column, that of missing values included."""
    return np.diff(records.first_slot, append=len(records.words))


def _together(n_codes: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Columns that share a number, those with few codes first.

    Examples
    --------
    >>> _together(np.array([9, 300, 3, 9, 9]))
    [array([2, 0, 3]), array([4]), array([1])]
    """
    found: list[list[int]] = []
    size = _MOST_TOGETHER + 1
    for column in np.argsort(n_codes, kind="stable").tolist():
        if size * n_codes[column] > _MOST_TOGETHER:
            found.append([])
            size = 1
        found[-1].append(column)
        size *= int(n_codes[column])
    return [np.array(columns, np.intp) for columns in found]
