"""What the name of a column says where its values cannot: a time of observation, a survey's weight, persons.

A name alone never sets a column aside: its values must be such as well.
"""

from __future__ import annotations

import re

_UNIT = r"(days?|weeks?|months?|years?|time|tage|wochen|monate|jahre|zeit)"
_OBSERVED = re.compile(
    rf"follow[\W_]*up|^fu[\W_]*{_UNIT}|{_UNIT}[\W_]*to[\W_]*(event|death|relapse|failure|censoring)"
    rf"|surv(ival)?[\W_]*{_UNIT}|{_UNIT}[\W_]*(of[\W_]*)?surv|^(os|pfs|dfs|rfs)[\W_]*{_UNIT}?$|^tte$"
    rf"|person[\W_]*{_UNIT}|observation[\W_]*{_UNIT}|{_UNIT}[\W_]*(of[\W_]*)?observ"
    rf"|beobachtungs|{_UNIT}[\W_]*at[\W_]*risk",
    re.IGNORECASE,
)
_A_TIME = re.compile(rf"^(t|{_UNIT}|s?time|t_?(obs|event|stop|end))$", re.IGNORECASE)

_WEIGHT = r"(?:weights?|wghts?|wgts?|wts?|gewichte?)"
_ANY_WEIGHT = re.compile(rf"(?:^|[^a-z]){_WEIGHT}(?:[^a-z]|$)|^w$")
_OF_A_SURVEY = re.compile(
    r"(?:design|sampl|survey|probabilit|population|strat|calibrat|expansion|grossing|household|person|"
    rf"response|inverse|analysis|final)[a-z]*[^a-z]*{_WEIGHT}(?:[^a-z]|$)"
    r"|^(?:p|d|an|psp|hh|per|fin|fnl|samp|pop|ind)_?(?:weight|wght|wgt|wt)s?\d*$"
    r"|^wt(?:finl|mec|int)[a-z0-9]*$"
)


def says_observation_time(name: str) -> bool:
    """Whether a name says how long something was observed.

    Examples
    --------
    >>> [says_observation_time(name) for name in ("follow-up (years)", "survival_time", "time", "dose")]
    [True, True, False, False]
    """
    return _OBSERVED.search(name) is not None


def says_time(name: str) -> bool:
    """Whether a name says no more than that it is a time, or how it is measured."""
    return _A_TIME.search(name) is not None


def says_survey_weight(name: str) -> bool:
    """Whether a name says that a number is the weight of a survey.

    Examples
    --------
    >>> [says_survey_weight(name) for name in ("fnlwgt", "Design weight", "weight")]
    [True, True, False]
    """
    return _OF_A_SURVEY.search(name.casefold()) is not None


def says_weight(name: str) -> bool:
    """Whether a name says weight, which may be that of a body."""
    return _ANY_WEIGHT.search(name.casefold()) is not None
