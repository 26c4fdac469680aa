"""A study of a weighted sample: estimates for the population, with variances by the sampling design.

Sums of weights stand in the place of counts. Every estimate is then a function
of weighted sums over records, and its variance that of the sums of weight times
influence over records, or over clusters where these were sampled (Taylor
linearisation; Binder, International Statistical Review 1983).
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, log
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clusters import (
    FEWEST_CLUSTERS,
    ClusterVariance,
    clustered_difference,
    clustered_odds_ratio,
    clustered_p,
    difference_influence,
    odds_ratio_influence,
    ratio_influence,
)
from causalrules.assess.doubly_robust import doubly_robust_contributions
from causalrules.assess.mantel_haenszel import log_odds_ratio_variance
from causalrules.assess.mean_difference import linearised_variance, n_units_of
from causalrules.assess.standardised import StandardisedRisks
from causalrules.assess.stratum_sums import sums_of
from causalrules.cohort.clustered_study import one_sided
from causalrules.cohort.compare_arms import CrudeComparison, cells_of
from causalrules.cohort.influences import by_row

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.cohort.study_records import StudyRecords
    from causalrules.cohort.study_rows import StudyRows


def with_sampling(
    rows: StudyRows, study: ArmsCompared, records: StudyRecords, confidence: float
) -> ArmsCompared:
    """Put weighted estimates, with intervals and a p-value by the design, in the place of a study's own.

    Parameters
    ----------
    rows, study
        What was compared, and what was found; the scores must be fitted with the weights.
    records : StudyRecords
        The same records by outcome and weight, and by cluster where there are any.
    confidence : float
        Confidence of all intervals.

    Notes
    -----
    Strata, and what was estimated to make them, count as given. Student's t has as many degrees of freedom
    as there are sampled units in the smallest of four groups, less one: exposed, unexposed, with the
    outcome, and without.
    """
    compared = records.within(study.stratum)
    if not len(compared.row):
        return study
    sizes = cells_of(rows, study.stratum)
    cells = _weighted_cells(rows, study.stratum, compared)
    exposed, is_case = rows.exposed[compared.row], compared.is_case
    groups = (exposed, ~exposed, is_case, ~is_case)
    fewest = min(n_units_of(compared.times, compared.cluster, group) for group in groups)
    side = is_case.astype(np.intp)

    def variance(influence: NDArray[np.float64]) -> ClusterVariance:
        parts = compared.weight * influence[compared.row, side]
        found = linearised_variance(compared.times, parts, compared.cluster)
        return ClusterVariance(found if fewest >= FEWEST_CLUSTERS else inf, fewest)

    def of_cells(by_cell: NDArray[np.float64]) -> ClusterVariance:
        return variance(by_row(rows, study.stratum, by_cell))

    opposite = [1, 0, 3, 2]
    p1, p0 = _risks(cells)
    of_difference = of_cells(difference_influence(cells, sizes))
    difference = clustered_difference(p1 - p0, of_difference, confidence)
    ratio = clustered_odds_ratio(_ratio(p1, p0), of_cells(ratio_influence(cells, sizes)), confidence)
    of_opposite = of_cells(ratio_influence(cells[:, opposite], sizes[:, opposite])[:, opposite])
    of_ratio = of_cells(odds_ratio_influence(cells, sizes))
    value = _odds_ratio(cells)
    if 0 < value < inf:
        odds_ratio = clustered_odds_ratio(value, of_ratio, confidence)
        p_value = clustered_p(log(value), of_ratio)
    else:
        p_value = clustered_p(p1 - p0, of_difference)
        odds_ratio = one_sided(value, is_significant=p_value <= 1 - confidence)
    alone = log_odds_ratio_variance(sums_of(study.strata))
    n_clusters = 0 if compared.cluster is None else len(np.unique(compared.cluster))
    found = replace(
        study,
        crude=_crude(rows, records, confidence),
        odds_ratio=replace(study.odds_ratio, odds_ratio=odds_ratio, p_value=p_value, is_exact=False),
        risks=StandardisedRisks(p1, p0, difference, ratio),
        opposite_ratio=clustered_odds_ratio(_ratio(1 - p1, 1 - p0), of_opposite, confidence),
        n_clusters=n_clusters,
        design_effect=max(of_ratio.variance / alone, 1.0) if 0 < alone < inf else 1.0,
    )
    if not np.isfinite(study.second_opinion.value):
        return found
    opinion, influence = _second_opinion(rows, study, compared)
    return replace(found, second_opinion=clustered_difference(opinion, variance(influence), confidence))


def _crude(rows: StudyRows, records: StudyRecords, confidence: float) -> CrudeComparison:
    """The weighted odds ratio and risks of all records, nothing held."""
    whole = np.zeros(rows.n_rows, np.int64)
    cells, sizes = _weighted_cells(rows, whole, records), cells_of(rows, whole)
    influence = by_row(rows, whole, odds_ratio_influence(cells, sizes))
    parts = records.weight * influence[records.row, records.is_case.astype(np.intp)]
    n_units = n_units_of(records.times, records.cluster, records.times > 0)
    variance = linearised_variance(records.times, parts, records.cluster)
    value = _odds_ratio(cells)
    odds_ratio = clustered_odds_ratio(value, ClusterVariance(variance, n_units), confidence)
    return CrudeComparison(odds_ratio, *_risks(cells), is_weighted=records.are_weighted)


def _weighted_cells(
    rows: StudyRows, stratum: NDArray[np.int64], records: StudyRecords
) -> NDArray[np.float64]:
    """Sums of weights of every stratum, in the order of `cells_of`."""
    place = 4 * stratum[records.row] + np.where(rows.exposed[records.row], 0, 2) + ~records.is_case
    n_cells = 4 * (int(stratum.max()) + 1)
    cells: NDArray[np.float64] = np.bincount(place, records.times * records.weight, n_cells).astype(
        np.float64
    )
    return cells.reshape(-1, 4)


def _odds_ratio(cells: NDArray[np.float64]) -> float:
    a1, a0, b1, b0 = cells.T
    n = cells.sum(axis=1)
    r, s = float((a1 * b0 / n).sum()), float((a0 * b1 / n).sum())
    return r / s if s > 0 else (inf if r > 0 else 1.0)


def _risks(cells: NDArray[np.float64]) -> tuple[float, float]:
    a1, a0, b1, b0 = cells.T
    a = a1 + a0
    return float(a1.sum() / a.sum()), float((a * b1 / (b1 + b0)).sum() / a.sum())


def _ratio(first: float, second: float) -> float:
    return first / second if second > 0 else (inf if first > 0 else 1.0)


def _second_opinion(
    rows: StudyRows, study: ArmsCompared, compared: StudyRecords
) -> tuple[float, NDArray[np.float64]]:
    """The weighted doubly robust risk difference, and the influence of a record of each row and outcome."""
    weighted = compared.weighted_counts(rows.n_rows)
    kept = np.flatnonzero(study.stratum >= 0)
    found = doubly_robust_contributions(
        rows.exposed[kept], weighted[kept], study.propensity[kept], study.unexposed_risk[kept]
    )
    assert found is not None
    influence = np.zeros((rows.n_rows, 2))
    influence[kept] = found.influence
    return found.value, influence
