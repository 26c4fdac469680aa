"""The paper's summary of its data sets, beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain import Settings
from causalrules_lab.baselines import code_table
from causalrules_lab.reproduction import paper_numbers as paper
from causalrules_lab.reproduction.paper_data import REAL, load
from causalrules_lab.reproduction.sheet import Sheet
from causalrules_lab.simulate import simulate

if TYPE_CHECKING:
    from pathlib import Path

N_SEEDS = 10


def run(folder: Path | None) -> list[Sheet]:
    """Records, items and shares of all 32 tables."""
    rows = [_row(name, *_simulated(name)) for name in paper.DATA if name not in REAL]
    rows += [_row(name, *_real(name, folder)) for name in paper.DATA if name in REAL]
    shown = [
        {**row, "outcome": f"{row['outcome']:.1%}", "paper: outcome": f"{row['paper: outcome']:.1%}"}
        for row in rows
    ]
    return [
        Sheet(
            name="data_summary",
            title="Data sets: what the paper describes and what was used here",
            rows=rows,
            shown=shown,
            remarks=(
                f"Simulated tables: the mean share over seeds 0–{N_SEEDS - 1}; their causes are the "
                "numbers asked for.",
                "Items: of the simulated tables the columns besides the outcome, of the others the values "
                "(or intervals) that occur.",
                "The paper gives the share of the rarer class where ours is that of the outcome "
                "asked about "
                "(kr-vs-kp: won; tic-tac-toe: positive).",
            ),
        )
    ]


def _row(name: str, records: int, items: int, share: float) -> dict[str, Any]:
    theirs = paper.DATA[name]
    return {
        "name": name,
        "records": records,
        "items": items,
        "outcome": share,
        "paper: records": theirs[0],
        "paper: items": theirs[1],
        "paper: outcome": theirs[2],
        "paper: causes": "" if theirs[3] is None else theirs[3],
    }


def _simulated(name: str) -> tuple[int, int, float]:
    tables = [simulate(name, seed=seed).table for seed in range(N_SEEDS)]
    shares = [np.mean(np.array(table["z"].to_pylist()) == "yes") for table in tables]
    return tables[0].num_rows, tables[0].num_columns - 1, float(np.mean(shares))


def _real(name: str, folder: Path | None) -> tuple[int, int, float]:
    data = load(name, folder)
    settings = Settings.from_options(**data.as_the_paper)
    summary = code_table(data.table, data.outcome, settings).summary
    return summary.rows, summary.items, summary.outcome.n_with / summary.rows
