"""Three tests of one cohort study.

Each gives an odds ratio with interval, a two-sided p-value, and the smallest
p-value that the data could have given at all (Tarone 1990).

References
----------
Fleiss, Levin and Paik, *Statistical Methods for Rates and Proportions*, 2003 (matched pairs).
Clopper and Pearson, Biometrika 1934 (exact interval).
Robins, Breslow and Greenland, Biometrics 1986 (variance of the Mantel-Haenszel odds ratio).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, exp, inf, lgamma, log, sqrt
from typing import TYPE_CHECKING

from causalrules.assess.effects import ratio_of
from causalrules.assess.odds import critical_value, fair_odds_ratio
from causalrules.assess.pairings import expected_pairs
from causalrules.assess.stratum_sums import sums_of
from causalrules.domain import Estimate, PairCounts
from causalrules.kernels.special_functions import betainc, betainccinv, betaincinv

if TYPE_CHECKING:
    from causalrules.domain.histogram import StrataHistogram


_AS_GOOD_AS_INFINITE = 1e9
_BEST_SHARE = 0.9167782  # solves (1 - 2p) · ln(p / (1 - p)) = -2


@dataclass(frozen=True, slots=True)
class Significance:
    """What a test says.

    `is_above_one` is the verdict of this test alone at its confidence,
    without regard to other rules.
    """

    odds_ratio: Estimate
    p_value: float
    smallest_p: float
    is_above_one: bool


def matched_pairs_test(pairs: PairCounts, confidence: float) -> Significance:
    """The paper's test: a normal interval for ln(n12/n21), counts below 1 taken as 1.

    Examples
    --------
    >>> test = matched_pairs_test(PairCounts(n11=0, n12=25, n21=10, n22=0), 0.95)
    >>> round(test.p_value, 4), test.is_above_one
    (0.0143, True)
    """
    odds_ratio = fair_odds_ratio(pairs, confidence)
    p_value = _wald_p(pairs.n12, pairs.n21)
    return Significance(odds_ratio, p_value, _smallest_wald_p(pairs.n_discordant), odds_ratio.low > 1)


def _wald_p(n12: float, n21: float) -> float:
    n12, n21 = max(n12, 1.0), max(n21, 1.0)
    return erfc(abs(log(n12 / n21)) / sqrt(2 * (1 / n12 + 1 / n21)))


def _smallest_wald_p(n_discordant: float) -> float:
    """The best that so many discordant pairs could do.

    ln(p / (1 - p)) · √(p (1 - p)), to which the normal statistic is
    proportional, is largest at p = 0.9168 and not where all pairs agree: the
    interval widens faster than the odds ratio grows.
    """
    all_agree = _wald_p(n_discordant, 0.0)
    n21 = n_discordant * (1 - _BEST_SHARE)
    return min(all_agree, _wald_p(n_discordant - n21, n21)) if n21 >= 1 else all_agree


def exact_test(pairs: PairCounts, confidence: float, *, mid_p: bool = False) -> Significance:
    """McNemar's test by the binomial distribution itself; no count is replaced.

    Twice the smaller tail is the p-value, which agrees with the
    Clopper-Pearson interval. Averaged pair counts need not be whole: the
    tails are incomplete beta functions, which equal the binomial ones at
    whole numbers.

    Parameters
    ----------
    mid_p : bool
        Count half of the observed point's probability only; less
        conservative, no longer exact.

    Examples
    --------
    >>> test = exact_test(PairCounts(n11=0, n12=8, n21=0, n22=0), 0.95)
    >>> test.p_value, test.odds_ratio.value, round(test.odds_ratio.low, 2)
    (0.0078125, inf, 1.71)
    """
    n12, n21 = pairs.n12, pairs.n21
    tail = (1 - confidence) / 2
    low = betaincinv(n12, n21 + 1, tail) / betainccinv(n21 + 1, n12, tail) if n12 > 0 else 0.0
    high = betainccinv(n12 + 1, n21, tail) / betaincinv(n21, n12 + 1, tail) if n21 > 0 else inf
    high = high if high < _AS_GOOD_AS_INFINITE else inf
    value = ratio_of(n12, n21)
    p_value = _binomial_p(n12, n21, mid_p=mid_p)
    smallest = _binomial_p(n12 + n21, 0.0, mid_p=mid_p)
    is_above_one = value > 1 and (p_value < 1 - confidence if mid_p else low > 1)
    return Significance(
        Estimate(float(value), float(low), float(high)), p_value, smallest, bool(is_above_one)
    )


def _binomial_p(n12: float, n21: float, *, mid_p: bool) -> float:
    upper = float(betainc(n12, n21 + 1, 0.5)) if n12 > 0 else 1.0
    lower = float(betainc(n21, n12 + 1, 0.5)) if n21 > 0 else 1.0
    half_point = 0.0
    if mid_p:
        n = n12 + n21
        half_point = 0.5 * exp(lgamma(n + 1) - lgamma(n12 + 1) - lgamma(n21 + 1) - n * log(2))
    return min(1.0, 2 * (min(upper, lower) - half_point))


def mantel_haenszel_test(strata: StrataHistogram, confidence: float) -> Significance:
    """All records of every stratum, not only pairs.

    The odds ratio is Mantel and Haenszel's, its interval from the variance of
    Robins, Breslow and Greenland, the p-value from the Cochran-Mantel-Haenszel
    statistic without continuity correction.

    Examples
    --------
    The paper's Example 1, stratified by college:

    >>> from causalrules.domain.histogram import StrataHistogram
    >>> strata = StrataHistogram.from_strata([(5, 20, 15, 40), (180, 100, 50, 20)], 0, 0)
    >>> test = mantel_haenszel_test(strata, 0.95)
    >>> round(test.odds_ratio.value, 3)
    0.709
    """
    sums = sums_of(strata)
    p_value = _chi_square_p(sums.surplus, sums.variance)
    smallest = _chi_square_p(sums.largest_surplus, sums.variance)
    r, s = sums.r, sums.s
    if r > 0 and s > 0:
        half_width = critical_value(confidence) * sqrt(sums.log_odds_ratio_variance)
        estimate = Estimate(r / s, exp(log(r / s) - half_width), exp(log(r / s) + half_width))
    else:
        # No variance to speak of: the limits of the exact test on the pairs stand in.
        pairs = exact_test(expected_pairs(strata), confidence).odds_ratio
        estimate = Estimate(inf if r > 0 else (0.0 if s > 0 else 1.0), pairs.low, pairs.high)
    return Significance(estimate, p_value, smallest, estimate.value > 1 and p_value < 1 - confidence)


def _chi_square_p(surplus: float, variance: float) -> float:
    """Upper tail of the chi-square distribution with one degree of freedom."""
    return erfc(abs(surplus) / sqrt(2 * variance)) if variance > 0 else 1.0
