"""The result of mining in the terminal: what to know first, tables of contrasts, then what was rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from causalrules.report.terminal.contrast_table import ContrastTable
from causalrules.report.terminal.study_report import dose_levels, subgroup_effects
from causalrules.report.words.answer_words import answer_line, rejections, why_nothing
from causalrules.report.words.contrast_words import (
    inseparable,
)
from causalrules.report.words.dose_words import dose_caution
from causalrules.report.words.falsification_words import falsification_lines
from causalrules.report.words.findings import sections_of
from causalrules.report.words.interaction_words import together_lines
from causalrules.report.words.read_first import Notice, notices
from causalrules.report.words.reading_aids import reading_aids
from causalrules.report.words.subgroup_words import left_out_line, subgroups_caution, worth_showing
from causalrules.report.words.summary import describe_correction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from rich.console import RenderableType

    from causalrules.domain import Result, Rule


def mining_report(result: Result) -> RenderableType:
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
