"""One rule in the terminal, by itself: what `rule.show()` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from causalrules.report.terminal.study_report import criteria, estimates, facts
from causalrules.report.words.contrast_words import headline
from causalrules.report.words.explanations import explain_numbers
from causalrules.report.words.formatting import printable
from causalrules.report.words.verdict_sentences import THE_OUTCOME, sentence

if TYPE_CHECKING:
    from rich.console import RenderableType

    from causalrules.domain import Rule


def rule_card(rule: Rule) -> RenderableType:
    """Verdict, numbers, how the study was done; a rule by itself does not know its outcome's name."""
    if rule.design is None:
        heading = Text(f"{printable(rule.name)}: {rule.verdict}", style="bold")
        return Group(heading, Text(sentence(rule, THE_OUTCOME)), Text(), _readings(rule))
    parts: list[RenderableType] = [Text(headline(rule, THE_OUTCOME), style="bold")]
    parts += [Text(sentence(rule, THE_OUTCOME)), Text(), estimates(rule, None), Text(), facts(rule)]
    if rule.grade is not None:
        parts += [Text(), Text(f"Grade: {rule.grade}, the weakest of these", style="bold"), criteria(rule)]
    return Group(*parts)


def _readings(rule: Rule) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for name, line in explain_numbers(rule, THE_OUTCOME).items():
        table.add_row(name, Text(line))
    return table
