"""Studies whose records belong together, or are a weighted sample: intervals and tests by the design.

Sums of weights stand in the place of counts. Every estimate is then, near the truth, a sum over records of
weight times influence (`assess.influences`), and its variance that of these parts: of each record, or of the
sums over clusters (Taylor linearisation; Binder, International Statistical Review 1983). Strata and scores
count as given: that they were estimated from the same records is not in the variance.

With records of one person as independent ones, 25-50 % of tables of noise were significant
(tests/unit/cohort/test_design_study.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clusters import (
    FEWEST_CLUSTERS,
    ClusterVariance,
    cluster_variance,
    clustered_difference,
    clustered_odds_ratio,
    clustered_test,
    effective_clusters,
    one_sided,
)
from causalrules.assess.doubly_robust import doubly_robust_contributions
from causalrules.assess.effects import ratio_of
from causalrules.assess.influences import difference_influence, odds_ratio_influence, ratio_influence
from causalrules.assess.odds import odds_ratio_of_table
from causalrules.assess.standardised import StandardisedRisks
from causalrules.assess.stratum_sums import sums_of
from causalrules.cohort.compare_arms import CrudeComparison, cells_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.cohort.study_records import StudyRecords
    from causalrules.cohort.study_rows import StudyRows
    from causalrules.domain import Estimate


@dataclass(frozen=True, slots=True, eq=False)
class ByDesign:
    """The arms within strata, with what tells how sure a comparison of them is.

    Parameters
    ----------
    rows, stratum
        What is compared: rows, and the stratum of each, -1 for those without partners.
    records : StudyRecords
        The records in strata.
    cells : float64[k, 4]
        Sums of weights of every stratum: exposed with and without the outcome, unexposed likewise.
    sizes : int64[k, 4]
        Records, likewise.
    n_units : float
        Clusters of equal size, or records, that estimates rest on: the fewest of those with exposed records,
        unexposed ones, the outcome and without it. A variance is not known better than by those that vary.
    """

    rows: StudyRows
    stratum: NDArray[np.int64]
    records: StudyRecords
    cells: NDArray[np.float64]
    sizes: NDArray[np.int64]
    n_units: float

    @classmethod
    def of(cls, rows: StudyRows, stratum: NDArray[np.int64], records: StudyRecords) -> ByDesign:
        """From the records of the rows, those without partners among them."""
        records = records.within(stratum)
        exposed, is_case = rows.exposed[records.row], records.is_case
        groups = (exposed, ~exposed, is_case, ~is_case)
        n_units = min(effective_clusters(records.times * group, records.cluster) for group in groups)
        cells, sizes = records.weighted_cells(rows, stratum), cells_of(rows, stratum)
        return cls(rows, stratum, records, cells, sizes, n_units)

    @property
    def odds_ratio(self) -> float:
        """The odds ratio of Mantel and Haenszel."""
        a1, a0, b1, b0 = self.cells.T
        n = self.cells.sum(axis=1)
        return ratio_of(float((a1 * b0 / n).sum()), float((a0 * b1 / n).sum()))

    @property
    def risks(self) -> tuple[float, float]:
        """Risks of the exposed: with exposure, and without it, which is that of their partners."""
        a1, a0, b1, b0 = self.cells.T
        a = a1 + a0
        return float(a1.sum() / a.sum()), float((a * b1 / (b1 + b0)).sum() / a.sum())

    def parts(self, by_cell: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each kind of record adds to an estimate, from the influence of a record of every cell."""
        row = self.records.row
        cell = np.where(self.rows.exposed[row], 0, 2) + ~self.records.is_case
        found: NDArray[np.float64] = self.records.weight * by_cell[self.stratum[row], cell]
        return found

    def variance(self, parts: NDArray[np.float64]) -> ClusterVariance:
        """Variance of an estimate, from what each kind of record adds; infinite where these are too few."""
        found = cluster_variance(parts, self.records.cluster, self.records.times).variance
        return ClusterVariance(found if self.n_units >= FEWEST_CLUSTERS else inf, self.n_units)

    @property
    def of_odds_ratio(self) -> ClusterVariance:
        """Variance of the logarithm of the odds ratio."""
        return self.variance(self.parts(odds_ratio_influence(self.cells, self.sizes)))

    @property
    def of_difference(self) -> ClusterVariance:
        """Variance of the risk difference."""
        return self.variance(self.parts(difference_influence(self.cells, self.sizes)))

    def of_risk_ratio(self, *, opposite: bool = False) -> ClusterVariance:
        """Variance of the logarithm of the ratio of risks: of the outcome, or of being without it."""
        order = [1, 0, 3, 2] if opposite else [0, 1, 2, 3]
        influence = ratio_influence(self.cells[:, order], self.sizes[:, order])[:, order]
        return self.variance(self.parts(influence))


def with_design(
    rows: StudyRows, study: ArmsCompared, records: StudyRecords, confidence: float
) -> ArmsCompared:
    """Put intervals and a p-value by the design, and weighted estimates, in the place of a study's own.

    Limits come from Student's t with one degree of freedom less than `ByDesign.n_units`.

    Parameters
    ----------
    rows, study
        What was compared, and what was found; scores of a weighted sample must be fitted with the weights.
    records : StudyRecords
        The same records, and those without partners, by weight and cluster.
    confidence : float
        Confidence of all intervals.
    """
    if rows.n_exposed and rows.n_unexposed:
        study = replace(study, crude=_crude(rows, records, confidence))
    compared = ByDesign.of(rows, study.stratum, records)
    if not len(compared.records.row):
        return study
    exposed_risk, unexposed_risk = study.risks.exposed_risk, study.risks.unexposed_risk
    difference, ratio = study.risks.difference.value, study.risks.ratio.value
    opposite = study.opposite_ratio.value
    if records.design.is_weighted:
        exposed_risk, unexposed_risk = compared.risks
        difference, ratio = exposed_risk - unexposed_risk, ratio_of(exposed_risk, unexposed_risk)
        opposite = ratio_of(1 - exposed_risk, 1 - unexposed_risk)
    of_ratio, of_difference = compared.of_odds_ratio, compared.of_difference
    odds_ratio, p_value = clustered_test(compared.odds_ratio, of_ratio, difference, of_difference, confidence)
    alone, cluster = sums_of(study.strata).log_odds_ratio_variance, compared.records.cluster
    return replace(
        study,
        odds_ratio=replace(study.odds_ratio, odds_ratio=odds_ratio, p_value=p_value, is_exact=False),
        risks=StandardisedRisks(
            exposed_risk,
            unexposed_risk,
            clustered_difference(difference, of_difference, confidence),
            clustered_odds_ratio(ratio, compared.of_risk_ratio(), confidence),
        ),
        opposite_ratio=clustered_odds_ratio(opposite, compared.of_risk_ratio(opposite=True), confidence),
        second_opinion=_second_opinion(study, compared, confidence),
        n_clusters=0 if cluster is None else len(np.unique(cluster)),
        design_effect=max(of_ratio.variance / alone, 1.0) if 0 < alone < inf else 1.0,
    )


def _crude(rows: StudyRows, records: StudyRecords, confidence: float) -> CrudeComparison:
    """The odds ratio and risks of all records, nothing held; a zero count is 1, as in every study."""
    everybody = ByDesign.of(rows, np.zeros(rows.n_rows, np.int64), records)
    if records.design.is_weighted:
        parts = everybody.parts(odds_ratio_influence(everybody.cells, everybody.sizes))
        variance = cluster_variance(parts, records.cluster, records.times).variance
        found = ClusterVariance(variance, effective_clusters(records.times, records.cluster))
        odds_ratio = clustered_odds_ratio(everybody.odds_ratio, found, confidence)
        return CrudeComparison(odds_ratio, *everybody.risks, is_weighted=True)
    a1, a0, b1, b0 = everybody.sizes[0].tolist()
    value = odds_ratio_of_table((a1, a0, b1, b0), confidence).value
    p1, p0 = a1 / max(a1 + a0, 1), b1 / max(b1 + b0, 1)
    if min(a1, a0, b1, b0) > 0:
        odds_ratio = clustered_odds_ratio(value, everybody.of_odds_ratio, confidence)
    else:
        odds_ratio, _ = one_sided(value, p1 - p0, everybody.of_difference, confidence)
    return CrudeComparison(odds_ratio, p1, p0)


def _second_opinion(study: ArmsCompared, compared: ByDesign, confidence: float) -> Estimate:
    """The doubly robust risk difference of the records in strata; as it is where none was asked for."""
    if not np.isfinite(study.second_opinion.value):
        return study.second_opinion
    rows, records = compared.rows, compared.records
    kept = np.flatnonzero(study.stratum >= 0)
    found = doubly_robust_contributions(
        rows.exposed[kept],
        records.weighted_counts(rows.n_rows)[kept],
        study.propensity[kept],
        study.unexposed_risk[kept],
    )
    assert found is not None
    influence = np.zeros((rows.n_rows, 2))
    influence[kept] = found.influence
    parts = records.weight * influence[records.row, records.is_case.astype(np.intp)]
    return clustered_difference(found.value, compared.variance(parts), confidence)
