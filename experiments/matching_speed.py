"""One exposure on Adult by us, by R's MatchIt and by dame-flame's FLAME, in one run.

Run ``python -m experiments.matching_speed FOLDER`` with a folder that holds
the paper's data sets, on a machine with R, its package MatchIt and the Python
package dame-flame; it writes matching_speed.md and .csv.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import causalrules
from causalrules.encode import encode
from causalrules.engines import MemoryEngine
from causalrules.paper import PaperSettings
from causalrules.paper.fair_data import FairDataSets
from causalrules_lab.datasets import get
from causalrules_lab.reproduction.sheet import Sheet
from experiments import RESULTS
from experiments.matching_matchit import matchit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from causalrules.encode import CodedTable

REPEATS = 5


def run(folder: str | Path) -> str:
    """Time them all and write the table."""
    started = perf_counter()
    data = get("adult", from_dir=folder)
    table = encode(data.table, data.outcome, PaperSettings(**data.as_the_paper))
    exposure = [str(item) for item in table.items].index("sex=Male")
    column = table.column_of_item[exposure]
    controls = [item for item in range(len(table.items)) if table.column_of_item[item] != column]
    ours = {name: best_of(lambda s=s: _match(table, exposure, controls, s)) for name, s in WAYS.items()}
    theirs = matchit(table, exposure, controls, only="exact")["exact"]["seconds"]
    flame = _flame(table, exposure)
    rows: list[dict[str, object]] = [
        {
            "what": "exact matching, MatchIt",
            "seconds": f"{theirs:.4f}",
            "ratio": f"{theirs / ours['exact']:.0f}",
        },
        {"what": "exact matching, causalrules", "seconds": f"{ours['exact']:.4f}", "ratio": "1"},
        {
            "what": "FLAME, dame-flame",
            "seconds": f"{flame:.4f}",
            "ratio": f"{flame / ours['almost-exact']:.0f}",
        },
        {"what": "almost exact, causalrules", "seconds": f"{ours['almost-exact']:.4f}", "ratio": "1"},
        {"what": "Jaccard, all associations of length 1", "seconds": f"{_jaccard(data):.3f}", "ratio": ""},
    ]
    sheet = Sheet(name="matching_speed", title="One exposure on Adult, by three programs", rows=rows)
    sheet.write(RESULTS, perf_counter() - started)
    return sheet.text(perf_counter() - started)


WAYS = {"exact": PaperSettings(), "almost-exact": PaperSettings(matching="almost-exact")}


def best_of(task: Callable[[], Any]) -> float:
    """The shortest of several times."""
    times = []
    for _ in range(REPEATS):
        started = perf_counter()
        task()
        times.append(perf_counter() - started)
    return min(times)


def _match(table: CodedTable, exposure: int, controls: list[int], settings: PaperSettings) -> None:
    """From the coded table to the strata, with a new engine each time."""
    held = np.zeros((1, len(table.items)), np.bool_)
    held[0, controls] = True
    engine = MemoryEngine(table)
    list(FairDataSets(engine, table.items, settings).of(np.array([[exposure]]), held, ["sex=Male"]))


def _flame(table: CodedTable, exposure: int) -> float:
    import dame_flame

    column = table.column_of_item[exposure]
    codes = {f"c{i}": codes.astype(int) for i, codes in enumerate(table.codes) if i != column}
    frame = pd.DataFrame(codes)
    frame["treated"] = (table.codes[column] == exposure - table.first_item[column] + 1).astype(int)
    frame["outcome"] = table.has_outcome.astype(float)
    model = dame_flame.matching.FLAME(repeats=False, verbose=0)
    model.fit(holdout_data=frame, treatment_column_name="treated", outcome_column_name="outcome")
    started = perf_counter()
    model.predict(frame)
    return perf_counter() - started


def _jaccard(data: Any) -> float:
    started = perf_counter()
    causalrules.mine(
        data.table, data.outcome, matching="jaccard", max_length=1, min_support=0.01, **data.as_the_paper
    )
    return perf_counter() - started


if __name__ == "__main__":
    print(run(sys.argv[1]))
