"""A study whose outcome is a number: the difference of its means among the same records.

Strata, scores and balance are those of the study of the number's upper half (`cohort.compare_arms`), since
they hold the controls whatever the outcome is. An engine counts records by unique row and value; means
follow from these counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clusters import (
    FEWEST_CLUSTERS,
    cluster_variance,
    effective_clusters,
    student_quantile,
)
from causalrules.assess.doubly_robust import HIGHEST_PROPENSITY
from causalrules.assess.mean_difference import (
    UNKNOWN,
    MeanDifference,
    ValuedRecords,
    linearised_difference,
    mean_difference,
)
from causalrules.cohort.compare_arms import with_cells
from causalrules.cohort.score_design import LEVEL_OF_OUTCOME, design_of
from causalrules.cohort.study_rows import StudyRows
from causalrules.domain import Estimate
from causalrules.kernels.cholesky import factorise, solve
from causalrules.kernels.information import fill_information, room_for, shared_with_previous
from causalrules.kernels.logistic import fill_gradient, linear_predictor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.cohort.study_records import StudyRecords


@dataclass(frozen=True, slots=True, eq=False)
class MeansCompared:
    """What a study found of means.

    Parameters
    ----------
    adjusted, crude : MeanDifference
        Within strata, and between all records of the arms.
    spread : float
        Standard deviation of the outcome over all records of the arms.
    second_opinion : Estimate
        The doubly robust difference of the same records; not a number where no models were fitted.
    varies : bool
        Whether the outcome varies among the records compared.
    """

    adjusted: MeanDifference
    crude: MeanDifference
    spread: float
    second_opinion: Estimate
    varies: bool


def with_means(
    rows: StudyRows, study: ArmsCompared, records: StudyRecords, confidence: float, *, with_opinion: bool
) -> ArmsCompared:
    """Add the means of a numeric outcome to a study of its upper half.

    Parameters
    ----------
    rows, study
        What was compared, and what was found.
    records : StudyRecords
        The same records by value, and by weight and cluster where there are any.
    confidence : float
        Confidence of all intervals.
    with_opinion : bool
        Whether to fit the model of the second opinion.
    """
    everybody = _valued(rows, records, np.zeros(rows.n_rows, np.int64))
    within = records.within(study.stratum)
    compared = _valued(rows, within, study.stratum)
    adjusted = compare_means(compared, within, confidence)
    if study.method != "exact" and adjusted is not UNKNOWN:
        left = replace(compared, value=what_is_left(rows, study, within))
        found = compare_means(left, within, confidence)
        without = adjusted.exposed_mean - found.difference.value
        adjusted = replace(found, exposed_mean=adjusted.exposed_mean, unexposed_mean=without)
    opinion = Estimate(np.nan, np.nan, np.nan)
    if with_opinion and len(compared.stratum):
        opinion = _second_opinion(rows, study, records, confidence)
    return replace(
        study,
        mean=MeansCompared(
            adjusted,
            compare_means(everybody, records, confidence),
            _spread(everybody),
            opinion,
            bool(np.ptp(compared.value) > 0) if len(compared.value) else False,
        ),
    )


def _valued(rows: StudyRows, records: StudyRecords, stratum: NDArray[np.int64]) -> ValuedRecords:
    return ValuedRecords(
        stratum[records.row], rows.exposed[records.row], records.value, records.times, records.weight
    )


def compare_means(valued: ValuedRecords, records: StudyRecords, confidence: float) -> MeanDifference:
    """The difference of means within strata, by the design of the records.

    Parameters
    ----------
    valued : ValuedRecords
        What is compared, in strata with both arms.
    records : StudyRecords
        The same records: which of them belong together, and whether they are weighted.
    confidence : float
        Confidence of the interval.
    """
    if len(valued.exposed) == 0 or valued.exposed.all() or not valued.exposed.any():
        return UNKNOWN
    if records.cluster is None and not records.design.is_weighted:
        return mean_difference(valued, confidence)
    return linearised_difference(valued, records.cluster, confidence)


def what_is_left(rows: StudyRows, study: ArmsCompared, records: StudyRecords) -> NDArray[np.float64]:
    """What is compared of every value: all of it, or in strata of scores what is left beyond expectation.

    Strata of scores have a width, and those of a number's upper half are blind to how far above the middle
    its values lie, which is where costs and incomes have most of their mean (Abadie and Imbens 2011). So the
    mean expected without exposure is taken off.

    Parameters
    ----------
    rows, study
        What was compared, and what was found.
    records : StudyRecords
        Those in strata.
    """
    if study.method == "exact" or not len(records.row):
        return records.value
    kept = np.flatnonzero(study.stratum >= 0)
    expected = np.full(rows.n_rows, np.nan)
    expected[kept] = expected_without_exposure(rows, study.exact_on, records, kept)
    left: NDArray[np.float64] = records.value - expected[records.row]
    return left


def _spread(records: ValuedRecords) -> float:
    whole = records.times * records.weight
    total = float(whole.sum())
    if total <= 0:
        return 0.0
    mean = float((whole * records.value).sum()) / total
    n_records = int(records.times.sum())
    variance = float((whole * (records.value - mean) ** 2).sum()) / total
    return sqrt(variance * n_records / max(n_records - 1, 1))


def _second_opinion(
    rows: StudyRows, study: ArmsCompared, records: StudyRecords, confidence: float
) -> Estimate:
    """The doubly robust difference among the exposed records in strata (see `assess.doubly_robust`)."""
    kept = np.flatnonzero(np.isfinite(study.propensity))
    expected = np.full(rows.n_rows, np.nan)
    expected[kept] = expected_without_exposure(rows, study.exact_on, records, kept)
    compared = records.within(study.stratum)
    row, whole = compared.row, compared.times * compared.weight
    exposed = rows.exposed[row]
    n_exposed = float(whole[exposed].sum())
    chance = np.minimum(study.propensity, HIGHEST_PROPENSITY)
    factor = np.where(rows.exposed, 1.0, -chance / (1 - chance))[row] / n_exposed
    piece = factor * (compared.value - expected[row])
    value = float((whole * piece).sum())
    influence = piece - exposed * value / n_exposed
    if compared.cluster is None and not compared.design.is_weighted:
        variance = float((compared.times * influence**2).sum())
        squared = factor**2
        freedom = float((compared.times * squared).sum()) ** 2 / float((compared.times * squared**2).sum())
    else:
        variance = cluster_variance(compared.weight * influence, compared.cluster, compared.times).variance
        in_arms = (compared.times * exposed, compared.times * ~exposed)
        freedom = min(effective_clusters(sizes, compared.cluster) for sizes in in_arms) - 1
    if freedom < FEWEST_CLUSTERS - 1 or variance == inf:
        return Estimate(value, -inf, inf)
    half_width = student_quantile(max(freedom, 1.0), confidence) * sqrt(variance)
    return Estimate(value, value - half_width, value + half_width)


def expected_without_exposure(
    rows: StudyRows, exact_on: tuple[str, ...], records: StudyRecords, kept: NDArray[np.intp]
) -> NDArray[np.float64]:
    """The mean that controls let expect of a record without exposure, by ridge regression.

    The design is that of the scores (`cohort.score_design`), with the arm in it; the outcome is divided by
    its standard deviation, so that penalties weigh as they do for log odds.

    Parameters
    ----------
    rows : StudyRows
        Of the study.
    exact_on : tuple of str
        Categories that are held exactly, which may act together.
    records : StudyRecords
        The values.
    kept : intp[n]
        The rows that take part.

    Returns
    -------
    float64[n]
    """
    whole = records.times * records.weight
    sizes = np.bincount(records.row, whole, rows.n_rows)[kept].astype(np.float64)
    sums = np.bincount(records.row, whole * records.value, rows.n_rows)[kept]
    squares = np.bincount(records.row, whole * records.value**2, rows.n_rows)[kept]
    total = float(sizes.sum())
    mean = float(sums.sum()) / total
    spread = sqrt(max(float(squares.sum()) / total - mean**2, 0.0)) or 1.0
    some = rows.take(kept)
    if records.design.is_weighted:
        some = StudyRows(some.exposed, np.stack([0 * sizes, sizes], axis=1), some.controls)
    modelled = with_cells(some, exact_on)
    design = design_of(modelled)
    kinds, (values, totals) = design.with_arm(modelled.exposed, (sums - mean * sizes) / spread, sizes)
    slots = kinds.slots
    terms, penalties = design.terms(with_arm=True), design.penalties(LEVEL_OF_OUTCOME, 1)
    information = np.empty((len(penalties), len(penalties)))
    shape = design.first_slot, design.level_of_slot, design.value_of_slot, terms
    room = room_for(len(design.level_of_slot))
    fill_information(slots, shared_with_previous(slots), *shape, totals, penalties, room, information)
    of_slot = np.zeros(len(design.level_of_slot))
    for column in slots.T:
        of_slot += np.bincount(column, values, len(of_slot))
    coefficients = np.empty(len(penalties))
    fill_gradient(*shape, of_slot, coefficients)
    coefficients[0] = values.sum()
    factorise(information, len(penalties))
    solve(information, len(penalties), coefficients)
    predictor = np.empty(len(design.kinds.slots))
    shape = (*shape[:-1], design.terms(with_arm=False))
    linear_predictor(design.kinds.slots, *shape, coefficients[:-1], predictor)
    found: NDArray[np.float64] = mean + spread * predictor[design.row_of]
    return found
