"""Bias and coverage of every way of matching where the true effect is known.

Run ``python -m experiments.matching_effects``; it writes matching_effects.csv
and docs/images/matching-effects.svg. Tables have 2, 10 or 30 confounders whose
joint strength is the same, 5,000 records, and an exposure without any effect
or with an odds ratio of 2 at fixed confounders.
"""

from __future__ import annotations

import csv
from math import exp, log, sqrt
from typing import Any, get_args

import numpy as np

import causalrules
from causalrules.domain.settings import MatchingChoice
from causalrules.lab.simulate.confounded import confounded_table
from experiments.matching_chart import effects_chart
from experiments.matching_methods import RESULTS

N_TABLES = 100
CONTROLS = (2, 10, 30)
EFFECTS = (1.0, 2.0)


def main() -> None:
    """Simulate, match, compare with the truth."""
    rows = [row for n in CONTROLS for effect in EFFECTS for row in _setting(n, effect)]
    path = RESULTS / "matching_effects.csv"
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    effects_chart(path)


def _setting(n_controls: int, effect: float) -> list[dict[str, Any]]:
    confounding = exp(sqrt(2 / n_controls))
    tables = [
        confounded_table(5000, n_controls, effect, confounding, seed=seed).table for seed in range(N_TABLES)
    ]
    rows = []
    for matching in get_args(MatchingChoice):
        studies = [_study(table, matching) for table in tables]
        tested = [rule for rule in studies if rule.pairs.n_discordant >= 10]
        logs = [log(rule.adjusted_odds_ratio.value / effect) for rule in tested]
        covered = [rule.adjusted_odds_ratio.low <= effect <= rule.adjusted_odds_ratio.high for rule in tested]
        rows.append(
            {
                "controls": n_controls,
                "effect": effect,
                "matching": matching,
                "tested": len(tested),
                "bias": f"{np.mean(logs):.4f}" if tested else "",
                "error": f"{np.std(logs, ddof=1) / sqrt(len(logs)):.4f}" if len(tested) > 1 else "",
                "coverage": f"{np.mean(covered):.3f}" if tested else "",
                "pairs": f"{np.mean([rule.pairs.n_pairs for rule in studies]):.0f}",
                "imbalance": f"{np.mean([rule.balance.worst_after for rule in studies]):.3f}",
            }
        )
        print(rows[-1], flush=True)
    return rows


def _study(table: Any, matching: str) -> Any:
    result = causalrules.study(
        table, "z=yes", "x=yes", matching=matching, direction="raises", min_support=0.01
    )
    return result.tested[0]


if __name__ == "__main__":
    main()
