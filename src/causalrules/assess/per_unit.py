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

from dataclasses import replace
from math import exp, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.value_pairs import ValueEntries
from causalrules.domain import Estimate
from causalrules.domain.unique_rows import number_combinations
from causalrules.kernels.special_functions import ndtri

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_STEPS, _PRECISION = 50, 1e-10
_LARGEST = 15.0
"""Of the log odds ratio per standard deviation; beyond it the number separates the outcomes."""


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
    entries = ValueEntries.of(stratum, values, counts)
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


def slope_by_design(
    stratum: NDArray[np.int64],
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    weight: NDArray[np.float64],
    unit: NDArray[np.int64] | None,
) -> tuple[float, float] | None:
    """The log odds ratio per unit of `values`, and its variance, of clusters or of a weighted sample.

    Parameters
    ----------
    stratum, values, counts
        As in `slope`.
    weight : float64[n]
        What a record of each row represents.
    unit : int64[n] or None
        The cluster of each row; None where every record stands for itself.

    Notes
    -----
    A cluster adds to the estimating equation what would go with it: all pairs that one of its records is in.
    The variance is the sum of squares of this over clusters, less the squares of pairs of two clusters, which
    both count; times G/(G - 1). Where every record is a cluster it is that of `slope`.
    """
    entries = ValueEntries.of(stratum, values, counts * weight[:, None])
    estimate = _solved(entries)
    if estimate is None:
        return None
    squares = _summed(entries, counts * weight[:, None] ** 2)
    by_case, by_control = np.zeros((2, len(entries.values)))
    information = across = 0.0
    for pairs in entries.pairs():
        chance = _chance_of_the_other(estimate, pairs.difference)
        surplus = pairs.weight * pairs.difference * chance
        information += float(pairs.times @ (surplus * pairs.difference * (1 - chance)))
        by_case += np.bincount(pairs.with_it, entries.without[pairs.without] * surplus, len(by_case))
        by_control += np.bincount(pairs.without, entries.with_it[pairs.with_it] * surplus, len(by_case))
        across += float((squares[pairs.with_it, 1] * squares[pairs.without, 0]) @ surplus**2)
    kept = np.flatnonzero(entries.of_row >= 0)
    place = entries.of_row[kept]
    each = weight[kept, None] * np.stack([by_control[place], by_case[place]], axis=1)
    if unit is None:
        n_units, total = int(counts[kept].sum()), float((counts[kept] * each**2).sum())
    else:
        units, number = np.unique(unit[kept], return_inverse=True)
        sums = np.bincount(number, (counts[kept] * each).sum(axis=1), len(units))
        inner, inner_squares = _within_clusters(
            estimate, entries, stratum[kept], values[kept], counts[kept], weight[kept], number
        )
        total = float(((sums - inner) ** 2).sum())
        n_units, across = len(units), across - inner_squares
    if n_units < 2:
        return None
    return estimate, max(0.0, total - across) * n_units / (n_units - 1) / information**2


def _within_clusters(
    estimate: float,
    entries: ValueEntries,
    stratum: NDArray[np.int64],
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    weight: NDArray[np.float64],
    unit: NDArray[np.intp],
) -> tuple[NDArray[np.float64], float]:
    """What pairs of one cluster add, by cluster, and the sum of their squares."""
    both = number_combinations([stratum, unit], len(unit))
    inner = ValueEntries.of(both, values, counts * weight[:, None])
    squares = _summed(inner, counts * weight[:, None] ** 2)
    strata, place = np.unique(stratum, return_inverse=True)
    assert len(strata) == len(entries.share)
    n_both = int(both.max()) + 1
    unit_of, share = np.zeros(n_both, np.intp), np.zeros(n_both)
    unit_of[both], share[both] = unit, entries.share[place]
    inner = replace(inner, share=share)
    unit_of_entry = np.repeat(unit_of, np.diff(np.append(inner.first, len(inner.values))))
    sums, total = np.zeros(int(unit.max()) + 1), 0.0
    for pairs in inner.pairs():
        surplus = pairs.weight * pairs.difference * _chance_of_the_other(estimate, pairs.difference)
        sums += np.bincount(unit_of_entry[pairs.with_it], pairs.times * surplus, len(sums))
        total += float((squares[pairs.with_it, 1] * squares[pairs.without, 0]) @ surplus**2)
    return sums, total


def _summed(entries: ValueEntries, columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two columns of rows, by entry."""
    kept = np.flatnonzero(entries.of_row >= 0)
    place, n = entries.of_row[kept], len(entries.values)
    return np.stack([np.bincount(place, column[kept], n) for column in columns.T], axis=1)


def odds_ratio_per(unit: float, found: tuple[float, float], confidence: float) -> Estimate:
    """The odds ratio of so many units, with its interval."""
    reach = float(ndtri((1 + confidence) / 2))
    middle, error = found
    return Estimate(*(exp(unit * middle + side * reach * abs(unit) * error) for side in (0, -1, 1)))


def _solved(entries: ValueEntries) -> float | None:
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
