"""Giving up one control after the other finds what grouping anew after each of them finds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from causalrules.kernels.stepwise import count_controls, match_stepwise

N_CONTROLS = 70  # more than one word


@st.composite
def cases(draw):
    bits = st.frozensets(st.sampled_from([0, 1, 2, 63, 64, 69]), max_size=5)
    groups = draw(st.lists(bits, min_size=1, max_size=20, unique=True))
    sizes = [draw(st.tuples(st.integers(0, 2), st.integers(0, 2))) for _ in groups]
    order = draw(st.permutations([0, 1, 2, 63, 64, 69]).map(lambda all_: all_[: draw(st.integers(0, 6))]))
    return groups, sizes, order


def words_of(groups):
    words = np.zeros((len(groups), 2), np.uint64)
    for place, bits in enumerate(groups):
        for bit in bits:
            words[place, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    return words


def naive(groups, sizes, order):
    """Sets of groups that share a stratum, and how many controls each set gave up."""
    waiting = [place for place, size in enumerate(sizes) if sum(size)]
    strata = {}
    for n_given_up in range(len(order) + 1):
        alike = {}
        for place in waiting:
            alike.setdefault(groups[place] - set(order[:n_given_up]), []).append(place)
        for places in alike.values():
            if all(any(sizes[place][side] for place in places) for side in (0, 1)):
                strata[frozenset(places)] = n_given_up
                waiting = [place for place in waiting if place not in places]
    return strata


@given(cases())
def test_strata_are_those_of_grouping_anew(case):
    groups, sizes, order = case
    key_words = np.random.default_rng(3).integers(0, 2**64, (N_CONTROLS, 2), dtype=np.uint64)
    stratum, step = np.empty(len(groups), np.int64), np.empty(len(groups), np.int64)
    n_strata, n_steps = match_stepwise(
        words_of(groups), np.array(sizes), np.array(order, np.intp), key_words, stratum, step
    )
    found = {
        frozenset(np.flatnonzero(stratum == number).tolist()): int(step[number]) for number in range(n_strata)
    }
    assert found == naive(groups, sizes, order)
    assert max(found.values(), default=0) <= n_steps <= len(order)


@given(cases(), st.data())
def test_controls_are_counted_like_bits(case, data):
    groups, *_ = case
    numbers = st.lists(st.integers(0, 9), min_size=4, max_size=4)
    counts = [data.draw(numbers) for _ in groups]
    sums = np.zeros((N_CONTROLS, 4), np.int64)
    count_controls(words_of(groups), np.array(counts), sums)
    for control in range(N_CONTROLS):
        having = [count for bits, count in zip(groups, counts, strict=True) if control in bits]
        assert sums[control].tolist() == [sum(count[k] for count in having) for k in range(4)]
