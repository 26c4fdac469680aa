"""Variances when records come in clusters: several of one person, of one ward.

Every estimate of a study is, near the truth, a sum over records (`assess.influences`). Records of one cluster
go together, so their parts are added up first, and the spread of these sums is the variance (Liang and Zeger
1986). Where every record stands for itself, or is one of a weighted sample, it is a cluster of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain import Estimate
from causalrules.kernels.special_functions import stdtr, stdtrit

if TYPE_CHECKING:
    from numpy.typing import NDArray


FEWEST_CLUSTERS = 1.999
"""Of equal size that a variance can be told from: two, but for rounding."""


@dataclass(frozen=True, slots=True)
class ClusterVariance:
    """A variance from sums over clusters, with the number of clusters that it rests on."""

    variance: float
    n_clusters: float


def cluster_variance(
    influence: NDArray[np.float64], clusters: NDArray[np.int64] | None, times: NDArray[np.int64] | None = None
) -> ClusterVariance:
    """Sum of squared sums over clusters, or over records, times G / (G - 1); infinite for a single one.

    Parameters
    ----------
    influence : float64[n]
        Of each record on the estimate, its weight included.
    clusters : int64[n] or None
        The cluster of each; None where every record stands for itself.
    times : int64[n], optional
        How many records there are of each kind; else one.

    Examples
    --------
    >>> cluster_variance(np.array([0.1, 0.1, -0.1, -0.1]), np.array([0, 0, 1, 1]))
    ClusterVariance(variance=0.16000000000000003, n_clusters=2)
    >>> found = cluster_variance(np.array([0.1, -0.1]), None, np.array([2, 2]))
    >>> round(found.variance, 12), found.n_clusters
    (0.053333333333, 4)
    """
    if clusters is None:
        n_units = len(influence) if times is None else int(times.sum())
        total = float((influence**2 if times is None else times * influence**2).sum())
    else:
        units, sums = cluster_sums(influence, clusters, times)
        n_units, total = len(units), float(sums @ sums)
    return ClusterVariance(total * n_units / (n_units - 1) if n_units > 1 else inf, n_units)


def cluster_sums(
    influence: NDArray[np.float64], clusters: NDArray[np.int64], times: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The clusters, and what all records of each add to an estimate."""
    units, number_of = np.unique(clusters, return_inverse=True)
    parts = influence if times is None else times * influence
    return units, np.bincount(number_of, parts, len(units)).astype(np.float64)


def effective_clusters(sizes: NDArray[Any], clusters: NDArray[np.int64] | None) -> float:
    """How many clusters of equal size would tell as much (Kish 1965; Carter, Schnepel and Steigerwald 2017).

    Parameters
    ----------
    sizes : number[n]
        Records, or what they weigh.
    clusters : int64[n] or None
        The cluster of each; None where every record stands for itself.

    Examples
    --------
    >>> effective_clusters(np.array([10, 10, 10]), np.arange(3))
    3.0
    >>> round(effective_clusters(np.array([100, 1, 1]), np.arange(3)), 2)
    1.04
    >>> effective_clusters(np.array([100, 1, 1]), None)
    102.0
    """
    if clusters is None:
        return float(sizes.sum())
    _, number = np.unique(clusters, return_inverse=True)
    sums = np.bincount(number, sizes)
    squares = float(sums @ sums)
    return float(sums.sum()) ** 2 / squares if squares > 0 else 0.0


def clustered_difference(value: float, found: ClusterVariance, confidence: float) -> Estimate:
    """A risk difference with limits from Student's t with G - 1 degrees of freedom."""
    half_width = _half_width(found, confidence)
    return Estimate(value, max(value - half_width, -1.0), min(value + half_width, 1.0))


def clustered_odds_ratio(value: float, found: ClusterVariance, confidence: float) -> Estimate:
    """An odds ratio with limits from Student's t on the logarithmic scale; `found` is of its logarithm."""
    half_width = _half_width(found, confidence)
    if not 0 < value < inf or half_width == inf:
        return Estimate(value, 0.0, inf)
    return Estimate(value, exp(log(value) - half_width), exp(log(value) + half_width))


def clustered_p(value: float, found: ClusterVariance) -> float:
    """Two-sided p-value of an estimate that is 0 without effect (for odds ratios: its logarithm).

    Examples
    --------
    >>> round(clustered_p(0.8, ClusterVariance(0.16, 11)), 3)
    0.073
    """
    if not 0 < found.variance < inf:
        return 1.0
    return float(2 * stdtr(found.n_clusters - 1, -abs(value) / sqrt(found.variance)))


def clustered_test(
    value: float,
    of_ratio: ClusterVariance,
    difference: float,
    of_difference: ClusterVariance,
    confidence: float,
) -> tuple[Estimate, float]:
    """An odds ratio with its interval, and the p-value of no effect.

    The logarithm of an odds ratio of 0 or infinity has no variance, but the risk difference has: there
    that is tested.
    """
    if 0 < value < inf:
        return clustered_odds_ratio(value, of_ratio, confidence), clustered_p(log(value), of_ratio)
    return one_sided(value, difference, of_difference, confidence)


def one_sided(
    value: float, difference: float, of_difference: ClusterVariance, confidence: float
) -> tuple[Estimate, float]:
    """An odds ratio of strata with empty cells, and its p-value: both by the test of the risk difference."""
    p_value = clustered_p(difference, of_difference)
    if p_value > 1 - confidence:
        return Estimate(value, 0.0, inf), p_value
    return (Estimate(value, 1.0, inf) if value > 1 else Estimate(value, 0.0, 1.0)), p_value


def student_quantile(degrees_of_freedom: float, confidence: float) -> float:
    """The quantile of Student's t that leaves half of ``1 - confidence`` above it.

    Examples
    --------
    >>> round(student_quantile(10, 0.95), 3)
    2.228
    """
    return float(stdtrit(degrees_of_freedom, 0.5 + confidence / 2))


def _half_width(found: ClusterVariance, confidence: float) -> float:
    if found.variance == inf:
        return inf
    return student_quantile(found.n_clusters - 1, confidence) * sqrt(found.variance)
