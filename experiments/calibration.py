"""How often is the default wrong, how often right, and do its intervals keep their promise?

Run ``make calibration``; it writes ``experiments/results/calibration.csv`` and
``docs/images/calibration.svg``. Each number rests on simulated tables whose
truth is known; each table depends on its number only, so the run can be repeated.
"""

from __future__ import annotations

import csv
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

import causalrules
from experiments import ROOT
from experiments.charts import calibration_chart

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = ROOT / "experiments" / "results" / "calibration.csv"
PROTOCOLS: dict[str, dict[str, Any]] = {
    "default": {},
    "default, exact": {"test": "exact"},
    "default, mantel-haenszel": {"test": "mantel-haenszel"},
    "by": {"correction": "by"},
    "holdout 0.5": {"holdout": 0.5, "correction": "holm"},
    "paper": {"pairs": "random", "correction": "none"},
}
TESTS: dict[str, dict[str, Any]] = {
    "matched-pairs, expected": {"test": "matched-pairs"},
    "matched-pairs, random": {"test": "matched-pairs", "pairs": "random", "runs": 1, "votes": 1},
    "exact, random": {"test": "exact", "pairs": "random", "runs": 1, "votes": 1},
    "mantel-haenszel": {"test": "mantel-haenszel"},
}


@dataclass(frozen=True)
class Measurement:
    """One share: of `n` tables, the part in which something happened."""

    experiment: str
    protocol: str
    setting: str
    n: int
    share: float

    @property
    def error(self) -> float:
        """Standard error of the share."""
        return float((self.share * (1 - self.share) / self.n) ** 0.5)


def noise_table(seed: int, n_records: int = 2000, n_columns: int = 20) -> pa.Table:
    """Columns of two to four values and an outcome, all independent."""
    chance = np.random.default_rng([1, seed])
    columns = {f"c{i}": _values(chance, n_records, chance.integers(2, 5)) for i in range(n_columns)}
    return pa.table({**columns, "z": _yes_no(chance.random(n_records) < chance.uniform(0.2, 0.5))})


def confounded_table(
    seed: int, odds_ratio: float = 1.0, n_records: int = 2000, n_noise: int = 18
) -> pa.Table:
    """A confounder moves exposure and outcome; the exposure multiplies the odds of the outcome."""
    chance = np.random.default_rng([2, seed])
    confounder = chance.integers(0, 3, n_records)
    exposed = chance.random(n_records) < np.array([0.2, 0.4, 0.7])[confounder]
    logit = np.array([-1.6, -0.9, -0.2])[confounder] + np.log(odds_ratio) * exposed
    outcome = chance.random(n_records) < 1 / (1 + np.exp(-logit))
    noise = {f"n{i}": _values(chance, n_records, 3) for i in range(n_noise)}
    return pa.table(
        {
            "confounder": np.array(["low", "middle", "high"])[confounder],
            "exposed": _yes_no(exposed),
            **noise,
            "z": _yes_no(outcome),
        }
    )


def _values(chance: np.random.Generator, n_records: int, n_values: int) -> np.ndarray:
    return np.array(list("abcd"))[chance.integers(0, n_values, n_records)]


def _yes_no(holds: np.ndarray) -> np.ndarray:
    return np.where(holds, "yes", "no")


def any_causal_in_noise(protocol: dict[str, Any], seed: int) -> bool:
    return bool(causalrules.mine(noise_table(seed), "z=yes", threads=1, **protocol).causal)


def any_wrong_when_confounded(protocol: dict[str, Any], seed: int) -> bool:
    """A rule without the confounder is called causal although nothing else has an effect."""
    result = causalrules.mine(confounded_table(seed), "z=yes", threads=1, **protocol)
    return any("confounder" not in {item.column for item in rule.pattern} for rule in result.causal)


def effect_found(odds_ratio: float, protocol: dict[str, Any], seed: int) -> bool:
    result = causalrules.mine(
        confounded_table(seed, odds_ratio), "z=yes", threads=1, max_length=1, direction="raises", **protocol
    )
    return "exposed=yes" in {rule.name for rule in result.causal}


def interval_covers(odds_ratio: float, protocol: dict[str, Any], seed: int) -> bool:
    table = confounded_table(seed, odds_ratio, n_records=3000, n_noise=0)
    rule = causalrules.test(table, "z=yes", "exposed=yes", threads=1, direction="raises", **protocol).tested[
        0
    ]
    return rule.adjusted_odds_ratio.low <= odds_ratio <= rule.adjusted_odds_ratio.high


def run_all(n_tables: int = 1000) -> list[Measurement]:
    """Every experiment; the longest takes a few minutes on two cores."""
    measurements = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:

        def share(
            experiment: str, protocol: str, setting: str, happens: Callable[[int], bool], n: int
        ) -> None:
            hits = sum(pool.map(happens, range(n), chunksize=10))
            measurements.append(Measurement(experiment, protocol, setting, n, hits / n))
            print(measurements[-1], flush=True)

        for name, protocol in PROTOCOLS.items():
            n = n_tables if name in ("default", "paper") else n_tables // 4
            share("false alarm", name, "noise", partial(any_causal_in_noise, protocol), n)
            share("false alarm", name, "confounded", partial(any_wrong_when_confounded, protocol), n)
        for odds_ratio in (1.2, 1.5, 2.0, 3.0):
            for name, protocol in PROTOCOLS.items():
                happens = partial(effect_found, odds_ratio, protocol)
                share("power", name, f"odds ratio {odds_ratio:g}", happens, n_tables // 5)
            for name, protocol in TESTS.items():
                covers = partial(interval_covers, odds_ratio, protocol)
                share("coverage", name, f"odds ratio {odds_ratio:g}", covers, 2 * n_tables)
    return measurements


def write(measurements: list[Measurement]) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["experiment", "protocol", "setting", "tables", "share", "standard error"])
        for m in measurements:
            writer.writerow([m.experiment, m.protocol, m.setting, m.n, m.share, round(m.error, 5)])


if __name__ == "__main__":
    write(run_all())
    calibration_chart(RESULTS)
