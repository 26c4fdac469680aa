"""The exact average against every network counted one by one."""

from itertools import permutations, product
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causalrules.domain.knowledge import Knowledge
from causalrules.find.average import average
from causalrules.find.declared_arrows import DeclaredArrows
from causalrules.find.groups import kept_away
from causalrules.kernels.network_average import sum_subsets, sum_supersets


def naive_arrows(scores):
    """Every order of the variables, and in it every network whose arrows go forwards."""
    d = len(scores)
    arrows, total = [[0.0] * d for _ in range(d)], 0.0
    for order in permutations(range(d)):
        before, earlier = {}, []
        for v in order:
            sets = [()]
            for u in earlier:
                sets += [(*s, u) for s in sets]
            before[v] = sets
            earlier.append(v)
        for network in product(*(before[v] for v in range(d))):
            weight = 1.0
            for v, causes in enumerate(network):
                weight *= exp(scores[v][sum(1 << u for u in causes)])
            total += weight
            for v, causes in enumerate(network):
                for u in causes:
                    arrows[u][v] += weight
    return [[arrows[u][v] / total for v in range(d)] for u in range(d)]


@st.composite
def family_weights(draw):
    d = draw(st.integers(1, 4))
    value = st.one_of(st.floats(-8, 8), st.just(-np.inf))
    scores = np.array(draw(st.lists(value, min_size=d << d, max_size=d << d))).reshape(d, 1 << d)
    for v in range(d):
        scores[v, [mask for mask in range(1 << d) if mask >> v & 1]] = -np.inf
        scores[v, 0] = draw(st.floats(-8, 8))  # no network is impossible
    return scores


@settings(max_examples=40, deadline=None)
@given(family_weights())
def test_arrows_are_those_of_all_networks_one_by_one(scores):
    assert average(scores).probability == pytest.approx(np.array(naive_arrows(scores.tolist())), abs=1e-9)


def test_five_variables_are_like_the_oracle():
    scores = np.random.default_rng(5).normal(0, 3, (5, 32))
    for v in range(5):
        scores[v, [mask for mask in range(32) if mask >> v & 1]] = -np.inf
        scores[v, [mask for mask in range(32) if mask.bit_count() > 2]] = -np.inf
    assert average(scores).probability == pytest.approx(np.array(naive_arrows(scores.tolist())), abs=1e-9)


def test_scores_may_be_thousands_of_nats():
    scores = np.full((2, 4), -np.inf)
    scores[0, 0], scores[1, 0], scores[1, 1] = -4000.0, -5000.0, -4990.0
    assert average(scores).p_cause == pytest.approx([1 / (1 + 2 * exp(-10))])


@given(st.lists(st.floats(-20, 20), min_size=8, max_size=8))
def test_sums_over_sets(values):
    below, above = np.array(values), np.array(values)
    sum_subsets(below, 3)
    sum_supersets(above, 3)
    for mask in range(8):
        inside = [exp(values[m]) for m in range(8) if m & mask == m]
        around = [exp(values[m]) for m in range(8) if m & mask == mask]
        assert below[mask] == pytest.approx(np.log(sum(inside)))
        assert above[mask] == pytest.approx(np.log(sum(around)))


def test_later_columns_cause_nothing_earlier():
    declared = DeclaredArrows(Knowledge(before=("a",), after=("b",)).about("z"), ("a", "b", "c"))
    scores = np.zeros((4, 16))
    for v in range(4):
        scores[v, [mask for mask in range(16) if mask >> v & 1]] = -np.inf
        forbidden = declared.forbidden([0, 1, 2])[v]
        scores[v, [mask for mask in range(16) if mask & forbidden]] = -np.inf
    arrows = average(scores)
    assert arrows.p_cause[1] == arrows.p_effect[0] == arrows.probability[1, 0] == 0
    assert arrows.p_cause[0] > 0
    assert arrows.p_effect[1] > 0
    assert arrows.p_cause[2] > 0
    assert arrows.p_effect[2] > 0


def test_a_variable_kept_away_has_no_arrow_to_the_outcome():
    scores = np.zeros((3, 8))
    for v in range(3):
        scores[v, [mask for mask in range(8) if mask >> v & 1]] = -np.inf
    arrows = average(kept_away(scores, 0))
    assert arrows.p_next[0] == 0
    assert arrows.p_next[1] > 0
