"""Sums of weights by value: judged by adding them up record by record."""

import numpy as np
import pytest

from causalrules.kernels.slots import add_weights_by_slot


@pytest.mark.parametrize("n", [0, 1, 2, 7, 64, 1100])
@pytest.mark.parametrize("n_weights", [1, 5, 9])
def test_sums_are_those_of_single_records(n, n_weights):
    rng = np.random.default_rng(n)
    n_codes = [3, 2, 1, 2]
    codes = np.stack([rng.integers(0, k + 1, n) for k in n_codes]).astype(np.uint16)
    first_slot = np.array([0, 4, 7, 9])
    row_of, n_records = rng.integers(0, 5, n, dtype=np.int32), rng.integers(1, 4, n)
    weights = rng.integers(-3, 1 << 33, (5, n_weights)) * rng.integers(0, 2, (5, n_weights))
    sums = rng.integers(0, 9, (12, n_weights))
    expected = sums.tolist()
    for i in range(n):
        for c in range(4):
            for j in range(n_weights):
                expected[first_slot[c] + int(codes[c, i])][j] += int(n_records[i] * weights[row_of[i], j])
    add_weights_by_slot(codes, first_slot, row_of, n_records, weights, sums)
    assert sums.tolist() == expected
