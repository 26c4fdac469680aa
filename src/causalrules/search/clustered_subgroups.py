"""The effect in subgroups where records belong together: estimates of records, variances of clusters."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clustered_interaction import equal_effects_p
from causalrules.assess.clusters import (
    ClusterVariance,
    cluster_variance,
    clustered_difference,
    clustered_odds_ratio,
    clustered_p,
    difference_influence,
    odds_ratio_influence,
)
from causalrules.assess.standardised import standardise
from causalrules.assess.stratum_sums import sums_of
from causalrules.cohort.clustered_study import one_sided
from causalrules.cohort.compare_arms import cells_of, histogram_of
from causalrules.cohort.influences import by_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.study_rows import StudyRows
    from causalrules.domain import Estimate


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredGroup:
    """One subgroup of a study.

    Parameters
    ----------
    odds_ratio, difference : Estimate
        With limits from clusters.
    p_value : float
        Of no effect.
    sums : float64[clusters]
        What each cluster of the study adds to the logarithm of the odds ratio.
    fewest : int
        Clusters that the estimates rest on: the fewest of those with exposed records, unexposed ones, the
        outcome and without it.
    """

    odds_ratio: Estimate
    difference: Estimate
    p_value: float
    sums: NDArray[np.float64]
    fewest: int

    @classmethod
    def of(
        cls,
        rows: StudyRows,
        stratum: NDArray[np.int64],
        cluster: NDArray[np.intp],
        n_clusters: int,
        confidence: float,
    ) -> ClusteredGroup:
        """Compare the arms of a subgroup.

        Parameters
        ----------
        rows : StudyRows
            Its records, by row and cluster.
        stratum : int64[n]
            Of each row; -1 where nobody is comparable.
        cluster : intp[n]
            Of each row, from 0.
        n_clusters : int
            Of the whole study.
        confidence : float
            Confidence of the intervals.
        """
        cells, histogram = cells_of(rows, stratum), histogram_of(rows, stratum)
        pooled = sums_of(histogram)
        value = pooled.r / pooled.s if pooled.s > 0 else (inf if pooled.r > 0 else 1.0)
        by_ratio, by_difference = (
            np.bincount(cluster, (rows.counts * by_row(rows, stratum, found)).sum(axis=1), n_clusters).astype(
                np.float64
            )
            for found in (odds_ratio_influence(cells), difference_influence(cells))
        )
        fewest = _fewest(rows, stratum, cluster)
        own = np.unique(cluster[stratum >= 0])
        of_ratio, of_difference = (
            ClusterVariance(cluster_variance(sums[own], np.arange(len(own))).variance, fewest)
            if fewest > 1
            else ClusterVariance(inf, fewest)
            for sums in (by_ratio, by_difference)
        )
        risk = standardise(histogram, confidence).difference.value
        if 0 < value < inf:
            odds_ratio = clustered_odds_ratio(value, of_ratio, confidence)
            p_value = clustered_p(log(value), of_ratio)
        else:
            p_value = clustered_p(risk, of_difference)
            odds_ratio = one_sided(value, is_significant=p_value <= 1 - confidence)
        difference = clustered_difference(risk, of_difference, confidence)
        return cls(odds_ratio, difference, p_value, by_ratio, fewest)


def interaction_between(groups: Sequence[ClusteredGroup]) -> float | None:
    """The p-value of one odds ratio in all groups that can tell; None where fewer than two can."""
    telling = [one for one in groups if 0 < one.odds_ratio.value < inf and one.fewest > 1 and one.sums.any()]
    if len(telling) < 2:
        return None
    sums = np.stack([one.sums for one in telling])
    effects = np.array([log(one.odds_ratio.value) for one in telling])
    n_clusters = int(np.count_nonzero(sums.any(axis=0)))
    return equal_effects_p(effects, sums, n_clusters, min(one.fewest for one in telling))


def _fewest(rows: StudyRows, stratum: NDArray[np.int64], cluster: NDArray[np.intp]) -> int:
    is_compared = stratum >= 0
    kinds = (rows.exposed, ~rows.exposed, rows.counts[:, 0] > 0, rows.counts[:, 1] > 0)
    return min(len(np.unique(cluster[is_compared & kind])) for kind in kinds)
