"""Whether the effect of one item depends on another: log odds ratios compared between levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.assess.clusters import ClusterVariance, cluster_variance, clustered_p

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LEAST_CELL = 5
"""Records of each combination in a stratum, below which the stratum tells nothing."""


class Difference(NamedTuple):
    """A difference of log odds, its variance, and what each row adds to it."""

    value: float
    variance: float
    influence: NDArray[np.float64]


def interaction_p(
    is_exposed: NDArray[np.bool_],
    levels: NDArray[np.uint16],
    level: int,
    stratum: NDArray[np.integer],
    counts: NDArray[np.int64],
    *,
    between: tuple[NDArray[np.uint16], int] | None = None,
    cluster: NDArray[np.int64] | None = None,
) -> float:
    """Two-sided p-value of the log odds ratio of an exposure being the same in one level as in the others.

    Log odds ratios with Woolf's variances, the other levels pooled by their
    weights, strata pooled likewise; missing levels and thin ones tell nothing.
    Of three items it is that contrast which is compared `between` one level of
    a third column and the others. Where rows come in clusters, the variance is
    that of sums over clusters, and Student's t has as many degrees of freedom
    as the rarer level's arm has clusters, less one.

    Examples
    --------
    A confounder of three levels and an exposure without effect in any of them:

    >>> is_exposed = np.array([True, False] * 3)
    >>> levels = np.repeat(np.array([1, 2, 3], np.uint16), 2)
    >>> counts = np.array([[90, 10], [900, 100], [100, 100], [100, 100], [100, 900], [10, 90]])
    >>> interaction_p(is_exposed, levels, 1, np.zeros(6, np.uint16), counts) > 0.8
    True
    """
    from scipy.special import erfc

    def contrast(rows: NDArray[np.bool_]) -> Difference | None:
        return _against_others(rows, levels, level, lambda part: _log_odds(is_exposed, part, counts))

    total = weight = 0.0
    influence = np.zeros(len(counts))
    for here in np.unique(stratum):
        inside = stratum == here
        found = contrast(inside) if between is None else _against_others(inside, *between, contrast)
        if found is not None:
            total += found.value / found.variance
            weight += 1 / found.variance
            influence += found.influence / found.variance
    if not weight:
        return 1.0
    if cluster is None:
        return float(erfc(abs(total) / np.sqrt(2 * weight)))
    is_rare = (levels == level) & (influence != 0)
    n_clusters = min(len(np.unique(cluster[is_rare & arm])) for arm in (is_exposed, ~is_exposed))
    robust = cluster_variance(influence, cluster.astype(np.intp)).variance
    return clustered_p(total, ClusterVariance(robust, n_clusters)) if n_clusters > 1 else 1.0


def _against_others(
    rows: NDArray[np.bool_],
    levels: NDArray[np.uint16],
    level: int,
    measure: Callable[[NDArray[np.bool_]], Difference | None],
) -> Difference | None:
    """A measure in one level less its mean over the others; None where it cannot be had."""
    own = measure(rows & (levels == level))
    others = [
        found
        for other in np.unique(levels[rows])
        if other not in (0, level) and (found := measure(rows & (levels == other)))
    ]
    if own is None or not others:
        return None
    pooled = sum(1 / other.variance for other in others)
    mean = sum(other.value / other.variance for other in others) / pooled
    influence = own.influence.copy()
    for other in others:
        influence -= other.influence / (other.variance * pooled)
    return Difference(own.value - mean, own.variance + 1 / pooled, influence)


def _log_odds(
    is_exposed: NDArray[np.bool_], rows: NDArray[np.bool_], counts: NDArray[np.int64]
) -> Difference | None:
    """Log odds ratio of the exposure among some rows; None where an arm is too small."""
    arms = (rows & is_exposed, rows & ~is_exposed)
    cells = np.array([counts[arm].sum(axis=0) for arm in arms])
    if cells.sum(axis=1).min() < LEAST_CELL:
        return None
    cells = cells + 0.5
    odds = np.log(cells[:, 1] / cells[:, 0])
    influence = np.zeros(len(counts))
    for arm, (without, with_it), sign in zip(arms, cells, (1.0, -1.0), strict=True):
        influence[arm] = sign * (counts[arm, 1] / with_it - counts[arm, 0] / without)
    return Difference(float(odds[0] - odds[1]), float((1 / cells).sum()), influence)
