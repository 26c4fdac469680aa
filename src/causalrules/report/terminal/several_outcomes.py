"""Answers about several outcomes in the terminal: all of them in a few lines, then each in full."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rich.console import Group
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from causalrules.report.terminal.mining import contrasts_answer, how_to_read, read_this_first
from causalrules.report.words.formatting import number, printable
from causalrules.report.words.measure import measure_of, name_of_measure
from causalrules.report.words.read_first import Notice, notices
from causalrules.report.words.result_kinds import is_single_study

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from causalrules.domain import Outcome, Result
    from causalrules.domain.answers import Answers

_CORRECTION = "Each outcome is corrected for its own hypotheses, not for the number of outcomes."


def answers_report(answers: Answers, report: Callable[[Result], RenderableType]) -> RenderableType:
    """A line for each outcome, then the report of each below its name; what is true of all is said once.

    Parameters
    ----------
    answers : Answers
        What was found.
    report : callable
        Of one result.
    """
    overview = _studies(answers) if all(len(one.tested) == 1 for one in answers) else _searches(answers)
    parts: list[RenderableType] = [Text(f"{len(answers)} outcomes", style="bold"), overview]
    parts.append(Text(_CORRECTION, style="dim"))
    if one := _one_of_two_values(answers):
        parts.append(Text(one, style="dim"))
    are_searches = not any(is_single_study(one) for one in answers)
    of_all = _said_of_all(answers) if are_searches else []
    if of_all:
        parts += [Text(), *read_this_first(of_all)]
    for result in answers:
        heading = Line(printable(str(result.data.outcome)), characters="─", align="left")
        parts += [Text(), heading, contrasts_answer(result, of_all) if are_searches else report(result)]
    if are_searches:
        aids = dict.fromkeys(line for result in answers for line in how_to_read(result))
        parts += [Text(), Line(style="dim"), *(Text(line, style="dim") for line in aids)]
    return Group(*parts)


def _one_of_two_values(answers: Answers) -> str:
    """That two outcomes are one question, where they are the two values of a column; else nothing."""
    outcomes = [result.data.outcome for result in answers]
    if (
        len(outcomes) != 2
        or len({one.column for one in outcomes}) > 1
        or any(one.is_mean for one in outcomes)
    ):
        return ""
    first, second = outcomes
    if first.n_with != second.n_without or first.n_without != second.n_with:
        return ""
    rarer = min(outcomes, key=lambda one: one.n_with)
    return (
        f"{printable(rarer.column)} has two values: what raises the odds of one lowers those of the other. "
        f"To ask about one of them: --outcome {shlex.quote(printable(str(rarer)))}"
    )


def _said_of_all(answers: Answers) -> list[Notice]:
    """What is to be known first of every outcome, in the order of the first one; no heads of lists."""
    told = [notices(one) for one in answers]
    alike = [one for one in told[0] if all(one in others for others in told[1:])]
    return [one for one in alike if not one.text.startswith("– ") and not one.text.endswith(":")]


def _searches(answers: Answers) -> Table:
    """How many causal rules each outcome has, and the strongest."""
    table = _table("outcome", "with it", "of records", "causal rules", "the strongest")
    for result in answers:
        outcome, causal = result.data.outcome, result.causal
        counts = (*_records(outcome), f"{len(causal):,}")
        strongest = printable(causal[0].name) if causal else "–"
        table.add_row(Text(printable(str(outcome))), *counts, Text(strongest))
    return table


def _studies(answers: Answers) -> Table:
    """What became of the hypothesis for each outcome."""
    name = name_of_measure(answers[0].data.outcome)
    table = _table("outcome", "with it", "of records", name, "interval", "verdict")
    for result in answers:
        outcome, rule = result.data.outcome, result.tested[0]
        measure = measure_of(rule)
        effect = measure.shown(measure.adjusted.value), measure.limits(measure.adjusted)
        table.add_row(Text(printable(str(outcome))), *_records(outcome), *effect, rule.verdict)
    return table


def _records(outcome: Outcome) -> tuple[str, str]:
    """Records with the outcome, of how many; a mean in the place of the first."""
    has = f"{outcome.n_with:,}"
    if outcome.mean is not None:
        weighted = outcome.weighted_mean
        has = f"mean {number(outcome.mean)}" if weighted is None else f"weighted mean {number(weighted)}"
    return has, f"{outcome.n_records:,}"


def _table(*headings: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in headings:
        is_text = heading in ("outcome", "the strongest", "verdict")
        table.add_column(heading, justify="left" if is_text else "right")
    return table
