"""The parts of a study in the terminal: its numbers, how it was done, levels and subgroups; a rule's card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from causalrules.domain import Estimate
from causalrules.report.terminal.estimate_forest import EstimateForest
from causalrules.report.words.contrast_words import (
    EMPTY_CELL,
    THE_OUTCOME,
    contrast_sentence,
    estimator_of,
    has_empty_cell,
    headline,
    own_ratio,
    points_and_interval,
    standardised_risks,
)
from causalrules.report.words.dose_words import dose_caution, dose_counts, dose_rows, trend_line
from causalrules.report.words.falsification_words import falsification_lines
from causalrules.report.words.formatting import interval, number, p_text, printable_text
from causalrules.report.words.grade_words import GRADE_HEADINGS, grade_criteria
from causalrules.report.words.interaction_words import RERI, risk_rows
from causalrules.report.words.measure import means_of, measure_of, signed, signed_interval
from causalrules.report.words.read_first import said_first
from causalrules.report.words.reading_aids import CAUTION, WHAT_TO_ADJUST_FOR
from causalrules.report.words.risk_words import (
    NO_RISKS_TOLD,
    number_needed_row,
    risk_difference_row,
    risk_ratio_row,
)
from causalrules.report.words.study_facts import study_facts
from causalrules.report.words.subgroup_words import interaction_lines, subgroup_rows, subgroups_caution
from causalrules.report.words.summary import CHOSEN_BEFOREHAND

if TYPE_CHECKING:
    from rich.console import RenderableType

    from causalrules.domain import Result, Rule
    from causalrules.domain.dose_response import DoseResponse
    from causalrules.domain.mean_effect import MeanEffect

_RISK_BAR = 12
"""Cells of the longest bar."""


def estimates(rule: Rule, confidence: float | None) -> Table:
    """The sizes of the effect, about the outcome itself; without a confidence where it is not known."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("estimate", justify="right")
    level = "interval" if confidence is None else f"{100 * confidence:g} % interval"
    table.add_column(level, justify="right")
    table.add_column("")
    groups = f"{rule.exposed:,} exposed, {rule.unexposed:,} not"
    if rule.mean is not None:
        return _mean_estimates(table, rule, rule.mean, groups)
    if has_empty_cell(rule):
        groups += f"; {EMPTY_CELL}"
    _add_ratio(table, "odds ratio, crude", own_ratio(rule, rule.odds_ratio), groups)
    if rule.verdict == "untestable" and not rule.pairs.n_pairs:
        return table
    trust = "not to be relied on: see above" if rule.verdict == "untestable" else ""
    adjusted = own_ratio(rule, rule.adjusted_odds_ratio)
    test = estimator_of(rule)
    _add_ratio(table, "odds ratio, adjusted", adjusted, trust or f"{test}, {p_text(rule.p_value)}")
    if not rule.has_risks:
        table.caption, table.caption_justify = NO_RISKS_TOLD, "left"
        return table
    for row in (risk_ratio_row(rule), risk_difference_row(rule)):
        table.add_row(*row)
    if rule.verdict != "untestable" and rule.design.second_opinion.is_made:
        opinion = rule.design.second_opinion
        agrees = "agrees" if rule.design.opinions_agree else Text("does not agree", style="bold yellow")
        values = points_and_interval(Estimate(opinion.estimate, opinion.low, opinion.high))
        table.add_row("  doubly robust", *values, agrees)
    needed = number_needed_row(rule) if rule.verdict != "untestable" else None
    if needed is not None:
        table.add_row(*needed)
    risks = standardised_risks(rule)
    if risks is not None:
        table.caption = (
            f"Risks are standardised to the matched exposed: {risks[0]:.1%} as they are, "
            f"{risks[1]:.1%} without the exposure."
        )
        table.caption_justify = "left"
    return table


def _mean_estimates(table: Table, rule: Rule, mean: MeanEffect, groups: str) -> Table:
    """The rows of an effect on a mean."""
    table.add_row("mean difference, crude", signed(mean.crude.value), signed_interval(mean.crude), groups)
    if rule.verdict == "untestable" and not rule.pairs.n_pairs:
        return table
    trust = "not to be relied on: see above" if rule.verdict == "untestable" else f"p = {rule.p_value:.2g}"
    adjusted = signed(mean.difference.value), signed_interval(mean.difference)
    table.add_row("mean difference, adjusted", *adjusted, trust)
    if rule.verdict != "untestable":
        opinion, agree = rule.design.second_opinion, rule.design.opinions_agree
        agrees = "agrees" if agree else Text("does not agree", style="bold yellow")
        limits = signed_interval(Estimate(opinion.estimate, opinion.low, opinion.high))
        table.add_row("  doubly robust", signed(opinion.estimate), limits, agrees)
    exposed, unexposed = means_of(mean)
    table.caption = (
        f"Means of the matched exposed: {exposed} as they are, "
        f"{unexposed} without the exposure; standard deviation of the outcome "
        f"{number(mean.spread)}."
    )
    table.caption_justify = "left"
    return table


def adjusted_risks(rule: Rule, confidence: float) -> Table:
    """The risk of every combination of the pattern's parts, as bars."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("adjusted risks")
    table.add_column("")
    table.add_column("risk", justify="right")
    table.add_column(f"{100 * confidence:g} % interval", justify="right")
    table.add_column("cases of records", justify="right")
    rows = risk_rows(rule)
    highest = max(row.risk.value for row in rows) or 1.0
    for row in rows:
        limits = f"{row.risk.low:.1%} – {row.risk.high:.1%}"
        counts = f"{row.cases:,} of {row.records:,}"
        drawn = "█" * round(_RISK_BAR * row.risk.value / highest)
        table.add_row(Text(row.label), drawn, f"{row.risk.value:.1%}", limits, counts)
    table.caption, table.caption_justify = RERI, "left"
    return table


def dose_levels(rule: Rule, dose: DoseResponse, result: Result) -> list[RenderableType]:
    """All levels of a column against the reference, drawn, and whether there is a trend."""
    rows, counts = dose_rows(dose), dose_counts(dose)
    table = EstimateForest(rows, measure_of(rule), result.settings.confidence, counts)
    heading = Text(f"{printable_text(dose.column)}, level by level", style="bold")
    return [heading, table, Text(trend_line(dose))]


def subgroup_effects(rule: Rule, result: Result) -> list[RenderableType]:
    """The effect in each subgroup, drawn, and whether it differs between them."""
    settings = result.settings
    heading = Text(f"{rule.name} in subgroups", style="bold")
    counts = ("exposed", "unexposed")
    lines = interaction_lines(rule, settings.alpha)
    table = EstimateForest(subgroup_rows(rule), measure_of(rule), settings.confidence, counts)
    return [heading, table, *map(Text, lines)]


def _add_ratio(table: Table, name: str, ratio: Estimate, remark: str) -> None:
    table.add_row(name, number(ratio.value), interval(ratio), remark)


def facts(rule: Rule) -> Table:
    """How the study was done, point by point."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column("", style="cyan", no_wrap=True)
    table.add_column("")
    for fact in study_facts(rule):
        if fact.name == "second opinion":  # it stands among the estimates
            continue
        for place, line in enumerate(fact.lines):
            table.add_row("" if place else fact.name, Text(line))
    return table


def criteria(rule: Rule) -> Table:
    """What the grade rests on."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in GRADE_HEADINGS:
        table.add_column(heading)
    for name, value, grade, bounds in grade_criteria(rule):
        table.add_row(name, value, Text(grade, style="bold" if grade == rule.grade else ""), bounds)
    return table


def rule_card(rule: Rule) -> RenderableType:
    """Verdict, numbers, how the study was done; a rule by itself does not know its outcome's name."""
    parts: list[RenderableType] = [Text(headline(rule, THE_OUTCOME), style="bold")]
    parts += [Text(contrast_sentence(rule, THE_OUTCOME)), Text(), estimates(rule, None), Text(), facts(rule)]
    if rule.grade is not None:
        parts += [Text(), Text(f"Grade: {rule.grade}, the weakest of these", style="bold"), criteria(rule)]
    return Group(*parts)


def study_report(result: Result) -> RenderableType:
    """Verdict, estimates, how the study was done, and what could undo it."""
    rule, outcome = result.tested[0], result.data.outcome
    parts: list[RenderableType] = [
        Text(line, style="" if line.startswith("You said: ") else "yellow") for line in said_first(result)
    ]
    parts += [Text(headline(rule, outcome), style="bold"), Text(contrast_sentence(rule, outcome))]
    if not rule.compares_nothing:
        parts += [Text(), estimates(rule, result.settings.confidence)]
    parts += [Text(), facts(rule), Text()]
    if rule.interaction is not None:
        parts += [adjusted_risks(rule, result.settings.confidence), Text()]
    if rule.dose is not None:
        parts += [*dose_levels(rule, rule.dose, result), Text(dose_caution(result), style="dim"), Text()]
    if rule.subgroups:
        parts += [*subgroup_effects(rule, result), Text(subgroups_caution(result), style="dim"), Text()]
    checks = falsification_lines(result)
    if checks:
        parts += [Text("Checks of the run", style="bold"), *map(Text, checks), Text()]
    if rule.grade is not None:
        parts += [Text(f"Grade: {rule.grade}, the weakest of these", style="bold"), criteria(rule), Text()]
    if rule.verdict == "causal":
        parts.append(Text(CAUTION, style="dim"))
    parts += [Text(line, style="dim") for line in (WHAT_TO_ADJUST_FOR, CHOSEN_BEFOREHAND)]
    return Group(*parts)
