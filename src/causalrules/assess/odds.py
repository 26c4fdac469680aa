"""Odds ratios and their intervals (Fleiss, Levin and Paik 2003; DESIGN definitions 2 and 9)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import Estimate, PairCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@cache
def critical_value(confidence: float) -> float:
    """The normal quantile that leaves half of ``1 - confidence`` above it.

    Examples
    --------
    >>> round(critical_value(0.95), 6)
    1.959964
    """
    return NormalDist().inv_cdf(0.5 + confidence / 2)


@dataclass(frozen=True, slots=True, eq=False)
class OddsRatios:
    """Odds ratios of many rules with the limits of their intervals."""

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def __getitem__(self, index: int) -> Estimate:
        return Estimate(float(self.value[index]), float(self.low[index]), float(self.high[index]))

    def are_above(self, min_odds_ratio: float | None) -> NDArray[np.bool_]:
        """Above 1 by the interval, or above a given minimum."""
        return self.low > 1 if min_odds_ratio is None else self.value > min_odds_ratio

    def exclude_one(self) -> NDArray[np.bool_]:
        """The interval lies on one side of 1."""
        return (self.low > 1) | (self.high < 1)


def crude_odds_ratios(
    with_outcome: NDArray[np.int64],
    without_outcome: NDArray[np.int64],
    n_with: int,
    n_without: int,
    confidence: float,
) -> OddsRatios:
    """Odds ratio of having the outcome with the pattern against without it; a zero cell counts as 1.

    Parameters
    ----------
    with_outcome, without_outcome : int64[n]
        Records that have the pattern, with and without the outcome.
    n_with, n_without : int
        All records with and without the outcome.
    confidence : float
        Confidence of the interval.

    Examples
    --------
    The paper's Example 1: men among the low earners, crude.

    >>> crude = crude_odds_ratios(np.array([185]), np.array([120]), 250, 180, 0.95)
    >>> round(crude[0].value, 2)
    1.42
    """
    cells = np.stack([with_outcome, without_outcome, n_with - with_outcome, n_without - without_outcome])
    a, b, c, d = np.maximum(cells, 1).astype(np.float64)
    value = (a * d) / (b * c)
    half_width = critical_value(confidence) * np.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    logarithm = np.log(value)
    return OddsRatios(value, np.exp(logarithm - half_width), np.exp(logarithm + half_width))


def odds_ratio_of_table(cells: Sequence[int], confidence: float) -> Estimate:
    """Odds ratio of one table; a zero cell counts as 1.

    Parameters
    ----------
    cells : four int
        Exposed with and without the outcome, unexposed with and without it.
    confidence : float
        Confidence of the interval.

    Examples
    --------
    >>> round(odds_ratio_of_table((185, 120, 65, 60), 0.95).value, 2)
    1.42
    """
    a, b, c, d = (max(cell, 1) for cell in cells)
    logarithm = log(a * d / (b * c))
    half_width = critical_value(confidence) * sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    return Estimate(a * d / (b * c), exp(logarithm - half_width), exp(logarithm + half_width))


def fair_odds_ratio(pairs: PairCounts, confidence: float) -> Estimate:
    """Odds ratio of matched pairs, n12/n21; a count below 1 counts as 1.

    Examples
    --------
    >>> ratio = fair_odds_ratio(PairCounts(n11=40, n12=25, n21=10, n22=125), 0.95)
    >>> round(ratio.value, 2), round(ratio.low, 2), round(ratio.high, 2)
    (2.5, 1.2, 5.21)
    """
    n12, n21 = max(pairs.n12, 1.0), max(pairs.n21, 1.0)
    logarithm = log(n12 / n21)
    half_width = critical_value(confidence) * sqrt(1 / n12 + 1 / n21)
    return Estimate(n12 / n21, exp(logarithm - half_width), exp(logarithm + half_width))
