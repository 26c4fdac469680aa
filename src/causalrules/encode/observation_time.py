"""Numbers that may be the time of observation, which an event ends: asked about, since no table can tell.

Where it does, the time is known with the outcome and not before. It is then no cause of it,
and nothing to adjust for; a table of times and events is one for survival methods.
"""

from __future__ import annotations

import re
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.marker_phrases import HOW_LONG_OBSERVED
from causalrules.domain.quoted_names import typed_list

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.encode.column_roles import Roles
    from causalrules.encode.tally import Tally

_UNIT = r"(days?|weeks?|months?|years?|time|tage|wochen|monate|jahre|zeit)"
_SAYS_SO = re.compile(
    rf"follow[\W_]*up|^fu[\W_]*{_UNIT}|{_UNIT}[\W_]*to[\W_]*(event|death|relapse|failure|censoring)"
    rf"|surv(ival)?[\W_]*{_UNIT}|{_UNIT}[\W_]*(of[\W_]*)?surv|^(os|pfs|dfs|rfs)[\W_]*{_UNIT}?$|^tte$"
    rf"|person[\W_]*{_UNIT}|observation[\W_]*{_UNIT}|{_UNIT}[\W_]*(of[\W_]*)?observ"
    rf"|beobachtungs|{_UNIT}[\W_]*at[\W_]*risk",
    re.IGNORECASE,
)
_MAY_BE = re.compile(rf"^(t|{_UNIT}|s?time|t_?(obs|event|stop|end))$", re.IGNORECASE)

_FEWEST_VALUES = 10
_CLEAR, _BEYOND_CHANCE = 0.1, 5.0
"""How far from one half the chance must be that one record's time is shorter than the other's, and in
standard errors, where the name alone does not say what the number is."""
_SOME = 3.0


def times_of_observation(column: str, tally: Tally, roles: Roles) -> list[str]:
    """A question about a number that is named like a time of observation and goes with the outcome.

    A name such as ``time`` or ``days`` is not enough: there must be a clear difference between records with
    the outcome and those without. What the user said about the column's time settles it.
    """
    says_so = _SAYS_SO.search(column) is not None
    if not says_so and _MAY_BE.search(column) is None:
        return []
    settings = roles.settings
    if not settings.holds_columns or settings.outcome_as == "mean" or column in settings.knowledge.timed:
        return []
    numbers = tally.numbers if len(tally.values) >= _FEWEST_VALUES else None
    if numbers is None or numbers.are_dates or tally.overflowed or np.nanmin(numbers.values) < 0:
        return []
    shorter, error = chance_of_shorter(numbers.values, tally.n_with, tally.n_without)
    far = abs(shorter - 0.5)
    if far < _SOME * error or (not says_so and (far < _CLEAR or far < _BEYOND_CHANCE * error)):
        return []
    how = "shorter where the outcome is, as if the outcome"
    if shorter < 0.5:
        how = "longer where the outcome is, as if its absence"
    return [
        f"Is {column}{HOW_LONG_OBSERVED} It is {how} ended it. If so, it is no cause and "
        f"nothing to adjust for: say --after {typed_list([column])}. How soon something happens is a "
        "question for survival methods, which are not built in."
    ]


def chance_of_shorter(
    values: NDArray[np.float64], n_with: NDArray[np.int64], n_without: NDArray[np.int64]
) -> tuple[float, float]:
    """How likely a record with the outcome has the smaller number, ties halved; and its standard error.

    That of Mann and Whitney, if the outcome had nothing to do with the number.

    Examples
    --------
    >>> shorter, error = chance_of_shorter(np.array([1.0, 2.0]), np.array([30, 10]), np.array([10, 30]))
    >>> round(shorter, 3), round(error, 3)
    (0.75, 0.056)
    """
    is_known = ~np.isnan(values)
    order = np.argsort(values[is_known], kind="stable")
    ill, well = n_with[is_known][order].astype(np.float64), n_without[is_known][order].astype(np.float64)
    a, b = float(ill.sum()), float(well.sum())
    n = a + b
    if not a or not b or n < 2:
        return 0.5, 0.5
    larger = b - np.cumsum(well)
    shorter = float((ill * (larger + well / 2)).sum()) / (a * b)
    ties = float((((ill + well) ** 3) - (ill + well)).sum())
    return shorter, sqrt(max(0.0, (n + 1 - ties / (n * (n - 1))) / (12 * a * b)))
