"""Sorting digit by digit, judged by Python's own sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.kernels.ordering import order_of, ranks_of

BOUNDS = (1, 2, 2048, 2049, 1 << 33, 1 << 62)


@pytest.mark.parametrize("bound", BOUNDS)
@given(data=st.data())
def test_like_pythons_sorting(bound, data):
    numbers = data.draw(st.lists(st.integers(0, bound - 1), max_size=60))
    given_numbers = np.array(numbers, np.int64)
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    assert order_of(given_numbers, bound).tolist() == order
    rank_of = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
    assert ranks_of(given_numbers, bound).tolist() == [rank_of[number] for number in numbers]
    assert given_numbers.tolist() == numbers  # as they were


@pytest.mark.parametrize("bound", BOUNDS)
def test_many_numbers(bound):
    numbers = np.random.default_rng(0).integers(0, bound, 20_000)
    assert (order_of(numbers, bound) == np.argsort(numbers, kind="stable")).all()
    assert (ranks_of(numbers, bound) == np.unique(numbers, return_inverse=True)[1]).all()
