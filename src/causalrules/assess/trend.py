"""A trend of the outcome over ordered levels, within strata.

References
----------
Mantel, Chi-square tests with one degree of freedom: extensions of the
Mantel-Haenszel procedure, JASA 1963. It is the score test of conditional
logistic regression on the level's score.
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
