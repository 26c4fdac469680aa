"""The effect per unit of a number that a study's exposure is an interval of, within the study's strata."""

from __future__ import annotations

from math import erfc, exp, floor, log10, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.assess.clusters import ClusterVariance, clustered_odds_ratio, clustered_p
from causalrules.assess.per_unit import odds_ratio_per, slope
from causalrules.cohort.stratify import strata_of_controls
from causalrules.cohort.study_records import Design, RowsBeside
from causalrules.domain.dose_response import PerUnit
from causalrules.domain.pattern_grammar import condition_of_item
from causalrules.search.effects_by_design import slope_of_design

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from causalrules.domain import Estimate, Item, Settings
    from causalrules.domain.unique_rows import HeldColumn
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Opened
    from causalrules.search.contrast_study import ContrastStudy

_FEWEST_VALUES = 3


def number_of_interval(item: Item, vocabulary: Vocabulary) -> HeldColumn | None:
    """The number that an item is an interval of; None for categories, dates and durations."""
    condition = condition_of_item(item.column, item.value)
    limit = condition.low or condition.high
    if limit is None or limit.is_date or item.kind == "duration":
        return None
    held = (column for column in vocabulary.held_columns if column.name == item.column and column.is_number)
    return next(held, None)


def effect_per_unit(
    study: ContrastStudy, number: HeldColumn, opened: Opened, settings: Settings
) -> PerUnit | None:
    """How the odds change with every unit of the number; None where no stratum can tell.

    Parameters
    ----------
    study : ContrastStudy
        Of an interval of the number: its controls and strata are used.
    number : HeldColumn
        The number, by its fine bins.
    opened : Opened
        The records, and which columns say that they belong together and what they weigh.
    settings : Settings
        Confidence of the intervals, and whether there are clusters or weights.
    """
    assert number.values is not None
    vocabulary = opened.vocabulary
    places = Design.places(vocabulary) if settings.has_design else []
    records = RowsBeside.of(opened.judge_engine, study.columns, study.arms, [number.place, *places])
    compared = study.compared
    strata = strata_of_controls(study.arms.rows, compared.stratum, compared.method, compared.missing)
    stratum, values = strata[records.row], np.append(np.nan, number.values)[records.codes[0]]
    here = np.flatnonzero((stratum >= 0) & np.isfinite(values))
    stratum, values, counts = stratum[here], values[here], records.counts[here]
    if len(np.unique(values)) < _FEWEST_VALUES:
        return None
    design = Design.of(vocabulary, records.codes[1:, here], counts) if places else None
    times = counts.sum(axis=1) * (1.0 if design is None else design.weight)
    mean = np.average(values, weights=times)
    deviation = sqrt(float(np.average((values - mean) ** 2, weights=times)))
    effect = _slope_in_strata(stratum, values, counts, design, settings.confidence)
    if effect is None:
        return None
    unit = 10.0 ** floor(log10(deviation))
    return PerUnit(
        column=number.name,
        unit=unit,
        odds_ratio=effect.odds_ratio_per(unit),
        standard_deviation=deviation,
        per_deviation=effect.odds_ratio_per(deviation),
        p_value=effect.p_value,
    )


class _Slope(NamedTuple):
    """The p-value of no slope, and the odds ratio of so many units."""

    p_value: float
    odds_ratio_per: Callable[[float], Estimate]


def _slope_in_strata(
    stratum: NDArray[np.int64],
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    design: Design | None,
    confidence: float,
) -> _Slope | None:
    """The slope by records, or by clusters and weights where there are any; None where it is not known."""
    if design is None:
        found = slope(stratum, values, counts)
        if found is None or found[1] <= 0:
            return None
        p_value = erfc(abs(found[0]) / found[1] / sqrt(2))
        return _Slope(p_value, lambda unit: odds_ratio_per(unit, found, confidence))
    by_design = slope_of_design(stratum, values, counts, design)
    if by_design is None:
        return None
    value, spread = by_design

    def ratio_per(unit: float) -> Estimate:
        scaled = ClusterVariance(unit**2 * spread.variance, spread.n_clusters)
        return clustered_odds_ratio(exp(unit * value), scaled, confidence)

    return _Slope(clustered_p(value, spread), ratio_per)
