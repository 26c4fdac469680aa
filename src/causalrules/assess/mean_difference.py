"""Difference of means within strata, standardised to the exposed records that found partners.

The estimand is that of `assess.standardised` with a number in the place of the
outcome: every stratum's unexposed mean is weighted by its exposed records. Pure
functions: kinds of records (stratum, arm, value, how many) in, numbers out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.assess.clusters import (
    FEWEST_CLUSTERS,
    cluster_variance,
    effective_clusters,
    student_quantile,
)
from causalrules.domain import Estimate
from causalrules.kernels.special_functions import stdtr

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class ValuedRecords:
    """Records of strata with both arms, those alike in all of this as one kind.

    Parameters
    ----------
    stratum : int64[n]
        From 0, without gaps.
    exposed : bool[n]
        The arm.
    value : float64[n]
        The outcome.
    times : int64[n]
        How many records are of this kind.
    weight : float64[n]
        What each of them counts; 1 unless records are a weighted sample.
    """

    stratum: NDArray[np.int64]
    exposed: NDArray[np.bool_]
    value: NDArray[np.float64]
    times: NDArray[np.int64]
    weight: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """The means of the exposed, as they are and as they would be without exposure.

    Parameters
    ----------
    exposed_mean, unexposed_mean : float
        Of the exposed records in strata with both arms; the second from their unexposed partners.
    difference : Estimate
        Of the two.
    p_value : float
        Two-sided, of no difference.
    variance, freedom : float
        Of the difference, and the degrees of freedom that it is known with.
    """

    exposed_mean: float
    unexposed_mean: float
    difference: Estimate
    p_value: float
    variance: float = inf
    freedom: float = 0.0


UNKNOWN = MeanDifference(nan, nan, Estimate(0.0, -inf, inf), 1.0)
"""Where nothing can be compared."""


@dataclass(frozen=True, slots=True, eq=False)
class _Strata:
    """Means and records of every stratum; `a` and `b` are sums of weights, exposed first."""

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    n_a: NDArray[np.float64]
    n_b: NDArray[np.float64]
    exposed_mean: NDArray[np.float64]
    unexposed_mean: NDArray[np.float64]

    @classmethod
    def of(cls, records: ValuedRecords) -> _Strata:
        place = 2 * records.stratum + records.exposed
        n_places = 2 * (int(records.stratum.max()) + 1)
        whole = records.times * records.weight
        centre = float((whole * records.value).sum() / whole.sum())

        def summed(values: NDArray[Any]) -> NDArray[np.float64]:
            return np.bincount(place, values, n_places).reshape(-1, 2).astype(np.float64)

        sums, sizes, counts = summed(whole * (records.value - centre)), summed(whole), summed(records.times)
        means = sums / sizes + centre
        return cls(
            sizes[:, 1], sizes[:, 0], counts[:, 1], counts[:, 0], np.copy(means[:, 1]), np.copy(means[:, 0])
        )

    @property
    def share(self) -> NDArray[np.float64]:
        """What each stratum counts: its share of the exposed."""
        share: NDArray[np.float64] = self.a / self.a.sum()
        return share

    @property
    def means(self) -> tuple[float, float]:
        """Of the exposed, with exposure and without."""
        return float((self.share * self.exposed_mean).sum()), float((self.share * self.unexposed_mean).sum())


def mean_difference(records: ValuedRecords, confidence: float) -> MeanDifference:
    """Compare means within strata; every record counts alike and stands for itself.

    Notes
    -----
    The variance is the sum over strata of squared shares times s₁²/a + s₀²/b, as in a regression with a mean
    for every arm of every stratum and heteroscedasticity-consistent variances (HC2;
    MacKinnon and White 1985). A lone record has no s²; there the whole stratum's
    difference is held against the common one, which for pairs is the variance of the paired t-test. Limits
    come from Student's t with the degrees of freedom of Bell and McCaffrey (2002), Satterthwaite's for
    equal variances: few where some unexposed records stand for many exposed ones.

    Examples
    --------
    Four pairs:

    >>> stratum, exposed = np.repeat(np.arange(4), 2), np.tile([True, False], 4)
    >>> value, ones = np.array([5.0, 3, 6, 5, 8, 4, 7, 6]), np.ones(8, np.int64)
    >>> found = mean_difference(ValuedRecords(stratum, exposed, value, ones, np.ones(8)), 0.95)
    >>> found.difference.value, round(found.p_value, 4)
    (2.0, 0.0663)
    """
    if not len(records.stratum):
        return UNKNOWN
    strata = _Strata.of(records)
    exposed, unexposed = strata.means
    difference, share = exposed - unexposed, strata.share
    a, b = strata.a, strata.b
    within = _variances_within(records, strata)
    is_lone = (a < 2) | (b < 2)
    # Of a lone stratum: how far its difference is from the common one, which takes some part in it.
    apart = strata.exposed_mean - strata.unexposed_mean - difference
    left = 1 - 2 * share + float((share**2).sum())
    alone = apart**2 / np.maximum(left, 1e-300)
    variance = float((share**2 * np.where(is_lone, alone, within)).sum())
    if len(a) == 1 and is_lone.all():
        return MeanDifference(exposed, unexposed, Estimate(difference, -inf, inf), 1.0)
    return _judged(exposed, unexposed, variance, _degrees_of_freedom(a, b, share), confidence)


def _variances_within(records: ValuedRecords, strata: _Strata) -> NDArray[np.float64]:
    """s₁²/a + s₀²/b of every stratum; 0 in the place of what a lone record does not tell."""
    means = np.where(
        records.exposed, strata.exposed_mean[records.stratum], strata.unexposed_mean[records.stratum]
    )
    squares = records.times * (records.value - means) ** 2
    sums = np.bincount(2 * records.stratum + records.exposed, squares, 2 * len(strata.a)).reshape(-1, 2)
    a, b = strata.a, strata.b
    found: NDArray[np.float64] = sums[:, 1] / np.maximum(a - 1, 1) / a + sums[:, 0] / np.maximum(b - 1, 1) / b
    return found


def _degrees_of_freedom(a: NDArray[np.float64], b: NDArray[np.float64], share: NDArray[np.float64]) -> float:
    is_lone = (a < 2) | (b < 2)
    n_lone = int(np.count_nonzero(is_lone))
    thick = 1 / (a**2 * np.maximum(a - 1, 1)) + 1 / (b**2 * np.maximum(b - 1, 1))
    # All lone strata together have one degree of freedom less than there are.
    lone = (1 / a + 1 / b) ** 2 * (n_lone / max(n_lone - 1, 1))
    whole = float((share**2 * (1 / a + 1 / b)).sum())
    return max(whole**2 / float((share**4 * np.where(is_lone, lone, thick)).sum()), 1.0)


def mean_influence(records: ValuedRecords) -> NDArray[np.float64]:
    """Influence of one record of each kind, of weight 1, on the difference of means.

    Notes
    -----
    It is the derivative by a record's weight (Taylor linearisation): an exposed record adds its value minus
    its stratum's unexposed mean and the overall difference, an unexposed one a/b times its distance from
    that mean, scaled up by √(n/(n - 1)) for the n unexposed records that the mean was taken from. A lone
    unexposed record has no distance from itself: it is measured from the exposed mean less the difference.
    """
    strata = _Strata.of(records)
    exposed, unexposed = strata.means
    difference, n_b = exposed - unexposed, strata.n_b
    is_lone = (n_b == 1) & (strata.n_a > 1)
    exposed_from = np.where(is_lone, strata.exposed_mean, strata.unexposed_mean + difference)
    unexposed_from = np.where(is_lone, strata.exposed_mean - difference, strata.unexposed_mean)
    scale = strata.a / strata.b * np.where(n_b > 1, np.sqrt(n_b / np.maximum(n_b - 1, 1)), 1.0)
    of_exposed = records.value - exposed_from[records.stratum]
    of_unexposed = -scale[records.stratum] * (records.value - unexposed_from[records.stratum])
    influence: NDArray[np.float64] = np.where(records.exposed, of_exposed, of_unexposed) / strata.a.sum()
    return influence


def linearised_difference(
    records: ValuedRecords, cluster: NDArray[np.int64] | None, confidence: float
) -> MeanDifference:
    """Compare means of a weighted sample, or of records that belong together.

    Parameters
    ----------
    records : ValuedRecords
        With their weights.
    cluster : int64[n], optional
        Which records belong together; None where every record stands for itself.
    confidence : float
        Confidence of the interval.

    Notes
    -----
    The variance is that of the sums over clusters (or records) of weight times influence, times G/(G - 1).
    Student's t has as many degrees of freedom as the arm with fewer clusters (or records) has of
    them, less one; clusters of unequal size count as those of equal size that tell as much.
    """
    if not len(records.stratum):
        return UNKNOWN
    exposed, unexposed = _Strata.of(records).means
    variance = cluster_variance(records.weight * mean_influence(records), cluster, records.times).variance
    arms = (records.exposed, ~records.exposed)
    n_units = min(effective_clusters(records.times * arm, cluster) for arm in arms)
    if n_units < FEWEST_CLUSTERS:
        return MeanDifference(exposed, unexposed, Estimate(exposed - unexposed, -inf, inf), 1.0)
    return _judged(exposed, unexposed, variance, n_units - 1, confidence)


def _judged(
    exposed: float, unexposed: float, variance: float, freedom: float, confidence: float
) -> MeanDifference:
    difference, error = exposed - unexposed, sqrt(variance)
    if not 0 < error < inf:
        is_certain = error == 0 and difference != 0
        limits = (difference, difference) if error == 0 else (-inf, inf)
        p_value = 0.0 if is_certain else 1.0
        return MeanDifference(exposed, unexposed, Estimate(difference, *limits), p_value, variance, freedom)
    half_width = student_quantile(freedom, confidence) * error
    interval = Estimate(difference, difference - half_width, difference + half_width)
    p_value = float(2 * stdtr(freedom, -abs(difference) / error))
    return MeanDifference(exposed, unexposed, interval, p_value, variance, freedom)
