import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from causalrules.engines.rounds import plan_rounds

N_RECORDS = 1000


def sample(n_items, share=0.5, n=N_RECORDS):
    """Records that have each item by chance."""
    return np.random.default_rng(1).random((n, n_items)) < share


@given(
    arrays(bool, st.tuples(st.integers(0, 12), st.integers(1, 9))),
    st.integers(1, 64),
    st.data(),
)
def test_every_rule_is_in_one_round_whose_items_it_holds(controls, n_parts, data):
    has_item = data.draw(arrays(bool, (data.draw(st.integers(0, 30)), controls.shape[1])))
    rounds = plan_rounds(controls, has_item, n_parts)
    assert sorted(rule for one in rounds for rule in one.rules) == list(range(len(controls)))
    for one in rounds:
        assert len(one.rules)
        assert (controls[one.rules] | ~one.held).all()


def test_rules_that_hold_the_same_share_a_round():
    controls = np.ones((50, 10), bool)
    every_combination = (np.arange(1 << 10)[:, None] >> np.arange(10)) & 1 == 1
    (one,) = plan_rounds(controls, every_combination, 8)
    assert len(one.rules) == 50
    assert one.held.sum() == 6  # three bits for eight parts, and three to spare


def test_items_that_tell_nothing_decide_nothing():
    controls = np.ones((3, 2), bool)
    (one,) = plan_rounds(controls, np.tile([False, True], (N_RECORDS, 1)), 8)
    assert not one.held.any()


@pytest.mark.parametrize("n_columns", [20, 40])
def test_a_level_of_pairs_needs_few_rounds(n_columns):
    """Each rule leaves out the items of its own two columns, as in a search at length two."""
    pairs = [(a, b) for a in range(n_columns) for b in range(a)]
    controls = np.ones((len(pairs), n_columns), bool)
    for rule, pair in enumerate(pairs):
        controls[rule, list(pair)] = False
    rounds = plan_rounds(controls, sample(n_columns, 0.3), 8)
    assert len(rounds) <= 12


def test_values_of_a_column_that_is_held_come_before_those_of_another():
    """Each rule leaves out its own column, so each further column costs rules, and its other values none."""
    n_columns, n_values = 10, 8
    shares = np.array([6, 4, 3, 2, 2, 1, 1, 1]) / 20
    codes = np.random.default_rng(2).choice(n_values, (5000, n_columns), p=shares)
    has_item = (codes[:, :, None] == np.arange(n_values)).reshape(len(codes), -1)
    column = np.repeat(np.arange(n_columns), n_values)
    controls = column != np.arange(n_columns)[:, None]
    first, _ = plan_rounds(controls, has_item, 16)
    assert len(np.unique(column[first.held])) == 4
    assert len(first.rules) == 6


def test_rules_whose_strata_fit_are_in_a_round_that_is_not_spread():
    controls = np.array([[True] * 12, [True] * 2 + [False] * 10, [False] * 10 + [True] * 2] * 2)

    def fitting(held):
        return np.flatnonzero(held.sum(axis=1) < 4)

    first, second = plan_rounds(controls, sample(12), 16, fitting)
    assert sorted(first.rules) == [1, 2, 4, 5]
    assert not first.is_spread
    assert sorted(second.rules) == [0, 3]
    assert second.is_spread
    assert all(one.is_spread for one in plan_rounds(controls, sample(12), 16))


def largest_part(one, has_item):
    """Share of the records in the largest group that agrees on what a round holds."""
    _, sizes = np.unique(has_item[:, one.held], axis=0, return_counts=True)
    return sizes.max() / len(has_item)


def near_copies(chance, n):
    first = chance.random((n, 1)) < 0.5
    return np.hstack([first ^ (chance.random((n, 20)) < 0.01), chance.random((n, 12)) < 0.4])


def both_values(chance, n):
    first = chance.random((n, 14)) < 0.5
    return np.stack([first, ~first], axis=2).reshape(n, -1)


def skewed(chance, n):
    common, rare = chance.random((n, 12)) < 0.5, chance.random((n, 40)) < 0.05
    return np.hstack([rare & (chance.random((n, 1)) < 0.3), common])


@pytest.mark.parametrize("made", [near_copies, both_values, skewed])
def test_parts_are_even_whatever_items_have_to_do_with_each_other(made):
    chance = np.random.default_rng(3)
    has_item = made(chance, 20_000)
    (one,) = plan_rounds(np.ones((5, has_item.shape[1]), bool), has_item[::4], 16)
    assert largest_part(one, has_item) <= 1.2 / 16
