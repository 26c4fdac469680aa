"""What is counted on a planted table: one number for each question, from the public API alone.

Verdicts other than ``causal`` are never counted as causal, whatever their
names, so the same counts judge every way of choosing controls.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import causalrules
from causalrules.errors import NothingToMineError
from experiments.failure_tables import EXPOSURE, Planted

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules import Result, Rule


class Answers:
    """What the program says of one planted table; each question is asked once."""

    def __init__(self, planted: Planted, settings: dict[str, Any]) -> None:
        self.table, self.outcome, self.truth = planted
        self._settings = {"threads": 1, **settings}
        self._said: dict[str, Any] = {}

    @property
    def mined(self) -> Result | None:
        """The search for causes; None where no column was left to look at."""
        return self._ask("mine", lambda: causalrules.mine(self.table, self.outcome, **self._settings))

    @property
    def tested(self) -> Rule:
        """The study of ``x=yes``."""
        study = getattr(causalrules, "test", None) or causalrules.study
        return self._ask(
            "test", lambda: study(self.table, self.outcome, EXPOSURE, **self._settings).tested[0]
        )

    @property
    def causal(self) -> list[Rule]:
        """The causal rules of the search."""
        return [rule for rule in self.mined.tested if rule.verdict == "causal"] if self.mined else []

    def _ask(self, name: str, question: Callable[[], Any]) -> Any:
        if name not in self._said:
            try:
                self._said[name] = question()
            except NothingToMineError:
                self._said[name] = None
            except Exception as error:  # an error is an answer too, and is counted as one
                self._said[name] = error
        if isinstance(self._said[name], Exception):
            raise self._said[name]
        return self._said[name]


@dataclass(frozen=True)
class Measure:
    """A number taken of every table: 0 or 1 for a share, else any number; None where it does not apply.

    `target` is written ``<= 0.05``, ``>= 0.95``, or ``within 0.02`` of nothing.
    """

    name: str
    take: Callable[[Answers], float | None]
    target: str
    is_share: bool = True


def has_false_rule(answers: Answers) -> bool:
    """A causal rule has a column that is no cause; every part of a rule is a claim."""
    return any(not columns_of(rule) <= answers.truth.causes for rule in answers.causal)


def is_called_causal(answers: Answers) -> bool:
    """The study of the exposure says causal."""
    return answers.tested.verdict == "causal"


def is_untestable(answers: Answers) -> bool:
    """The study of the exposure says that it cannot tell."""
    return answers.tested.verdict == "untestable"


def effect_is_found(answers: Answers) -> bool:
    """The study says causal, and in the true direction."""
    assert answers.truth.odds_ratio is not None
    direction = "raises" if answers.truth.odds_ratio > 1 else "lowers"
    return answers.tested.verdict == "causal" and answers.tested.direction == direction


def exposure_is_mined(answers: Answers) -> bool:
    """The search names the exposure, by itself, among the causes."""
    return any(columns_of(rule) == {"x"} for rule in answers.causal)


def odds_ratio_is_covered(answers: Answers) -> bool | None:
    """The interval of the adjusted odds ratio holds the true one; None where nothing could be tested."""
    logs = _log_odds_ratio(answers.tested)
    return None if logs is None else logs[1] <= math.log(answers.truth.odds_ratio or 1) <= logs[2]


def log_odds_error(answers: Answers) -> float | None:
    """The logarithm of the adjusted odds ratio, less the true one."""
    logs = _log_odds_ratio(answers.tested)
    return None if logs is None else logs[0] - math.log(answers.truth.odds_ratio or 1)


def risk_difference_is_covered(answers: Answers) -> bool | None:
    """The interval of the risk difference holds the true one."""
    numbers = _risk_difference(answers.tested)
    return None if numbers is None else numbers[1] <= (answers.truth.risk_difference or 0) <= numbers[2]


def risk_difference_error(answers: Answers) -> float | None:
    """The risk difference, less the true one."""
    numbers = _risk_difference(answers.tested)
    return None if numbers is None else numbers[0] - (answers.truth.risk_difference or 0)


def recall(answers: Answers) -> float:
    """Share of the true causes that a causal rule names."""
    found = {column for rule in answers.causal for column in columns_of(rule)}
    return len(found & answers.truth.causes) / len(answers.truth.causes)


def f1_of_neighbours(answers: Answers) -> float:
    """F1 of the columns next to the outcome: those of causal rules, and of consequences where told apart."""
    rules = answers.mined.tested if answers.mined else ()
    found = {c for rule in rules if rule.verdict in ("causal", "consequence") for c in columns_of(rule)}
    truth = answers.truth.causes | answers.truth.effects
    return 2 * len(found & truth) / (len(found) + len(truth))


def one_contrast_has_two_rows(answers: Answers) -> bool:
    """Some two-valued column is listed from both of its sides."""
    table = answers.table
    two_valued = {name for name in table.column_names if len(table[name].unique()) == 2}
    alone = Counter(rule.pattern[0].column for rule in answers.mined.tested if len(rule.pattern) == 1)
    return any(alone[name] > 1 for name in two_valued)


def suspect_is_held(answers: Answers) -> bool:
    """The leak is a control of a rule about something else."""
    suspect = answers.truth.suspect
    return any(
        suspect in (rule.design.held if hasattr(rule, "design") else {one.column for one in rule.controls})
        for rule in answers.mined.tested
        if suspect not in columns_of(rule)
    )


def suspect_is_cause(answers: Answers) -> bool:
    """The leak or identifier is part of a causal rule."""
    return any(answers.truth.suspect in columns_of(rule) for rule in answers.causal)


def suspect_is_named(answers: Answers) -> bool:
    """A remark on the table names the leak or identifier, or it is left out for being one."""
    data, suspect = answers.mined.data, answers.truth.suspect
    remarks = [str(remark) for remark in (*data.notes, *getattr(answers.mined, "warnings", ()))]
    # Left out for another reason, such as a number without a cut, nobody is warned.
    remarks += [f"{column.column} {column.reason}" for column in data.left_out if "identif" in column.reason]
    return any(suspect in remark for remark in remarks)


def pair_is_found(answers: Answers) -> bool:
    """One causal rule has both causes, and nothing else."""
    return any(columns_of(rule) == answers.truth.causes for rule in answers.causal)


def columns_of(rule: Rule) -> set[str]:
    """The columns of a rule's pattern."""
    return {item.column for item in rule.pattern}


def _log_odds_ratio(rule: Rule) -> tuple[float, float, float] | None:
    """Value and limits for the outcome itself, whatever the rule's direction."""
    odds = rule.adjusted_odds_ratio
    if rule.verdict == "untestable" or not 0 < odds.value < math.inf:
        return None
    value, low, high = (math.log(n) if n > 0 else -math.inf for n in (odds.value, odds.low, odds.high))
    return (value, low, high) if rule.direction == "raises" else (-value, -high, -low)


def _risk_difference(rule: Rule) -> tuple[float, float, float] | None:
    difference = rule.effects.risk_difference
    if rule.verdict == "untestable" or math.isnan(difference.value):
        return None
    if rule.direction == "raises":
        return difference.value, difference.low, difference.high
    return -difference.value, -difference.high, -difference.low
