"""Precision, recall and F1 on random networks, beside the paper's; and the tests on these.

Fifteen settings as in the paper, but many networks a setting where it has one.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import mannwhitneyu, t, wilcoxon

from causalrules.domain.progress import Stopwatch, ignore_progress
from causalrules.engines import MemoryEngine
from causalrules.engines.load import open_coded
from causalrules.paper.search import PaperSearch
from causalrules.paper.settings import PROTOCOL, PaperSettings
from causalrules_lab.baselines import code_table
from causalrules_lab.baselines.budget import Budget
from causalrules_lab.baselines.comparison import METHODS as BASELINES
from causalrules_lab.baselines.triplets import find_ccc
from causalrules_lab.reproduction import paper_numbers as paper
from causalrules_lab.reproduction.charts import f1_chart
from causalrules_lab.reproduction.sheet import Sheet
from causalrules_lab.simulate import NetworkTruth, simulate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from causalrules.encode import CodedTable
    from causalrules_lab.baselines import Findings

ONE_BY_ONE = PaperSettings(max_length=1, threads=1)
"""Single causes; tables are worked on in parallel, so each has one thread."""

AT_99 = replace(ONE_BY_ONE, judge="interval", confidence=0.99)
"""The paper's level for simulated tables."""


def by_baseline(find: Callable[..., Findings], table: CodedTable) -> set[str]:
    """Columns that a baseline calls causes, its tests at 95 % as in the paper."""
    findings = find(MemoryEngine(table, 1), table.items, ONE_BY_ONE, Budget())
    return {finding.pattern[0].column for finding in findings.causal}


def by_search(settings: PaperSettings, table: CodedTable) -> set[str]:
    """Columns of the causal rules; a combined cause counts for its parts."""
    search = PaperSearch(open_coded(table, settings), settings, Stopwatch(), ignore_progress)
    search.run()
    return {item.column for rule in search.rules if rule.verdict == "causal" for item in rule.pattern}


METHODS: dict[str, Callable[[CodedTable], set[str]]] = {
    "CCC": partial(by_baseline, partial(find_ccc, outcome_place="anywhere")),
    "CCC, outcome last": partial(by_baseline, find_ccc),
    "CCU": partial(by_baseline, BASELINES["ccu"]),
    "PC-select": partial(by_baseline, BASELINES["pc-select"]),
    "HITON-PC": partial(by_baseline, BASELINES["hiton-pc"]),
    "CR-CS, paper": partial(by_search, AT_99.changed(**PROTOCOL)),
    "CR-CS, corrected": partial(by_search, ONE_BY_ONE),
    "CR-CS, Mantel–Haenszel": partial(by_search, replace(ONE_BY_ONE, test="mantel-haenszel")),
    "CR-CS, Mantel–Haenszel 99 %": partial(by_search, replace(AT_99, test="mantel-haenszel")),
}
"""The methods compared on networks. One more way of searching is one more line: another `PaperSettings`."""

CHARTED = ("CCC", "CCU", "PC-select", "CR-CS, paper", "CR-CS, corrected")
"""Those drawn, as many as there are colours that can be told apart."""

OF_THE_PAPER = {"CCC": "CCC", "CCU": "CCU", "PC-select": "PC-select", "CR-CS": "CR-CS, paper"}
"""The paper's four methods and their names here."""


SEEDS = range(20_000, 20_050)
"""Fifty networks a setting, none of them used while methods were worked on."""
MEASURES = ("precision", "recall", "F1")
TRUTHS = ("parents and children", "parents")


@dataclass(frozen=True)
class Trial:
    """What one method found in one table, measured against both truths."""

    setting: str
    method: str
    truth: str
    values: tuple[float, float, float]


def measure(found: set[str], truth: set[str]) -> tuple[float, float, float]:
    """Precision, recall and F1; 0 where nothing was found.

    Examples
    --------
    >>> measure({"a", "b"}, {"b", "c", "d"})
    (0.5, 0.3333333333333333, 0.4)
    """
    n_right = len(found & truth)
    if n_right == 0:
        return 0.0, 0.0, 0.0
    return n_right / len(found), n_right / len(truth), 2 * n_right / (len(found) + len(truth))


def try_all(setting: str, seed: int) -> list[Trial]:
    """All methods on one table."""
    simulated = simulate(setting, seed=seed)
    assert isinstance(simulated.truth, NetworkTruth)
    table = code_table(simulated.table, simulated.truth.outcome, ONE_BY_ONE)
    parents = set(simulated.truth.parents)
    sets = dict(zip(TRUTHS, ({*parents, *simulated.truth.children}, parents), strict=True))
    found = {method: find(table) for method, find in METHODS.items()}
    return [
        Trial(setting, method, name, measure(found[method], truth))
        for method in METHODS
        for name, truth in sets.items()
    ]


def run(folder: Path | None) -> list[Sheet]:  # noqa: ARG001 - networks need no data
    """Measure, then test."""
    values: dict[tuple[str, str, str], list[tuple[float, float, float]]] = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for setting in paper.SETTINGS:
            for trials in pool.map(partial(try_all, setting), SEEDS, chunksize=5):
                for trial in trials:
                    values.setdefault((setting, trial.method, trial.truth), []).append(trial.values)
    rows = [_row(*key, np.array(numbers)) for key, numbers in values.items()]
    return [*_measures(rows), _tests(rows)]


def _row(setting: str, method: str, truth: str, numbers: np.ndarray) -> dict[str, Any]:
    """Means with 95 % intervals, and the paper's number where it has one."""
    half = t.ppf(0.975, len(numbers) - 1) * numbers.std(axis=0, ddof=1) / np.sqrt(len(numbers))
    row: dict[str, Any] = {"setting": setting, "method": method, "truth": truth, "networks": len(numbers)}
    names = {name: theirs for theirs, name in OF_THE_PAPER.items()}
    theirs = paper.measures(names[method])[setting] if method in names else ("", "", "")
    for place, name in enumerate(MEASURES):
        row[name] = float(numbers[:, place].mean())
        row[f"{name} ±"] = float(half[place])
        row[f"paper: {name}"] = theirs[place]
    return row


def _measures(rows: list[dict[str, Any]]) -> list[Sheet]:
    by_truth = {truth: [row for row in rows if row["truth"] == truth] for truth in TRUTHS}
    sheets = []
    for truth, name in zip(TRUTHS, ("synthetic_neighbours", "synthetic_parents"), strict=True):
        shown = []
        for setting in paper.SETTINGS:
            here = {row["method"]: row for row in by_truth[truth] if row["setting"] == setting}
            line: dict[str, Any] = {"setting": setting}
            for method, row in here.items():
                line[method] = (
                    " ".join(f"{row[measure]:.2f}" for measure in MEASURES) + f" ±{row['F1 ±']:.2f}"
                )
            for theirs in OF_THE_PAPER:
                line[f"paper: {theirs}"] = " ".join(
                    f"{value:.2f}" for value in paper.measures(theirs)[setting]
                )
            shown.append(line)
        sheets.append(
            Sheet(
                name=name,
                title=f"Precision, recall and F1 (± of F1) on random networks; the truth is {truth}",
                rows=by_truth[truth],
                shown=[*shown, _overall(by_truth[truth])],
                remarks=(
                    f"{len(SEEDS)} networks a setting, seeds {SEEDS[0]}–{SEEDS[-1]}; the paper has one; "
                    "with one seed, the tables of 2K, 5K and 10K records come from the same network.",
                    "Networks: random order, one arc a node on average, at most four parents, every "
                    "probability "
                    "uniform between 0 and 1; the target's numbers of parents and children are half of the "
                    "paper's number of causes each (three and four of seven).",
                    "±: half of a 95 % interval of the mean over networks. Tests of the baselines at 95 %.",
                    "CCC: the outcome may stand anywhere in a triplet; outcome last: only at its end, "
                    "as causalrules compare has it, which supposes that the outcome has no effects.",
                    "CR-CS, paper: random pairs, 2 of 3 votes, 99 % intervals. corrected: averaged "
                    "pairs, Benjamini–Hochberg at 5 %, controls chosen at 95 % (--controls items).",
                    "The default of today is measured on these tables and others by "
                    "python -m experiments.neighbours.",
                ),
                chart=partial(f1_chart, [row for row in by_truth[truth] if row["method"] in CHARTED], truth),
            )
        )
    return sheets


def _overall(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Means over the fifteen settings."""
    line: dict[str, Any] = {"setting": "mean"}
    for method in METHODS:
        of_method = [row for row in rows if row["method"] == method]
        line[method] = " ".join(f"{np.mean([row[name] for row in of_method]):.2f}" for name in MEASURES)
    for theirs in OF_THE_PAPER:
        means = np.mean(list(paper.measures(theirs).values()), axis=0)
        line[f"paper: {theirs}"] = " ".join(f"{value:.2f}" for value in means)
    return line


def _tests(rows: list[dict[str, Any]]) -> Sheet:
    """Test whether the F1 of one method is greater than that of another, over the fifteen settings."""
    ours = {
        method: [row["F1"] for row in rows if row["method"] == method and row["truth"] == TRUTHS[0]]
        for method in METHODS
    }
    theirs = {method: [f1 for _, _, f1 in paper.measures(method).values()] for method in OF_THE_PAPER}
    names = {**OF_THE_PAPER, **{method: method for method in METHODS if method not in OF_THE_PAPER.values()}}
    table = []
    for first, first_here in names.items():
        for second, second_here in names.items():
            if first == second:
                continue
            row: dict[str, Any] = {"F1 of": first, "greater than of": second}
            row |= _p_values("ours", ours[first_here], ours[second_here])
            known = first in theirs and second in theirs
            row |= (
                _p_values("paper's F1", theirs[first], theirs[second])
                if known
                else {"paper's F1: signed ranks": "", "paper's F1: rank sum": ""}
            )
            table.append(row | {"paper: printed": paper.WILCOXON.get((first, second), "")})
    return Sheet(
        name="wilcoxon",
        title="One-sided Wilcoxon tests of F1 over the fifteen settings (parents and children)",
        rows=table,
        shown=[{name: _p(value) for name, value in row.items()} for row in table if _is_of_interest(row)],
        remarks=(
            "Ours: means over the networks of a setting. CR-CS is the paper's protocol.",
            "Signed ranks: the paired test the paper names. Rank sum: the unpaired one (Mann–Whitney). "
            "The CSV has all pairs of methods.",
        ),
    )


def _is_of_interest(row: dict[str, Any]) -> bool:
    """Among the paper's methods, or another way of searching against the two best of them."""
    first, second = row["F1 of"], row["greater than of"]
    if first in OF_THE_PAPER:
        return second in OF_THE_PAPER or (second.startswith("CR-CS") and first in ("CR-CS", "PC-select"))
    return first.startswith("CR-CS") and second in ("CR-CS", "PC-select")


def _p_values(whose: str, first: list[float], second: list[float]) -> dict[str, float]:
    return {
        f"{whose}: signed ranks": float(wilcoxon(first, second, alternative="greater").pvalue),
        f"{whose}: rank sum": float(
            mannwhitneyu(first, second, alternative="greater", method="asymptotic").pvalue
        ),
    }


def _p(value: object) -> object:
    return f"{value:.2g}" if isinstance(value, float) else value
