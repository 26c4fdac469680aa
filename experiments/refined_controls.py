"""How much of the truth is found with refined controls, on networks never used to choose the method.

Run ``python -m experiments.refined_controls``; it writes refined_controls.md and .csv.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from causalrules.lab.baselines import code_table
from causalrules.lab.simulate import NetworkTruth, simulate
from experiments import paper
from experiments.causes import AT_99, METHODS, ONE_BY_ONE, by_search
from experiments.matching_methods import write
from experiments.synthetic_causes import measure

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from causalrules.encode import CodedTable

SEEDS = range(9000, 9012)
REFINED = replace(ONE_BY_ONE, controls="refined", max_length=2)
WAYS: dict[str, Callable[[CodedTable], set[str]]] = {
    "PC-select": METHODS["PC-select"],
    "HITON-PC": METHODS["HITON-PC"],
    "CR-CS, the paper's protocol at 99 %": METHODS["CR-CS, paper"],
    "CR-CS, default": METHODS["CR-CS, default"],
    "CR-CS, Mantel–Haenszel at 99 %": partial(by_search, replace(AT_99, test="mantel-haenszel")),
    "CR-CS, refined": partial(by_search, REFINED),
    "CR-CS, refined, Mantel–Haenszel": partial(by_search, replace(REFINED, test="mantel-haenszel")),
}


def try_all(job: tuple[str, int]) -> list[tuple[float, ...]]:
    """Precision, recall, F1 and seconds of every way on one table."""
    setting, seed = job
    simulated = simulate(setting, seed=seed)
    assert isinstance(simulated.truth, NetworkTruth)
    table = code_table(simulated.table, simulated.truth.outcome, None, None, ONE_BY_ONE)
    truth = {*simulated.truth.parents, *simulated.truth.children}
    scores = []
    for find in WAYS.values():
        started = perf_counter()
        found = find(table)
        scores.append((*measure(found, truth), perf_counter() - started))
    return scores


def run() -> Path:
    """All settings and seeds."""
    jobs = [(setting, seed) for setting in paper.SETTINGS for seed in SEEDS]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        values = np.array(list(pool.map(try_all, jobs, chunksize=4)))
    rows: list[dict[str, object]] = []
    for number, way in enumerate(WAYS):
        means = values[:, number].mean(axis=0)
        error = values[:, number, 2].std(ddof=1) / np.sqrt(len(values))
        rows.append(
            {
                "method": way,
                "precision": f"{means[0]:.3f}",
                "recall": f"{means[1]:.3f}",
                "F1": f"{means[2]:.3f} ± {1.96 * error:.3f}",
                "seconds a table": f"{means[3]:.2f}",
            }
        )
    return write(rows, "refined_controls")


if __name__ == "__main__":
    print(run().read_text())
