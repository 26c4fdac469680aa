"""Does a study keep its promises? False positives, power, coverage and bias on tables of known truth.

Run ``python -m experiments.study_calibration``; it writes
``experiments/results/study_calibration.csv``, a line for each kind of table.
``--share 0.1`` makes a tenth of the tables. Each table depends on its number
only. The study's constants (penalties, records per stratum, degrees of freedom) were
chosen on tables of these kinds numbered below 40,000; the figures are from later ones,
so they confirm the choice, but only for kinds of tables that it was made for. The
interval of a share p of 200 tables is about p ± 2·√(p(1 - p)/200): 5 % is 2.7 to 9 %.
Logistic regression with the same columns, on complete records, stands beside it.
"""

from __future__ import annotations

import argparse
import csv
import math
import time
from dataclasses import asdict, dataclass, fields

import numpy as np

from causalrules.cohort.compare_arms import compare_arms
from causalrules.cohort.stratify import number_combinations
from causalrules.cohort.study_rows import Control, StudyRows
from experiments import ROOT

FIRST_SEED = 40_000
RESULTS = ROOT / "experiments" / "results" / "study_calibration.csv"
CONFOUNDERS = ("3 values", "6 values", "12 values", "25 values", "1 number", "4 numbers")
NOT_LISTED = ("12 and 6 values, 1 number", "interacting 3 x 3 values, 1 number", "U-shaped number")


@dataclass(frozen=True)
class Setting:
    """One kind of table."""

    confounders: str
    n_records: int
    outcome: float
    odds_ratio: float
    missing: float
    n_tables: int


@dataclass(frozen=True)
class Table:
    """Records with what is known about them: outcomes with and without exposure, by chance."""

    columns: list[np.ndarray]
    exposed: np.ndarray
    outcome: np.ndarray
    risk_unexposed: np.ndarray
    risk_exposed: np.ndarray


@dataclass(frozen=True)
class Line:
    """What a setting gave; shares are of its tables."""

    confounders: str
    n_records: int
    outcome: float
    odds_ratio: float
    missing: float
    n_tables: int
    significant: float
    significant_regression: float
    covered: float
    bias_log_odds: float
    covered_difference: float
    bias_difference: float
    covered_second: float
    bias_second: float
    p_and_interval_disagree: float
    exact: float
    matched: float
    seconds: float


def settings() -> list[Setting]:
    """Two hundred tables of each kind, of 20,000 records half as many."""
    found = []
    for kind in CONFOUNDERS:
        found += [Setting(kind, 300, z, psi, 0.0, 200) for z in (0.02, 0.1, 0.3) for psi in (1.0, 2.0)]
        found += [Setting(kind, 2000, z, 1.0, 0.0, 200) for z in (0.02, 0.1, 0.3)]
        found += [Setting(kind, 2000, 0.1, psi, 0.0, 200) for psi in (1.2, 1.5, 2.0)]
        found += [Setting(kind, 2000, z, 2.0, 0.0, 200) for z in (0.02, 0.3)]
        found += [Setting(kind, n, 0.3, 1.0, 0.1, 200) for n in (300, 2000)]
    for kind in ("12 values", "1 number", "4 numbers"):
        found += [Setting(kind, 20_000, 0.1, psi, 0.0, 100) for psi in (1.0, 1.2, 2.0)]
    for kind in NOT_LISTED:
        found += [Setting(kind, n, 0.3, psi, 0.0, 200) for n in (300, 2000) for psi in (1.0, 2.0)]
    found += [Setting("rare exposure", 16_000, 0.2, psi, 0.0, 100) for psi in (1.0, 2.0)]
    return sorted(found, key=lambda s: s.n_records)


def make_table(setting: Setting, seed: int) -> Table:
    rng = np.random.default_rng(
        [
            seed,
            setting.n_records,
            CONFOUNDERS.index(setting.confounders) if setting.confounders in CONFOUNDERS else 9,
        ]
    )
    n, share = setting.n_records, 0.3
    columns, on_exposure, on_outcome = _confounders(setting.confounders, n, rng)
    if setting.confounders == "rare exposure":
        share = 185 / 16_000
    exposed = rng.random(n) < expit(on_exposure + intercept_for(on_exposure, share))
    on_outcome = on_outcome + intercept_for(on_outcome, setting.outcome)
    without, with_ = expit(on_outcome), expit(on_outcome + math.log(setting.odds_ratio))
    outcome = rng.random(n) < np.where(exposed, with_, without)
    for j, column in enumerate(columns):
        if setting.missing:
            columns[j] = np.where(rng.random(n) < setting.missing, np.nan, column.astype(float))
    return Table(columns, exposed, outcome, without, with_)


def _confounders(kind: str, n: int, rng: np.random.Generator):
    def category(n_values, spread=1.0):
        codes = rng.integers(0, n_values, n)
        return codes, rng.normal(0, spread, n_values)[codes], rng.normal(0, spread, n_values)[codes]

    def number(on_exposure=1.0, on_outcome=1.0):
        values = rng.normal(size=n)
        return values, on_exposure * values, on_outcome * values

    if kind == "interacting 3 x 3 values, 1 number":
        one, other, (values, *_) = rng.integers(0, 3, n), rng.integers(0, 3, n), number()
        cells = rng.normal(size=(2, 3, 3))
        return [one, other, values], cells[0][one, other] + values, cells[1][one, other] + values
    if kind == "U-shaped number":
        values = rng.normal(size=n)
        return [values], 0.7 * values**2, 0.7 * values**2
    parts = {
        "1 number": lambda: [number()],
        "4 numbers": lambda: [number() for _ in range(4)],
        "12 and 6 values, 1 number": lambda: [category(12), category(6), number()],
        "rare exposure": lambda: [category(v, 1.2) for v in (5, 5, 8)] + [number(1.2, 0.5) for _ in range(3)],
    }.get(kind, lambda: [category(int(kind.split()[0]))])()
    return [part[0] for part in parts], sum(part[1] for part in parts), sum(part[2] for part in parts)


def study_rows(table: Table) -> tuple[StudyRows, np.ndarray]:
    """As an engine would give them: unique rows, numbers in 100 bins; and the row of every record."""
    columns = [_coded(f"c{j}", column) for j, column in enumerate(table.columns)]
    row = number_combinations(
        [*(c.codes for c in columns), table.exposed.astype(np.int64)], len(table.exposed)
    )
    _, first = np.unique(row, return_index=True)
    counts = np.stack([np.bincount(row, ~table.outcome), np.bincount(row, table.outcome)], axis=1)
    controls = tuple(column.take(first) for column in columns)
    return StudyRows(table.exposed[first], counts.astype(np.int64), controls), row


def _coded(name: str, column: np.ndarray) -> Control:
    known = ~np.isnan(column)
    whole = column[known]
    is_number = bool((whole != np.round(whole)).any())
    if is_number:
        edges = np.unique(np.quantile(whole, np.arange(1, 100) / 100))
        whole = np.searchsorted(edges, whole)
    values, codes = np.unique(whole, return_inverse=True)
    all_codes = np.zeros(len(column), np.int32)
    all_codes[known] = codes + 1
    means = np.bincount(codes, column[known]) / np.bincount(codes) if is_number else None
    return Control(name, all_codes, len(values), means)


def regression_p(table: Table) -> float:
    """Wald's p-value of the exposure in a logistic regression on complete records."""
    complete = ~np.isnan(np.stack(table.columns).astype(float)).any(axis=0)
    parts = [np.ones(complete.sum()), table.exposed[complete].astype(float)]
    for column in table.columns:
        column = column[complete]
        if (column != np.round(column)).any():
            parts.append(column)
        else:
            parts += [(column == value).astype(float) for value in np.unique(column)[1:]]
    design, y = np.stack(parts, axis=1), table.outcome[complete].astype(float)
    beta = np.zeros(design.shape[1])
    for _ in range(30):
        mean = expit(np.clip(design @ beta, -25, 25))
        information = (design * (mean * (1 - mean))[:, None]).T @ design + 1e-6 * np.eye(len(beta))
        step = np.linalg.solve(information, design.T @ (y - mean) - 1e-6 * beta)
        beta += step
        if np.abs(step).max() < 1e-8:
            break
    error = math.sqrt(np.linalg.inv(information)[1, 1])
    return math.erfc(abs(beta[1]) / error / math.sqrt(2))


def measure(setting: Setting) -> Line:
    started, found = time.perf_counter(), []
    for seed in range(FIRST_SEED, FIRST_SEED + setting.n_tables):
        table = make_table(setting, seed)
        rows, row = study_rows(table)
        study = compare_arms(rows)
        compared = (study.stratum[row] >= 0) & table.exposed
        truth = float((table.risk_exposed - table.risk_unexposed)[compared].mean()) if compared.any() else 0.0
        ratio, risk, second = study.odds_ratio.odds_ratio, study.risks.difference, study.second_opinion
        p_value = study.odds_ratio.p_value
        found.append(
            (
                p_value < 0.05,
                regression_p(table) < 0.05,
                ratio.low <= setting.odds_ratio <= ratio.high,
                math.log(ratio.value / setting.odds_ratio) if 0 < ratio.value < math.inf else math.nan,
                risk.low <= truth <= risk.high,
                risk.value - truth,
                second.low <= truth <= second.high,
                second.value - truth,
                (p_value < 0.05) != (ratio.low > 1 or ratio.high < 1),
                study.method == "exact",
                study.matched_exposed,
            )
        )
    means = np.nanmean(np.array(found, float), axis=0)
    return Line(
        **asdict(setting),
        **dict(zip([f.name for f in fields(Line)][6:17], means, strict=True)),
        seconds=time.perf_counter() - started,
    )


def expit(logit: np.ndarray) -> np.ndarray:
    """The probability of log odds."""
    return 0.5 * (1 + np.tanh(logit / 2))


def intercept_for(logit: np.ndarray, share: float) -> float:
    """What to add to log odds so that a share of the records is expected to have it."""
    low, high = -20.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if expit(logit + middle).mean() > share else (middle, high)
    return middle


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the tables")
    share = parser.parse_args().share
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, [f.name for f in fields(Line)], lineterminator="\n")
        writer.writeheader()
        for setting in settings():
            few = Setting(**{**asdict(setting), "n_tables": max(2, round(share * setting.n_tables))})
            line = asdict(measure(few))
            writer.writerow({k: round(v, 4) if isinstance(v, float) else v for k, v in line.items()})
            file.flush()


if __name__ == "__main__":
    main()
