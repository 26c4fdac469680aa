"""The result of mining in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from causalrules.report.remarks import GAMMA, INTERRUPTED, NOTHING_FOUND, about_records, caution, judged_how
from causalrules.report.wording import interval, number, printable, tag_meanings, tags_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from causalrules.domain import Direction, Result, Rule

_PHRASES: dict[Direction, tuple[str, str]] = {
    "raises": ("cause that raises the odds of", "causes that raise the odds of"),
    "lowers": ("cause that lowers the odds of", "causes that lower the odds of"),
}


def mining_report(result: Result) -> RenderableType:
    """The causal rules by direction, then what was rejected and left out."""
    parts: list[RenderableType] = [Text(printable(result.summary()), style="bold")]
    if result.interrupted:
        parts.append(Text(INTERRUPTED, style="bold yellow"))
    for direction, (one, several) in _PHRASES.items():
        rules = result.with_verdict("causal", direction)
        if rules:
            heading = f"{len(rules)} {one if len(rules) == 1 else several} {result.data.outcome}"
            parts += [Text(), Text(printable(heading), style="bold cyan"), _rule_table(rules, result)]
    return Group(*parts, Text(), *_remarks(result))


def _rule_table(rules: tuple[Rule, ...], result: Result) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("rule", overflow="fold", ratio=1)
    table.add_column("odds ×" if rules[0].direction == "raises" else "odds ÷", justify="right", no_wrap=True)
    confidence = f"{100 * result.settings.interval_confidence:g}"
    table.add_column(f"{confidence} % interval", justify="right", no_wrap=True)
    for heading in ("crude", "pairs", "Γ"):
        table.add_column(heading, justify="right", no_wrap=True)
    for rule in rules:
        name = Text(printable(rule.name))
        for tag in tags_of(rule):
            name.append(f" · {tag}", style="yellow")
        odds = rule.adjusted_odds_ratio
        table.add_row(
            name,
            number(odds.value),
            interval(odds),
            number(rule.odds_ratio.value),
            f"{rule.pairs.n_pairs:,.0f}",
            number(rule.doubts.gamma),
        )
    return table


def _remarks(result: Result) -> list[RenderableType]:
    verdicts, settings, data = result.n_by_verdict, result.settings, result.data
    lines = [caution(result.settings)] if result.causal else []
    if not result.causal and not result.interrupted:
        lines.append(NOTHING_FOUND)
    if result.causal:
        lines.append(GAMMA)
        lines += tag_meanings(result.causal)
    lines.append(judged_how(settings))
    if verdicts["rejected"] or verdicts["untestable"]:
        lines.append(
            f"{verdicts['rejected']} associations were rejected, {verdicts['untestable']} were untestable; "
            "--csv FILE lists them with their numbers, --explain --json FILE tells what explains each away."
        )
    lines += about_records(result)
    if data.left_out:
        lines.append("Columns left out:")
    remarks: list[RenderableType] = [Text(line, style="dim") for line in lines]
    by_reason: dict[str, list[str]] = {}
    for entry in data.left_out:
        by_reason.setdefault(entry.reason, []).append(entry.column)
    for reason, columns in by_reason.items():
        names = ", ".join(map(printable, columns))
        remarks.append(Padding(Text(f"{names}: {printable(reason)}", style="dim"), (0, 0, 0, 2)))
    return remarks
