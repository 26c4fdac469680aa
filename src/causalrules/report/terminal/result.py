"""The result of mining in the terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from causalrules.report.terminal.rule_table import RuleTable
from causalrules.report.words.sentences import printable, tag_meanings
from causalrules.report.words.warnings import (
    GAMMA,
    INTERRUPTED,
    NOTHING_FOUND,
    about_records,
    caution,
    judged_how,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from causalrules.domain import DataSummary, Direction, Result, Rule

_SHORT_NAME = 40
_PHRASES: dict[Direction, tuple[str, str]] = {
    "raises": ("cause that raises the odds of", "causes that raise the odds of"),
    "lowers": ("cause that lowers the odds of", "causes that lower the odds of"),
}


def mining_report(result: Result) -> RenderableType:
    """The causal rules by direction, then what was rejected and left out."""
    parts: list[RenderableType] = [Text(printable(result.summary()), style="bold")]
    if result.interrupted:
        parts.append(Text(INTERRUPTED, style="bold yellow"))
    for heading, rules in causes(result):
        parts += [Text(), Text(heading, style="bold cyan"), RuleTable(result, rules[0].direction)]
    remarks = [Text(line, style="dim") for line in remarks_on(result)]
    left_out = [Padding(Text(line, style="dim"), (0, 0, 0, 2)) for line in left_out_of(result.data)]
    if left_out:
        remarks.append(Text("Columns left out:", style="dim"))
    return Group(*parts, Text(), *remarks, *left_out)


def causes(result: Result) -> Iterator[tuple[str, tuple[Rule, ...]]]:
    """Headings with their causal rules, by direction."""
    for direction, (one, several) in _PHRASES.items():
        rules = result.with_verdict("causal", direction)
        if rules:
            phrase = one if len(rules) == 1 else several
            yield printable(f"{len(rules)} {phrase} {result.data.outcome}"), rules


def remarks_on(result: Result) -> list[str]:
    """What to know about the rules, the test, and what is not shown."""
    lines = [caution(result.settings)] if result.causal else []
    if not result.causal and not result.interrupted:
        lines.append(NOTHING_FOUND)
    if result.causal:
        lines += [GAMMA, *tag_meanings(result.causal)]
    return [*lines, judged_how(result.settings), *_rejections(result), *about_records(result)]


def _rejections(result: Result) -> list[str]:
    """How many rules are not shown, and how to see them and the reasons."""
    verdicts = result.n_by_verdict
    n_rejected, n_untestable = verdicts["rejected"], verdicts["untestable"]
    if not n_rejected + n_untestable:
        return []
    associations = "association was" if n_rejected == 1 else "associations were"
    untestable = f", {n_untestable} could not be tested" if n_untestable else ""
    lines = [f"{n_rejected} {associations} rejected{untestable}; --csv FILE lists all with their numbers."]
    if n_rejected:
        how = "read --html FILE" if result.settings.explain else "add --explain and read --html FILE"
        lines += [
            f"Why: {how}; or ask about one of them:",
            f"causalrules test … --exposure {_most_tempting(result)} --explain",
        ]
    return lines


def _most_tempting(result: Result) -> str:
    """The rejected rule that looks strongest before matching, as one types it."""
    rejected = sorted(result.with_verdict("rejected"), key=lambda rule: -rule.odds_ratio.low)
    names = (rule.name for rule in rejected if len(rule.name) <= _SHORT_NAME)
    return next((shlex.quote(name) for name in names if name == printable(name)), "'…'")


def left_out_of(data: DataSummary) -> list[str]:
    """Columns that take no part, by the reason."""
    by_reason: dict[str, list[str]] = {}
    for entry in data.left_out:
        by_reason.setdefault(entry.reason, []).append(entry.column)
    return [
        f"{', '.join(map(printable, columns))}: {printable(reason)}" for reason, columns in by_reason.items()
    ]
