"""Combinations of controls: every row must find the values that it has, each of them once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.kernels import joined_controls
from causalrules.kernels.joined_controls import join_controls


def check(slots, first_slot):
    """What a row has by its combinations is what it has by its slots; returns both."""
    codes, slots_of_code = join_controls(slots, first_slot)
    for row in range(len(slots)):
        found = slots_of_code[codes[row]].ravel()
        assert sorted(found[found >= 0].tolist()) == sorted(slots[row].tolist())
    return codes, slots_of_code


def table(sizes, n, seed=0):
    draw = np.random.default_rng(seed)
    first_slot = np.cumsum([0, *sizes])
    codes = [draw.integers(0, size, n) for size in sizes]
    slots = np.column_stack([*codes, np.empty((n, 0))]) + first_slot[:-1]
    return slots.astype(np.uint16 if first_slot[-1] < 1 << 16 else np.int32), first_slot


@given(st.lists(st.integers(1, 40), max_size=8), st.integers(0, 60), st.integers(0, 9))
def test_rows_find_their_values(sizes, n, seed):
    codes, slots_of_code = check(*table(sizes, n, seed))
    assert codes.shape[1] >= 3
    assert codes.max(initial=-1) < len(slots_of_code)


def test_controls_of_few_values_are_one_group():
    codes, slots_of_code = check(*table([2, 3, 4], 500))
    assert len(np.unique(codes[:, 0])) == 24
    assert (slots_of_code[codes[:, 1:]] < 0).all()  # nothing is left for the other two


def test_groups_end_where_combinations_are_too_many():
    codes, _ = check(*table([9, 8, 7, 6, 5, 4, 3, 2], 4000))
    assert codes.shape[1] == 3
    most = joined_controls._MOST_CODES
    assert all(len(np.unique(group)) <= most for group in codes.T)


@pytest.mark.parametrize("size", [5000, 70_000])
def test_a_control_of_many_values_is_a_group_of_its_own(size):
    """More values than a list of combinations has room for, and more than a small integer can number."""
    sizes = [2, size, 3]
    codes, _ = check(*table(sizes, 6000))
    assert codes.shape[1] == 3
    assert len(np.unique(codes[:, 0])) == 2
