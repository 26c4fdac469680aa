"""The effect per unit of a number that a study's exposure is an interval of, within the study's strata."""

from __future__ import annotations

from math import erfc, floor, log10, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.per_unit import odds_ratio_per, slope
from causalrules.cohort.stratify import strata_of_controls
from causalrules.cohort.study_records import RowsBeside
from causalrules.domain.pattern_grammar import condition_of_item
from causalrules.domain.per_unit import PerUnit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Item
    from causalrules.domain.unique_rows import HeldColumn
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine
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
    study: ContrastStudy, columns: Sequence[int], number: HeldColumn, engine: Engine, confidence: float
) -> PerUnit | None:
    """How the odds change with every unit of the number; None where no stratum can tell.

    Parameters
    ----------
    study : ContrastStudy
        Of an interval of the number: its controls and strata are used.
    columns : sequence of int
        The study's coded columns, ascending.
    number : HeldColumn
        The number, by its fine bins.
    confidence : float
        Confidence of the intervals.
    """
    assert number.values is not None
    records = RowsBeside.of(engine, columns, study.arms, [number.place])
    compared = study.compared
    strata = strata_of_controls(study.arms.study, compared.stratum, compared.method, compared.missing)
    stratum, values = strata[records.row], np.append(np.nan, number.values)[records.codes[0]]
    is_in = (stratum >= 0) & np.isfinite(values)
    times = records.counts[is_in].sum(axis=1)
    if len(np.unique(values[is_in])) < _FEWEST_VALUES:
        return None
    mean = np.average(values[is_in], weights=times)
    deviation = sqrt(float(np.average((values[is_in] - mean) ** 2, weights=times)))
    found = slope(stratum[is_in], values[is_in], records.counts[is_in])
    if found is None or found[1] <= 0:
        return None
    unit = 10.0 ** floor(log10(deviation))
    return PerUnit(
        column=number.name,
        unit=unit,
        odds_ratio=odds_ratio_per(unit, found, confidence),
        standard_deviation=deviation,
        per_deviation=odds_ratio_per(deviation, found, confidence),
        p_value=erfc(abs(found[0]) / found[1] / sqrt(2)),
    )
