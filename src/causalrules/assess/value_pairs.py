"""Pairs of records of a stratum, one with the outcome and one without, by the values of a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_PAIRS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class ValueEntries:
    """Records of equal stratum and value, in this order.

    Parameters
    ----------
    values : float64[n]
        The number.
    without, with_it : float64[n]
        Records without the outcome and with it, or what they weigh.
    first : intp[n_strata]
        Where each stratum begins.
    share : float64[n_strata]
        What a pair of each stratum weighs: one over its records.
    of_row : intp[n_rows]
        The entry of each row that these were made of; -1 of rows that are left out.
    """

    values: NDArray[np.float64]
    without: NDArray[np.float64]
    with_it: NDArray[np.float64]
    first: NDArray[np.intp]
    share: NDArray[np.float64]
    of_row: NDArray[np.intp]

    @classmethod
    def of(
        cls,
        stratum: NDArray[np.int64],
        values: NDArray[np.float64],
        counts: NDArray[np.int64] | NDArray[np.float64],
    ) -> ValueEntries:
        """The entries of rows, without those of no stratum or no number.

        Parameters
        ----------
        stratum : int64[n_rows]
            Of each row; below 0 it is left out.
        values : float64[n_rows]
            The number.
        counts : int64[n_rows, 2] or float64[n_rows, 2]
            Records without and with the outcome, or what they weigh.
        """
        of_row = np.full(len(stratum), -1, np.intp)
        kept = (stratum >= 0) & ~np.isnan(values)
        order = np.flatnonzero(kept)[np.lexsort((values[kept], stratum[kept]))]
        stratum, values, counts = stratum[order], values[order], counts[order]
        is_other = np.append(True, (np.diff(stratum) != 0) | (np.diff(values) != 0))[: len(order)]
        place = np.flatnonzero(is_other)
        sums = np.add.reduceat(counts, place, axis=0) if len(place) else counts
        begins = np.flatnonzero(np.append(True, np.diff(stratum[place]) != 0)[: len(place)])
        of_row[order] = np.cumsum(is_other) - 1
        without, with_it = sums[:, 0].astype(float), sums[:, 1].astype(float)
        share = 1 / np.add.reduceat(without + with_it, begins) if len(begins) else np.empty(0)
        return cls(values[place], without, with_it, begins, share, of_row)

    def pairs(self) -> Iterator[ValuePairs]:
        """All pairs of different values, so many whole strata at a time that memory is no matter."""
        sizes = np.diff(np.append(self.first, len(self.values)))
        n_before = np.append(0, np.cumsum(sizes**2))
        begin = 0
        while begin < len(sizes):
            most = n_before[begin] + _PAIRS_AT_ONCE
            end = max(begin + 1, int(np.searchsorted(n_before, most, "right")) - 1)
            yield self._pairs_of(slice(begin, end), sizes[begin:end])
            begin = end

    def _pairs_of(self, strata: slice, sizes: NDArray[np.intp]) -> ValuePairs:
        first = self.first[strata]
        inside = slice(int(first[0]), int(first[-1] + sizes[-1]))
        case = np.flatnonzero(self.with_it[inside] > 0)
        begin, n_others = (np.repeat(one, sizes)[case] for one in (first, sizes))
        share = np.repeat(self.share[strata], sizes)[case]
        left, weight = np.repeat(inside.start + case, n_others), np.repeat(share, n_others)
        right = np.arange(len(left)) - np.repeat(np.cumsum(n_others) - n_others - begin, n_others)
        kept = (left != right) & (self.without[right] > 0)
        left, right, weight = left[kept], right[kept], weight[kept]
        n_pairs = self.with_it[left] * self.without[right]
        return ValuePairs(self.values[left] - self.values[right], left, right, weight, n_pairs)


class ValuePairs(NamedTuple):
    """Pairs of values of some strata, one of records with the outcome and one of records without.

    `difference` is that of the values, `with_it` and `without` are the entries, `weight` is one over the
    stratum's records, and `times` says how many pairs of records there are.
    """

    difference: NDArray[np.float64]
    with_it: NDArray[np.intp]
    without: NDArray[np.intp]
    weight: NDArray[np.float64]
    times: NDArray[np.float64]
