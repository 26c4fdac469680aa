"""The paper's table of matching methods: causal rules by exact and by Jaccard matching.

Run ``python -m experiments.matching_methods FOLDER`` with a folder that holds
the paper's data sets; it writes matching_methods.md and .csv.
"""

from __future__ import annotations

import csv
import sys
from time import perf_counter
from typing import TYPE_CHECKING

import causalrules
from causalrules.lab.datasets import get
from experiments import ROOT

if TYPE_CHECKING:
    from pathlib import Path

RESULTS = ROOT / "experiments" / "results"
PAPER = {"adult": (46, 46), "hypothyroid": (30, 31), "sick": (21, 22)}
WITHOUT_NUMBERS = {"adult"}
"""The paper removed the numbers of Adult and cut those of the others into intervals."""


def run(folder: str | Path) -> Path:
    """Mine the three sets in both ways and write the table."""
    rows = []
    for name, paper in PAPER.items():
        data = get(name, from_dir=folder)
        columns = data.as_the_paper if name in WITHOUT_NUMBERS else {}
        for controls in ("columns", "items"):
            counts, seconds = {}, {}
            for matching in ("exact", "jaccard"):
                started = perf_counter()
                result = causalrules.mine(
                    data.table,
                    data.outcome,
                    controls=controls,
                    matching=matching,
                    min_support=0.01 if name == "adult" else 0.05,
                    judge="interval",
                    max_length=4,
                    **columns,
                )
                seconds[matching] = perf_counter() - started
                counts[matching] = {rule.name + rule.direction for rule in result.causal}
            rows.append(
                {
                    "data set": name,
                    "controls": controls,
                    "exact": len(counts["exact"]),
                    "jaccard": len(counts["jaccard"]),
                    "in both": len(counts["exact"] & counts["jaccard"]),
                    "paper, exact": paper[0],
                    "paper, jaccard": paper[1],
                    "seconds, exact": f"{seconds['exact']:.2f}",
                    "seconds, jaccard": f"{seconds['jaccard']:.2f}",
                }
            )
    return write(rows, "matching_methods")


def write(rows: list[dict[str, object]], name: str) -> Path:
    """Write rows as CSV and as a Markdown table."""
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f"{name}.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    lines = [" | ".join(rows[0]), " | ".join("---" for _ in rows[0])]
    lines += [" | ".join(map(str, row.values())) for row in rows]
    path = RESULTS / f"{name}.md"
    path.write_text("".join(f"| {line} |\n" for line in lines))
    return path


if __name__ == "__main__":
    print(run(sys.argv[1]).read_text())
