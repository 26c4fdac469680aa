"""Subgroups and trends where records belong together, or are a weighted sample: variances by the design.

Sums of weights stand in the place of counts, and what records add to an estimate is summed by cluster, as in
the study of all records (`cohort.clustered_study`, `cohort.sampled_study`).
"""

from __future__ import annotations

from dataclasses import dataclass
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
    effective_clusters,
    odds_ratio_influence,
)
from causalrules.assess.equal_effects import GroupEffect
from causalrules.assess.per_unit import slope_by_design
from causalrules.assess.trend import trend_parts
from causalrules.cohort.clustered_study import one_sided
from causalrules.cohort.compare_arms import cells_of
from causalrules.cohort.influences import by_row
from causalrules.domain.unique_rows import number_combinations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.study_rows import StudyRows
    from causalrules.domain import Estimate, Settings
    from causalrules.encode import Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """What a record is worth, and which ones belong together.

    Parameters
    ----------
    weight : float64[n]
        Of a record of each row.
    unit : int64[n] or None
        The cluster of each row, from 0; None where every record stands for itself.
    """

    weight: NDArray[np.float64]
    unit: NDArray[np.int64] | None

    @classmethod
    def of(cls, vocabulary: Vocabulary, codes: NDArray[np.uint16], n_rows: int) -> Design:
        """From the codes of the columns of `places_of`, in their order."""
        weights, n_digits = vocabulary.carries("weights"), vocabulary.n_cluster_digits
        weight = np.ones(n_rows) if weights is None else weights[0].values(codes[n_digits:])
        return cls(weight, number_combinations(codes[:n_digits], n_rows) if n_digits else None)

    def take(self, rows: NDArray[np.intp]) -> Design:
        """That of some rows."""
        return Design(self.weight[rows], None if self.unit is None else self.unit[rows])


def places_of(vocabulary: Vocabulary, settings: Settings) -> list[int]:
    """The coded columns that say which records belong together, and what each is worth; none if none do."""
    if settings.cluster is None and not settings.is_sampled:
        return []
    weights = vocabulary.carries("weights")
    return [*vocabulary.cluster_places.tolist(), *([] if weights is None else weights[1].tolist())]


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
        kept = np.flatnonzero(stratum >= 0)
        rows, stratum, design = rows.take(kept), stratum[kept], design.take(kept)
        sizes, cells = cells_of(rows, stratum), _weighted_cells(rows, stratum, design.weight)
        n_units = _fewest_units(rows, design)

        def spread(by_cell: NDArray[np.float64]) -> tuple[ClusterVariance, dict[int, float]]:
            each = design.weight[:, None] * by_row(rows, stratum, by_cell)
            found, sums = _variance(rows.counts, each, design.unit)
            return ClusterVariance(found if n_units >= FEWEST_CLUSTERS else inf, n_units), sums

        of_ratio, sums = spread(odds_ratio_influence(cells, sizes))
        of_difference, _ = spread(difference_influence(cells, sizes))
        value, risk = _odds_ratio(cells), _risk_difference(cells)
        if 0 < value < inf:
            odds_ratio = clustered_odds_ratio(value, of_ratio, confidence)
            p_value = clustered_p(log(value), of_ratio)
        else:
            p_value = clustered_p(risk, of_difference)
            odds_ratio = one_sided(value, is_significant=p_value <= 1 - confidence)
        difference = clustered_difference(risk, of_difference, confidence)
        logarithm = log(value) if 0 < value < inf else inf
        return cls(odds_ratio, difference, p_value, GroupEffect(logarithm, of_ratio.variance, sums, n_units))


def slope_of_design(
    stratum: NDArray[np.int64], values: NDArray[np.float64], counts: NDArray[np.int64], design: Design
) -> tuple[float, ClusterVariance] | None:
    """The log odds ratio per unit of a number, within strata, and its variance; None where none can tell."""
    found = slope_by_design(stratum, values, counts, design.weight, design.unit)
    n_units = min(_n_units(side, design.unit) for side in counts.T)
    if found is None or n_units < FEWEST_CLUSTERS or not found[1] > 0:
        return None
    return found[0], ClusterVariance(found[1], n_units)


def trend_by_design(
    stratum: NDArray[np.int64], scores: NDArray[np.float64], counts: NDArray[np.int64], design: Design
) -> float | None:
    """The p-value of no trend over the scores, within strata; None where no stratum can tell."""
    parts = trend_parts(stratum, scores, counts, design.weight)
    variance, _ = _variance(counts, parts, design.unit)
    n_units = min(_n_units(side, design.unit) for side in counts.T)
    if n_units < FEWEST_CLUSTERS or not variance > 1e-12:
        return None
    return clustered_p(float((counts * parts).sum()), ClusterVariance(variance, n_units))


def _variance(
    counts: NDArray[np.int64], each: NDArray[np.float64], unit: NDArray[np.int64] | None
) -> tuple[float, dict[int, float]]:
    """The variance of a sum over records, or over clusters, times G/(G - 1), and the clusters' sums."""
    if unit is None:
        n_records = int(counts.sum())
        total = float((counts * each**2).sum())
        return (total * n_records / (n_records - 1) if n_records > 1 else inf), {}
    units, place = np.unique(unit, return_inverse=True)
    sums = np.bincount(place, (counts * each).sum(axis=1), len(units))
    total = float(sums @ sums)
    by_unit = dict(zip(units.tolist(), sums.tolist(), strict=True))
    return (total * len(units) / (len(units) - 1) if len(units) > 1 else inf), by_unit


def _weighted_cells(
    rows: StudyRows, stratum: NDArray[np.int64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sums of weights of every stratum, in the order of `cells_of`."""
    first = 4 * stratum + np.where(rows.exposed, 0, 2)
    n_cells = 4 * (int(stratum.max()) + 1)
    sums = (np.bincount(first + (1 - side), rows.counts[:, side] * weight, n_cells) for side in (0, 1))
    cells: NDArray[np.float64] = sum(sums).astype(np.float64).reshape(-1, 4)  # type: ignore[union-attr]
    return cells


def _odds_ratio(cells: NDArray[np.float64]) -> float:
    """Mantel and Haenszel's."""
    a1, a0, b1, b0 = cells.T
    n = cells.sum(axis=1)
    r, s = float((a1 * b0 / n).sum()), float((a0 * b1 / n).sum())
    return r / s if s > 0 else (inf if r > 0 else 1.0)


def _risk_difference(cells: NDArray[np.float64]) -> float:
    """Standardised to the exposed."""
    a1, a0, b1, b0 = cells.T
    a = a1 + a0
    return float((a1 - a * b1 / (b1 + b0)).sum() / a.sum())


def _fewest_units(rows: StudyRows, design: Design) -> float:
    n_records = rows.counts.sum(axis=1)
    sizes = (n_records * rows.exposed, n_records * ~rows.exposed, rows.counts[:, 0], rows.counts[:, 1])
    return min(_n_units(size, design.unit) for size in sizes)


def _n_units(sizes: NDArray[np.int64], unit: NDArray[np.int64] | None) -> float:
    """Records, or clusters of equal size that tell as much as those of these records."""
    return int(sizes.sum()) if unit is None else effective_clusters(sizes, unit)
