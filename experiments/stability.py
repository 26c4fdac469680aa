"""How stable the paper's protocol is: its table of three runs, and the rules that change with the seed.

Run ``python -m experiments.stability FOLDER`` with the folder of the paper's
data sets; it prints the Markdown table of docs/statistics.md.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import causalrules
from experiments.adult_table import adult

if TYPE_CHECKING:
    import pandas as pd

PAPER = {"adult": "46, 46, 45; 46", "hypothyroid": "31, 30, 30; 30", "sick": "21, 20, 21; 21"}
OUTCOMES = {"adult": "income=>50K", "hypothyroid": "class=hypothyroid", "sick": "class=sick"}
N_SEEDS = 20


def read(folder: Path, name: str) -> tuple[pd.DataFrame | Path, dict[str, object]]:
    """A data set and how the paper treats it: Adult without its numbers, the others with MDL bins."""
    about = json.loads((folder / "columns.json").read_text())[name]
    if name == "adult":
        return adult(folder / name), {"drop": about["continuous"], "min_support": 0.01}
    return folder / name / f"{name}.data", {"numeric": [c for c in about["continuous"] if c != "TBG"]}


def causal_names(table: object, outcome: str, **settings: object) -> set[tuple[str, str]]:
    """The causal rules of one run."""
    result = causalrules.mine(table, outcome, **settings)
    return {(rule.name, rule.direction) for rule in result.causal}


def main(folder: Path) -> None:
    print("| data | paper: three runs; two votes | ours: the same | rules that change | default |")
    print("|---|---|---|---|---|")
    for name, outcome in OUTCOMES.items():
        table, options = read(folder, name)
        random = {**options, "pairs": "random", "correction": "none"}
        singles = [
            causal_names(table, outcome, **random, runs=1, votes=1, seed=seed) for seed in range(N_SEEDS)
        ]
        votes = [
            causal_names(table, outcome, **random, runs=3, votes=2, seed=seed) for seed in range(N_SEEDS)
        ]
        ever, always = set.union(*votes), set.intersection(*votes)
        default = {frozenset(causal_names(table, outcome, **options, seed=seed)) for seed in range(3)}
        runs = ", ".join(str(len(found)) for found in singles[:3])
        changing = f"{len(ever - always)} of {len(ever)} ({1 - len(always) / len(ever):.0%})"
        print(
            f"| {name} | {PAPER[name]} | {runs}; {len(votes[0])} | {changing} over {N_SEEDS} seeds "
            f"| {len(next(iter(default)))} rules, {'none changes' if len(default) == 1 else 'CHANGES'} |"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
