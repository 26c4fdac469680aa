"""A rule in a notebook: its card, with the explanation of a rejected one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.notebook.forest_svg import forest_svg
from causalrules.report.notebook.markup import block, folded, in_python, paragraph, table
from causalrules.report.words.contrast_words import (
    THE_OUTCOME,
    contrast_sentence,
    contrast_tag_meanings,
    headline,
    own_ratio,
)
from causalrules.report.words.formatting import interval, number
from causalrules.report.words.grade_words import GRADE_HEADINGS, grade_criteria
from causalrules.report.words.interaction_words import risk_rows
from causalrules.report.words.measure import measure_of
from causalrules.report.words.risk_words import number_needed_row, risk_difference_row, risk_ratio_row
from causalrules.report.words.study_facts import study_facts

if TYPE_CHECKING:
    from causalrules.domain import Outcome, Rule

_USUAL_CONFIDENCE = 0.95


def rule_html(rule: Rule) -> str:
    """The card of a rule that is shown by itself; it does not know its outcome's name."""
    return block(card(rule, THE_OUTCOME, None))


def card(rule: Rule, outcome: Outcome, confidence: float | None) -> str:
    """Verdict, numbers, why it was rejected, and how the study was done.

    Parameters
    ----------
    rule : Rule
        What is shown.
    outcome : Outcome
        What it is about.
    confidence : float, optional
        Of the intervals, where it is known.
    """
    title, told = headline(rule, outcome), contrast_sentence(rule, outcome)
    parts = [paragraph(title, strong=True), paragraph(told), _numbers(rule, confidence)]
    if rule.verdict != "untestable":
        parts.append(forest_svg([rule], str(outcome), confidence or _USUAL_CONFIDENCE))
    parts.append(_explanation(rule))
    if rule.interaction is not None:
        rows = [
            (row.label, f"{row.risk.value:.1%}", f"{row.risk.low:.1%} – {row.risk.high:.1%}")
            for row in risk_rows(rule)
        ]
        parts.append(table(("adjusted risks", "risk", "interval"), rows, numbers=(1, 2)))
    parts.append(folded("How the study was done", _facts(rule)))
    if rule.grade is not None:
        heading = f"Grade: {rule.grade}, the weakest of these"
        parts.append(folded(heading, table(GRADE_HEADINGS, grade_criteria(rule))))
    return "".join([*parts, *(paragraph(meaning, quiet=True) for meaning in contrast_tag_meanings([rule]))])


def _numbers(rule: Rule, confidence: float | None) -> str:
    measure = measure_of(rule)
    crude, adjusted = measure.crude, measure.adjusted
    rows = [(f"{measure.name}, crude", measure.shown(crude.value), measure.limits(crude))]
    if rule.verdict != "untestable":
        effect = measure.shown(adjusted.value), measure.limits(adjusted)
        rows.append((f"{measure.name}, adjusted", *effect))
    if rule.verdict != "untestable" and rule.has_risks:
        rows.append(("risk ratio, adjusted", *risk_ratio_row(rule)[1:3]))
        rows.append(("risk difference, adjusted", *risk_difference_row(rule)[1:3]))
        needed = number_needed_row(rule)
        rows += [] if needed is None else [(f"{needed.name}, {needed.remark}", *needed[1:3])]
    level = "interval" if confidence is None else f"{100 * confidence:g} % interval"
    return table(("", "estimate", level), rows, numbers=(1, 2))


def _explanation(rule: Rule) -> str:
    """How the odds ratio dwindles while more is held, and the strongest confounder's two tables."""
    found = rule.explanation
    if found is None or not found.steps:
        return ""
    crude, adjusted = (own_ratio(rule, one) for one in (rule.odds_ratio, rule.adjusted_odds_ratio))
    path = [("nothing (crude)", number(crude.value), interval(crude))]
    for step in found.steps:
        ratio = own_ratio(rule, step.odds_ratio)
        path.append((f"+ {step.control.name}", number(ratio.value), interval(ratio)))
    path.append(("all that is adjusted for", number(adjusted.value), interval(adjusted)))
    parts = [
        paragraph("Why not: what is held, one more at a time", strong=True),
        table(("held", "odds ratio", "interval"), path, numbers=(1, 2)),
    ]
    tables = [one.flipped() if rule.direction == "lowers" else one for one in found.tables]
    if tables:
        rows = [
            (
                f"{'' if one.is_present else 'not '}{one.item.name}",
                *(
                    _share(one.exposed_with, one.exposed_without),
                    _share(one.unexposed_with, one.unexposed_without),
                ),
                number(one.odds_ratio),
            )
            for one in tables
        ]
        headings = ("among", "exposed with the outcome", "unexposed with the outcome", "odds ratio")
        parts += [
            paragraph("The strongest of them, as two tables:"),
            table(headings, rows, numbers=(1, 2, 3)),
        ]
    return "".join(parts)


def _share(n_with: int, n_without: int) -> str:
    n = n_with + n_without
    return f"{n_with:,} of {n:,} ({n_with / n:.1%})" if n else "0 of 0"


def _facts(rule: Rule) -> str:
    rows = [(fact.name, in_python("; ".join(fact.lines))) for fact in study_facts(rule)]
    return table(("", ""), rows)
