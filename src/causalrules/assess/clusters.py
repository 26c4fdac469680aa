"""Variances when records come in clusters: several of one person, of one ward.

Every estimate of a study is, near the truth, a sum over records. Records of
one cluster go together, so their parts are added up first, and the spread of
these sums is the variance (Liang and Zeger 1986). Pure functions: influences
per stratum and kind of record in, cluster sums out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from causalrules.assess.special_functions import stdtr, stdtrit
from causalrules.domain import Estimate

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


def odds_ratio_influence(cells: NDArray[Any], sizes: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Influence of one record on the logarithm of the Mantel-Haenszel odds ratio.

    Parameters
    ----------
    cells : int64[k, 4]
        One row per stratum: exposed with and without the outcome, unexposed
        with and without; of a weighted sample sums of weights.
    sizes : int64[k, 4], optional
        Records of the cells, where these are sums of weights.

    Returns
    -------
    float64[k, 4]
        For a record of each cell; 0 where the odds ratio is 0 or infinite.

    Notes
    -----
    The estimate solves ΣU = Σ (a₁b₀ - ψ a₀b₁)/n = 0; the influence is U's derivative by
    the cell's count over R = Σ a₁b₀/n. Squared over independent records this
    falls short of U's variance by (n - 1)/n in a stratum of n records, half of
    it for pairs, as one sees from permuting the arms; so it is scaled up by √(n/(n - 1)).
    """
    a1, a0, b1, b0 = cells.astype(np.float64).T
    n = a1 + a0 + b1 + b0
    r, s = float((a1 * b0 / n).sum()), float((a0 * b1 / n).sum())
    if r <= 0 or s <= 0:
        return np.zeros(cells.shape)
    ratio = r / s
    shared = (a1 * b0 - ratio * a0 * b1) / n**2
    slopes = np.stack([b0 / n, -ratio * b1 / n, -ratio * a0 / n, a1 / n]) - shared
    size = (cells if sizes is None else sizes).sum(axis=1)
    influence: NDArray[np.float64] = (slopes * np.sqrt(size / np.maximum(size - 1, 1)) / r).T
    return influence


def difference_influence(cells: NDArray[Any], sizes: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Influence of one record on the standardised risk difference of `assess.standardised`.

    Parameters
    ----------
    cells, sizes
        As in `odds_ratio_influence`.

    Returns
    -------
    float64[k, 4]
        For a record of each cell.

    Notes
    -----
    An exposed record adds its outcome minus its stratum's unexposed risk and
    the overall difference, an unexposed one a/b times its distance from that
    risk. A lone unexposed record has no distance from itself: it is
    measured from the exposed risk less the difference instead.
    """
    of = _Standardised.of(cells, sizes)
    difference = float((of.exposed * (of.p1 - of.p0)).sum()) / of.n_exposed
    exposed_from = np.where(of.is_lone, of.p1, of.p0 + difference)
    unexposed_from = np.where(of.is_lone, of.p1 - difference, of.p0)
    return of.influence(1 - exposed_from, -exposed_from, of.weight, unexposed_from)


def ratio_influence(cells: NDArray[Any], sizes: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Influence of one record on the logarithm of the standardised risk ratio.

    Parameters
    ----------
    cells, sizes
        As in `odds_ratio_influence`.

    Returns
    -------
    float64[k, 4]
        For a record of each cell; 0 where either risk is 0.

    Notes
    -----
    As in `difference_influence`, each risk's part over the risk itself. The outcome of a lone
    unexposed record is measured from the exposed risk over the ratio.
    """
    of = _Standardised.of(cells, sizes)
    exposed = float(cells[:, 0].astype(np.float64).sum()) / of.n_exposed
    unexposed = float((of.exposed * of.p0).sum()) / of.n_exposed
    if exposed <= 0 or unexposed <= 0:
        return np.zeros(cells.shape)
    unexposed_from = np.where(of.is_lone, of.p1 * unexposed / exposed, of.p0)
    # Of an exposed record: its outcome, and what its stratum adds to the risk without exposure.
    shared = -np.where(of.is_lone, of.p1 / exposed, of.p0 / unexposed)
    return of.influence(1 / exposed + shared, shared, of.weight / unexposed, unexposed_from)


class _Standardised(NamedTuple):
    """Strata as they are standardised to the exposed: float64[k] each.

    `p1` and `p0` are the risks of either arm. `is_lone` tells where one unexposed record stands for
    several exposed ones. An unexposed record counts as many exposed ones as there are for each
    (`weight`), and more where its arm is small, since it takes part in the risk it is compared with.
    """

    exposed: NDArray[np.float64]
    n_exposed: float
    p1: NDArray[np.float64]
    p0: NDArray[np.float64]
    is_lone: NDArray[np.bool_]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, cells: NDArray[Any], sizes: NDArray[np.int64] | None) -> _Standardised:
        """Strata by their cells; see `odds_ratio_influence`."""
        a1, a0, b1, b0 = cells.astype(np.float64).T
        a, b = a1 + a0, b1 + b0
        n_a, n_b = _arm_sizes(cells if sizes is None else sizes)
        weight = a / b * np.where(n_b > 1, np.sqrt(n_b / np.maximum(n_b - 1, 1)), 1.0)
        return cls(a, float(a.sum()), a1 / a, b1 / b, (n_b == 1) & (n_a > 1), weight)

    def influence(
        self,
        exposed_with: NDArray[np.float64],
        exposed_without: NDArray[np.float64],
        weight: NDArray[np.float64],
        unexposed_from: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """float64[k, 4]: of a record of each cell; unexposed ones count by their distance from a risk."""
        found = [exposed_with, exposed_without, -weight * (1 - unexposed_from), weight * unexposed_from]
        return np.asarray(np.stack(found).T / self.n_exposed)


def _arm_sizes(cells: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    sizes = cells.astype(np.float64)
    return sizes[:, 0] + sizes[:, 1], sizes[:, 2] + sizes[:, 3]


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
