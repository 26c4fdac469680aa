"""The paper's two dense tables: what PC-select takes where an outcome has 20 and 26 causes."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import causalrules
from causalrules_lab.baselines import pc_select, pc_select_by_correlation
from causalrules_lab.reproduction.sheet import Sheet
from causalrules_lab.simulate import LogisticTruth, simulate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LIMIT = 120.0
"""Seconds after which PC-select is stopped."""

PAPER = {"V100-5K-dense": "PC-select more than 2 hours", "V120-5K-dense": "PC-select not done in 24 hours"}


def run(folder: Path | None) -> list[Sheet]:  # noqa: ARG001 - simulated tables need no data
    """Causes found and seconds taken, by method."""
    rows = []
    for name, printed in PAPER.items():
        simulated = simulate(name, seed=0)
        assert isinstance(simulated.truth, LogisticTruth)
        truth = {column for column, _ in simulated.truth.causes}
        for method, find in METHODS.items():
            start = perf_counter()
            found, stopped = find(simulated.table, simulated.truth.outcome)
            rows.append(
                {
                    "table": name,
                    "method": method,
                    "true causes": len(truth),
                    "found": len(found & truth),
                    "false": len(found - truth),
                    "seconds": round(perf_counter() - start, 1),
                    "done": "no" if stopped else "yes",
                    "paper": printed,
                }
            )
    return [
        Sheet(
            name="dense_tables",
            title="Many causes for the size of the table, 5,000 records",
            rows=rows,
            remarks=(
                "Tables by a logistic model, seed 0. CR-CS: the primary protocol at 99 %, length 1, also "
                "with pairs by Jaccard distance. PC-select: by G² with up to three conditions, and by "
                f"partial correlations with any number, as in R; after {LIMIT:g} s what is left counts.",
            ),
        )
    ]


def _by_cr_cs(matching: str) -> Callable[[Any, str], tuple[set[str], bool]]:
    def find(table: Any, outcome: str) -> tuple[set[str], bool]:
        how: dict[str, Any] = {"controls": "items", "pairs": "random", "judge": "interval"}
        how |= {"confidence": 0.99, "matching": matching, "max_length": 1}
        result = causalrules.mine(table, outcome, **how)
        return {rule.pattern[0].column for rule in result.causal}, False

    return find


def _by_pc_select(select: Callable[..., Any]) -> Callable[[Any, str], tuple[set[str], bool]]:
    def find(table: Any, outcome: str) -> tuple[set[str], bool]:
        found = select(table, outcome, max_tests=None, max_seconds=LIMIT)
        left = {one.pattern[0].column for one in found.findings if one.verdict in ("causal", "undecided")}
        return left, bool(found.stopped)

    return find


METHODS = {
    "CR-CS": _by_cr_cs("exact"),
    "CR-CS, Jaccard": _by_cr_cs("jaccard"),
    "PC-select": _by_pc_select(pc_select),
    "PC-select, correlations": _by_pc_select(pc_select_by_correlation),
}
