"""Our matching beside R's MatchIt on Adult: who is matched, and how alike they are.

Run ``python -m experiments.matching_matchit FOLDER`` with a folder that holds
the paper's data sets, on a machine with R and its package MatchIt; it writes
matching_matchit.md and .csv. Exposure: sex=Male; both get the same controls.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

import causalrules
from causalrules.domain.histogram import WEIGHT_UNIT
from causalrules.encode import encode
from causalrules.engines import MemoryEngine
from causalrules.paper import PaperSettings
from causalrules.paper.fair_data import FairDataSets
from causalrules_lab.datasets import get
from causalrules_lab.reproduction.sheet import Sheet
from experiments import RESULTS

OURS = {
    "exact": PaperSettings(),
    "mahalanobis": PaperSettings(matching="mahalanobis", caliper="none"),
    "propensity": PaperSettings(matching="propensity", caliper=0.2),
}


def run(folder: str | Path) -> str:
    """Match by both and write the table."""
    started = perf_counter()
    data = get("adult", from_dir=folder)
    table = encode(data.table, data.outcome, PaperSettings(**data.as_the_paper))
    study = causalrules.test(
        data.table, data.outcome, "sex=Male", controls="items", min_support=0.01, **data.as_the_paper
    )
    names = [str(item) for item in table.items]
    controls = [names.index(str(item)) for item in study.tested[0].controls]
    theirs = matchit(table, names.index("sex=Male"), controls)
    rows: list[dict[str, object]] = []
    for method, settings in OURS.items():
        for who, found in (
            ("causalrules", _ours(table, names.index("sex=Male"), controls, settings)),
            ("MatchIt", theirs[method]),
        ):
            rows.append(
                {
                    "matching": method,
                    "by": who,
                    "exposed matched": found["exposed"],
                    "unexposed matched": found["unexposed"],
                    "mean difference": f"{found['mean_difference']:.4f}",
                    "worst difference": f"{found['worst_difference']:.4f}",
                    "seconds": f"{found['seconds']:.4f}",
                }
            )
    sheet = Sheet(name="matching_matchit", title="Our matching beside MatchIt on Adult", rows=rows)
    sheet.write(RESULTS, perf_counter() - started)
    return sheet.text(perf_counter() - started)


def _ours(table: Any, exposure: int, controls: list[int], settings: PaperSettings) -> dict[str, Any]:
    """Records matched, and the differences in the controls' shares among them."""
    held = np.zeros((1, len(table.items)), np.bool_)
    held[0, controls] = True
    pattern = np.array([[exposure]])
    for _ in range(2):  # the second time, every kernel is compiled
        engine = MemoryEngine(table)
        started = perf_counter()
        (fair,) = FairDataSets(engine, table.items, settings).of(pattern, held, ["sex=Male"])
        seconds = perf_counter() - started
    items = fair.items or next(engine.matched_items(pattern, held))
    strata = fair.strata
    rows = strata.rows
    n_pairs = (np.minimum(rows[:, :2].sum(axis=1), rows[:, 2:4].sum(axis=1)) * rows[:, 4]).sum()
    gaps = np.abs(items.weight_exposed - items.weight_unexposed)[controls] / WEIGHT_UNIT / n_pairs
    matched = settings.matching == "exact"
    return {
        "exposed": strata.n_exposed - strata.lonely_exposed if matched else int(n_pairs),
        "unexposed": strata.n_unexposed - strata.lonely_unexposed if matched else int(n_pairs),
        "mean_difference": gaps.mean(),
        "worst_difference": gaps.max(),
        "seconds": seconds,
    }


def matchit(table: Any, exposure: int, controls: list[int], only: str = "") -> dict[str, Any]:
    """What MatchIt gives for the same exposure and controls; `only` one way, or all."""
    columns = {"exposure": _has(table, exposure), "outcome": table.has_outcome.astype(int)}
    columns |= {f"c{i}": _has(table, control) for i, control in enumerate(controls)}
    with tempfile.TemporaryDirectory() as folder:
        source, answer = Path(folder, "table.csv"), Path(folder, "answer.json")
        pd.DataFrame(columns).to_csv(source, index=False)
        script = Path(__file__).with_name("matchit.R")
        command = ["Rscript", str(script), str(source), str(answer), only]
        subprocess.run(command, check=True)  # noqa: S603 - our own script
        return dict(json.loads(answer.read_text()))


def _has(table: Any, item: int) -> Any:
    column = table.column_of_item[item]
    return (table.codes[column] == item - table.first_item[column] + 1).astype(int)


if __name__ == "__main__":
    print(run(sys.argv[1]))
