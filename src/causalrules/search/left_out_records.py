"""Whether leaving out records with missing values chose among exposure and outcome together.

Complete cases tell the odds ratio as it is while what is missing depends on the exposure, or on the outcome,
or on the confounder itself; not where it depends on exposure and outcome together (Bartlett, Harel and
Carpenter 2015), as where a laboratory value is asked for when the treated fall ill. Then the crude odds ratio
of those who stay differs from that of all by the very factor that biases the adjusted one, and dividing by it
gives what the adjusted one would be.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.marker_phrases import LEFT_OUT_DIFFER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.search.contrast_study import ContrastStudy

LEAST_FACTOR, STANDARD_ERRORS = 1.2, 2.576
"""By which the crude odds ratio must change to be reported, and standard errors of the change (1 %)."""


def left_out_differ(study: ContrastStudy) -> str:
    """That the crude odds ratio is another one among the records that stay, in a sentence; empty if not.

    Those who stay are some of all, so the change has the difference of the two variances.
    """
    compared, rows = study.compared, study.arms.rows
    if compared.missing != "drop" or compared.crude is not None or compared.mean is not None:
        return ""
    (stay, its), (everybody, variance) = (
        _log_odds_ratio(rows.counts * chosen[:, None], rows.exposed)
        for chosen in (rows.is_complete, np.ones(rows.n_rows, np.bool_))
    )
    enough = max(log(LEAST_FACTOR), STANDARD_ERRORS * sqrt(max(its - variance, 0.0)))
    if abs(stay - everybody) <= enough:
        return ""
    adjusted = compared.odds_ratio.odds_ratio.value
    would_be = adjusted * np.exp(everybody - stay)
    return (
        f"{LEFT_OUT_DIFFER}: without the records that have missing values the crude odds ratio is "
        f"{np.exp(stay):.2f} instead of {np.exp(everybody):.2f}. If what is missing depends on exposure and "
        f"outcome alone, the adjusted one is off by as much, {would_be:.2f} instead of {adjusted:.2f}"
    )


def _log_odds_ratio(counts: NDArray[np.int64], exposed: NDArray[np.bool_]) -> tuple[float, float]:
    """Of two arms, with half a record more in every cell (Haldane 1956), and its variance."""
    (a0, a1), (b0, b1) = (counts[arm].sum(axis=0) + 0.5 for arm in (exposed, ~exposed))
    return float(np.log(a1 * b0 / (a0 * b1))), float(1 / a1 + 1 / a0 + 1 / b1 + 1 / b0)
