"""How stable the paper's protocol is: its table of three runs, and the rules that change with the seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules_lab.reproduction.paper_data import load, mined
from causalrules_lab.reproduction.sheet import Sheet

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules_lab.datasets import DataSet

PAPER = {"adult": "46, 46, 45; 46", "hypothyroid": "31, 30, 30; 30", "sick": "21, 20, 21; 21"}
N_SEEDS = 20
RANDOM: dict[str, Any] = {"controls": "items", "pairs": "random", "judge": "interval"}


def run(folder: Path | None) -> list[Sheet]:
    """Single runs and votes over many seeds, and the mean over all pairings."""
    rows = []
    for name, printed in PAPER.items():
        data = load(name, folder)
        seeds = range(N_SEEDS)
        singles = [_causal(data, seed, **RANDOM, runs=1, votes=1) for seed in seeds]
        votes = [_causal(data, seed, **RANDOM) for seed in seeds]
        ever, always = frozenset.union(*votes), frozenset.intersection(*votes)
        averaged = {_causal(data, seed, controls="items") for seed in range(3)}
        runs = ", ".join(str(len(found)) for found in singles[:3])
        changing = f"{len(ever - always)} of {len(ever)} ({1 - len(always) / len(ever):.0%})"
        stays = "none changes" if len(averaged) == 1 else "CHANGES"
        rows.append(
            {
                "data": name,
                "paper: three runs; two votes": printed,
                "ours: the same": f"{runs}; {len(votes[0])}",
                "rules that change": f"{changing} over {N_SEEDS} seeds",
                "averaged over all pairings": f"{len(next(iter(averaged)))} rules, {stays}",
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
                "Averaged: --controls items, corrected p-values at 5 %; nothing is drawn.",
            ),
        )
    ]


def _causal(data: DataSet, seed: int, **options: Any) -> frozenset[tuple[str, str]]:
    return frozenset((rule.name, rule.direction) for rule in mined(data, seed=seed, **options).causal)
