"""Split parents: together the parent, alone unrelated to the outcome."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import causalrules
from causalrules.errors import SettingsError
from causalrules_lab.simulate import combined_table, simulate
from causalrules_lab.simulate.combined import split_cause


@given(st.integers(0, 10_000), st.floats(0.05, 0.5), st.floats(0.05, 0.5))
def test_both_halves_make_the_cause_and_neither_is_associated(seed, share_with, share_without):
    chance = np.random.default_rng(seed)
    has_outcome = chance.random(1000) < 0.4
    is_x = chance.random(1000) < np.where(has_outcome, share_with, share_without)
    halves = split_cause(is_x, has_outcome, chance)
    assert ((halves[0] & halves[1]) == is_x).all()
    for half in halves:
        difference = half[has_outcome].mean() - half[~has_outcome].mean()
        assert abs(difference) <= 0.5 / has_outcome.sum() + 0.5 / (~has_outcome).sum()


@pytest.mark.parametrize(
    ("kind", "predictors", "combined"),
    [("V8-2K", 7, 2), ("V12-2K", 11, 3), ("V16-2K", 15, 3), ("V20-2K-cmb", 19, 4)],
)
@pytest.mark.parametrize("seed", range(3))
def test_the_papers_tables(kind, predictors, combined, seed):
    simulated = simulate(kind, seed=seed)
    assert simulated.table.shape == (2000, predictors + 1)
    assert len(simulated.truth.combined) == combined
    frame = simulated.table.to_pandas() == "yes"
    for cause in simulated.truth.combined:
        first, second = (item.column for item in cause.items)
        together = frame[first] & frame[second]
        difference = frame["z"][together].mean() - frame["z"][~together].mean()
        assert (difference > 0) == (cause.direction == "raises")
        assert abs(difference) > 0.05
        for column in (first, second):
            assert abs(frame["z"][frame[column]].mean() - frame["z"][~frame[column]].mean()) < 0.01


def test_the_search_finds_combined_causes_and_not_their_halves():
    simulated = simulate("V8-2K", seed=1)
    asked = {"controls": "items", "judge": "interval", "confidence": 0.99}
    result = causalrules.mine(simulated.table, simulated.truth.outcome, **asked)
    found = {(rule.pattern, rule.direction) for rule in result.causal}
    assert {(cause.items, cause.direction) for cause in simulated.truth.combined} <= found
    halves = {item for cause in simulated.truth.combined for item in cause.items}
    assert not {pattern[0] for pattern, _ in found if len(pattern) == 1} & halves


def test_the_seed_decides():
    assert combined_table(seed=4).table == combined_table(seed=4).table
    assert combined_table(seed=4).table != combined_table(seed=5).table


def test_more_splits_than_parents_are_refused():
    with pytest.raises(SettingsError, match="between 1 and n_parents"):
        combined_table(n_combined=6, n_parents=5)
