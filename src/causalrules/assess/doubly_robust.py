"""A second opinion: the doubly robust estimate of the same risk difference.

Augmented inverse probability weighting is right if either the model of the
exposure or that of the outcome is (Robins, Rotnitzky and Zhao, JASA 1994). The
estimand is the effect among the exposed records that found partners, as in
`assess.standardised`, so that the two may be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.assess.clusters import student_quantile
from causalrules.domain import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

HIGHEST_PROPENSITY = 0.99
"""An unexposed record stands for at most 99 exposed ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """What every kind of record adds to a risk difference.

    Parameters
    ----------
    value : float
        The estimate.
    influence : float64[n_rows, 2]
        Influence of one record without, and one with the outcome; summed over
        all records it is 0, and the sum of squares is the variance.
    degrees_of_freedom : float
        Satterthwaite's, from the weights: few where some unexposed records
        stand for many exposed ones; at most as many as there are outcomes.
    """

    value: float
    influence: NDArray[np.float64]
    degrees_of_freedom: float


def doubly_robust_difference(
    exposed: NDArray[np.bool_],
    counts: NDArray[np.int64],
    propensity: NDArray[np.float64],
    unexposed_risk: NDArray[np.float64],
    confidence: float,
) -> Estimate:
    """Risk difference among the exposed, by augmented weighting.

    Parameters
    ----------
    exposed : bool[n_rows]
        The arm of each unique row.
    counts : int64[n_rows, 2]
        Records without and with the outcome.
    propensity : float64[n_rows]
        Fitted P(exposed | controls).
    unexposed_risk : float64[n_rows]
        Fitted P(outcome | controls, unexposed).
    confidence : float
        Confidence of the interval.

    Examples
    --------
    Without controls it is the plain difference of 4/10 and 2/10:

    >>> estimate = doubly_robust_difference(
    ...     np.array([True, False]), np.array([[6, 4], [8, 2]]), np.full(2, 0.5), np.full(2, 0.2), 0.95
    ... )
    >>> round(estimate.value, 12)
    0.2
    """
    found = doubly_robust_contributions(exposed, counts, propensity, unexposed_risk)
    if found is None:
        return Estimate(0.0, -1.0, 1.0)
    spread = sqrt(float((counts * found.influence**2).sum()))
    return with_limits(found.value, student_quantile(found.degrees_of_freedom, confidence) * spread)


def doubly_robust_contributions(
    exposed: NDArray[np.bool_],
    counts: NDArray[Any],
    propensity: NDArray[np.float64],
    unexposed_risk: NDArray[np.float64],
) -> Contributions | None:
    """The estimate and the influence of every kind of record; None without exposed records."""
    n_exposed = float(counts[exposed].sum())
    if n_exposed == 0:
        return None
    odds = np.minimum(propensity, HIGHEST_PROPENSITY)
    odds = odds / (1 - odds)
    weight = np.where(exposed, 1.0, -odds) / n_exposed
    residual = np.array([0.0, 1.0]) - unexposed_risk[:, None]
    pieces = weight[:, None] * residual
    value = float((counts * pieces).sum())
    squared = weight * weight
    # Not by `@`: for so many rows it wakes threads that cost more than the sum.
    shares = (counts[:, 0] + counts[:, 1]) * squared
    freedom = float(shares.sum()) ** 2 / float((shares * squared).sum())
    freedom = max(min(freedom, float(counts[:, 0].sum()), float(counts[:, 1].sum())), 1.0)
    return Contributions(value, pieces - (exposed * value / n_exposed)[:, None], freedom)


def with_limits(value: float, half_width: float) -> Estimate:
    """An interval that stays within the risk differences that there are."""
    if half_width == inf:
        return Estimate(value, -1.0, 1.0)
    return Estimate(value, max(value - half_width, -1.0), min(value + half_width, 1.0))
