"""How often a rule would be causal again over random pairings."""

from __future__ import annotations

from math import erfc, log, sqrt

from causalrules.assess.odds import critical_value
from causalrules.assess.stratum_sums import sums_of
from causalrules.domain.histogram import StrataHistogram


def pairing_stability(strata: StrataHistogram, confidence: float) -> float:
    """Share of random pairings whose matched-pairs interval lies above 1.

    Means and covariances of n12 and n21 over all maximal pairings are known
    in closed form; the distance of the lower limit from 1 is then taken as
    normal (delta method). With fewer than about ten pairs of either kind the
    share is rough.

    Parameters
    ----------
    strata : StrataHistogram
        The strata of the rule.
    confidence : float
        Confidence of the interval.

    Examples
    --------
    Strata of one against one leave no choice of partners:

    >>> strata = StrataHistogram.from_strata([(1, 0, 0, 1)] * 30 + [(0, 1, 1, 0)] * 10, 0, 0)
    >>> pairing_stability(strata, 0.95)
    1.0
    """
    sums = sums_of(strata)
    n12, n21 = max(sums.n12, 1.0), max(sums.n21, 1.0)
    critical = critical_value(confidence)
    error = sqrt(1 / n12 + 1 / n21)
    distance = log(n12 / n21) - critical * error
    slope12 = 1 / n12 + critical / (2 * error * n12**2) if sums.n12 > 1 else 0.0
    slope21 = -1 / n21 + critical / (2 * error * n21**2) if sums.n21 > 1 else 0.0
    variance = slope12**2 * sums.var12 + slope21**2 * sums.var21 + 2 * slope12 * slope21 * sums.covariance
    if variance <= 1e-15:
        return 1.0 if distance > 0 else 0.0
    return 0.5 * erfc(-distance / sqrt(2 * variance))
