"""How often a rule would be causal again: over random pairings, and over resampled tables."""

from __future__ import annotations

from math import erfc, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.odds import critical_value
from causalrules.assess.pairs import stable_generator
from causalrules.domain.histogram import StrataHistogram
from causalrules.kernels.sums import sum_pairing_covariances

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import PairCounts


def pairing_stability(strata: StrataHistogram, mean: PairCounts, confidence: float) -> float:
    """Share of random pairings whose matched-pairs interval lies above 1.

    Means and covariances of n12 and n21 over all maximal pairings are known
    in closed form; the distance of the lower limit from 1 is then taken as
    normal (delta method).

    Parameters
    ----------
    strata : StrataHistogram
        The strata of the rule.
    mean : PairCounts
        Their expected pairs.
    confidence : float
        Confidence of the interval.

    Examples
    --------
    Strata of one against one leave no choice of partners:

    >>> from causalrules.assess.pairs import expected_pairs
    >>> strata = StrataHistogram.from_strata([(1, 0, 0, 1)] * 30 + [(0, 1, 1, 0)] * 10, 0, 0)
    >>> pairing_stability(strata, expected_pairs(strata), 0.95)
    1.0
    """
    n12, n21 = max(mean.n12, 1.0), max(mean.n21, 1.0)
    critical = critical_value(confidence)
    error = sqrt(1 / n12 + 1 / n21)
    distance = log(n12 / n21) - critical * error
    slope12 = 1 / n12 + critical / (2 * error * n12**2) if mean.n12 > 1 else 0.0
    slope21 = -1 / n21 + critical / (2 * error * n21**2) if mean.n21 > 1 else 0.0
    var12, var21, covariance = sum_pairing_covariances(strata.rows)
    variance = slope12**2 * var12 + slope21**2 * var21 + 2 * slope12 * slope21 * covariance
    if variance <= 1e-15:
        return 1.0 if distance > 0 else 0.0
    return 0.5 * erfc(-distance / sqrt(2 * variance))


def bootstrap_stability(
    strata: StrataHistogram,
    is_causal: Callable[[StrataHistogram], bool],
    *,
    n_resamples: int,
    seed: int,
    rule: str,
) -> float:
    """Share of resampled tables in which the rule is causal, its controls kept.

    Every record is drawn a Poisson(1) number of times, which for many records
    equals drawing with replacement.
    """
    cells = np.repeat(strata.rows[:, :4], strata.rows[:, 4], axis=0)
    n_causal = 0
    for resample in range(n_resamples):
        drawn = stable_generator(seed, resample, f"bootstrap {rule}").poisson(cells)
        has_both = (drawn[:, 0] + drawn[:, 1] > 0) & (drawn[:, 2] + drawn[:, 3] > 0)
        kinds, multiplicity = np.unique(drawn[has_both], axis=0, return_counts=True)
        n_causal += is_causal(StrataHistogram(np.column_stack([kinds, multiplicity]), 0, 0))
    return n_causal / n_resamples
