"""The odds ratio per unit of a number, within strata: Mantel and Haenszel's, extended to numbers.

Every record with the outcome is compared with every one without it in its stratum. Of two such records that
differ by d the chance that the outcome falls to the larger number is 1/(1 + exp(-b d)), whatever the
stratum's own risk; pairs of a stratum of n records weigh 1/n. Of a number with two values this is the
estimate of Mantel and Haenszel, of pairs that of conditional logistic regression. It is
consistent for few large strata and for many small ones.

References
----------
Liang, Extended Mantel-Haenszel estimating procedure for multivariate logistic regression models,
Biometrics 1987.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.assess.special_functions import ndtri
from causalrules.domain import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_MOST_STEPS, _PRECISION = 50, 1e-10
_LARGEST = 15.0
"""Of the log odds ratio per standard deviation; beyond it the number separates the outcomes."""
_PAIRS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """Records of equal stratum and value, in this order.

    Parameters
    ----------
    values : float64[n]
        The number.
    without, with_it : float64[n]
        Records without the outcome and with it.
    first : intp[n_strata]
        Where each stratum begins.
    """

    values: NDArray[np.float64]
    without: NDArray[np.float64]
    with_it: NDArray[np.float64]
    first: NDArray[np.intp]

    @classmethod
    def of(
        cls, stratum: NDArray[np.int64], values: NDArray[np.float64], counts: NDArray[np.int64]
    ) -> _Entries:
        kept = (stratum >= 0) & ~np.isnan(values)
        order = np.flatnonzero(kept)[np.lexsort((values[kept], stratum[kept]))]
        stratum, values, counts = stratum[order], values[order], counts[order]
        is_other = np.append(True, (np.diff(stratum) != 0) | (np.diff(values) != 0))[: len(order)]
        place = np.flatnonzero(is_other)
        sums = np.add.reduceat(counts, place, axis=0) if len(place) else counts
        begins = np.flatnonzero(np.append(True, np.diff(stratum[place]) != 0)[: len(place)])
        return cls(values[place], sums[:, 0].astype(float), sums[:, 1].astype(float), begins)

    def pairs(self) -> Iterator[_Pairs]:
        """All pairs of different values, so many whole strata at a time that memory is no matter."""
        sizes = np.diff(np.append(self.first, len(self.values)))
        n_before = np.append(0, np.cumsum(sizes**2))
        begin = 0
        while begin < len(sizes):
            most = n_before[begin] + _PAIRS_AT_ONCE
            end = max(begin + 1, int(np.searchsorted(n_before, most, "right")) - 1)
            yield self._pairs_of(self.first[begin:end], sizes[begin:end])
            begin = end

    def _pairs_of(self, first: NDArray[np.intp], sizes: NDArray[np.intp]) -> _Pairs:
        inside = slice(int(first[0]), int(first[-1] + sizes[-1]))
        records = np.add.reduceat((self.without + self.with_it)[inside], first - first[0])
        case = np.flatnonzero(self.with_it[inside] > 0)
        begin, n_others = (np.repeat(one, sizes)[case] for one in (first, sizes))
        share = np.repeat(1 / records, sizes)[case]
        left, weight = np.repeat(inside.start + case, n_others), np.repeat(share, n_others)
        right = np.arange(len(left)) - np.repeat(np.cumsum(n_others) - n_others - begin, n_others)
        kept = (left != right) & (self.without[right] > 0)
        left, right, weight = left[kept], right[kept], weight[kept]
        n_pairs = self.with_it[left] * self.without[right]
        return _Pairs(self.values[left] - self.values[right], left, right, weight, n_pairs)


class _Pairs(NamedTuple):
    """Pairs of values of some strata, one of records with the outcome and one of records without.

    `difference` is that of the values, `with_it` and `without` are the entries, `weight` is one over the
    stratum's records, and `times` says how many pairs of records there are.
    """

    difference: NDArray[np.float64]
    with_it: NDArray[np.intp]
    without: NDArray[np.intp]
    weight: NDArray[np.float64]
    times: NDArray[np.float64]


def slope(
    stratum: NDArray[np.int64], values: NDArray[np.float64], counts: NDArray[np.int64]
) -> tuple[float, float] | None:
    """The log odds ratio per unit of `values`, and its standard error; None where no stratum can tell.

    Parameters
    ----------
    stratum : int64[n]
        Of each row; rows below 0 are left out.
    values : float64[n]
        The number; NaN where it is missing.
    counts : int64[n, 2]
        Records without and with the outcome.

    Examples
    --------
    Of a number that is 0 or 1 it is Mantel and Haenszel's, here of one stratum: 30 · 40 / (10 · 20).

    >>> found = slope(np.zeros(2, int), np.array([0.0, 1.0]), np.array([[40, 20], [10, 30]]))
    >>> round(float(np.exp(found[0])), 9)
    6.0
    """
    entries = _Entries.of(stratum, values, counts)
    estimate = _solved(entries)
    if estimate is None:
        return None
    information = variance = 0.0
    for pairs in entries.pairs():
        chance = _chance_of_the_other(estimate, pairs.difference)
        surplus = pairs.weight * pairs.difference * chance
        information += float(pairs.times @ (surplus * pairs.difference * (1 - chance)))
        # Two pairs that share no record are independent; those that share one are summed by that record.
        by_case, by_control = (
            np.bincount(mine, times * surplus, len(entries.values))
            for mine, times in (
                (pairs.with_it, entries.without[pairs.without]),
                (pairs.without, entries.with_it[pairs.with_it]),
            )
        )
        variance += float(entries.with_it @ by_case**2 + entries.without @ by_control**2)
        variance -= float(pairs.times @ surplus**2)
    return estimate, sqrt(max(0.0, variance)) / information


def odds_ratio_per(unit: float, found: tuple[float, float], confidence: float) -> Estimate:
    """The odds ratio of so many units, with its interval."""
    reach = float(ndtri((1 + confidence) / 2))
    middle, error = found
    return Estimate(*(exp(unit * middle + side * reach * abs(unit) * error) for side in (0, -1, 1)))


def _solved(entries: _Entries) -> float | None:
    """Where the pairs' surplus is zero: it falls everywhere, so Newton's steps find the place."""
    squares = total = n_up = n_down = 0.0
    for pairs in entries.pairs():
        weight = pairs.times * pairs.weight
        squares, total = squares + float(weight @ pairs.difference**2), total + float(weight.sum())
        n_up += float((pairs.difference > 0).sum())
        n_down += float((pairs.difference < 0).sum())
    if not n_up or not n_down:
        return None  # no stratum has both, or the number separates the outcomes of all
    scale, now = sqrt(squares / total), 0.0
    for _ in range(_MOST_STEPS):
        surplus = bend = 0.0
        for pairs in entries.pairs():
            scaled = pairs.difference / scale
            chance = _chance_of_the_other(now, scaled)
            part = pairs.times * pairs.weight * scaled * chance
            surplus += float(part.sum())
            bend += float(part @ (scaled * (1 - chance)))
        if bend <= 0:
            return None
        step = max(-1.0, min(1.0, surplus / bend))
        now += step
        if abs(now) > _LARGEST:
            return None
        if abs(step) < _PRECISION:
            return now / scale
    return None


def _chance_of_the_other(estimate: float, difference: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely, of two records, the outcome falls to the other one."""
    chance: NDArray[np.float64] = 1 / (1 + np.exp(np.clip(estimate * difference, -700, 700)))
    return chance
