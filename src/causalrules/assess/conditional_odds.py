"""The odds ratio given the margins of every stratum, and whether groups of strata share it.

What conditional logistic regression with one exposure computes: each stratum's
first cell follows Fisher's noncentral hypergeometric distribution, so thin
strata, pairs and matched sets are no trouble.

References
----------
Breslow and Day, Statistical Methods in Cancer Research I, 1980, §4.4 and §7.
Rao, Proc. Cambridge Phil. Soc. 1948 (score tests).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.odds import critical_value
from causalrules.domain import Estimate
from causalrules.kernels.hypergeometric import central_moments
from causalrules.kernels.special_functions import chdtrc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_WIDEST = 60.0


@dataclass(frozen=True, slots=True)
class ConditionalOdds:
    """The likeliest odds ratio given all margins, with Wald's interval; and the information on its logarithm.

    An odds ratio of 0 or infinity, where all records that tell are on one side, has no interval.
    """

    odds_ratio: Estimate
    information: float


def conditional_odds_ratio(strata: NDArray[np.int64], confidence: float) -> ConditionalOdds:
    """The conditional maximum likelihood estimate.

    Parameters
    ----------
    strata : int64[n, 5]
        Rows of a `StrataHistogram`: exposed with and without the outcome, unexposed with and without, times.
    confidence : float
        Confidence of the interval.

    Examples
    --------
    Of pairs only the discordant ones count: 20 against 10.

    >>> pairs = np.array([[1, 0, 0, 1, 20], [0, 1, 1, 0, 10], [1, 0, 1, 0, 40]])
    >>> round(conditional_odds_ratio(pairs, 0.95).odds_ratio.value, 6)
    2.0
    """
    observed = int(strata[:, 0] @ strata[:, 4])
    least, most = _reach(strata)
    if least == most:
        return ConditionalOdds(Estimate(1.0, 0.0, inf), 0.0)
    if observed in (least, most):
        return ConditionalOdds(Estimate(0.0 if observed == least else inf, 0.0, inf), 0.0)
    low, high, at = -_WIDEST, _WIDEST, 0.0
    for _ in range(200):
        mean, variance = _moments(strata, exp(at))
        miss = observed - mean.sum()
        low, high = (at, high) if miss > 0 else (low, at)
        step = at + miss / variance.sum() if variance.sum() > 0 else inf
        if abs(step - at) < 1e-13 * max(1.0, abs(at)):
            break
        at = step if low < step < high else (low + high) / 2
    information = float(_moments(strata, exp(at))[1].sum())
    half_width = critical_value(confidence) / sqrt(information)
    return ConditionalOdds(Estimate(exp(at), exp(at - half_width), exp(at + half_width)), information)


def interaction_p(groups: Sequence[NDArray[np.int64]]) -> float | None:
    """Test whether the odds ratio is the same in several groups of strata.

    The score test of conditional logistic regression: at the odds ratio that all share,
    sum over groups of (A - E)²/V, where A is the number of exposed records with
    the outcome and E, V its mean and variance given all margins. With one stratum a group
    that is the test of Breslow and Day at the conditional estimate.

    Parameters
    ----------
    groups : sequence of int64[n, 5]
        Strata of each group, as in `conditional_odds_ratio`.

    Returns
    -------
    float or None
        None where fewer than two groups can tell, or where all records that tell are on one side.
    """
    able = [strata for strata in groups if len(strata) and len(set(_reach(strata))) > 1]
    if len(able) < 2:
        return None
    shared = conditional_odds_ratio(np.concatenate(able), 0.95)
    if shared.information <= 0:
        return None
    statistic = 0.0
    for strata in able:
        mean, variance = _moments(strata, exp(log(shared.odds_ratio.value)))
        statistic += (int(strata[:, 0] @ strata[:, 4]) - mean.sum()) ** 2 / variance.sum()
    return float(chdtrc(len(able) - 1, statistic))


def _moments(strata: NDArray[np.int64], odds_ratio: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of the first cell of each stratum, as often as it occurs."""
    moments = np.empty((len(strata), 4))
    central_moments(strata, odds_ratio, moments)
    times = strata[:, 4]
    return times * moments[:, 0], times * moments[:, 1]


def _reach(strata: NDArray[np.int64]) -> tuple[int, int]:
    """The least and the most that the sum of the first cells can be, given all margins."""
    exposed, cases = strata[:, 0] + strata[:, 1], strata[:, 0] + strata[:, 2]
    n = exposed + strata[:, 2] + strata[:, 3]
    least = np.maximum(0, exposed + cases - n)
    return int(least @ strata[:, 4]), int(np.minimum(exposed, cases) @ strata[:, 4])
