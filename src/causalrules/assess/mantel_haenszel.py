"""The Mantel-Haenszel odds ratio, with a test that is right for thin strata.

The usual chi-square takes the sum of the first cells for normal. With thin
strata and a rare outcome it is a small whole number: the p-value then comes
from its exact distribution given all margins, elsewhere from a saddle-point,
which needs no more work than the chi-square but knows about skewness. Both
are mid-p values and agree where they meet.

References
----------
Mantel and Haenszel, JNCI 1959.
Robins, Breslow and Greenland, Biometrics 1986 (interval).
Lugannani and Rice, Adv. Appl. Prob. 1980; Daniels, Int. Stat. Rev. 1987 (saddle-point tails).
Agresti, Categorical Data Analysis, 2013, §7.3 (conditional inference, mid-p).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, exp, inf, log, pi, sqrt, tanh
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.odds import critical_value
from causalrules.assess.stratum_sums import sums_of
from causalrules.domain import Estimate
from causalrules.kernels.conditional import sum_cumulants, sum_distribution

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from causalrules.assess.stratum_sums import StrataSums
    from causalrules.domain.histogram import StrataHistogram

EXACT_VARIANCE = 25.0
"""Below this variance of the sum, p-value and interval come from its exact distribution."""

_WIDEST = 60.0
_TINIEST = 1e-200


@dataclass(frozen=True, slots=True)
class MantelHaenszel:
    """What the strata say about the odds ratio that they share.

    Parameters
    ----------
    odds_ratio : Estimate
        Mantel and Haenszel's, where the distribution is exact the conditional maximum likelihood estimate,
        with its interval; 1 (0, inf) if the strata cannot tell.
    p_value : float
        Two-sided, mid-p.
    is_exact : bool
        P-value and interval come from the exact conditional distribution.
    information : float
        Variance of the sum of the first cells given all margins.
    """

    odds_ratio: Estimate
    p_value: float
    is_exact: bool
    information: float


def mantel_haenszel(strata: StrataHistogram, confidence: float) -> MantelHaenszel:
    """Estimate and test the odds ratio that all strata share.

    Parameters
    ----------
    strata : StrataHistogram
        The strata, each with both arms.
    confidence : float
        Confidence of the interval.

    Notes
    -----
    Where the distribution is exact, so are estimate and interval: the likeliest odds ratio
    given all margins, and those that a mid-p test does not reject. (Mantel and Haenszel's
    ratio of weighted sums may lie at the edge of that interval, or outside.) It
    has a limit also where all discordant records are on one side and the variance of
    Robins, Breslow and Greenland does not exist. Elsewhere the interval is
    theirs, and in the one study of a hundred where it contradicts the p-value, what the test does not
    reject: an interval excludes 1 just when the p-value says so.

    Examples
    --------
    >>> from causalrules.domain.histogram import StrataHistogram
    >>> pairs = StrataHistogram.from_strata([(1, 0, 0, 1)] * 8, 0, 0)
    >>> test = mantel_haenszel(pairs, 0.95)
    >>> test.p_value, test.odds_ratio.value, round(test.odds_ratio.low, 2)
    (0.00390625, inf, 2.2)
    """
    sums = sums_of(strata)
    if sums.variance <= 0:
        return MantelHaenszel(Estimate(1.0, 0.0, inf), 1.0, True, 0.0)
    observed = int(strata.rows[:, 0] @ strata.rows[:, 4])
    if sums.variance < EXACT_VARIANCE:
        first, chances = sum_distribution(strata.rows)
        at = observed - first
        if 0 <= at < len(chances) and min(chances[: at + 1].sum(), chances[at:].sum()) > _TINIEST:
            estimate = _exact_estimate(chances, at, (1 - confidence) / 2)
            return MantelHaenszel(estimate, _exact_p(chances, at), True, sums.variance)
    p_value = _saddle_point_p(strata.rows, observed)
    if sums.r > 0 and sums.s > 0:
        estimate = normal_interval(sums, confidence)
        if (estimate.low > 1 or estimate.high < 1) != (p_value <= 1 - confidence):
            estimate = _not_rejected(strata.rows, observed, estimate.value, (1 - confidence) / 2)
        return MantelHaenszel(estimate, p_value, False, sums.variance)
    limit = _limit_of_one_sided(strata.rows, (1 - confidence) / 2)
    estimate = Estimate(inf, limit, inf) if sums.r > 0 else Estimate(0.0, 0.0, limit)
    return MantelHaenszel(estimate, p_value, False, sums.variance)


def normal_interval(sums: StrataSums, confidence: float) -> Estimate:
    """The Mantel-Haenszel odds ratio, its limits by the normal distribution of its logarithm."""
    half_width = critical_value(confidence) * sqrt(sums.log_odds_ratio_variance)
    middle = log(sums.r / sums.s)
    return Estimate(exp(middle), exp(middle - half_width), exp(middle + half_width))


def _limit_of_one_sided(rows: NDArray[np.int64], tail: float) -> float:
    """The odds ratio at which the mid-p tail is just `tail`, where the sum is as large or small as can be.

    The tail is then half of one probability, exp(ln p₀ + θx - K(θ)) under a log odds ratio θ,
    and ln p₀ is where K(θ) - θx ends.
    """
    cumulants = np.empty(3)
    observed = float(rows[:, 0] @ rows[:, 4])
    sum_cumulants(rows, 0.0, cumulants)
    towards = 1.0 if observed > cumulants[1] else -1.0

    def log_chance(away: float) -> float:
        sum_cumulants(rows, towards * away, cumulants)
        return towards * away * observed - float(cumulants[0])

    end = log_chance(_WIDEST)
    low, high = -_WIDEST, _WIDEST
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if log_chance(middle) - end < log(2 * tail) else (low, middle)
    return exp(towards * (low + high) / 2)


def _exact_p(chances: NDArray[np.float64], at: int) -> float:
    """Twice the smaller mid-p tail."""
    half = chances[at] / 2
    below, above = chances[:at].sum() + half, chances[at + 1 :].sum() + half
    return float(min(1.0, 2 * min(below, above) / chances.sum()))


def _exact_estimate(chances: NDArray[np.float64], at: int, tail: float) -> Estimate:
    """The likeliest odds ratio given all margins, and those at which either mid-p tail is just `tail`.

    Under an odds ratio ψ the chance of x is proportional to chances[x] · ψ^x. The likelihood of the
    observed sum is largest where it is the mean; mean and tail grow with ψ, so both are found by bisection.
    """
    away = np.arange(len(chances)) - float(at)
    logs = np.log(np.maximum(chances, 1e-320))

    def shares(log_odds: float) -> NDArray[np.float64]:
        weights = logs + away * log_odds
        weights = np.exp(weights - weights.max())
        found: NDArray[np.float64] = weights / weights.sum()
        return found

    def upper_tail(log_odds: float) -> float:
        found = shares(log_odds)
        return float(found[at + 1 :].sum() + found[at] / 2)

    def solve(grows: Callable[[float], float], target: float) -> float:
        low, high = -_WIDEST, _WIDEST
        while high - low > 1e-12:
            middle = (low + high) / 2
            low, high = (middle, high) if grows(middle) < target else (low, middle)
        return exp((low + high) / 2)

    is_lowest, is_highest = at == 0, at == len(chances) - 1
    value = 0.0 if is_lowest else inf if is_highest else solve(lambda psi: float(shares(psi) @ away), 0.0)
    low = 0.0 if is_lowest else solve(upper_tail, tail)
    high = inf if is_highest else solve(upper_tail, 1 - tail)
    # With a confidence of next to nothing a skewed distribution's mean can lie outside the two tails.
    return Estimate(value, min(low, value), max(high, value))


def _saddle_point_p(rows: NDArray[np.int64], observed: int) -> float:
    """Twice the smaller tail by Lugannani and Rice's formula for whole numbers."""
    cumulants = np.empty(3)
    sum_cumulants(rows, 0.0, cumulants)
    surplus, spread = observed - cumulants[1], sqrt(cumulants[2])
    if abs(surplus) < 1e-3 * spread:  # the formula is 0/0 there, and the p-value 1
        return erfc(abs(surplus) / spread / sqrt(2))
    tilt, reached = _tilt_to(rows, observed, surplus / cumulants[2])
    return float(min(1.0, max(2 * _saddle_point_tail(tilt, observed, reached, 0.0), 0.0)))


def _saddle_point_tail(tilt: float, observed: int, reached: NDArray[np.float64], fallen: float) -> float:
    """The tail beyond the observed sum, from a log odds ratio that is `tilt` away from the likeliest.

    Half of the observed point's probability, φ(r)/√K'', is taken off: that turns
    Lugannani and Rice's 1 - exp(-tilt) into 2 tanh(tilt/2).

    Parameters
    ----------
    tilt : float
        The likeliest log odds ratio, less the one that the tail is of.
    reached : float64[3]
        The cumulants at the likeliest one.
    fallen : float
        The cumulant generating function where the tail is taken; 0 under an odds ratio of 1.
    """
    signed_root = sqrt(max(2 * (tilt * observed - (float(reached[0]) - fallen)), 0.0))
    standardised = 2 * tanh(abs(tilt) / 2) * sqrt(reached[2])
    density = exp(-signed_root * signed_root / 2) / sqrt(2 * pi)
    correction = (1 / standardised - 1 / signed_root) if standardised > 0 and signed_root > 0 else 0.0
    return erfc(signed_root / sqrt(2)) / 2 + density * correction


def _not_rejected(rows: NDArray[np.int64], observed: int, value: float, tail: float) -> Estimate:
    """The odds ratios whose saddle-point tail is at least so large."""
    middle, reached = _tilt_to(rows, observed, log(value))
    cumulants = np.empty(3)
    far = 12 / sqrt(float(reached[2]))  # standard deviations: beyond any confidence that people ask for

    def limit(direction: float) -> float:
        near, away = 0.0, far
        while away - near > 1e-9:
            step = (near + away) / 2
            sum_cumulants(rows, middle + direction * step, cumulants)
            found = _saddle_point_tail(-direction * step, observed, reached, float(cumulants[0]))
            near, away = (step, away) if found > tail else (near, step)
        return exp(middle + direction * (near + away) / 2)

    return Estimate(value, min(limit(-1.0), value), max(limit(1.0), value))


def _tilt_to(rows: NDArray[np.int64], observed: int, start: float) -> tuple[float, NDArray[np.float64]]:
    """The log odds ratio under which `observed` is the mean, by Newton's steps within a bracket."""
    cumulants = np.empty(3)
    low, high, tilt = -_WIDEST, _WIDEST, min(max(start, -5.0), 5.0)
    for _ in range(60):
        sum_cumulants(rows, tilt, cumulants)
        miss = observed - cumulants[1]
        if abs(miss) < 1e-9 * max(1.0, abs(observed)):
            break
        low, high = (tilt, high) if miss > 0 else (low, tilt)
        step = tilt + miss / cumulants[2] if cumulants[2] > 0 else inf
        tilt = step if low < step < high else (low + high) / 2
    return tilt, cumulants
