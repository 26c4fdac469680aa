"""How stable the paper's protocol is: its table of three runs, and the rules that change with the seed.

Run ``python -m experiments.stability FOLDER`` with the folder of the paper's
data sets; it prints the Markdown table of docs/statistics.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

import causalrules
from experiments.place import load, paper_settings
from experiments.sheet import Sheet, markdown

PAPER = {"adult": "46, 46, 45; 46", "hypothyroid": "31, 30, 30; 30", "sick": "21, 20, 21; 21"}
N_SEEDS = 20


def run(folder: Path | None) -> list[Sheet]:
    """Single runs, votes and the default over many seeds."""
    rows = []
    for name, printed in PAPER.items():
        data = load(name, folder)
        options = paper_settings(data)
        random = {**options, "pairs": "random", "correction": "none"}

        def causal(seed: int, settings: dict[str, object], data=data) -> frozenset[tuple[str, str]]:
            result = causalrules.mine(data.table, data.outcome, **settings, seed=seed)
            return frozenset((rule.name, rule.direction) for rule in result.causal)

        seeds = range(N_SEEDS)
        singles = [causal(seed, {**random, "runs": 1, "votes": 1}) for seed in seeds]
        votes = [causal(seed, random) for seed in seeds]
        ever, always = frozenset.union(*votes), frozenset.intersection(*votes)
        default = {causal(seed, options) for seed in range(3)}
        runs = ", ".join(str(len(found)) for found in singles[:3])
        changing = f"{len(ever - always)} of {len(ever)} ({1 - len(always) / len(ever):.0%})"
        stays = "none changes" if len(default) == 1 else "CHANGES"
        rows.append(
            {
                "data": name,
                "paper: three runs; two votes": printed,
                "ours: the same": f"{runs}; {len(votes[0])}",
                "rules that change": f"{changing} over {N_SEEDS} seeds",
                "default": f"{len(next(iter(default)))} rules, {stays}",
            }
        )
    return [
        Sheet(
            name="stability",
            title="Causal rules of three random pairings, and of two votes in three",
            rows=rows,
            remarks=(
                "Length 2, 95 % intervals, controls items; single runs and votes with seeds "
                f"0–{N_SEEDS - 1}, "
                "the first three runs and the first vote are shown.",
                "A rule changes when it is causal by two votes with some seeds and not with others.",
            ),
        )
    ]


if __name__ == "__main__":
    print("\n".join(markdown(run(Path(sys.argv[1]))[0].rows)))
