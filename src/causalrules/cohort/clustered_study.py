"""A study of records that belong together: the same estimates, with intervals and tests from clusters.

An engine counts records by unique row and cluster; what each adds to an
estimate (`cohort.influences`) is summed by cluster, and the spread of these
sums is the variance. With records of one person as independent ones, 25-50 % of tables
of noise were significant (tests/unit/cohort/test_influences.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, log
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clusters import (
    FEWEST_CLUSTERS,
    ClusterVariance,
    cluster_variance,
    clustered_difference,
    clustered_odds_ratio,
    clustered_p,
    difference_influence,
    effective_clusters,
    odds_ratio_influence,
)
from causalrules.assess.mantel_haenszel import log_odds_ratio_variance
from causalrules.assess.odds import odds_ratio_of_table
from causalrules.assess.stratum_sums import sums_of
from causalrules.cohort.compare_arms import CrudeComparison, cells_of
from causalrules.cohort.influences import by_row, influences_of
from causalrules.domain import Estimate
from causalrules.domain.unique_rows import number_combinations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.arms import Arms
    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.cohort.study_rows import StudyRows
    from causalrules.domain.unique_rows import UniqueRows


@dataclass(frozen=True, slots=True, eq=False)
class ClusterRows:
    """The records of a study by row and cluster.

    Parameters
    ----------
    row : intp[n]
        Row of the study.
    cluster : int64[n]
        From 0.
    counts : int64[n, 2]
        Records without and with the outcome.
    """

    row: NDArray[np.intp]
    cluster: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, rows: UniqueRows, by_cluster: UniqueRows, arms: Arms) -> ClusterRows:
        """From unique rows, and the same with the clusters' columns after the others."""
        n_columns = len(rows.columns)
        row_of = rows.find(by_cluster.codes[:n_columns])
        place = np.full(rows.n_rows, -1, np.intp)
        place[arms.kept] = np.arange(len(arms.kept))
        is_kept = place[row_of] >= 0
        cluster = number_combinations(by_cluster.codes[n_columns:], by_cluster.n_rows)
        return cls(place[row_of][is_kept], cluster[is_kept], by_cluster.counts[is_kept])

    def within(self, stratum: NDArray[np.int64]) -> ClusterRows:
        """Those of records that are compared."""
        is_compared = stratum[self.row] >= 0
        return ClusterRows(self.row[is_compared], self.cluster[is_compared], self.counts[is_compared])

    def variance(self, influence: NDArray[np.float64], n_clusters: float) -> ClusterVariance:
        """Of an estimate, from the influence of a record of each row without and with the outcome."""
        contributions = (self.counts * influence[self.row]).sum(axis=1)
        found = cluster_variance(contributions, self.cluster.astype(np.intp))
        return ClusterVariance(found.variance if n_clusters >= FEWEST_CLUSTERS else inf, n_clusters)


def with_clusters(
    rows: StudyRows, study: ArmsCompared, records: ClusterRows, confidence: float
) -> ArmsCompared:
    """Put cluster-robust intervals and a cluster-robust p-value in the place of a study's own.

    Limits come from Student's t. Its degrees of freedom are those of the
    smallest of four numbers of clusters: with exposed records, unexposed ones, the outcome,
    and without it. A variance is not known better than by those that vary, nor by many small
    ones beside a large one: of each kind as many count as would tell as much if they were equal.

    Parameters
    ----------
    rows, study
        What was compared, and what was found.
    records : ClusterRows
        The same records by cluster.
    confidence : float
        Confidence of all intervals.
    """
    compared = records.within(study.stratum)
    fewest = _fewest_clusters(rows, compared)
    found = influences_of(rows, study)
    sums = sums_of(study.strata)
    value = sums.r / sums.s if sums.s > 0 else (inf if sums.r > 0 else 1.0)
    of_difference = compared.variance(found.difference, fewest)
    difference = clustered_difference(study.risks.difference.value, of_difference, confidence)
    of_ratio = compared.variance(found.odds_ratio, fewest)
    if 0 < value < inf:
        odds_ratio = clustered_odds_ratio(value, of_ratio, confidence)
        p_value = clustered_p(log(value), of_ratio)
    else:  # one-sided: the logarithm has no variance, the difference has
        p_value = clustered_p(study.risks.difference.value, of_difference)
        odds_ratio = one_sided(value, is_significant=p_value <= 1 - confidence)
    alone = log_odds_ratio_variance(sums)
    of_risk_ratio, of_opposite, of_opinion = (
        compared.variance(influence, fewest)
        for influence in (found.ratio, found.opposite_ratio, found.second_opinion)
    )
    return replace(
        study,
        odds_ratio=replace(study.odds_ratio, odds_ratio=odds_ratio, p_value=p_value, is_exact=False),
        risks=replace(
            study.risks,
            difference=difference,
            ratio=clustered_odds_ratio(study.risks.ratio.value, of_risk_ratio, confidence),
        ),
        opposite_ratio=clustered_odds_ratio(study.opposite_ratio.value, of_opposite, confidence),
        second_opinion=clustered_difference(study.second_opinion.value, of_opinion, confidence),
        crude=_crude(rows, records, confidence),
        n_clusters=len(np.unique(compared.cluster)),
        design_effect=max(of_ratio.variance / alone, 1.0) if 0 < alone < inf else 1.0,
    )


def _crude(rows: StudyRows, records: ClusterRows, confidence: float) -> CrudeComparison:
    """The odds ratio and risks of all records, nothing held; a zero cell counts as 1, as in every study."""
    whole = np.zeros(rows.n_rows, np.int64)
    cells, fewest = cells_of(rows, whole), _fewest_clusters(rows, records)
    a1, a0, b1, b0 = (int(cell) for cell in cells[0])
    value = odds_ratio_of_table((a1, a0, b1, b0), confidence).value
    p1, p0 = a1 / max(a1 + a0, 1), b1 / max(b1 + b0, 1)
    if min(a1, a0, b1, b0) > 0:
        influence = by_row(rows, whole, odds_ratio_influence(cells))
        odds_ratio = clustered_odds_ratio(value, records.variance(influence, fewest), confidence)
    else:
        influence = by_row(rows, whole, difference_influence(cells))
        p_value = clustered_p(p1 - p0, records.variance(influence, fewest))
        odds_ratio = one_sided(value, is_significant=p_value <= 1 - confidence)
    return CrudeComparison(odds_ratio, p1, p0)


def _fewest_clusters(rows: StudyRows, compared: ClusterRows) -> float:
    """Clusters of equal size that tell as much as those of the rarest kind of record do."""
    n_records, cluster = compared.counts.sum(axis=1), compared.cluster
    exposed = rows.exposed[compared.row]
    sizes = (n_records * exposed, n_records * ~exposed, compared.counts[:, 0], compared.counts[:, 1])
    return min(effective_clusters(size, cluster) for size in sizes)


def one_sided(value: float, *, is_significant: bool) -> Estimate:
    """An odds ratio of 0 or infinity, whose logarithm has no variance, with limits by its test."""
    if not is_significant:
        return Estimate(value, 0.0, inf)
    return Estimate(value, 1.0, inf) if value > 1 else Estimate(value, 0.0, 1.0)
