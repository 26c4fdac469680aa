"""How well is a known effect estimated? The study beside plain exact matching, and weighting by scikit-learn.

Run ``python -m experiments.known_effects``; it writes ``experiments/results/known_effects.csv``. Exposure
goes by two numbers, a column of 20 and one of 8 values; each record's risk with the exposure
and without is known, and its outcome is drawn by one of them. The truth is the mean
difference over the exposed records that a method speaks for. All methods are given the four
columns; how well they are found is measured by ``python -m experiments.failure_cases --cases 17``.
"""

from __future__ import annotations

import argparse
import csv
import math
from dataclasses import asdict, dataclass, fields
from itertools import product

import numpy as np
from sklearn.linear_model import LogisticRegression

from causalrules.cohort.compare_arms import compare_arms
from experiments import ROOT
from experiments.study_calibration import Table, expit, intercept_for, study_rows

RESULTS = ROOT / "experiments" / "results" / "known_effects.csv"
FIRST_SEED = 40_000
_REGION = np.linspace(-1, 1, 20)
_JOB = np.array([-0.8, 0.1, 0.6, -0.3, 0.9, 0.0, -0.5, 0.4])


@dataclass(frozen=True)
class Setting:
    """One kind of table."""

    n_records: int
    exposed: float
    odds_ratio: float
    curved: bool
    n_tables: int


@dataclass(frozen=True)
class Line:
    """How one method did on the tables of a setting; limits are of 95 %."""

    n_records: int
    exposed: float
    odds_ratio: float
    curved: bool
    n_tables: int
    method: str
    bias: float
    bias_low: float
    bias_high: float
    covered: float
    covered_low: float
    covered_high: float
    root_mean_square_error: float


Answer = tuple[float, float, float, float]
"""An estimate, its limits and the truth for the records that it speaks for."""


def settings() -> list[Setting]:
    """Rare and common exposures, no effect and one, straight and curved risks."""
    small = [Setting(n, share, 2.0, False, 200) for n, share in product((2000, 5000), (0.05, 0.3))]
    null = [Setting(n, 0.05, 1.0, False, 200) for n in (2000, 5000)]
    curved = [Setting(5000, share, 2.0, True, 200) for share in (0.05, 0.3)]
    return small + null + curved + [Setting(20_000, 0.05, 2.0, curved, 50) for curved in (False, True)]


def make_table(setting: Setting, seed: int) -> Table:
    """Both risks of every record, and one outcome drawn."""
    chance, n = np.random.default_rng([17, seed, setting.n_records]), setting.n_records
    age, income = chance.normal(0, 1, n), chance.normal(0, 1, n)
    region, job = chance.integers(0, 20, n), chance.integers(0, 8, n)
    steer = 0.7 * age - 0.5 * income + 0.8 * _REGION[region] + _JOB[job]
    exposed = chance.random(n) < expit(steer + intercept_for(steer, setting.exposed))
    risk = 0.6 * age - 0.6 * income + 0.9 * _REGION[region] + 0.8 * _JOB[job] - 1
    risk = risk + 0.5 * (age**2 - 1) * setting.curved
    without, with_it = expit(risk), expit(risk + math.log(setting.odds_ratio))
    outcome = chance.random(n) < np.where(exposed, with_it, without)
    return Table([age, income, region, job], exposed, outcome, without, with_it)


def studies(table: Table) -> dict[str, Answer]:
    """The study, its second opinion, and exact agreement on deciles and values."""
    rows, row = study_rows(table)
    gain = table.risk_exposed - table.risk_unexposed
    found: dict[str, Answer] = {}
    for name, matching in (("matched", "auto"), ("plain exact matching", "exact")):
        study = compare_arms(rows, matching, with_opinion=name == "matched")
        compared = (study.stratum[row] >= 0) & table.exposed
        truth = float(gain[compared].mean()) if compared.any() else math.nan
        ratio, second = study.risks.difference, study.second_opinion
        found[name] = ratio.value, ratio.low, ratio.high, truth
        if name == "matched":
            found["second opinion"] = second.value, second.low, second.high, truth
    return found


def weighted(table: Table) -> dict[str, Answer]:
    """Effects on the exposed by scikit-learn's logistic regression, with its own penalty."""
    age, income, region, job = table.columns
    design = np.column_stack([age, income, np.eye(20)[region], np.eye(8)[job]])
    exposed, y = table.exposed, table.outcome.astype(float)
    truth = float((table.risk_exposed - table.risk_unexposed)[exposed].mean())
    propensity = LogisticRegression(max_iter=1000).fit(design, exposed).predict_proba(design)[:, 1]
    odds = np.where(exposed, 0.0, propensity / (1 - propensity))
    without = LogisticRegression(max_iter=1000).fit(design[~exposed], y[~exposed]).predict_proba(design)[:, 1]
    found = {}
    for name, left in (("IPW (scikit-learn)", y), ("AIPW (scikit-learn)", y - without)):
        mean = float(left[exposed].mean()), float((odds @ left) / odds.sum())
        pieces = np.where(exposed, (left - mean[0]) / exposed.sum(), -odds * (left - mean[1]) / odds.sum())
        value, half = mean[0] - mean[1], 1.959964 * math.sqrt(float((pieces**2).sum()))
        found[name] = value, value - half, value + half, truth
    return found


def measure(setting: Setting) -> list[Line]:
    """All methods on the tables of one setting."""
    answers: dict[str, list[Answer]] = {}
    for seed in range(FIRST_SEED, FIRST_SEED + setting.n_tables):
        table = make_table(setting, seed)
        for name, answer in {**studies(table), **weighted(table)}.items():
            answers.setdefault(name, []).append(answer)
    return [_line(setting, name, np.array(found)) for name, found in answers.items()]


def _line(setting: Setting, name: str, found: np.ndarray) -> Line:
    found = found[~np.isnan(found[:, 3])]
    value, low, high, truth = found.T
    error, n = value - truth, len(found)
    half = 1.959964 * float(error.std(ddof=1)) / math.sqrt(n)
    covered = float(((low <= truth) & (truth <= high)).mean())
    z2 = 1.959964**2
    middle = (covered + z2 / (2 * n)) / (1 + z2 / n)
    spread = 1.959964 / (1 + z2 / n) * math.sqrt(covered * (1 - covered) / n + z2 / (4 * n * n))
    bias = float(error.mean())
    numbers = (bias, bias - half, bias + half, covered, middle - spread, middle + spread)
    rounded = (round(number, 4) for number in (*numbers, float(np.sqrt((error**2).mean()))))
    return Line(*asdict(setting).values(), name, *rounded)


def main() -> None:
    """Measure all settings."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--share", type=float, default=1.0, help="of the tables")
    share = parser.parse_args().share
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Line)], lineterminator="\n")
        writer.writeheader()
        for setting in settings():
            few = max(2, round(share * setting.n_tables))
            for line in measure(Setting(**{**asdict(setting), "n_tables": few})):
                writer.writerow(asdict(line))
            file.flush()


if __name__ == "__main__":
    main()
