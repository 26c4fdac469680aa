"""Time against records (Census Income) and against variables (wide simulated tables), by method."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain.progress import Stopwatch
from causalrules.engines import MemoryEngine
from causalrules.engines.load import open_coded
from causalrules.paper.job import PaperJob
from causalrules.paper.search import PaperSearch
from causalrules.paper.settings import PaperSettings
from causalrules.warm_up import warm_up
from causalrules_lab.baselines import code_table
from causalrules_lab.baselines.budget import Budget
from causalrules_lab.baselines.comparison import METHODS
from causalrules_lab.reproduction import paper_numbers as paper
from causalrules_lab.reproduction.charts import time_chart
from causalrules_lab.reproduction.paper_data import load
from causalrules_lab.reproduction.sheet import Sheet
from causalrules_lab.simulate import simulate

if TYPE_CHECKING:
    from pathlib import Path

    from causalrules.domain.progress import Progress
    from causalrules.encode import CodedTable

LIMIT = 60.0
"""Seconds after which a method is stopped."""

RECORDS = (50_000, 100_000, 150_000, 200_000, 250_000, 299_285)
WIDE = tuple(f"V{n}-10K" for n in (200, 400, 600, 800, 1000))
BASELINES = {"CCC": "ccc", "CCU": "ccu", "PC-select": "pc-select"}


def by_records(folder: Path | None) -> list[Sheet]:
    """Samples of Census Income."""
    data = load("census-income", folder)
    settings = PaperSettings.from_options(**data.as_the_paper, judge="interval")
    order = np.random.default_rng(0).permutation(data.table.num_rows)
    rows = []
    for n_records in RECORDS:
        sample = data.table.take(np.sort(order[:n_records]))
        table = code_table(sample, data.outcome, settings)
        rows += [{"records": n_records, **entry} for entry in _times(table, settings)]
    return [
        Sheet(
            name="time_by_records",
            title="Seconds against records, Census Income, 33 nominal columns",
            rows=rows,
            shown=_side_by_side(rows, "records"),
            remarks=(
                *_REMARKS,
                "Samples without replacement, seed 0. Minimum support 0.05, 95 % intervals, averaged pairs.",
                f"The authors' released program takes {paper.PROGRAM_SECONDS['census-income']:g} s "
                "for all records at length 1 "
                f"(and {paper.PROGRAM_SECONDS['adult']:g} s for Adult). The paper prints no numbers, "
                "only that PC-select was not done in two hours.",
            ),
            chart=partial(time_chart, rows, "records", LIMIT),
        )
    ]


def by_variables(folder: Path | None) -> list[Sheet]:  # noqa: ARG001 - simulated tables need no data
    """Simulated tables of 10,000 records with 199 to 999 predictors."""
    settings = PaperSettings(judge="interval", confidence=0.99)
    rows = []
    for name in WIDE:
        simulated = simulate(name, seed=0)
        table = code_table(simulated.table, simulated.truth.outcome, settings)
        rows += [{"variables": simulated.table.num_columns - 1, **entry} for entry in _times(table, settings)]
    return [
        Sheet(
            name="time_by_variables",
            title="Seconds against variables, 10,000 simulated records",
            rows=rows,
            shown=_side_by_side(rows, "variables"),
            remarks=(
                *_REMARKS,
                "V200-10K … V1000-10K, seed 0. Minimum support 0.05, 99 % intervals, averaged pairs; "
                "one variable in ten is a cause.",
                "The paper's figure shows results returned within six hours; it prints no numbers.",
            ),
            chart=partial(time_chart, rows, "variables", LIMIT),
        )
    ]


_REMARKS = (
    "CR-CS1 and CR-CS2: rules of up to one and two items, both directions. Reading and coding the "
    "table is not counted, "
    "packing it for counting is, once for each method.",
    f"A method is stopped after {LIMIT:g} s; > marks where that happened.",
)


def _times(table: CodedTable, settings: PaperSettings) -> list[dict[str, Any]]:
    warm_up(PaperJob.search, PaperSettings())
    entries = [_search(table, replace(settings, max_length=length)) for length in (1, 2)]
    for label, name in BASELINES.items():
        start = perf_counter()
        found = METHODS[name](
            MemoryEngine(table, settings.threads), table.items, settings, Budget(max_seconds=LIMIT)
        )
        seconds = perf_counter() - start
        entries.append(_entry(label, seconds, len(found.causal), bool(found.stopped)))
    return entries


def _search(table: CodedTable, settings: PaperSettings) -> dict[str, Any]:
    budget = Budget(max_seconds=LIMIT)

    def on_progress(_: Progress) -> None:
        budget.spend(1)

    search = PaperSearch(open_coded(table, settings), settings, Stopwatch(), on_progress)
    start = perf_counter()
    with budget.until_spent():
        search.run()
    seconds = perf_counter() - start
    n_causal = sum(rule.verdict == "causal" for rule in search.rules)
    return _entry(f"CR-CS{settings.max_length}", seconds, n_causal, bool(budget.stopped))


def _entry(method: str, seconds: float, n_causes: int, is_stopped: bool) -> dict[str, Any]:
    return {
        "method": method,
        "seconds": seconds,
        "causes": n_causes,
        "stopped": "yes" if is_stopped else "no",
    }


def _side_by_side(rows: list[dict[str, Any]], size: str) -> list[dict[str, Any]]:
    shown: dict[int, dict[str, Any]] = {}
    for row in rows:
        line = shown.setdefault(row[size], {size: row[size]})
        done = row["stopped"] == "no"
        line[row["method"]] = f"{row['seconds']:.2f} ({row['causes']} causes)" if done else f"> {LIMIT:g}"
    return list(shown.values())
