"""Mine a table whose truth is known, and compare what is found with what was planted."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

import causalrules
from causalrules.lab.simulate import PLANTED, planted_table

TRUTH = {(cause.items, cause.direction): cause.remark for cause in PLANTED}


def main() -> None:
    patients = planted_table()
    result = causalrules.mine(patients, outcome="ill=yes")
    shown = [rule for rule in result.tested if rule.verdict == "causal" or rule.length == 1]
    rest = [rule for rule in result.tested if rule not in shown]
    console = Console(highlight=False, width=max(80, Console().width))
    console.print(f"\n{patients.num_rows:,} simulated patients: what makes them ill?")
    console.print(
        f"Association mining says: {len(result.tested)} rules. Cohort studies leave {len(result.causal)}.\n"
    )
    console.print(side_by_side(shown))
    console.print(f"… and {len(rest)} longer associations, all rejected; none of them was planted.\n")
    found = {(frozenset(rule.pattern), rule.direction) for rule in result.causal}
    console.print(f"Planted causes found: {len(found & set(TRUTH))} of {len(TRUTH)}.")
    console.print(f"Rules called causal that were not planted: {len(found - set(TRUTH))}.\n")


def side_by_side(rules: list[causalrules.Rule]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    for heading in ("rule", "association", "cohort study", "planted truth"):
        table.add_column(heading, overflow="fold")
    for rule in rules:
        truth = TRUTH.get((frozenset(rule.pattern), rule.direction))
        is_right = (rule.verdict == "causal") == (truth is not None)
        sign = "×" if rule.direction == "raises" else "÷"
        table.add_row(
            rule.name,
            f"odds {sign} {rule.odds_ratio.value:.2f}",
            f"{rule.verdict} {sign} {rule.fair_odds_ratio.value:.2f}",
            Text(f"{'✓' if is_right else '✗'} {truth or 'no such cause'}", "green" if is_right else "red"),
        )
    return table


if __name__ == "__main__":
    main()
