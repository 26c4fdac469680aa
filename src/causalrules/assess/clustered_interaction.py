"""Whether effects in several groups are one and the same, where records of a cluster may be in all of them.

References
----------
Korn and Graubard, Simultaneous testing of regression coefficients with complex survey data: use of
Bonferroni t statistics, The American Statistician 1990;44:270-276. The adjusted Wald test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.special_functions import betainc

if TYPE_CHECKING:
    from numpy.typing import NDArray


def equal_effects_p(
    effects: NDArray[np.float64], sums: NDArray[np.float64], n_clusters: int, fewest: int
) -> float | None:
    """The p-value of equal effects; None where there are too few clusters to tell.

    With q differences between groups, Wald's statistic W of these, and d degrees of freedom,
    W(d - q + 1)/(d q) is F of q and d - q + 1.

    Parameters
    ----------
    effects : float64[q + 1]
        Of each group, such as log odds ratios.
    sums : float64[q + 1, clusters]
        What the records of each cluster add to each effect.
    n_clusters : int
        Clusters that have any of these records.
    fewest : int
        Clusters that the effect known least rests on; d is one less.

    Examples
    --------
    Of two groups it is Student's test of their difference.

    >>> sums = np.array([[0.1, -0.1, 0.2, -0.2, 0, 0], [0, 0, 0.1, -0.1, 0.3, -0.3]])
    >>> from causalrules.assess.clusters import ClusterVariance, cluster_variance, clustered_p
    >>> by_t = clustered_p(0.9, cluster_variance(sums[0] - sums[1], np.arange(6)))
    >>> found = equal_effects_p(np.array([1.0, 0.1]), sums, 6, 6)
    >>> round(by_t, 6) == round(found, 6)
    True
    """
    q, d = len(effects) - 1, fewest - 1
    free = d - q + 1
    if q < 1 or free < 1 or n_clusters < 2:
        return None
    contrast = effects[1:] - effects[0]
    parts = sums[1:] - sums[0]
    covariance = parts @ parts.T * n_clusters / (n_clusters - 1)
    if np.linalg.matrix_rank(covariance) < q:
        return None
    wald = float(contrast @ np.linalg.solve(covariance, contrast))
    ratio = wald * free / (d * q)
    return float(betainc(free / 2, q / 2, free / (free + q * ratio)))
