"""Whether the effect of one item depends on another: log odds ratios compared between levels."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clusters import ClusterVariance, cluster_variance, clustered_p
from causalrules.kernels.special_functions import erfc

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_CELL = 5
"""Records of each combination in a stratum, below which the stratum tells nothing."""


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
    third, third_level = between or (np.zeros_like(levels), 0)
    shape = (_n_codes(stratum), _n_codes(third, third_level), _n_codes(levels, level), 2)
    place = np.ravel_multi_index((stratum, third, levels, is_exposed.astype(np.intp)), shape)
    sides = [np.bincount(place, side, prod(shape)).astype(np.float64).reshape(shape) for side in counts.T]
    value, weight, share = _against_others(*_log_odds(sides[0], sides[1]), level)
    if between is None:
        value, weight = value[:, 0], weight[:, 0]
        share = share * weight[:, None, None]
    else:
        value, weight, share_of_third = _against_others(value, weight, third_level)
        share = share * (weight[:, None] * share_of_third)[:, :, None]
    total = float(weight.sum())
    if not total:
        return 1.0
    if cluster is None:
        return float(erfc(abs(float(value @ weight)) / np.sqrt(2 * total)))
    # What the records of a row add to the weighted sum: its cell's share, times what they add to a log odds.
    sign = np.where(is_exposed, 1.0, -1.0)
    adds = [side / (cells.ravel()[place] + 0.5) for side, cells in zip(counts.T, sides, strict=True)]
    influence = share.ravel()[place // 2] * sign * (adds[1] - adds[0])
    is_rare = (levels == level) & (influence != 0)
    n_clusters = min(len(np.unique(cluster[is_rare & arm])) for arm in (is_exposed, ~is_exposed))
    robust = cluster_variance(influence, cluster).variance
    weighted = float(value @ weight)
    return clustered_p(weighted, ClusterVariance(robust, n_clusters)) if n_clusters > 1 else 1.0


def _n_codes(codes: NDArray[np.integer], least: int = 0) -> int:
    return max(int(codes.max(initial=0)), least) + 1


def _log_odds(
    without: NDArray[np.float64], with_outcome: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log odds ratios of tables of (…, unexposed or exposed), and 1/variance: 0 where an arm is too small."""
    is_told = (without + with_outcome).min(axis=-1) >= LEAST_CELL
    odds = np.log((with_outcome + 0.5) / (without + 0.5))
    variance = (1 / (without + 0.5) + 1 / (with_outcome + 0.5)).sum(axis=-1)
    return odds[..., 1] - odds[..., 0], is_told / variance


def _against_others(
    value: NDArray[np.float64], weight: NDArray[np.float64], level: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """A value at one level of the last axis less the others' mean, and 1/variance: 0 where it cannot be had.

    Level 0 is missing, and tells nothing. The third array has the share of every
    level in the difference.

    Examples
    --------
    >>> found = _against_others(np.array([9.0, 2.0, 1.0, 0.0]), np.array([1.0, 4.0, 2.0, 2.0]), 1)
    >>> [one.tolist() for one in found]
    [1.5, 2.0, [-0.0, 1.0, -0.5, -0.5]]
    """
    others = weight.copy()
    others[..., [0, level]] = 0
    pooled = others.sum(axis=-1)
    share = -others / np.where(pooled > 0, pooled, 1)[..., None]
    share[..., level] = 1
    own = weight[..., level]
    both = own + pooled
    difference = (share * np.where(share == 0, 0.0, value)).sum(axis=-1)
    return difference, own * pooled / np.where(both > 0, both, 1), share
