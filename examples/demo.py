"""Mine a table whose truth is known, and compare what is found with what was planted.

Twice: by the default, which asks about one column at a time and adjusts for
whole columns, and by the protocol of the paper, which also combines items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

import causalrules
from causalrules.lab.simulate import PLANTED, planted_table
from causalrules.report.words.contrasts import own_ratio
from causalrules.report.words.formatting import interval, number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules import Rule

TRUTH = {(cause.items, cause.direction): cause.remark for cause in PLANTED}
"""What was planted, by pattern and direction; of two values of a column, one is the other's contrast."""

SINGLE_COLUMNS = sorted({item.column for items, _ in TRUTH for item in items if len(items) == 1})


def main() -> None:
    patients = planted_table()
    console = Console(highlight=False, width=max(80, Console().width))
    console.print(f"\n{patients.num_rows:,} simulated patients: what makes them ill?\n")

    console.print("[bold]1. The default: one column at a time, adjusted for whole columns[/bold]\n")
    contrasts = causalrules.mine(patients, outcome="ill=yes")
    console.print(side_by_side(contrasts.tested, is_planted_contrast))
    causal = {rule.pattern[0].column for rule in contrasts.causal}
    found = [name for name in SINGLE_COLUMNS if name in causal]
    console.print(f"\nPlanted single causes found: {len(found)} of {len(SINGLE_COLUMNS)}.")
    console.print(f"Called causal but not planted: {len(causal - set(SINGLE_COLUMNS))}.\n")

    console.print("[bold]2. The paper's protocol (--controls items): patterns of up to two items[/bold]\n")
    patterns = causalrules.mine(patients, outcome="ill=yes", controls="items")
    shown = [rule for rule in patterns.tested if rule.verdict == "causal"]
    console.print(side_by_side(shown, is_planted_pattern))
    n_rejected = len(patterns.tested) - len(shown)
    console.print(f"… and {n_rejected} other associations, none of them causal, none of them planted.\n")
    names = {(frozenset(rule.pattern), rule.direction) for rule in patterns.causal}
    console.print(f"Planted causes found: {len(names & set(TRUTH))} of {len(TRUTH)}.")
    console.print(f"Called causal but not planted: {len(names - set(TRUTH))}.\n")


def is_planted_pattern(rule: Rule) -> str | None:
    """What was planted under this very pattern, if anything."""
    return TRUTH.get((frozenset(rule.pattern), rule.direction))


def is_planted_contrast(rule: Rule) -> str | None:
    """What was planted in this rule's column, if anything."""
    (item,) = rule.pattern
    remarks = [remark for items, remark in TRUTH.items() if {one.column for one in items[0]} == {item.column}]
    return remarks[0] if remarks else None


def side_by_side(rules: Iterable[Rule], planted) -> Table:
    """Association, study and truth, one rule a row."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading, justify in (
        ("rule", "left"),
        ("crude", "right"),
        ("adjusted odds ratio", "right"),
        ("verdict", "left"),
        ("planted truth", "left"),
    ):
        table.add_column(heading, justify=justify, overflow="fold")
    for rule in rules:
        truth = planted(rule)
        is_right = (rule.verdict == "causal") == (truth is not None)
        crude, adjusted = (own_ratio(rule, one) for one in (rule.odds_ratio, rule.adjusted_odds_ratio))
        table.add_row(
            rule.name,
            number(crude.value),
            f"{number(adjusted.value)} ({interval(adjusted)})",
            f"{rule.verdict}{f', {rule.grade}' if rule.grade else ''}",
            Text(f"{'✓' if is_right else '✗'} {truth or 'no such cause'}", "green" if is_right else "red"),
        )
    return table


if __name__ == "__main__":
    main()
