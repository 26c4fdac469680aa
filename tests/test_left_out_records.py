"""Where what is missing depends on exposure and outcome together, complete cases mislead, and it is told."""

import re

import numpy as np
import pyarrow as pa
import pytest

import causalrules

N = 3000


def patients(missing, seed=5):
    """Severity confounds a treatment without effect; `missing` says how likely it is unknown."""
    rng = np.random.default_rng(seed)
    severity = rng.normal(size=N)
    treated = rng.random(N) < 1 / (1 + np.exp(0.5 - 1.2 * severity))
    ill = rng.random(N) < 1 / (1 + np.exp(1.5 - 1.2 * severity))
    is_missing = rng.random(N) < missing(severity, treated, ill)
    return pa.table(
        {
            "treated": np.where(treated, "yes", "no"),
            "ill": np.where(ill, "yes", "no"),
            "severity": pa.array(severity.round(2), mask=is_missing),
        }
    )


def studied(table):
    return causalrules.test(table, "ill=yes", "treated=yes").tested[0]


def test_missing_by_exposure_and_outcome_together():
    """It was causal, 0.6 where 1 is true, and 'if missing were a level' said much the same."""
    rule = studied(patients(lambda _, x, z: np.where(x, 0.1, 0.5) * np.where(z, 0.3, 1)))
    assert (rule.verdict, rule.grade) == ("causal", "fragile")
    assert rule.reason.startswith("who is left out differs: without the records that have missing values")


@pytest.mark.parametrize("seed", range(3))
def test_what_the_odds_ratio_would_be_is_told(seed):
    """By how likely each combination of exposure and outcome stays, which is known for all records."""
    table = patients(lambda _, x, z: np.where(x, 0.1, 0.6) * np.where(z, 0.2, 1), seed)
    rule = studied(table)
    would_be, is_now = map(float, re.findall(r"off by as much, ([\d.]+) instead of ([\d.]+)", rule.reason)[0])
    assert is_now == pytest.approx(rule.of_the_outcome().adjusted_odds_ratio.value, abs=0.006)
    assert is_now < 0.75
    assert 0.8 < would_be < 1.25  # it has no effect


@pytest.mark.parametrize(
    "missing",
    [
        lambda u, x, z: np.full(N, 0.3),
        lambda u, x, z: np.where(x, 0.5, 0.2),
        lambda u, x, z: np.where(z, 0.5, 0.2),
    ],
)
def test_missing_by_chance_or_by_one_of_them(missing):
    rules = [studied(patients(missing, seed)) for seed in range(5)]
    assert not any(rule.reason.startswith("who is left out differs") for rule in rules)
    assert sum(rule.verdict == "causal" for rule in rules) <= 1
