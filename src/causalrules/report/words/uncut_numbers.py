"""Numbers and dates that were not tested because no cut point separates records, and how to test them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from causalrules.domain.marker_phrases import WITHOUT_A_CUT
from causalrules.report.words.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_CUT_ALONE = 3
"""Columns that get an option each; of more, one option cuts all numbers."""


def has_no_cut(reason: str) -> bool:
    """Whether a column was left out as a number without a cut point."""
    return WITHOUT_A_CUT in reason


def cut_anyway(columns: Sequence[str]) -> str:
    """The options that cut these numbers and no other; one for all where they are many.

    Examples
    --------
    >>> cut_anyway(["bmi", "blood pressure"])
    "--cut bmi=quantile:4 --cut 'blood pressure=quantile:4'"
    """
    if len(columns) > _MOST_CUT_ALONE or any(name != printable(name) for name in columns):
        return "--bins quantile:4, which cuts all numbers"
    return " ".join(f"--cut {shlex.quote(f'{name}=quantile:4')}" for name in columns)
