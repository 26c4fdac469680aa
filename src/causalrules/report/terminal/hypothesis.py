"""The cohort study of one hypothesis in full, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from causalrules.report.terminal.study_report import (
    adjusted_risks,
    criteria,
    dose_levels,
    estimates,
    facts,
    subgroup_effects,
)
from causalrules.report.words.contrast_words import contrast_sentence, headline
from causalrules.report.words.dose_words import dose_caution
from causalrules.report.words.falsification_words import falsification_lines
from causalrules.report.words.read_first import said_first
from causalrules.report.words.reading_aids import CAUTION, WHAT_TO_ADJUST_FOR
from causalrules.report.words.subgroup_words import subgroups_caution
from causalrules.report.words.summary import CHOSEN_BEFOREHAND

if TYPE_CHECKING:
    from rich.console import RenderableType

    from causalrules.domain import Result


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
