"""Rules as a data frame: few columns with plain names first, all others on request."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from causalrules.domain.file_layout import columns_of, to_row
from causalrules.domain.frame_libraries import LIBRARIES, Library, in_library
from causalrules.domain.mean_effect import MeanEffect
from causalrules.domain.rule import Rule, Verdict
from causalrules.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Result
    from causalrules.domain.answers import Answers

Width = Literal["short", "all"]

VERDICTS: tuple[Verdict, ...] = ("causal", "possible", "consequence", "rejected", "untestable")
WIDTHS: tuple[Width, ...] = ("short", "all")

_COLUMNS: dict[str, tuple[pa.DataType, Callable[[Rule], Any]]] = {
    "rule": (pa.string(), lambda rule: rule.name),
    "verdict": (pa.string(), lambda rule: rule.verdict),
    "direction": (pa.string(), lambda rule: rule.direction),
    "arrow": (pa.string(), lambda rule: rule.arrow),
    "grade": (pa.string(), lambda rule: rule.grade),
    "adjusted_odds_ratio": (pa.float64(), lambda rule: rule.adjusted_odds_ratio.value),
    "adjusted_low": (pa.float64(), lambda rule: rule.adjusted_odds_ratio.low),
    "adjusted_high": (pa.float64(), lambda rule: rule.adjusted_odds_ratio.high),
    "crude_odds_ratio": (pa.float64(), lambda rule: rule.odds_ratio.value),
    "crude_low": (pa.float64(), lambda rule: rule.odds_ratio.low),
    "crude_high": (pa.float64(), lambda rule: rule.odds_ratio.high),
    "risk_difference": (pa.float64(), lambda rule: rule.effects.risk_difference.value),
    "p_value": (pa.float64(), lambda rule: rule.p_value),
    "q_value": (pa.float64(), lambda rule: rule.q_value),
    "exposed": (pa.int64(), lambda rule: rule.exposed),
    "unexposed": (pa.int64(), lambda rule: rule.unexposed),
    "adjusted_for": (pa.string(), lambda rule: "; ".join(rule.design.held)),
    "gamma": (pa.float64(), lambda rule: rule.doubts.gamma),
    "reason": (pa.string(), lambda rule: rule.reason),
}
"""The columns that come first, of rules whose numbers speak of the outcome."""

_OF_MEANS: dict[str, Callable[[MeanEffect], float]] = {
    "mean_difference": lambda mean: mean.difference.value,
    "mean_difference_low": lambda mean: mean.difference.low,
    "mean_difference_high": lambda mean: mean.difference.high,
    "crude_mean_difference": lambda mean: mean.crude.value,
}
"""Columns after the grade where the mean of the outcome was asked for; odds are then of its upper half."""

_SAID_ALREADY = ("odds_ratio", "odds_ratio_low", "odds_ratio_high")
"""The flat table's own names for what is called crude here."""


def frame_of(result: Result, verdict: Verdict | None, library: Library, columns: Width) -> Any:
    """The rules of a result as a frame of a library; see `Result.to_frame`."""
    return in_library(_rules_of(result, verdict, library, columns), library)


def frame_of_answers(answers: Answers, verdict: Verdict | None, library: Library, columns: Width) -> Any:
    """The rules of several results below one another, each with its outcome first."""
    tables = [result.to_frame(verdict, "arrow", columns) for result in answers]
    named = [
        table.add_column(0, "outcome", pa.array([outcome] * table.num_rows, pa.string()))
        for table, outcome in zip(tables, answers.outcomes, strict=True)
    ]
    return in_library(pa.concat_tables(named), library)


def _rules_of(result: Result, verdict: Verdict | None, library: Library, columns: Width) -> pa.Table:
    for name, given, legal in (
        ("verdict", verdict, (None, *VERDICTS)),
        ("library", library, LIBRARIES),
        ("columns", columns, WIDTHS),
    ):
        if given not in legal:
            raise SettingsError.choice(name, [str(one) for one in legal if one is not None], given)
    rules = result.tested if verdict is None else result.with_verdict(verdict)
    return rules_as_arrow(rules, every_column=columns == "all")


def rules_as_arrow(rules: tuple[Rule, ...], *, every_column: bool) -> pa.Table:
    """One row a rule; the types do not depend on the rules, and numbers that are infinite stay so."""
    own = [rule.of_the_outcome() for rule in rules]
    columns: dict[str, pa.Array] = {}
    for name, (kind, read) in _COLUMNS.items():
        columns[name] = pa.array([_known(read(rule)) for rule in own], kind)
        if name == "grade" and any(rule.mean is not None for rule in own):
            columns |= {
                mean: pa.array(
                    [None if one.mean is None else _known(get(one.mean)) for one in own], pa.float64()
                )
                for mean, get in _OF_MEANS.items()
            }
    if every_column:
        kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
        rows = [to_row(rule) for rule in own]
        for column in columns_of(Rule):
            if column.name not in columns and column.name not in _SAID_ALREADY:
                columns[column.name] = pa.array([row[column.name] for row in rows], kinds[column.type])
    return pa.table(columns)


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) and value != float("inf") else value
