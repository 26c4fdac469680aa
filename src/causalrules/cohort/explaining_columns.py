"""Which of the columns adjusted for explain an association away: usually a few, and only those are named."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from causalrules.cohort.study_rows import StudyRows

MOST_EXPLAINING = 3
"""Columns that are named at most: with more of them strata would be too thin to tell."""

CLEARLY = 0.1
"""Share of the way from the crude to the adjusted log odds ratio that one more column has to go."""

NEARLY_THERE, MOST_OF_THE_WAY = 0.25, 0.5
"""Shares of the way left at which no further column is looked for, and from which nothing is explained."""

_LEAST_WAY = 0.01
"""Log odds ratios that are closer to each other are alike."""

_LEAST_COMPARED = 0.1
"""Share of the crude comparison's information that strata have to leave."""


_MOST_STRATA = 1_000_000
"""Numbers of strata that are counted as they are; others are numbered anew first."""


def what_explains(rows: StudyRows, adjusted: float, among: Collection[str] | None = None) -> tuple[str, ...]:
    """The columns that take the crude odds ratio most of the way to the adjusted one, the strongest first.

    Columns are added one at a time, the one first that brings the Mantel-Haenszel odds ratio within their
    strata closest to the adjusted one. One that moves it by less than a tenth of the way is not named.

    Parameters
    ----------
    rows : StudyRows
        The study's records.
    adjusted : float
        Its odds ratio with everything held.
    among : collection of str, optional
        Columns that may be named; all that are held if not given.

    Returns
    -------
    tuple of str
        Empty where three columns do not go half of the way, or there is no way to go.

    Examples
    --------
    >>> from causalrules.cohort.study_rows import Control, StudyRows
    >>> exposed = np.array([True, False] * 4)
    >>> confounder = Control("severity", np.array([1, 1, 2, 2, 1, 1, 2, 2], np.int32), 2)
    >>> coin = Control("coin", np.array([1, 1, 1, 1, 2, 2, 2, 2], np.int32), 2)
    >>> counts = np.array([[40, 40], [5, 5], [9, 1], [81, 9]] * 2, np.int64)
    >>> what_explains(StudyRows(exposed, counts, (coin, confounder)), adjusted=1.0)
    ('severity',)
    """
    whole = np.zeros(rows.n_rows, np.int64)
    start, goal = _log_odds_ratio(rows, whole), log(adjusted) if 0 < adjusted < np.inf else None
    if start is None or goal is None or abs(goal - start) < _LEAST_WAY:
        return ()
    left = way = abs(goal - start)
    chosen: list[str] = []
    strata = whole
    others = [one for one in rows.controls if among is None or one.name in among]
    while others and len(chosen) < MOST_EXPLAINING and left > NEARLY_THERE * way:
        tried = []
        for place, one in enumerate(others):
            finer = strata * (one.n_codes + 1) + one.codes
            if int(finer.max(initial=0)) > _MOST_STRATA:
                finer = np.unique(finer, return_inverse=True)[1]
            ratio = _log_odds_ratio(rows, finer)
            if ratio is not None:
                tried.append((abs(goal - ratio), place, finer))
        closest = min(tried, key=lambda one: one[:2], default=None)
        if closest is None or left - closest[0] < CLEARLY * way:
            break
        left, place, strata = closest
        chosen.append(others.pop(place).name)
    return tuple(chosen) if left <= MOST_OF_THE_WAY * way else ()


def _log_odds_ratio(rows: StudyRows, strata: NDArray[np.int64]) -> float | None:
    """The Mantel-Haenszel log odds ratio within strata; None where these leave too little to compare."""
    n_strata = int(strata.max(initial=0)) + 1
    place = 2 * strata + rows.exposed
    # By stratum: unexposed and exposed records, with the outcome and without it.
    has, lacks = (
        np.bincount(place, rows.counts[:, outcome], 2 * n_strata).reshape(-1, 2) for outcome in (1, 0)
    )
    unexposed, exposed = (has + lacks).T
    n = np.maximum(exposed + unexposed, 1)
    compared = float((exposed * unexposed / n).sum())
    crudely = float(exposed.sum() * unexposed.sum() / max(n.sum(), 1))
    above = float((has[:, 1] * lacks[:, 0] / n).sum())
    below = float((lacks[:, 1] * has[:, 0] / n).sum())
    if compared < _LEAST_COMPARED * crudely or not (above and below):
        return None
    return log(above / below)
