"""Whether effects in several groups are one and the same, where their variances are those of a design.

References
----------
Korn and Graubard, Simultaneous testing of regression coefficients with complex survey data: use of
Bonferroni t statistics, The American Statistician 1990;44:270-276. The adjusted Wald test.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.special_functions import betainc

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


class GroupEffect(NamedTuple):
    """The effect in one group.

    Parameters
    ----------
    value, variance : float
        Such as a log odds ratio, or a difference of means; the variance is infinite where nobody can tell.
    sums : mapping of int to float
        What each cluster adds to it; empty where every record stands for itself.
    n_units : float
        Clusters of equal size, or records, that it rests on.
    """

    value: float
    variance: float
    sums: Mapping[int, float]
    n_units: float

    @property
    def is_known(self) -> bool:
        """Whether effect and variance are known."""
        return isfinite(self.value) and 0 < self.variance < inf


def interaction_between(groups: Sequence[GroupEffect]) -> float | None:
    """The p-value of one effect in all groups that can tell; None where fewer than two can."""
    known = [one for one in groups if one.is_known]
    if len(known) < 2:
        return None
    units = sorted({unit for one in known for unit in one.sums})
    if units:
        sums = np.array([[one.sums.get(unit, 0.0) for unit in units] for one in known])
        covariance = sums @ sums.T * len(units) / (len(units) - 1)
    else:  # every record is in one group
        covariance = np.diag([one.variance for one in known])
    effects = np.array([one.value for one in known])
    return equal_effects_p(effects, covariance, min(one.n_units for one in known))


def equal_effects_p(
    effects: NDArray[np.float64], covariance: NDArray[np.float64], n_units: float
) -> float | None:
    """The p-value of equal effects; None where there are too few units to tell.

    With q differences between groups, Wald's statistic W of these, and d degrees of freedom,
    W(d - q + 1)/(d q) is F of q and d - q + 1.

    Parameters
    ----------
    effects : float64[q + 1]
        Of each group, such as log odds ratios.
    covariance : float64[q + 1, q + 1]
        Of these; a cluster may be in several groups.
    n_units : float
        Clusters of equal size, or records, that the effect known least rests on; d is one less.

    Examples
    --------
    Of two groups it is Student's test of their difference.

    >>> from causalrules.assess.clusters import ClusterVariance, clustered_p
    >>> found = equal_effects_p(np.array([1.0, 0.1]), np.array([[0.2, 0.05], [0.05, 0.1]]), 9)
    >>> round(found, 6) == round(clustered_p(0.9, ClusterVariance(0.2 + 0.1 - 2 * 0.05, 9)), 6)
    True
    """
    q, d = len(effects) - 1, n_units - 1
    free = d - q + 1
    if q < 1 or free < 1:
        return None
    to_first = np.eye(q + 1)[1:] - np.eye(q + 1)[0]
    contrast, spread = to_first @ effects, to_first @ covariance @ to_first.T
    if np.linalg.matrix_rank(spread) < q:
        return None
    wald = float(contrast @ np.linalg.solve(spread, contrast))
    ratio = wald * free / (d * q)
    return float(betainc(free / 2, q / 2, free / (free + q * ratio)))
