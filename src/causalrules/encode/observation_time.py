"""Numbers that may be the time of observation, which an event ends: asked about, since no table can tell.

Where it does, the time is known with the outcome and not before. It is then no cause of it,
and nothing to adjust for; a table of times and events is one for survival methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.marker_phrases import HOW_LONG_OBSERVED
from causalrules.domain.quoted_names import typed_list
from causalrules.look.names import says_observation_time, says_time
from causalrules.look.set_aside import chance_of_shorter

if TYPE_CHECKING:
    from causalrules.encode.column_roles import Roles
    from causalrules.encode.tally import Tally

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
    says_so = says_observation_time(column)
    if not says_so and not says_time(column):
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
