"""A column that may be the weight of a survey is asked about; nothing is changed by a suspicion."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.marker_phrases import LOOKS_LIKE_A_WEIGHT
from causalrules.look.names import says_survey_weight, says_weight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain.table_settings import TableSettings
    from causalrules.encode.tally import Tally

_FEWEST_VALUES = 5


def asks_for_weights(names: Sequence[str], tally: Tally, settings: TableSettings) -> list[str]:
    """The question about a column, if its name or label says weight and its numbers may be some.

    A plain "weight" may be that of a body: it is asked about only where its mean is 1, as that of scaled
    weights is. So may be what the user has said something about already.

    Parameters
    ----------
    names : sequence of str
        What the column is called: as it is shown first, then as the source has it.
    tally : Tally
        Its values.
    settings : TableSettings
        What was said already.
    """
    shown = names[0]
    is_settled = settings.weights is not None or not settings.holds_columns
    known = {*settings.numeric, *settings.categorical, *settings.before, *settings.adjusted_for}
    if is_settled or known.intersection(names) or not _may_be_weights(names, tally):
        return []
    return [
        f"{shown}{LOOKS_LIKE_A_WEIGHT}. Now it counts as a column like any other, and may pass for a cause. "
        f"If it tells how many each record stands for, say --weights {shlex.quote(shown)} "
        "--weights-are sampling."
    ]


def _may_be_weights(names: Sequence[str], tally: Tally) -> bool:
    is_of_a_survey = any(map(says_survey_weight, names))
    if not is_of_a_survey and not any(map(says_weight, names)):
        return False
    numbers = None if tally.overflowed else tally.numbers
    if numbers is None or numbers.are_dates:
        return False
    occurs = tally.counts > 0
    values, counts = numbers.values[occurs], tally.counts[occurs]
    if int(counts.sum()) < tally.n_records or len(values) < _FEWEST_VALUES:
        return False
    if not (np.isfinite(values) & (values > 0)).all():
        return False
    mean = float((values * counts).sum()) / float(counts.sum())
    return is_of_a_survey or abs(mean - 1) < _NEAR_ONE


_NEAR_ONE = 0.1
"""How far the mean of scaled weights may be from 1, as when some records are left out."""
