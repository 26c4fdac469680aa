"""What each kind of record adds to the estimates of a study: the way to cluster-robust variances.

An engine counts records by unique row, outcome and cluster; times these
influences, added up by cluster, they give the variance:

>>> import numpy as np
>>> from causalrules.assess.clusters import cluster_variance
>>> from causalrules.cohort.compare_arms import compare_arms
>>> from causalrules.cohort.study_rows import StudyRows
>>> rows = StudyRows(np.array([True, False]), np.array([[6, 4], [8, 2]]), ())
>>> influences = influences_of(rows, compare_arms(rows))

Ten persons with two records each, one in either arm:

>>> row, cluster = np.repeat([0, 1], 10), np.tile(np.arange(10), 2)
>>> outcome = np.array([0] * 6 + [1] * 4 + [0] * 8 + [1] * 2)
>>> round(cluster_variance(influences.difference[row, outcome], cluster).variance, 4)
0.0183
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clusters import difference_influence, odds_ratio_influence, ratio_influence
from causalrules.assess.doubly_robust import doubly_robust_contributions
from causalrules.cohort.compare_arms import cells_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.cohort.study_rows import StudyRows


@dataclass(frozen=True, slots=True, eq=False)
class Influences:
    """Influence of one record of each unique row, without and with the outcome; 0 outside the strata.

    Parameters
    ----------
    odds_ratio : float64[n_rows, 2]
        On the logarithm of the Mantel-Haenszel odds ratio.
    difference : float64[n_rows, 2]
        On the standardised risk difference.
    ratio, opposite_ratio : float64[n_rows, 2]
        On the logarithms of the standardised risk ratios, of the outcome and of being without it.
    second_opinion : float64[n_rows, 2]
        On the doubly robust risk difference.
    """

    odds_ratio: NDArray[np.float64]
    difference: NDArray[np.float64]
    ratio: NDArray[np.float64]
    opposite_ratio: NDArray[np.float64]
    second_opinion: NDArray[np.float64]


def influences_of(rows: StudyRows, study: ArmsCompared) -> Influences:
    """Trace the estimates of a study back to its rows.

    The strata and the scores count as given: that they were estimated from the same
    records is not in the variance.
    """
    compared = np.flatnonzero(study.stratum >= 0)
    empty = np.zeros((rows.n_rows, 2))
    if not len(compared):
        return Influences(empty, empty, empty, empty, empty)
    cells = cells_of(rows, study.stratum)
    robust = doubly_robust_contributions(
        rows.exposed[compared],
        rows.counts[compared],
        study.propensity[compared],
        study.unexposed_risk[compared],
    )
    assert robust is not None
    second_opinion = empty.copy()
    second_opinion[compared] = robust.influence
    return Influences(
        by_row(rows, study.stratum, odds_ratio_influence(cells)),
        by_row(rows, study.stratum, difference_influence(cells)),
        by_row(rows, study.stratum, ratio_influence(cells)),
        by_row(rows, study.stratum, ratio_influence(cells[:, [1, 0, 3, 2]])[:, [1, 0, 3, 2]]),
        second_opinion,
    )


def by_row(rows: StudyRows, stratum: NDArray[np.int64], by_cell: NDArray[np.float64]) -> NDArray[np.float64]:
    """From stratum and cell to row and outcome."""
    first = np.where(rows.exposed, 0, 2)
    found = np.stack([by_cell[stratum, first + 1], by_cell[stratum, first]], axis=1)
    return np.where((stratum >= 0)[:, None], found, 0.0)
