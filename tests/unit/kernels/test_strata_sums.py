"""Averages over all pairings are those of trying every one; sums for the tests follow their papers."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.kernels.strata_sums import N_SUMS, sum_strata

counts = st.tuples(*4 * [st.integers(0, 2)]).filter(lambda s: s[0] + s[1] and s[2] + s[3])
rows = st.lists(st.tuples(counts, st.integers(1, 3)), min_size=1, max_size=4)


def pairings_of(stratum):
    """How many pairs of each kind (n11, n12, n21, n22) every maximal pairing has, as often as it occurs."""
    a1, a0, b1, b0 = stratum
    exposed, unexposed = [1] * a1 + [0] * a0, [1] * b1 + [0] * b0
    n_pairs = min(len(exposed), len(unexposed))
    for left in permutations(exposed, n_pairs):
        for right in permutations(unexposed, n_pairs):
            pairs = list(zip(left, right, strict=True))
            yield [pairs.count(kind) for kind in ((1, 1), (1, 0), (0, 1), (0, 0))]


def mean(values):
    values = list(values)
    return Fraction(sum(values), len(values))


def expected_of(stratum):
    """The fifteen sums of one stratum, exactly."""
    a1, a0, b1, b0 = map(Fraction, stratum)
    n, a, b, cases = a1 + a0 + b1 + b0, a1 + a0, b1 + b0, a1 + b1
    found = list(pairings_of(stratum))
    means = [mean(pairs[kind] for pairs in found) for kind in range(4)]
    moments = [
        mean((pairs[i] - means[i]) * (pairs[j] - means[j]) for pairs in found)
        for i, j in ((1, 1), (2, 2), (1, 2))
    ]
    r, s, p, q = a1 * b0 / n, a0 * b1 / n, (a1 + b0) / n, (a0 + b1) / n
    mantel_haenszel = [r, s, p * r, p * s + q * r, q * s]
    expected = a * cases / n
    variance = a * b * cases * (n - cases) / (n**2 * (n - 1))
    return [*means, *moments, *mantel_haenszel, a1 - expected, min(a, cases) - expected, variance]


@given(rows)
def test_sums_are_exact(found):
    sums = np.empty(N_SUMS)
    sum_strata(np.array([[*stratum, times] for stratum, times in found]), sums)
    expected = np.zeros(N_SUMS)
    for stratum, times in found:
        expected += [float(times * value) for value in expected_of(stratum)]
    assert sums.tolist() == pytest.approx(expected.tolist(), abs=1e-9)


def test_nothing_gives_zeros():
    sums = np.full(N_SUMS, 7.0)
    sum_strata(np.empty((0, 5), np.int64), sums)
    assert sums.tolist() == [0.0] * N_SUMS
