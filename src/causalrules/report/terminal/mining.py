"""The result of mining in the terminal: causal rules in tables that fit its width, then remarks."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from causalrules.report.terminal.contrast_table import contrasts_report
from causalrules.report.terminal.rule_columns import (
    Column,
    bar,
    columns_that_fit,
    folded,
    on_one_line,
    width_left,
)
from causalrules.report.words.formatting import interval, number, printable
from causalrules.report.words.read_first import interruption
from causalrules.report.words.result_kinds import is_of_contrasts
from causalrules.report.words.summary import causes_by_direction, columns_left_out, remarks_on
from causalrules.report.words.verdict_sentences import tags_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderableType

    from causalrules.domain import Direction, Result

_DISPENSABLE = ("bar", "crude", "pairs", "Γ")
"""Columns that a narrow terminal goes without, the first one first."""


def mining_report(result: Result) -> RenderableType:
    """The causal rules, then what was rejected and left out."""
    if is_of_contrasts(result):
        return contrasts_report(result)
    parts: list[RenderableType] = [Text(printable(result.summary()), style="bold")]
    parts += [Text(line, style="bold yellow") for line in interruption(result)]
    for heading, rules in causes_by_direction(result):
        parts += [Text(), Text(heading, style="bold cyan"), RuleTable(result, rules[0].direction)]
    remarks = [Text(line, style="dim") for line in remarks_on(result)]
    left_out = [Padding(Text(line, style="dim"), (0, 0, 0, 2)) for line in columns_left_out(result.data)]
    if left_out:
        remarks.append(Text("Columns left out:", style="dim"))
    return Group(*parts, Text(), *remarks, *left_out)


class RuleTable:
    """The causal rules of one direction; widths and bars are made for both directions."""

    def __init__(self, result: Result, direction: Direction) -> None:
        self._result = result
        self._direction = direction

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """The table, once the width is known."""
        sign = "×" if self._direction == "raises" else "÷"
        longest = max(cell_len(on_one_line(rule.name, tags_of(rule))) for rule in self._result.causal)
        fixed = columns_that_fit(_columns(self._result, sign), options.max_width, _DISPENSABLE, longest)
        width = max(min(longest, width_left(fixed, options.max_width)), 1)
        table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
        table.add_column("rule", width=width)
        for column in fixed:
            table.add_column(column.heading, width=column.width, justify=column.justify, no_wrap=True)
        for place, rule in enumerate(self._result.causal):
            if rule.direction == self._direction:
                cells = [Text(column.cells[place], style=_style(column.name, sign)) for column in fixed]
                table.add_row(folded(rule.name, tags_of(rule), width), *cells)
        yield table


def _columns(result: Result, sign: str) -> list[Column]:
    rules = result.causal
    finite = [rule.adjusted_odds_ratio.value for rule in rules if isfinite(rule.adjusted_odds_ratio.value)]
    largest = max(finite, default=1.0)
    confidence = f"{100 * result.settings.confidence:g}"
    return [
        Column("odds", f"odds {sign}", [number(rule.adjusted_odds_ratio.value) for rule in rules]),
        Column("bar", "", [bar(rule.adjusted_odds_ratio.value, largest) for rule in rules], "left"),
        Column(
            "interval", f"{confidence} % interval", [interval(rule.adjusted_odds_ratio) for rule in rules]
        ),
        Column("crude", "crude", [number(rule.odds_ratio.value) for rule in rules]),
        Column("pairs", "pairs", [f"{rule.pairs.n_pairs:,.0f}" for rule in rules]),
        Column("Γ", "Γ", [number(rule.doubts.gamma) for rule in rules]),
    ]


def _style(column: str, sign: str) -> str:
    return "" if column != "bar" else "red" if sign == "×" else "blue"
