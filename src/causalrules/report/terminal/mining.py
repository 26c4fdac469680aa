"""The result of mining in the terminal: causal rules in tables that fit its width, then remarks."""

from __future__ import annotations

from math import isfinite, log
from typing import TYPE_CHECKING, Literal, NamedTuple

from rich.cells import cell_len
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from causalrules.report.words.formatting import fold, interval, number, printable
from causalrules.report.words.sentences import tags_of
from causalrules.report.words.summary import INTERRUPTED, causes_by_direction, columns_left_out, remarks_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderableType

    from causalrules.domain import Direction, Result, Rule

_BAR_CELLS = 8
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEAST_NAME = 26
_DISPENSABLE = ("bar", "crude", "pairs", "Γ")
"""Columns that a narrow terminal goes without, the first one first."""


def mining_report(result: Result) -> RenderableType:
    """The causal rules by direction, then what was rejected and left out."""
    parts: list[RenderableType] = [Text(printable(result.summary()), style="bold")]
    if result.interrupted:
        parts.append(Text(INTERRUPTED, style="bold yellow"))
    for heading, rules in causes_by_direction(result):
        parts += [Text(), Text(heading, style="bold cyan"), RuleTable(result, rules[0].direction)]
    remarks = [Text(line, style="dim") for line in remarks_on(result)]
    left_out = [Padding(Text(line, style="dim"), (0, 0, 0, 2)) for line in columns_left_out(result.data)]
    if left_out:
        remarks.append(Text("Columns left out:", style="dim"))
    return Group(*parts, Text(), *remarks, *left_out)


class _Column(NamedTuple):
    name: str
    heading: str
    cells: list[str]
    justify: Literal["left", "right"] = "right"

    @property
    def width(self) -> int:
        return max(map(cell_len, [self.heading, *self.cells]))


class RuleTable:
    """The causal rules of one direction; widths and bars are made for both directions."""

    def __init__(self, result: Result, direction: Direction) -> None:
        self._result = result
        self._direction = direction

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """The table, once the width is known."""
        sign = "×" if self._direction == "raises" else "÷"
        fixed = _kept(_columns(self._result, sign), options.max_width)
        names = [_on_one_line(rule) for rule in self._result.causal]
        left = _width_left(fixed, options.max_width)
        width = max(min(max(map(cell_len, names)), left), 1)
        table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
        table.add_column("rule", width=width)
        for column in fixed:
            table.add_column(column.heading, width=column.width, justify=column.justify, no_wrap=True)
        for place, rule in enumerate(self._result.causal):
            if rule.direction == self._direction:
                cells = [Text(column.cells[place], style=_style(column.name, sign)) for column in fixed]
                table.add_row(_folded(rule, width), *cells)
        yield table


def _columns(result: Result, sign: str) -> list[_Column]:
    rules = result.causal
    finite = [rule.adjusted_odds_ratio.value for rule in rules if isfinite(rule.adjusted_odds_ratio.value)]
    largest = max(finite, default=1.0)
    confidence = f"{100 * result.settings.interval_confidence:g}"
    return [
        _Column("odds", f"odds {sign}", [number(rule.adjusted_odds_ratio.value) for rule in rules]),
        _Column("bar", "", [bar(rule.adjusted_odds_ratio.value, largest) for rule in rules], "left"),
        _Column(
            "interval", f"{confidence} % interval", [interval(rule.adjusted_odds_ratio) for rule in rules]
        ),
        _Column("crude", "crude", [number(rule.odds_ratio.value) for rule in rules]),
        _Column("pairs", "pairs", [f"{rule.pairs.n_pairs:,.0f}" for rule in rules]),
        _Column("Γ", "Γ", [number(rule.doubts.gamma) for rule in rules]),
    ]


def _kept(columns: list[_Column], max_width: int) -> list[_Column]:
    """The columns that leave enough width for the names."""
    for name in _DISPENSABLE:
        if _width_left(columns, max_width) >= _LEAST_NAME:
            break
        columns = [column for column in columns if column.name != name]
    return columns


def _width_left(columns: list[_Column], max_width: int) -> int:
    """What other columns leave to the names; each column is followed by a blank."""
    return max_width - 1 - sum(column.width + 1 for column in columns)


def _style(column: str, sign: str) -> str:
    return "" if column != "bar" else "red" if sign == "×" else "blue"


def bar(odds: float, largest: float) -> str:
    """An odds ratio as a bar on a logarithmic scale, of eight cells at most.

    Examples
    --------
    >>> bar(4.0, 16.0), bar(16.0, 16.0), bar(1.0, 16.0), bar(1.01, 16.0)
    ('████', '████████', '', '▏')
    """
    if odds <= 1:
        return ""
    # On the logarithm an odds ratio of 4 is twice as much as 2, as it is for who judges effects.
    share = 1.0 if odds >= largest else log(odds) / log(largest)
    eighths = max(1, round(share * _BAR_CELLS * 8))
    return (_EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def _on_one_line(rule: Rule) -> str:
    return " · ".join([printable(rule.name), *tags_of(rule)])


def _folded(rule: Rule, width: int) -> Text:
    """The name, then its tags: on the same line where they fit, else on lines of their own."""
    lines = [Text(line) for line in _indented(printable(rule.name), width, "", "  ")]
    for tag in tags_of(rule):
        addition = f" · {tag}"
        if lines[-1].cell_len + cell_len(addition) <= width:
            lines[-1].append(addition, style="yellow")
        else:
            lines += [Text(line, style="yellow") for line in _indented(tag, width, "  · ", "    ")]
    return Text("\n").join(lines)


def _indented(name: str, width: int, first: str, others: str) -> list[str]:
    """The folded name; later lines are indented, so that nobody takes them for another rule."""
    if cell_len(first + name) <= width:
        return [first + name]
    lines = fold(name, max(width - cell_len(others), 1))
    return [(others if place else first) + line for place, line in enumerate(lines)]
