"""Columns that nearly tell who is exposed: by what they say, not by how many values they have."""

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.cohort.near_copies import NEAR_COPY, share_left_within, variance_left


def _left(exposed, values):
    """Share of the exposure's variance that one column leaves."""
    _, codes = np.unique(values, return_inverse=True)
    support, both = np.bincount(codes), np.bincount(codes, exposed).astype(np.int64)
    return variance_left(both, support, int(exposed.sum()), len(exposed), np.array([0, len(support)]))[0]


@pytest.mark.parametrize("n_values", [2, 10, 60, 85, 95, 100])
def test_values_that_mean_nothing_are_no_copy_however_many(n_values):
    chance = np.random.default_rng(1)
    for _ in range(50):
        values = np.arange(100) % n_values
        assert _left(chance.random(100) < 0.5, values) > NEAR_COPY


def test_a_copy_is_one_beside_noise_in_it():
    chance = np.random.default_rng(2)
    exposed = np.arange(200) < 80
    assert _left(exposed, exposed ^ (np.arange(200) == 7)) < NEAR_COPY
    assert _left(exposed, np.where(exposed, 1, 100) + chance.integers(0, 50, 200)) < NEAR_COPY


def test_a_shuffled_column_leaves_as_much_as_there_is_on_average():
    chance = np.random.default_rng(3)
    exposed = np.arange(90) < 30
    left = [_left(chance.permutation(exposed), np.arange(90) % 60) for _ in range(500)]
    assert np.mean(left) == pytest.approx(1, abs=0.05)


def test_coarser_words_are_told_from_many_values():
    chance = np.random.default_rng(4)
    age = chance.integers(20, 80, 400)

    def left(given, codes):
        (given, codes), counts = np.unique(np.stack([given, codes]), axis=1, return_counts=True)
        return share_left_within(given, codes, counts)

    assert left(age, age > 50) < NEAR_COPY
    assert left(np.arange(400) % 385, chance.integers(0, 2, 400)) > NEAR_COPY


def _small(seed, n=60):
    chance = np.random.default_rng(seed)
    lab = chance.normal(size=n).round(2)
    x, y = (chance.random(n) < 1 / (1 + np.exp(-1.5 * lab)) for _ in range(2))
    return pd.DataFrame({"lab": lab, "noise": chance.normal(size=n).round(2), "x": x, "y": y})


def test_small_tables_are_adjusted_for_what_was_asked():
    for seed in range(5):
        rule = causalrules.test(_small(seed), "y", "x", adjust=["lab"]).tested[0]
        assert rule.design.held == ("lab",)
        assert rule.design.near_copies == ()


def test_what_was_to_be_adjusted_for_and_cannot_be_leaves_no_verdict():
    table = _small(1, 300).assign(copy=lambda table: np.where(table.x, "yes", "no"))
    table.loc[5, "copy"] = "no" if table.loc[5, "x"] else "yes"
    rule = causalrules.test(table, "y", "x", adjust=["lab", "copy"]).tested[0]
    assert rule.verdict == "untestable"
    assert "cannot be told apart from copy" in rule.reason
