"""A table of contrasts in the terminal, as wide as there is room."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from causalrules.report.terminal.rule_columns import (
    Column,
    bar,
    columns_that_fit,
    folded,
    on_one_line,
    width_left,
)
from causalrules.report.words.contrast_words import (
    EMPTY_CELL,
    contrast_tags,
    n_matched,
)
from causalrules.report.words.findings import Section, ShownFinding
from causalrules.report.words.formatting import number, printable
from causalrules.report.words.measure import measure_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions

    from causalrules.domain import Result, Rule

_DISPENSABLE = ("bar", "P", "crude", "matched", "Γ")
_STYLES = {"strong": "bold", "fragile": "dim"}


class ContrastTable:
    """Rules of one section, those that raise the odds first; numbers are about the outcome itself.

    Where columns cannot be told apart, they stand together under their names instead.
    """

    def __init__(self, section: Section, result: Result) -> None:
        headed = [
            (_over(section.kind, finding, rule), rule)
            for finding in section.findings
            for rule in finding.rules_of(result)
        ]
        if section.kind != "groups":
            headed.sort(key=lambda one: (one[1].compares_nothing, one[1].direction == "lowers"))
        self._over = [over for over, _ in headed]
        self._rules = [rule for _, rule in headed]
        self._tags = [_tags(rule, in_group=section.kind == "groups") for rule in self._rules]
        self._confidence = result.settings.confidence

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """The table, once the width is known."""
        longest = self._longest(self._tags)
        fixed = columns_that_fit(self._columns(), options.max_width, _DISPENSABLE, longest)
        shown = [column.name for column in fixed]
        all_tags = [
            [tag for tag in tags if tag != EMPTY_CELL or "crude" in shown]  # it speaks of that column
            for tags in self._tags
        ]
        width = max(min(self._longest(all_tags), width_left(fixed, options.max_width)), 1)
        table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
        table.add_column("", width=width)
        for column in fixed:
            table.add_column(column.heading, width=column.width, justify=column.justify, no_wrap=True)
        above = None
        for place, rule in enumerate(self._rules):
            if self._over[place] != above:
                above = self._over[place]
                table.add_row(Text(above, style="italic"))
            cells = [Text(column.cells[place], style=_style(column.name, rule)) for column in fixed]
            table.add_row(folded(rule.name, all_tags[place], width), *cells)
        yield table

    def _longest(self, all_tags: Sequence[Sequence[str]]) -> int:
        """Cells of the longest name with its tags, or heading."""
        names = [on_one_line(rule.name, tags) for rule, tags in zip(self._rules, all_tags, strict=True)]
        return max(map(cell_len, [*names, *self._over]))

    def _columns(self) -> list[Column]:
        rules = self._rules
        measures = [measure_of(rule) for rule in rules]
        sizes = [1.0 if rule.compares_nothing else rule.strength.value for rule in rules]
        largest = max((size for size in sizes if isfinite(size)), default=1.0)
        level = f"{100 * self._confidence:g} % interval"
        columns = [
            Column("odds", measures[0].name, [one.shown(one.adjusted.value) for one in measures]),
            Column("bar", "", [bar(size, largest) for size in sizes], "left"),
            Column("interval", level, [one.limits(one.adjusted) for one in measures]),
            Column("crude", "crude", [one.shown(one.crude.value) for one in measures]),
            Column("matched", "matched", [_matched(rule) for rule in rules]),
            Column("Γ", "Γ", ["" if rule.compares_nothing else number(rule.doubts.gamma) for rule in rules]),
        ]
        if any(rule.p_next is not None for rule in rules):
            shares = ["" if rule.p_next is None else f"{rule.p_next:.2f}" for rule in rules]
            columns.insert(-1, Column("P", "P", shares))
        if any(rule.grade for rule in rules):
            columns.append(Column("grade", "grade", [rule.grade or "" for rule in rules], "left"))
        return columns


def _over(kind: str, finding: ShownFinding, rule: Rule) -> str:
    """What stands above a rule and those like it."""
    if kind == "groups":
        return printable(" or ".join(finding.columns))
    return "nothing to compare" if rule.compares_nothing else f"{rule.direction} the {measure_of(rule).moves}"


def _tags(rule: Rule, *, in_group: bool) -> list[str]:
    """The tags of a rule; what a group's heading says already is not said again."""
    return [tag.text for tag in contrast_tags(rule) if not (in_group and tag.text.startswith("≈"))]


def _matched(rule: Rule) -> str:
    """Exposed records that found partners, with their share where some did not."""
    if rule.compares_nothing:
        return ""
    count, share = n_matched(rule), rule.design.share_matched
    return f"{count:,}" if share >= 0.995 else f"{count:,} ({share:.0%})"


def _style(column: str, rule: Rule) -> str:
    if column == "bar":
        return "red" if rule.direction == "raises" else "blue"
    return _STYLES.get(rule.grade or "", "") if column == "grade" else ""
