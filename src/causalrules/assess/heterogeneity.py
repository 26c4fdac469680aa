"""Whether the effect is the same in all strata.

References
----------
Liang and Self, Biometrika 1985: a score test of odds ratios that vary at
random between strata. It conditions on each stratum's margins and rests on
the number of strata, so it stands strata of a few records. Where strata are
few and large, the test of Breslow and Day (1980) with Tarone's correction
(Biometrika 1985) is used instead.
Gail and Simon, Biometrics 1985: a test of effects of both signs.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.hypergeometric import central_moments
from causalrules.kernels.special_functions import betaln, chdtrc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram

_SIGN_CHANGES_IN = 0.05
_LARGE_STRATUM = 5.0
"""Mean variance of a stratum's first cell from which the test of Breslow and Day is used."""

_BY_ONE_THREAD = 10_000
"""Numbers that OpenBLAS adds up by itself; the last digits of more depend on the number of threads."""


@dataclass(frozen=True, slots=True)
class Heterogeneity:
    """P-value of equal odds ratios, the spread of their logarithms, and whether their sign changes."""

    p_value: float | None
    spread: float
    is_mixed: bool


def heterogeneity_of(strata: StrataHistogram, odds_ratio: float, alpha: float) -> Heterogeneity:
    """Test whether one odds ratio fits all strata.

    Sum over strata of (a - E)² - V, where a is the number of exposed records
    with the outcome and E, V its mean and variance at the common odds ratio,
    divided by its standard deviation; large values speak for differing odds
    ratios. The same sum over Σ V² estimates the variance τ² of the log odds
    ratios; the effect is mixed when the test rejects and a normal spread τ
    around the common effect would turn its sign in more than 5 % of strata.

    Parameters
    ----------
    strata : StrataHistogram
        The strata of the rule.
    odds_ratio : float
        Common odds ratio, of Mantel and Haenszel.
    alpha : float
        Level of the test.
    """
    moments = np.empty((len(strata.rows), 4))
    if len(strata.rows) == 0 or not 0 < odds_ratio < np.inf:
        return Heterogeneity(None, 0.0, is_mixed=False)
    central_moments(strata.rows, odds_ratio, moments)
    mean, variances, thirds, fourths = moments.T
    times = strata.rows[:, 4].astype(np.float64)
    surplus = _sum_of(times, (strata.rows[:, 0] - mean) ** 2 - variances)
    variance, squared = _sum_of(times, variances), _sum_of(times, variances**2)
    fourth, third = _sum_of(times, fourths) - squared, _sum_of(times, thirds)
    if variance <= 0:
        return Heterogeneity(None, 0.0, is_mixed=False)
    n_informative = int(strata.rows[moments[:, 1] > 0, 4].sum())
    if n_informative < 2:
        return Heterogeneity(None, 0.0, is_mixed=False)
    # The common odds ratio is estimated; its share of the sum's variance is taken away.
    spread_of_sum = fourth - third**2 / variance
    if spread_of_sum <= 1e-12 * squared or squared <= 0:
        return Heterogeneity(None, 0.0, is_mixed=False)
    if variance >= _LARGE_STRATUM * n_informative:
        p_value = _breslow_day(strata, moments, n_informative)
    else:
        p_value = 0.5 * erfc(surplus / sqrt(2 * spread_of_sum))
    spread = sqrt(max(0.0, surplus / squared))
    turned = 0.5 * erfc(abs(log(odds_ratio)) / (sqrt(2) * spread)) if spread > 0 else 0.0
    return Heterogeneity(p_value, spread, is_mixed=p_value < alpha and turned > _SIGN_CHANGES_IN)


def both_signs_p(strata: StrataHistogram) -> float:
    """P-value of effects of one sign in all strata: small only where strata of either sign show theirs.

    The squared scores of an odds ratio of 1, (a - E)² / V, are summed over strata in which the exposed
    have the outcome more often, and over those in which they have it less often. The smaller sum decides;
    if no effect had the other sign, it would be at most a sum of h squares, h binomial.

    Examples
    --------
    >>> from causalrules.domain.histogram import StrataHistogram
    >>> def of(*tables):
    ...     return both_signs_p(StrataHistogram.from_strata(tables, 0, 0))
    >>> of((30, 10, 10, 30), (10, 30, 30, 10)) < 0.001, of((30, 10, 10, 30), (22, 18, 20, 20))
    (True, 1.0)
    """
    moments = np.empty((len(strata.rows), 4))
    central_moments(strata.rows, 1.0, moments)
    tells = moments[:, 1] > 0
    surplus, times = (strata.rows[:, 0] - moments[:, 0])[tells], strata.rows[tells, 4].astype(np.float64)
    squares = surplus**2 / moments[tells, 1]
    smaller = min(_sum_of(times, squares * (surplus > 0)), _sum_of(times, squares * (surplus < 0)))
    return sum_of_squares_p(smaller, int(times.sum()))


def sum_of_squares_p(value: float, n_strata: int) -> float:
    """How likely a sum of h squares is as large, h of one stratum less than there are, each by a coin."""
    if value <= 0 or n_strata < 2:
        return 1.0
    reach = 6 * sqrt(n_strata)
    first, last = max(1, int(n_strata / 2 - reach)), min(n_strata - 1, int(n_strata / 2 + reach))
    h = np.arange(first, last + 1, dtype=np.float64)
    weights = np.exp(-betaln(h + 1, n_strata - h) - log(n_strata) - (n_strata - 1) * log(2))
    return float(min(1.0, (weights * chdtrc(h, value)).sum()))


def _sum_of(times: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """A sum over strata; for many of them BLAS would wake threads, which wait longer than they add."""
    return float(times @ values if len(times) <= _BY_ONE_THREAD else (times * values).sum())


def _breslow_day(strata: StrataHistogram, moments: NDArray[np.float64], n_informative: int) -> float:
    """Breslow and Day's chi-square with Tarone's correction, from exact means and variances."""
    mean, variance = moments[:, 0], moments[:, 1]
    has_any = variance > 0
    times = strata.rows[has_any, 4]
    surplus = strata.rows[has_any, 0] - mean[has_any]
    statistic = times @ (surplus**2 / variance[has_any])
    correction = (times @ surplus) ** 2 / (times @ variance[has_any])
    return float(chdtrc(n_informative - 1, statistic - correction))
