"""Means of skewed numbers: the few records that have most of the sum decide, and what they depend on."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.encode.bins import fine_cuts


def costs(seed, n=5000):
    """Costs grow exponentially with severity, which also decides who is treated; treatment does nothing."""
    rng = np.random.default_rng(seed)
    severity = rng.normal(size=n)
    treated = rng.random(n) < 1 / (1 + np.exp(1.1 - severity))
    cost = np.exp(severity) + rng.normal(size=n)
    yes = np.where(treated, "yes", "no")
    return pa.table({"treated": yes, "severity": severity.round(3), "cost": cost.round(3)})


def compared(table):
    return causalrules.test(table, "cost", "treated=yes", outcome_as="mean").tested[0]


def test_a_treatment_without_effect_on_costs_is_seldom_causal():
    """Four of these seven were."""
    rules = [compared(costs(seed)) for seed in range(7)]
    assert sum(rule.verdict == "causal" for rule in rules) <= 1


def test_means_and_their_difference_agree():
    found = compared(costs(1)).mean
    assert found.exposed_mean - found.unexposed_mean == pytest.approx(found.difference.value)


def test_the_interval_is_about_as_wide_as_that_of_regression():
    """Strata leave in what controls let expect; with it, this interval was twice as wide."""
    rng = np.random.default_rng(3)
    n = 3000
    severity = rng.normal(size=n)
    treated = rng.random(n) < 1 / (1 + np.exp(1.1 - severity))
    cost = 2 * severity + rng.normal(size=n)
    table = {"treated": np.where(treated, "yes", "no"), "severity": severity.round(3), "cost": cost.round(3)}
    found = causalrules.test(
        pa.table(table), "cost", "treated=yes", outcome_as="mean", before="severity"
    ).tested[0]
    design = np.column_stack([np.ones(n), treated, severity])
    left = cost - design @ np.linalg.lstsq(design, cost, rcond=None)[0]
    error = np.sqrt(np.linalg.inv(design.T @ design)[1, 1] * left.var())
    assert found.mean.difference.high - found.mean.difference.low < 1.7 * 2 * 1.96 * error


def test_the_outermost_bins_are_halved_while_records_are_left():
    values = np.arange(10_000.0)
    cuts, means = fine_cuts(values, np.ones(10_000, np.int64), 100, halve_tails=True)
    assert cuts[:4] == [11.5, 24.5, 49.5, 99.5]
    assert [9999 - cut for cut in cuts[:-5:-1]] == cuts[:4]
    assert len(means) == len(cuts) + 1 == 106
