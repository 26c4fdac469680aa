"""Sets that were matched when the data were collected (cases and their controls, twins), as strata.

The odds ratio is that of conditional logistic regression: the conditional maximum likelihood
estimate over the sets, which stands sets of two records.
"""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.conditional_odds import conditional_odds_ratio
from causalrules.cohort.compare_arms import ArmsCompared, compare_arms
from causalrules.cohort.study_rows import Control, StudyRows
from causalrules.domain.unique_rows import number_combinations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.arms import Arms
    from causalrules.domain.unique_rows import UniqueRows


def with_sets(arms: Arms, rows: UniqueRows, places: NDArray[np.intp], name: str) -> Arms:
    """The rows of a study with their set as one more control, which records must agree on.

    Parameters
    ----------
    arms : Arms
        The rows, with or without it.
    rows : UniqueRows
        All unique rows, over the columns that number the sets too.
    places : intp[k]
        These columns; 0 in them means that a record has no set.
    name : str
        What to call it.
    """
    own = arms.rows
    if any(control.name == name for control in own.controls):  # shared with a study of the same rows
        return arms
    order = rows.columns.tolist()
    digits = rows.codes[[order.index(place) for place in places.tolist()]][:, arms.kept]
    numbers = number_combinations(digits, len(arms.kept)) + 1
    codes = np.where(digits[0] > 0, numbers, 0).astype(np.int32)
    sets = Control(name, codes, int(codes.max(initial=0)))
    return replace(arms, rows=StudyRows(own.exposed, own.counts, (sets, *own.controls)))


MOSTLY = 0.9
"""Share of the sets that a way of gathering them must account for; some lose records later."""


def are_gathered_by_outcome(rows: UniqueRows) -> bool:
    """Whether sets look as if cases were given controls: equally many cases in all, or equal shares of them.

    What sets of a cohort have of the outcome varies; of pairs, at most half would be one of each by chance.

    Parameters
    ----------
    rows : UniqueRows
        Records by their set alone; 0 in its first column means that a record has none.

    Examples
    --------
    >>> from causalrules.domain.unique_rows import UniqueRows
    >>> sets, codes = np.array([0]), np.array([[1, 2, 3, 4]])
    >>> are_gathered_by_outcome(UniqueRows(sets, codes, np.array([[2, 1], [3, 1], [2, 1], [4, 1]])))
    True
    >>> are_gathered_by_outcome(UniqueRows(sets, codes, np.array([[2, 0], [1, 1], [0, 2], [2, 0]])))
    False
    """
    without, cases = rows.counts[rows.codes[0] > 0].T.astype(np.float64)
    n_sets = int((without + cases > 1).sum())
    has_both = (without > 0) & (cases > 0)
    if not has_both.any():
        return False
    without, cases = without[has_both], cases[has_both]
    most = max(int(np.unique(one, return_counts=True)[1].max()) for one in (cases, cases / without))
    return most >= MOSTLY * n_sets


def compare_within_sets(
    rows: StudyRows, confidence: float, *, gathered_by_outcome: bool = False
) -> ArmsCompared:
    """Compare exposed with unexposed records of the same set.

    Records without a set, or without a value of a column adjusted for, are left out. There are no models of
    exposure and outcome, which would have a parameter for every set: in the place of
    the second opinion stands the risk difference itself.
    """
    found = compare_arms(rows, "exact", "drop", confidence, with_opinion=False)
    ratio = found.odds_ratio
    if not ratio.is_exact:  # the exact test has the conditional estimate already
        conditional = conditional_odds_ratio(found.strata.rows, confidence)
        if conditional.odds_ratio.value > 0 and isfinite(conditional.odds_ratio.value):
            ratio = replace(ratio, odds_ratio=conditional.odds_ratio)
    return replace(
        found,
        odds_ratio=ratio,
        second_opinion=found.risks.difference,
        gathered_by_outcome=gathered_by_outcome,
    )
