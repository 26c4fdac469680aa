"""How the time grows with records and with rules, on a generated table of the Census Income shape.

Run ``make scaling``; it writes ``experiments/results/scaling.csv`` and
``docs/images/scaling.svg``.
"""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import pyarrow.csv

import causalrules
from benchmarks.tables import generated
from experiments import ROOT
from experiments.charts import scaling_chart

RESULTS = ROOT / "experiments" / "results" / "scaling.csv"
REPEATS = 2


def seconds(table: object, **settings: object) -> tuple[float, int]:
    """Mining and cohort studies, the best of a few; and the rules tested."""
    runs = [causalrules.mine(table, "z=yes", controls="items", **settings) for _ in range(REPEATS)]
    return min(run.timings["mine"] + run.timings["cohort"] for run in runs), len(runs[0].tested)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        generated(path, n_records=800_000, n_columns=20)
        table = pyarrow.csv.read_csv(path)
    rows = []
    for n_records in (50_000, 100_000, 200_000, 400_000, 800_000):
        spent, n_rules = seconds(table.slice(0, n_records))
        rows.append(["records", n_records, spent, n_rules])
        print(rows[-1], flush=True)
    for min_support in (0.3, 0.2, 0.12, 0.08, 0.05, 0.03):
        spent, n_rules = seconds(table.slice(0, 200_000), min_support=min_support)
        rows.append(["rules", n_rules, spent, n_rules])
        print(rows[-1], flush=True)
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["grows", "size", "seconds", "rules"])
        writer.writerows(rows)
    scaling_chart(RESULTS)


if __name__ == "__main__":
    main()
