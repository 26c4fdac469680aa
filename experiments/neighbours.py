"""What stands next to the outcome, by the default and by other methods, on tables whose truth is known.

Run ``python -m experiments.neighbours [--tables 4] [--seed 30000] [--cells additive,wide]
[--only default] [--from DIR]``; it writes neighbours.md, .csv and a figure into ``experiments/results``. Real
columns with made-up outcomes need the data sets (``--from`` or ``CAUSALRULES_DATA``), hill climbing
and MIIC the extra ``peers``; what is missing is left out and said. With ``--only``, the rows of the
other methods stay as they are in the last neighbours.csv.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import t

import causalrules
from causalrules.engines import MemoryEngine
from causalrules.paper.settings import PROTOCOL, PaperSettings
from causalrules_lab.baselines import code_table
from causalrules_lab.baselines.learned_networks import learn_arrows
from causalrules_lab.reproduction import paper_numbers as paper
from causalrules_lab.reproduction.paper_data import VARIABLE, load
from causalrules_lab.reproduction.sheet import Sheet
from causalrules_lab.reproduction.synthetic_causes import AT_99, METHODS, by_search, measure
from experiments import RESULTS
from experiments.charts import neighbours_chart
from experiments.neighbour_tables import CELLS, REAL, real_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from causalrules_lab.baselines.learned_networks import Arrow, Learner
    from experiments.failure_tables import Planted, Truth

N_TABLES = 4
SEED = 30_000
"""Of the first table; none of these was used while methods were worked on."""

TIMES_AS_MANY = {"noise": 4, "confounded": 4}
"""Cells in which mistakes are counted need more tables than those in which F1 is averaged."""

MOST_CELLS_OF_MIIC = 110_000
"""Of a table that MIIC is run on: it took two CPU minutes for one of 200 columns and 10,000 records."""

DEFAULT, MIIC = "default", "MIIC"
_ITEMS = PaperSettings(max_length=1, threads=1)


@dataclass(frozen=True)
class Answer:
    """What a method says about one table.

    Parameters
    ----------
    neighbours : set of str
        Columns next to the outcome, causes or effects.
    labels : dict of str to {'cause', 'effect'}
        Those of which the method says which way the arrow points.
    """

    neighbours: set[str]
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def causes(self) -> set[str]:
        """Columns that may be causes: neighbours that are not called effects."""
        return {column for column in self.neighbours if self.labels.get(column) != "effect"}


def by_default(planted: Planted) -> Answer:
    """Columns of causal rules and of consequences, as `mine` has them by default; arrows of single items."""
    result = causalrules.mine(planted.table, planted.outcome, threads=1)
    rules = [rule for rule in result.tested if rule.verdict in ("causal", "consequence")]
    neighbours = {item.column for rule in rules for item in rule.pattern}
    alone = {rule.pattern[0].column: rule.arrow for rule in rules if len(rule.pattern) == 1}
    return Answer(
        neighbours, {column: arrow for column, arrow in alone.items() if arrow in ("cause", "effect")}
    )


def by_paper(planted: Planted) -> Answer:
    """Columns of causal rules by the paper's protocol at its level for simulated tables, 99 %."""
    table = code_table(planted.table, planted.outcome, _ITEMS)
    return Answer(by_search(AT_99.changed(**PROTOCOL), table))


def by_items(method: str, planted: Planted) -> Answer:
    """Columns of the items that a baseline keeps."""
    return Answer(METHODS[method](code_table(planted.table, planted.outcome, _ITEMS)))


def by_network(learner: Learner, planted: Planted) -> Answer:
    """Columns next to the outcome in a network that is learnt whole."""
    table = code_table(planted.table, planted.outcome, _ITEMS)
    names = [table.items[first].column for first in table.first_item[:-1]]
    arrows: dict[int, Arrow] = learn_arrows(MemoryEngine(table, 1), learner)
    labels = {names[column]: arrow for column, arrow in arrows.items() if arrow != "undecided"}
    return Answer({names[column] for column in arrows}, labels)


WAYS: dict[str, Callable[[Planted], Answer]] = {
    DEFAULT: by_default,
    "paper's protocol": by_paper,
    "PC-select": partial(by_items, "PC-select"),
    "HITON-PC": partial(by_items, "HITON-PC"),
    "hill climbing": partial(by_network, "hill-climbing"),
    MIIC: partial(by_network, "miic"),
}


@dataclass(frozen=True)
class Score:
    """How one method did on one table; F1 is missing where nothing stands next to the outcome."""

    f1: float | None
    f1_of_causes: float | None
    has_false: bool
    n_found: int
    n_labels: int
    n_right_labels: int
    seconds: float


def score(answer: Answer, truth: Truth, seconds: float) -> Score:
    """Hold an answer against the truth.

    Examples
    --------
    >>> from experiments.failure_tables import Truth
    >>> truth = Truth(causes=frozenset({"a"}), effects=frozenset({"b"}))
    >>> made = score(Answer({"a", "b", "c"}, {"a": "cause", "b": "cause"}), truth, 0.0)
    >>> made.f1, made.f1_of_causes, made.has_false, made.n_labels, made.n_right_labels
    (0.8, 0.5, True, 2, 1)
    """
    true_label = {**dict.fromkeys(truth.causes, "cause"), **dict.fromkeys(truth.effects, "effect")}
    neighbours = truth.causes | truth.effects
    return Score(
        f1=measure(answer.neighbours, set(neighbours))[2] if neighbours else None,
        f1_of_causes=measure(answer.causes, set(truth.causes))[2] if truth.causes else None,
        has_false=bool(answer.neighbours - neighbours),
        n_found=len(answer.neighbours),
        n_labels=len(answer.labels),
        n_right_labels=sum(true_label.get(column) == label for column, label in answer.labels.items()),
        seconds=seconds,
    )


def try_table(folder: Path | None, cell: str, only: str, seed: int) -> dict[str, Score]:
    """Every method, or the only one, on one table."""
    planted = _cells(folder)[0][cell](seed)
    n_cells = planted.table.num_rows * planted.table.num_columns
    scores = {}
    for way, find in _ways()[0].items():
        if (way == MIIC and n_cells > MOST_CELLS_OF_MIIC) or only not in ("", way):
            continue
        start = process_time()
        answer = find(planted)
        scores[way] = score(answer, planted.truth, process_time() - start)
    return scores


def run(
    folder: Path | None,
    n_tables: int = N_TABLES,
    seed: int = SEED,
    cells: Sequence[str] = (),
    processes: int | None = None,
    only: str = "",
    kept: Sequence[dict[str, Any]] = (),
) -> list[Sheet]:
    """Measure every method on every cell; by default with a process a core.

    Of other methods than the `only` one, the rows `kept` from an earlier run are shown.
    """
    tables, left_out = _cells(folder)
    ways, missing = _ways()
    rows: list[dict[str, Any]] = []
    with ProcessPoolExecutor(processes or os.cpu_count()) if processes != 1 else nullcontext() as pool:
        for cell in cells or tables:
            seeds = range(seed, seed + n_tables * TIMES_AS_MANY.get(cell, 1))
            tried = list((pool.map if pool else map)(partial(try_table, folder, cell, only), seeds))
            by_way = {way: [scores[way] for scores in tried if way in scores] for way in ways}
            rows += [_row(cell, way, scores) for way, scores in by_way.items() if scores]
            rows += [row for row in kept if row["cell"] == cell and row["method"] in ways]
            line = _line([row for row in rows if row["cell"] == cell])
            print(f"{cell}: {line}", file=sys.stderr, flush=True)
    return [sheet_of(rows, list(ways), seed, [*left_out, *missing])]


def sheet_of(rows: list[dict[str, Any]], ways: list[str], seed: int, said: Sequence[str]) -> Sheet:
    """The rows with their remarks and their figure; `said` is what was left out, and why."""
    return Sheet(
        name="neighbours",
        title="What stands next to the outcome, by method",
        rows=rows,
        shown=[
            *_shown(rows, ways, "F1"),
            *_shown(rows, ways, "F1 causes"),
            *_shown_labels(rows, ways),
        ],
        remarks=(
            f"Tables a cell: {_tables_of(rows, ways)}; of noise and confounded four times as many. Seeds "
            f"from {seed} on.",
            "Measures: F1 against parents and children; F1 causes: against parents alone, where what a "
            "method calls an effect is left out; ±: half of a 95 % interval of the mean over tables.",
            "Labels: how many were right, of those given (cause or effect), of the columns found; of the "
            "default only arrows of single items. The CSV has also the number of tables with a false "
            "column and the CPU seconds of a table.",
            f"MIIC is not run on tables of more than {MOST_CELLS_OF_MIIC:,} cells, for its time.",
            *said,
        ),
        chart=partial(neighbours_chart, rows),
    )


def _tables_of(rows: list[dict[str, Any]], ways: list[str]) -> str:
    """Tables a cell by method, those of noise and confounded not counted; MIIC's few left out."""
    n_of = {
        way: max(
            (row["tables"] for row in rows if row["method"] == way and row["cell"] not in TIMES_AS_MANY),
            default=0,
        )
        for way in ways
    }
    if len(set(n_of.values())) == 1:
        return str(n_of[ways[0]])
    return ", ".join(f"{way} {n}" for way, n in n_of.items())


def kept_rows(file: Path, only: str) -> list[dict[str, Any]]:
    """Rows of an earlier run, without those of the method that is run again."""
    with file.open(newline="", encoding="utf-8") as text:
        rows = [{name: _as_number(value) for name, value in row.items()} for row in csv.DictReader(text)]
    return [row for row in rows if row["method"] != only]


def _as_number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _cells(folder: Path | None) -> tuple[dict[str, Callable[[int], Planted]], list[str]]:
    """The cells that can be made here, and what is said about the others."""
    if folder is None and VARIABLE not in os.environ:
        return dict(CELLS), [f"Without the data sets (--from, {VARIABLE}) there are no real columns."]
    return {**CELLS, **{f"{name} columns": partial(_real, name, folder) for name in REAL}}, []


def _real(name: str, folder: Path | None, seed: int) -> Planted:
    return real_columns(_loaded(name, folder), seed)


_loaded = cache(load)
"""Data sets, read once in each process."""


def _ways() -> tuple[dict[str, Callable[[Planted], Answer]], list[str]]:
    """The methods that can be run here, and what is said about the others."""
    if find_spec("pyagrum") is not None:
        return dict(WAYS), []
    away = ("hill climbing", MIIC)
    ways = {name: find for name, find in WAYS.items() if name not in away}
    return ways, [f"{' and '.join(away)} are left out: they need pip install 'causalrules-lab[peers]'."]


def _row(cell: str, way: str, scores: list[Score]) -> dict[str, Any]:
    """Means over the tables of one cell; labels are counted over all of them."""
    row: dict[str, Any] = {"cell": cell, "method": way, "tables": len(scores)}
    for name, values in (
        ("F1", [made.f1 for made in scores if made.f1 is not None]),
        ("F1 causes", [made.f1_of_causes for made in scores if made.f1_of_causes is not None]),
    ):
        row[name] = float(np.mean(values)) if values else ""
        row[f"{name} ±"] = _half_width(values) if len(values) > 1 else ""
    n_labels, n_found = sum(made.n_labels for made in scores), sum(made.n_found for made in scores)
    n_right = sum(made.n_right_labels for made in scores)
    return row | {
        "tables with a false column": sum(made.has_false for made in scores),
        "found": n_found,
        "labels": n_labels,
        "right labels": n_right,
        "label precision": n_right / n_labels if n_labels else "",
        "share labelled": n_labels / n_found if n_found else "",
        "seconds": float(np.mean([made.seconds for made in scores])),
    }


def _half_width(values: list[float]) -> float:
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return float(t.ppf(0.975, len(values) - 1) * error)


def _shown(rows: list[dict[str, Any]], ways: list[str], name: str) -> list[dict[str, Any]]:
    """One line a cell and one column a method: a measure with its interval; first the paper's together."""
    lines = [_together(rows, ways, name)]
    for cell in dict.fromkeys(row["cell"] for row in rows):
        here = {row["method"]: row for row in rows if row["cell"] == cell}
        lines.append({"cell": cell, "measure": name, **{way: _cell(here.get(way), name) for way in ways}})
    return [line for line in lines if any(line[way] for way in ways)]


def _cell(row: dict[str, Any] | None, name: str) -> str:
    if row is None:
        return "not run"
    if row[name] != "":
        half = row[f"{name} ±"]
        return f"{row[name]:.2f}" + (f" ±{half:.2f}" if half != "" else "")
    return f"false in {row['tables with a false column']} of {row['tables']}" if name == "F1" else ""


def _together(rows: list[dict[str, Any]], ways: list[str], name: str) -> dict[str, Any]:
    """Means over the paper's settings, of methods that ran in all of them."""
    line: dict[str, Any] = {"cell": "the paper's fifteen, mean", "measure": name}
    for way in ways:
        values = [row[name] for row in rows if row["method"] == way and row["cell"] in paper.SETTINGS]
        line[way] = f"{np.mean(values):.2f}" if len(values) == len(paper.SETTINGS) else ""
    return line


def _shown_labels(rows: list[dict[str, Any]], ways: list[str]) -> list[dict[str, Any]]:
    """Labels right, given and columns found: over the paper's cells together, and in each other cell."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        group = "the paper's fifteen" if row["cell"] in paper.SETTINGS else row["cell"]
        groups.setdefault(group, []).append(row)
    lines = []
    for group, members in groups.items():
        line: dict[str, Any] = {"cell": group, "measure": "labels"}
        for way in ways:
            right, given, found = (
                sum(row[name] for row in members if row["method"] == way)
                for name in ("right labels", "labels", "found")
            )
            line[way] = f"{right} of {given} of {found}" if given else ""
        lines.append(line)
    return [line for line in lines if any(line[way] for way in ways)]


def _line(rows: list[dict[str, Any]]) -> str:
    return ", ".join(
        f"{row['method']} {row['F1'] if row['F1'] == '' else format(row['F1'], '.2f')}" for row in rows
    )


def main(arguments: list[str] | None = None) -> int:
    """Run from the terminal."""
    parser = argparse.ArgumentParser(prog="neighbours", description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=N_TABLES, help="tables a cell")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first table")
    parser.add_argument("--cells", default="", help="only these, separated by commas")
    parser.add_argument(
        "--only", default="", choices=("", *WAYS), help="run this method, keep the others' rows"
    )
    parser.add_argument("--from", dest="folder", type=Path, help="folder of the paper's data sets")
    parser.add_argument("--to", type=Path, default=RESULTS, help="where to write")
    chosen = parser.parse_args(arguments)
    cells = [name for name in chosen.cells.split(",") if name]
    known = [*CELLS, *(f"{name} columns" for name in REAL)]
    for name in cells:
        if name not in known:
            parser.error(f"there is no cell {name!r}; there are {', '.join(known)}")
    start = perf_counter()
    last = chosen.to / "neighbours.csv"
    kept = kept_rows(last, chosen.only) if chosen.only else []
    sheets = run(chosen.folder, chosen.tables, chosen.seed, cells, only=chosen.only, kept=kept)
    chosen.to.mkdir(parents=True, exist_ok=True)
    for sheet in sheets:
        sheet.write(chosen.to, perf_counter() - start)
    return 0


if __name__ == "__main__":
    sys.exit(main())
