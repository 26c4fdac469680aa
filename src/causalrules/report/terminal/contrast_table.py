"""The default search in the terminal: what to know first, one table of contrasts, then what was rejected."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group
from rich.padding import Padding
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
from causalrules.report.terminal.study_report import dose_levels, subgroup_effects
from causalrules.report.words.answer_words import answer_line, rejections, why_nothing
from causalrules.report.words.contrast_words import (
    EMPTY_CELL,
    contrast_tags,
    design_of,
    inseparable,
    n_matched,
)
from causalrules.report.words.dose_words import dose_caution
from causalrules.report.words.falsification_words import falsification_lines
from causalrules.report.words.findings import Section, ShownFinding, sections_of
from causalrules.report.words.formatting import number, printable
from causalrules.report.words.interaction_words import together_lines
from causalrules.report.words.measure import measure_of
from causalrules.report.words.read_first import Notice, notices
from causalrules.report.words.reading_aids import reading_aids
from causalrules.report.words.subgroup_words import left_out_line, subgroups_caution, worth_showing
from causalrules.report.words.summary import describe_correction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType

    from causalrules.domain import Result, Rule

_DISPENSABLE = ("bar", "P", "crude", "matched", "Γ")
_STYLES = {"strong": "bold", "fragile": "dim"}


def contrasts_report(result: Result) -> RenderableType:
    """The answer, what to know first, the rules by verdict, what was not found, and how to read it."""
    return Group(contrasts_answer(result), Text(), *(Text(line, style="dim") for line in how_to_read(result)))


def contrasts_answer(result: Result, said_before: Collection[Notice] = ()) -> RenderableType:
    """The answer without how to read it, and without notices that were given before."""
    parts: list[RenderableType] = [Text(answer_line(result), style="bold")]
    first = [notice for notice in notices(result) if notice not in said_before]
    if first:
        parts += [Text(), *read_this_first(first)]
    for section in sections_of(result):
        rules = [rule for finding in section.findings for rule in finding.rules_of(result)]
        parts += [Text(), Text(section.title, style="bold cyan"), Text(section.note, style="dim")]
        parts.append(ContrastTable(section, result))
        parts += [_hanging(line) for line in together_lines(rules)]
        parts += _levels_and_subgroups(rules, result)
    if not result.causal and not result.interrupted:
        parts += [Text(), Text(why_nothing(result))]
    rejected = rejections(result)
    if rejected:
        parts += [Text(), *(_hanging(line) for line in rejected)]
    checks = falsification_lines(result)
    if checks:
        parts += [Text(), Text("Checks of the run", style="bold cyan"), *(_hanging(line) for line in checks)]
    return Group(*parts)


def read_this_first(first: Sequence[Notice]) -> list[RenderableType]:
    """What a person must know, below its heading."""
    return [Text("Read this first", style="bold yellow"), *map(_notice, first)]


def how_to_read(result: Result) -> list[str]:
    """What the signs and numbers of the tables mean."""
    # A group's heading says what the sign would say.
    is_signed = any(
        inseparable(rule) for rule in result.tested if rule.verdict in ("possible", "consequence")
    )
    aids = [line for line in reading_aids(result) if is_signed or not line.startswith("≈")]
    aids.append(describe_correction(result.settings))
    aids += [dose_caution(result)] if any(rule.dose for rule in result.tested) else []
    aids += [subgroups_caution(result)] if any(rule.subgroups for rule in result.tested) else []
    return aids


def _levels_and_subgroups(rules: Sequence[Rule], result: Result) -> Iterator[RenderableType]:
    """Below a table: dose-responses, and the subgroups that a reader must see."""
    alpha = result.settings.alpha
    divided = worth_showing(rules, alpha)
    for rule in rules:
        if rule.dose is not None:
            yield from (Text(), *dose_levels(rule, rule.dose, result))
        if rule in divided:
            yield from (Text(), *subgroup_effects(rule, result))
    if line := left_out_line(rules, alpha):
        yield from (Text(), Text(line))


def _notice(notice: Notice) -> RenderableType:
    advice = [Padding(Text(notice.advice, style="bold"), (0, 0, 0, 4))] if notice.advice else []
    return Padding(Group(_hanging(notice.text), *advice), (0, 0, 0, 2))


def _hanging(line: str) -> RenderableType:
    """A line; what is part of a list is indented after its dash."""
    dash, _, rest = line.partition(" ")
    if dash != "–":
        return Text(line)
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_row(Text(dash), Text(rest))
    return table


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
    count, share = n_matched(rule), design_of(rule).share_matched
    return f"{count:,}" if share >= 0.995 else f"{count:,} ({share:.0%})"


def _style(column: str, rule: Rule) -> str:
    if column == "bar":
        return "red" if rule.direction == "raises" else "blue"
    return _STYLES.get(rule.grade or "", "") if column == "grade" else ""
