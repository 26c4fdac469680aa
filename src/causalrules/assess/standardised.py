"""Risk difference and risk ratio, standardised to the exposed records that found partners.

Every stratum's unexposed risk is weighted by its exposed records: what the
exposed would have met without exposure.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clusters import student_quantile
from causalrules.domain import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram


@dataclass(frozen=True, slots=True)
class StandardisedRisks:
    """The risks of the exposed, as they are and as they would be without exposure.

    Parameters
    ----------
    exposed_risk, unexposed_risk : float
        Of the exposed records in strata with both arms; the second from their
        unexposed partners.
    difference, ratio : Estimate
        Of the two.
    """

    exposed_risk: float
    unexposed_risk: float
    difference: Estimate
    ratio: Estimate


def standardise(strata: StrataHistogram, confidence: float, remaining: float = 0.0) -> StandardisedRisks:
    """Standardise to the exposed records in the strata.

    Parameters
    ----------
    strata : StrataHistogram
        The strata, each with both arms.
    confidence : float
        Confidence of the intervals.
    remaining : float
        By how much the risk of the exposed, were they unexposed, exceeds that of their partners: what
        strata that are alike only nearly leave of a difference. It is taken off, but at
        most half of the partners' risk or of what it lacks to 1.

    Notes
    -----
    The variance of a stratum's share is estimated without bias by
    p (1 - p) · n / (n - 1), which one record alone cannot give: it would be
    0/0, and the plug-in p (1 - p) just 0. But over both arms
    p₁q₁ + p₀q₀ = p₁q₀ + p₀q₁ - (p₁ - p₀)², and p₁q₀ and p₀q₁ are estimated
    without bias however thin a stratum is. So a lone record's variance is
    what the other arm's leaves of that sum, with the common difference in
    the last term (Sato 1989 uses the same for the Mantel-Haenszel difference).
    Limits come from Student's t with Satterthwaite's degrees of freedom, since a few unexposed
    records that stand for many exposed ones do not give a variance that one can rely on.

    Examples
    --------
    Eight pairs; in five of them only the exposed record has the outcome:

    >>> from causalrules.domain.histogram import StrataHistogram
    >>> pairs = StrataHistogram.from_strata([(1, 0, 0, 1)] * 5 + [(0, 1, 0, 1)] * 2 + [(1, 0, 1, 0)], 0, 0)
    >>> risks = standardise(pairs, 0.95)
    >>> risks.exposed_risk, risks.unexposed_risk, risks.difference.value
    (0.75, 0.125, 0.625)
    """
    if not len(strata.rows):
        return StandardisedRisks(nan, nan, Estimate(0.0, -1.0, 1.0), Estimate(1.0, 0.0, inf))
    a1, a0, b1, b0, times = strata.rows.astype(np.float64).T
    a, b = a1 + a0, b1 + b0
    n_exposed = float(times @ a)
    exposed = float(times @ a1) / n_exposed
    of_partners = float(times @ (a * b1 / b)) / n_exposed
    most = min(of_partners, 1 - of_partners) / 2
    unexposed = of_partners + min(max(remaining, -most), most)
    of_exposed, of_unexposed = _record_variances(a1, a0, b1, b0, exposed - unexposed)
    exposed_variance = max(float(times @ (a * of_exposed)), 0.0) / n_exposed**2
    unexposed_variance = max(float(times @ (a * a / b * of_unexposed)), 0.0) / n_exposed**2
    effective = n_exposed**2 / float(times @ (a * a / b))
    exposed_variance = max(exposed_variance, _least_variance(exposed, n_exposed))
    unexposed_variance = max(unexposed_variance, _least_variance(of_partners, effective))
    n_outcomes = min(float(times @ (a1 + b1)), float(times @ (a0 + b0)))
    z = student_quantile(_degrees_of_freedom(times, a, b, n_outcomes), confidence)
    return StandardisedRisks(
        exposed,
        unexposed,
        _difference(exposed - unexposed, z * sqrt(exposed_variance + unexposed_variance)),
        _ratio(exposed, unexposed, n_exposed, effective, exposed_variance, unexposed_variance, z),
    )


def _degrees_of_freedom(
    times: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64], n_outcomes: float
) -> float:
    """How well the variance is known.

    Satterthwaite's degrees of freedom are few where some unexposed records
    stand for many exposed ones; and no variance of shares is known better
    than by as many records as differ from the others in their outcome.
    """
    freedom = float(times @ (a + a**2 / b)) ** 2 / float(times @ (a + a**4 / b**3))
    return max(min(freedom, n_outcomes), 1.0)


def _record_variances(
    a1: NDArray[np.float64],
    a0: NDArray[np.float64],
    b1: NDArray[np.float64],
    b0: NDArray[np.float64],
    difference: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Variance of one record's outcome in each arm, stratum by stratum; see `standardise`."""
    a, b = a1 + a0, b1 + b0
    both = (a1 * b0 + a0 * b1) / (a * b) - difference**2
    of_exposed = a1 * a0 / (a * np.maximum(a - 1, 1))
    of_unexposed = b1 * b0 / (b * np.maximum(b - 1, 1))
    # Two lone records: the sum is known, and only the sum matters as long as both weigh the same.
    split = np.where((a == 1) & (b == 1), both / 2, 0.0)
    of_exposed = np.where(a == 1, np.where(b == 1, split, both - of_unexposed), of_exposed)
    of_unexposed = np.where(b == 1, np.where(a == 1, split, both - of_exposed), of_unexposed)
    return of_exposed, of_unexposed


def _least_variance(risk: float, n: float) -> float:
    """An arm in which all or none have the outcome is not known for sure: as if half a record differed."""
    if 0 < risk < 1:
        return 0.0
    return 0.5 * (n + 0.5) / (n + 1) ** 3


def _difference(value: float, half_width: float) -> Estimate:
    return Estimate(value, max(value - half_width, -1.0), min(value + half_width, 1.0))


def _ratio(
    exposed: float,
    unexposed: float,
    n_exposed: float,
    effective: float,
    exposed_variance: float,
    unexposed_variance: float,
    z: float,
) -> Estimate:
    """Normal on the logarithmic scale; an arm without outcomes has half of one for its limits."""
    if exposed == 0 and unexposed == 0:
        return Estimate(1.0, 0.0, inf)
    p1 = exposed if exposed > 0 else 0.5 / (n_exposed + 1)
    p0 = unexposed if unexposed > 0 else 0.5 / (effective + 1)
    half_width = z * sqrt(exposed_variance / p1**2 + unexposed_variance / p0**2)
    value = exposed / unexposed if unexposed > 0 else inf
    low = 0.0 if exposed == 0 else exp(log(p1 / p0) - half_width)
    high = inf if unexposed == 0 else exp(log(p1 / p0) + half_width)
    return Estimate(value, low, high)
