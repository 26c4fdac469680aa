"""Mine a table whose truth is known, and compare what is found with what was planted."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

import causalrules
from causalrules.simulate import PLANTED, planted_table

TRUTH = {(cause.items, cause.direction): cause.remark for cause in PLANTED}


def main() -> None:
    patients = planted_table()
    result = causalrules.mine(patients, outcome="ill=yes")
    console = Console(highlight=False)
    console.print(
        f"\n{patients.num_rows:,} simulated patients; what makes them ill? "
        f"Association mining proposes {len(result.tested)} rules, "
        f"cohort studies leave {len(result.causal)}.\n"
    )
    console.print(side_by_side(result))
    found = {(frozenset(rule.pattern), rule.direction) for rule in result.causal}
    console.print(
        f"\nPlanted causes found: {len(found & set(TRUTH))} of {len(TRUTH)}. "
        f"Rules called causal that were not planted: {len(found - set(TRUTH))}.\n"
    )


def side_by_side(result: causalrules.Result) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("rule", "association says", "cohort study says", "planted truth"):
        table.add_column(heading)
    for rule in result.tested:
        truth = TRUTH.get((frozenset(rule.pattern), rule.direction))
        is_right = (rule.verdict == "causal") == (truth is not None)
        fair = rule.fair_odds_ratio
        table.add_row(
            rule.name,
            f"{rule.direction}, odds ratio {rule.odds_ratio.value:.2f}",
            Text(
                f"{rule.verdict}, {fair.value:.2f} ({fair.low:.2f}–{fair.high:.2f})",
                "" if is_right else "red",
            ),
            Text(f"{'✓' if is_right else '✗'} {truth or 'no such cause'}", "green" if is_right else "red"),
        )
    return table


if __name__ == "__main__":
    main()
