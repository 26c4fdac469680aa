"""Mine a table whose truth is known, and compare what is found with what was planted.

Twice: by the default, which tells each cause once and adjusts for whole
columns, and by the protocol of the paper, which tells every side of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

import causalrules
from causalrules.report.words.formatting import interval, number
from causalrules.simulation import PLANTED, planted_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from causalrules import Rule
    from causalrules.paper import PaperRule

TRUTH = {(cause.items, cause.direction): cause.remark for cause in PLANTED}
"""What was planted, by pattern and direction."""

COLUMNS = {frozenset(item.column for item in items): remark for (items, _), remark in reversed(TRUTH.items())}
"""The same by columns, each cause once."""


def main() -> None:
    patients = planted_table()
    console = Console(highlight=False, width=max(80, Console().width))
    console.print(f"\n{patients.num_rows:,} simulated patients: what makes them ill?\n")

    console.print("[bold]1. The default: each cause once, adjusted for whole columns[/bold]\n")
    contrasts = causalrules.mine(patients, outcome="ill=yes")
    console.print(side_by_side(contrasts.tested, planted_in_columns))
    found = {columns_of(rule) for rule in contrasts.causal}
    console.print(f"\nPlanted causes found: {len(found & set(COLUMNS))} of {len(COLUMNS)}.")
    console.print(f"Called causal but not planted: {len(found - set(COLUMNS))}.\n")

    console.print("[bold]2. The paper's protocol (--controls items): every side of each cause[/bold]\n")
    patterns = causalrules.mine(patients, outcome="ill=yes", controls="items")
    console.print(side_by_side(patterns.causal, planted_as_pattern))
    n_others = len(patterns.tested) - len(patterns.causal)
    console.print(f"… and {n_others} other associations, none of them causal, none of them planted.\n")
    names = {(frozenset(rule.pattern), rule.direction) for rule in patterns.causal}
    console.print(f"Planted rules found: {len(names & set(TRUTH))} of {len(TRUTH)}.")
    console.print(f"Called causal but not planted: {len(names - set(TRUTH))}.\n")


def columns_of(rule: Rule | PaperRule) -> frozenset[str]:
    return frozenset(item.column for item in rule.pattern)


def planted_in_columns(rule: Rule | PaperRule) -> str | None:
    """What was planted in this rule's columns, if anything."""
    return COLUMNS.get(columns_of(rule))


def planted_as_pattern(rule: Rule | PaperRule) -> str | None:
    """What was planted under this very pattern, if anything."""
    return TRUTH.get((frozenset(rule.pattern), rule.direction))


def side_by_side(
    rules: Iterable[Rule | PaperRule], planted: Callable[[Rule | PaperRule], str | None]
) -> Table:
    """Association, study and truth, one rule a row."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("rule")
    table.add_column("crude", justify="right", no_wrap=True)
    table.add_column("adjusted odds ratio", justify="right", no_wrap=True)
    table.add_column("verdict")
    table.add_column("planted truth")
    for rule in rules:
        truth = planted(rule)
        is_right = (rule.verdict == "causal") == (truth is not None)
        own = rule.of_the_outcome() if isinstance(rule, causalrules.Rule) else rule
        grade = f", {own.grade}" if isinstance(own, causalrules.Rule) and own.grade else ""
        table.add_row(
            rule.name,
            number(own.odds_ratio.value),
            f"{number(own.adjusted_odds_ratio.value)} ({interval(own.adjusted_odds_ratio)})",
            f"{rule.verdict}{grade}",
            Text(f"{'✓' if is_right else '✗'} {truth or 'no such cause'}", "green" if is_right else "red"),
        )
    return table


if __name__ == "__main__":
    main()
