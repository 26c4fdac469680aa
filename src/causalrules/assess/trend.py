"""A trend of the outcome over ordered levels, within strata.

References
----------
Mantel, Chi-square tests with one degree of freedom: extensions of the
Mantel-Haenszel procedure, JASA 1963. It is the score test of conditional
logistic regression on the level's score. Boos, On generalized score tests,
The American Statistician 1992: the same with the variance of a design.
"""

from __future__ import annotations

from itertools import pairwise
from math import erfc, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Estimate
    from causalrules.domain.dose_response import Course


def course_of(effects: Sequence[Estimate], steps: Sequence[Estimate], nothing: float) -> Course:
    """Whether effects rise or fall from level to level.

    The estimates must go one way only, and no step between neighbours, compared with each other, may
    clearly go the other way.

    Parameters
    ----------
    effects : sequence of Estimate
        Of each level against the reference, from the lowest level to the highest.
    steps : sequence of Estimate
        Of each level but the lowest against the one below it.
    nothing : float
        The value of no effect.
    """
    pairs = list(pairwise(effect.value for effect in effects))
    if all(low < high for low, high in pairs) and all(step.high >= nothing for step in steps):
        return "rises"
    if all(low > high for low, high in pairs) and all(step.low <= nothing for step in steps):
        return "falls"
    return "mixed"


def trend_p(
    cases: NDArray[np.int64], records: NDArray[np.int64], scores: NDArray[np.float64]
) -> float | None:
    """Two-sided p-value of no trend; None where no stratum can tell.

    Parameters
    ----------
    cases, records : int64[n_strata, n_levels]
        Records with the outcome, and all.
    scores : float64[n_levels]
        What each level counts.

    Examples
    --------
    >>> cases, records = np.array([[10, 20, 30]]), np.array([[100, 100, 100]])
    >>> round(trend_p(cases, records, np.arange(3.0)), 6)
    0.000416
    """
    n = records.sum(axis=1).astype(np.float64)
    n_cases = cases.sum(axis=1).astype(np.float64)
    can_tell = n > 1
    n, n_cases = n[can_tell], n_cases[can_tell]
    first = records[can_tell] @ scores
    second = records[can_tell] @ scores**2
    surplus = float((cases[can_tell] @ scores - n_cases * first / n).sum())
    variance = float((n_cases * (n - n_cases) * (n * second - first**2) / (n**2 * (n - 1))).sum())
    if variance <= 1e-12 * max(1.0, float(second.sum())):
        return None
    return erfc(abs(surplus) / sqrt(2 * variance))


def mantel_trend(
    stratum: NDArray[np.int64],
    scores: NDArray[np.float64],
    values: NDArray[np.float64],
    times: NDArray[np.int64],
) -> float | None:
    """Two-sided p-value of no trend of a number over scores, within strata; None where none can tell.

    The test of `trend_p` with a number in the place of the outcome: every stratum's values could be dealt
    out anew among its scores.

    Parameters
    ----------
    stratum : int64[n]
        Of each kind of records, from 0.
    scores, values : float64[n]
        What its level counts, and the number.
    times : int64[n]
        Records of it.

    Examples
    --------
    Of 0 and 1 it is the test of cases and records.

    >>> stratum, scores = np.zeros(6, int), np.repeat(np.arange(3.0), 2)
    >>> values, times = np.tile([0.0, 1.0], 3), np.array([90, 10, 80, 20, 70, 30])
    >>> round(mantel_trend(stratum, scores, values, times), 6)
    0.000416
    """
    n = np.bincount(stratum, times).astype(np.float64)
    aside = [
        column - (np.bincount(stratum, times * column) / np.maximum(n, 1))[stratum]
        for column in (scores, values)
    ]
    squares = [np.bincount(stratum, times * column**2) for column in aside]
    surplus = float(times @ (aside[0] * aside[1]))
    variance = float((squares[0] * squares[1] / np.maximum(n - 1, 1)).sum())
    if variance <= 1e-14 * float(squares[0].sum() * squares[1].sum()):
        return None
    return erfc(abs(surplus) / sqrt(2 * variance))


def trend_of_values(
    stratum: NDArray[np.int64],
    scores: NDArray[np.float64],
    values: NDArray[np.float64],
    times: NDArray[np.int64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """What a record of each kind adds to the score of a trend of a number.

    Its weight times the distances of its score and of its value from the weighted means of its stratum,
    scaled up by the root of n/(n - 1), as in `trend_parts`.
    """
    total, n = (np.bincount(stratum, column) for column in (times * weight, times))
    aside = [
        column - (np.bincount(stratum, times * weight * column) / total)[stratum]
        for column in (scores, values)
    ]
    scale = np.sqrt(n / np.maximum(n - 1, 1))
    parts: NDArray[np.float64] = weight * aside[0] * aside[1] * scale[stratum]
    return parts


def trend_parts(
    stratum: NDArray[np.int64],
    scores: NDArray[np.float64],
    counts: NDArray[np.int64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """What a record of each row adds to the score of a trend, without and with the outcome.

    Its weight times the distances of its score and of its outcome from the weighted means of its stratum;
    scaled up by the root of n/(n - 1), so that squares over independent records have the mean of Mantel's
    variance. The sum over all records is the surplus of Mantel's test.

    Parameters
    ----------
    stratum : int64[n]
        Of each row, from 0.
    scores : float64[n]
        What its level counts.
    counts : int64[n, 2]
        Records without and with the outcome.
    weight : float64[n]
        Of each of these.
    """
    kinds = np.tile(np.arange(len(stratum)), 2)
    value, times = np.repeat([0.0, 1.0], len(stratum)), counts.T.ravel()
    parts = trend_of_values(stratum[kinds], scores[kinds], value, times, weight[kinds])
    return parts.reshape(2, -1).T
