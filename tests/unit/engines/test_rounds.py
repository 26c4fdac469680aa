import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from causalrules.engines.rounds import plan_rounds

N_RECORDS = 1000


@given(
    arrays(bool, st.tuples(st.integers(0, 12), st.integers(1, 9))),
    st.integers(1, 64),
    st.data(),
)
def test_every_rule_is_in_one_round_whose_items_it_holds(controls, n_parts, data):
    n_items = controls.shape[1]
    supports = np.array(data.draw(st.lists(st.integers(0, N_RECORDS), min_size=n_items, max_size=n_items)))
    rounds = plan_rounds(controls, supports, N_RECORDS, n_parts)
    assert sorted(rule for one in rounds for rule in one.rules) == list(range(len(controls)))
    for one in rounds:
        assert len(one.rules)
        assert (controls[one.rules] | ~one.held).all()


def test_rules_that_hold_the_same_share_a_round():
    controls = np.ones((50, 10), bool)
    (one,) = plan_rounds(controls, np.full(10, 500), N_RECORDS, 8)
    assert len(one.rules) == 50
    assert one.held.sum() == 6  # three bits for eight parts, and three to spare


def test_items_that_tell_nothing_decide_nothing():
    controls = np.ones((3, 2), bool)
    (one,) = plan_rounds(controls, np.array([0, N_RECORDS]), N_RECORDS, 8)
    assert not one.held.any()


@pytest.mark.parametrize("n_columns", [20, 40])
def test_a_level_of_pairs_needs_few_rounds(n_columns):
    """Each rule leaves out the items of its own two columns, as in a search at length two."""
    pairs = [(a, b) for a in range(n_columns) for b in range(a)]
    controls = np.ones((len(pairs), n_columns), bool)
    for rule, pair in enumerate(pairs):
        controls[rule, list(pair)] = False
    rounds = plan_rounds(controls, np.full(n_columns, 300), N_RECORDS, 8)
    assert len(rounds) <= 12
