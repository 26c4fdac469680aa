"""Subgroups and trends where records belong together, or are a weighted sample: variances by the design.

The estimates are those of the study of all records, see `cohort.design_study`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clusters import (
    FEWEST_CLUSTERS,
    ClusterVariance,
    cluster_sums,
    cluster_variance,
    clustered_difference,
    clustered_p,
    clustered_test,
    effective_clusters,
)
from causalrules.assess.equal_effects import GroupEffect
from causalrules.assess.influences import odds_ratio_influence
from causalrules.assess.per_unit import slope_by_design
from causalrules.assess.trend import trend_parts
from causalrules.cohort.design_study import ByDesign
from causalrules.cohort.study_records import StudyRecords

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.study_records import Design
    from causalrules.cohort.study_rows import StudyRows
    from causalrules.domain import Estimate


@dataclass(frozen=True, slots=True, eq=False)
class GroupByDesign:
    """One subgroup of a study.

    Parameters
    ----------
    odds_ratio, difference : Estimate
        For the population, with limits by the design.
    p_value : float
        Of no effect.
    effect : GroupEffect
        The logarithm of the odds ratio; it rests on the fewest clusters, or records, of those with exposed
        records, unexposed ones, the outcome and without it.
    """

    odds_ratio: Estimate
    difference: Estimate
    p_value: float
    effect: GroupEffect

    @classmethod
    def of(
        cls, rows: StudyRows, stratum: NDArray[np.int64], design: Design, confidence: float
    ) -> GroupByDesign:
        """Compare the arms of a subgroup.

        Parameters
        ----------
        rows : StudyRows
            Its records, those of one row alike in cluster and weight.
        stratum : int64[n]
            Of each row; -1 where nobody is comparable.
        design : Design
            Of the rows.
        confidence : float
            Confidence of the intervals.
        """
        records = StudyRecords.of(np.arange(rows.n_rows), rows.counts, design)
        compared = ByDesign.of(rows, stratum, records)
        exposed_risk, unexposed_risk = compared.risks
        difference, of_difference = exposed_risk - unexposed_risk, compared.of_difference
        parts = compared.parts(odds_ratio_influence(compared.cells, compared.sizes))
        of_ratio = compared.variance(parts)
        odds_ratio, p_value = clustered_test(
            compared.odds_ratio, of_ratio, difference, of_difference, confidence
        )
        within, sums = compared.records, {}
        if within.cluster is not None:
            units, by_unit = cluster_sums(parts, within.cluster, within.times)
            sums = dict(zip(units.tolist(), by_unit.tolist(), strict=True))
        interval = clustered_difference(difference, of_difference, confidence)
        logarithm = log(compared.odds_ratio) if 0 < compared.odds_ratio < inf else inf
        effect = GroupEffect(logarithm, of_ratio.variance, sums, compared.n_units)
        return cls(odds_ratio, interval, p_value, effect)


def slope_of_design(
    stratum: NDArray[np.int64], values: NDArray[np.float64], counts: NDArray[np.int64], design: Design
) -> tuple[float, ClusterVariance] | None:
    """The log odds ratio per unit of a number, within strata, and its variance; None where none can tell."""
    found = slope_by_design(stratum, values, counts, design.weight, design.cluster)
    n_units = min(effective_clusters(side, design.cluster) for side in counts.T)
    if found is None or n_units < FEWEST_CLUSTERS or not found[1] > 0:
        return None
    return found[0], ClusterVariance(found[1], n_units)


def trend_by_design(
    stratum: NDArray[np.int64], scores: NDArray[np.float64], counts: NDArray[np.int64], design: Design
) -> float | None:
    """The p-value of no trend over the scores, within strata; None where no stratum can tell."""
    parts = trend_parts(stratum, scores, counts, design.weight)
    records = StudyRecords.of(np.arange(len(counts)), counts, design)
    parts = parts[records.row, records.is_case.astype(np.intp)]
    variance = cluster_variance(parts, records.cluster, records.times).variance
    n_units = min(effective_clusters(side, design.cluster) for side in counts.T)
    if n_units < FEWEST_CLUSTERS or not variance > 1e-12:
        return None
    return clustered_p(float((records.times * parts).sum()), ClusterVariance(variance, n_units))
