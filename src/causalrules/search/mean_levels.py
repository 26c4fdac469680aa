"""The dose-response of a numeric outcome: the mean at every level of a column, against the reference."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.trend import course_of
from causalrules.domain import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.mean_parts import PartCompared, ValuesInStrata
    from causalrules.domain.dose_response import DoseResponse


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
