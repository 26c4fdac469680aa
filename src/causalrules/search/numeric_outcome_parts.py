"""A numeric outcome in parts of a study: its values beside a further column, and the mean at every level."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.trend import course_of
from causalrules.cohort.mean_parts import ValuesInStrata
from causalrules.cohort.study_records import study_records
from causalrules.domain import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.mean_parts import PartCompared, ValuesInStrata
    from causalrules.domain.dose_response import DoseResponse
    from causalrules.engines.contract import Opened
    from causalrules.search.contrast_study import ContrastStudy


def values_beside(
    study: ContrastStudy, place: int, stratum: NDArray[np.int64], opened: Opened
) -> ValuesInStrata:
    """Count the records of a study by their values and by one more column.

    Parameters
    ----------
    study : ContrastStudy
        The study.
    place : int
        The coded column that divides the records: the only one of `records.beside`.
    stratum : int64[n_rows]
        Of the study's rows; -1 leaves one out.
    opened : Opened
        The records, and which coded columns are digits of the outcome.
    """
    engine = opened.judge_engine
    rows = engine.unique_rows(np.array(study.columns, np.intp))
    records = study_records(engine, opened.vocabulary, rows, study.arms, [place])
    return ValuesInStrata.of(study.arms.rows, study.compared, records, stratum)


def with_mean_levels(
    dose: DoseResponse, values: ValuesInStrata, level: NDArray[np.intp], confidence: float
) -> DoseResponse:
    """A dose-response of the outcome's upper half, with differences of means, their course and trend.

    Parameters
    ----------
    dose : DoseResponse
        The levels, and the one that all others are compared with.
    values : ValuesInStrata
        The records of the study.
    level : intp[n]
        Of each kind of them; -1 where it has none.
    confidence : float
        Confidence of all intervals.
    """

    def against(other: int, number: int) -> PartCompared:
        return values.compare((level == other) | (level == number), level == number, confidence)

    n_levels, reference, itself = len(dose.levels), dose.reference, Estimate(0.0, 0.0, 0.0)
    parts = [None if number == reference else against(reference, number) for number in range(n_levels)]
    levels = tuple(
        replace(
            one,
            mean_difference=itself if part is None else part.means.difference,
            is_informative=part is None or part.is_informative,
        )
        for one, part in zip(dose.levels, parts, strict=True)
    )
    differences = [one.mean_difference for one in levels if one.mean_difference is not None]
    steps = [against(number, number + 1).means.difference for number in range(n_levels - 1)]
    return replace(
        dose,
        levels=levels,
        trend_p=values.trend_p(np.where(level < 0, np.nan, level)),
        course=course_of(differences, steps, 0.0) if all(one.is_informative for one in levels) else "mixed",
    )
