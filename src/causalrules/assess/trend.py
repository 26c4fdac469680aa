"""A trend of the outcome over ordered levels, within strata.

References
----------
Mantel, Chi-square tests with one degree of freedom: extensions of the
Mantel-Haenszel procedure, JASA 1963. It is the score test of conditional
logistic regression on the level's score. Boos, On generalized score tests,
The American Statistician 1992: the same with the variance of a design.
"""

from __future__ import annotations

from math import erfc, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    records = counts.sum(axis=1)
    total, n = (np.bincount(stratum, values) for values in (records * weight, records))
    mean_score = np.bincount(stratum, records * weight * scores) / total
    risk = np.bincount(stratum, counts[:, 1] * weight) / total
    scale = np.sqrt(n / np.maximum(n - 1, 1))
    aside = weight * (scores - mean_score[stratum]) * scale[stratum]
    parts: NDArray[np.float64] = np.stack([-aside * risk[stratum], aside * (1 - risk[stratum])], axis=1)
    return parts
