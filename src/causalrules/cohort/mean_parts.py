"""Means of a numeric outcome in parts of a study: in subgroups of its records, and level against level.

Records, strata and what is compared of each value are those of the whole study (`cohort.mean_study`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.assess.clusters import (
    FEWEST_CLUSTERS,
    ClusterVariance,
    cluster_sums,
    cluster_variance,
    clustered_p,
    effective_clusters,
)
from causalrules.assess.equal_effects import GroupEffect
from causalrules.assess.mean_difference import (
    UNKNOWN,
    MeanDifference,
    ValuedRecords,
    mean_influence,
)
from causalrules.assess.trend import mantel_trend, trend_of_values
from causalrules.cohort.mean_study import compare_means, what_is_left
from causalrules.domain.unique_rows import number_combinations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.cohort.study_records import StudyRecords
    from causalrules.cohort.study_rows import StudyRows


class PartCompared(NamedTuple):
    """One part of a study: its difference of means, and the same as one of several effects."""

    means: MeanDifference
    effect: GroupEffect

    @property
    def is_informative(self) -> bool:
        """Whether the difference has an interval: strata have both arms, and units are not too few."""
        return self.means.variance < np.inf


@dataclass(frozen=True, slots=True, eq=False)
class ValuesInStrata:
    """Records in strata, with what is compared of their values.

    Parameters
    ----------
    records : StudyRecords
        The records, with the codes of further columns.
    stratum : int64[n]
        Of each kind of them.
    exposed : bool[n]
        Its arm.
    value : float64[n]
        What is compared.
    """

    records: StudyRecords
    stratum: NDArray[np.int64]
    exposed: NDArray[np.bool_]
    value: NDArray[np.float64]

    @classmethod
    def of(
        cls, rows: StudyRows, study: ArmsCompared, records: StudyRecords, stratum: NDArray[np.int64]
    ) -> ValuesInStrata:
        """The values of a study's records, by the strata of its rows; -1 leaves a row out."""
        within = records.within(stratum)
        return cls(within, stratum[within.row], rows.exposed[within.row], what_is_left(rows, study, within))

    def compare(
        self, chosen: NDArray[np.bool_], exposed: NDArray[np.bool_], confidence: float
    ) -> PartCompared:
        """Compare some of the records.

        Parameters
        ----------
        chosen : bool[n]
            Which kinds of records.
        exposed : bool[n]
            Which of these are compared with the others.
        confidence : float
            Confidence of the interval.
        """
        n_strata = int(self.stratum.max(initial=-1)) + 1
        has_both = np.ones(n_strata, np.bool_)
        for arm in (exposed, ~exposed):
            has_both &= np.bincount(self.stratum[chosen & arm], minlength=n_strata) > 0
        kept = np.flatnonzero(chosen & has_both[self.stratum])
        if not len(kept):
            return PartCompared(UNKNOWN, GroupEffect(np.nan, np.inf, {}, 0))
        records = self.records.take(kept)
        stratum = number_combinations([self.stratum[kept]], len(kept))
        valued = ValuedRecords(stratum, exposed[kept], self.value[kept], records.times, records.weight)
        means = compare_means(valued, records, confidence)
        sums = _sums_by_cluster(valued, records.cluster)
        effect = GroupEffect(means.difference.value, means.variance, sums, means.freedom + 1)
        return PartCompared(means, effect)

    def trend_p(self, scores: NDArray[np.float64]) -> float | None:
        """The p-value of no trend of the values over scores, within strata; NaN leaves a record out.

        None where no stratum can tell.
        """
        kept = np.flatnonzero(np.isfinite(scores))
        records, scores = self.records.take(kept), scores[kept]
        value = self.value[kept] / (float(np.std(self.value[kept])) or 1.0)  # whatever its unit
        stratum = number_combinations([self.stratum[kept]], len(kept))
        if records.cluster is None and not records.design.is_weighted:
            return mantel_trend(stratum, scores, value, records.times)
        parts = trend_of_values(stratum, scores, value, records.times, records.weight)
        variance = cluster_variance(parts, records.cluster, records.times).variance
        n_units = effective_clusters(records.times, records.cluster)
        if n_units < FEWEST_CLUSTERS or not variance > 1e-12:
            return None
        return clustered_p(float(records.times @ parts), ClusterVariance(variance, n_units))


def _sums_by_cluster(valued: ValuedRecords, cluster: NDArray[np.int64] | None) -> dict[int, float]:
    """What each cluster adds to a difference of means; nothing where every record stands for itself."""
    if cluster is None:
        return {}
    units, sums = cluster_sums(valued.weight * mean_influence(valued), cluster, valued.times)
    return dict(zip(units.tolist(), sums.tolist(), strict=True))
