from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from causalrules.assess import expected_pairs, random_pairs
from causalrules.domain.histogram import StrataHistogram

stratum = st.tuples(*[st.integers(0, 12)] * 4).filter(lambda s: s[0] + s[1] and s[2] + s[3])
histograms = st.lists(stratum, max_size=8)


def counts_of(pairs):
    return pairs.n11, pairs.n12, pairs.n21, pairs.n22


@given(histograms)
def test_expected_pairs_are_the_oracle_s(strata):
    found = expected_pairs(StrataHistogram.from_strata(strata, 0, 0))
    assert counts_of(found) == pytest.approx(naive.expected_pairs(strata), rel=1e-9, abs=1e-12)


def every_pairing(a1, a0, b1, b0):
    """All ways to pair the smaller side with records of the larger one."""
    exposed, unexposed = [1] * a1 + [0] * a0, [1] * b1 + [0] * b0
    for partners in permutations(range(max(len(exposed), len(unexposed))), min(len(exposed), len(unexposed))):
        if len(exposed) <= len(unexposed):
            pairs = [(exposed[i], unexposed[j]) for i, j in enumerate(partners)]
        else:
            pairs = [(exposed[j], unexposed[i]) for i, j in enumerate(partners)]
        yield tuple(pairs.count(kind) for kind in [(1, 1), (1, 0), (0, 1), (0, 0)])


@pytest.mark.parametrize("counts", [(1, 1, 2, 1), (2, 1, 1, 1), (0, 2, 3, 1), (3, 0, 1, 1)])
def test_expected_pairs_are_the_mean_over_every_pairing(counts):
    mean = np.mean(list(every_pairing(*counts)), axis=0)
    found = expected_pairs(StrataHistogram.from_strata([counts], 0, 0))
    assert counts_of(found) == pytest.approx(mean)


@given(histograms, st.integers(0, 3), st.integers(0, 3))
def test_random_pairs_are_whole_and_use_every_possible_pair(strata, seed, run):
    histogram = StrataHistogram.from_strata(strata, 0, 0)
    pairs = random_pairs(histogram, seed=seed, run=run, rule="r")
    assert pairs == random_pairs(histogram, seed=seed, run=run, rule="r")
    assert pairs.n_pairs == sum(min(s[0] + s[1], s[2] + s[3]) for s in strata)
    assert min(counts_of(pairs)) >= 0
    assert all(isinstance(count, int) for count in counts_of(pairs))
    assert pairs.n11 + pairs.n12 <= sum(s[0] for s in strata)
    assert pairs.n11 + pairs.n21 <= sum(s[2] for s in strata)


def test_random_pairs_follow_the_distribution_over_every_pairing():
    counts = (2, 1, 1, 3)
    pairings = list(every_pairing(*counts))
    exact = {kind: pairings.count(kind) / len(pairings) for kind in set(pairings)}
    histogram = StrataHistogram.from_strata([counts], 0, 0)
    n_runs = 4000
    drawn = [counts_of(random_pairs(histogram, seed=1, run=run, rule="r")) for run in range(n_runs)]
    assert set(drawn) == set(exact)
    for kind, probability in exact.items():
        four_sigma = 4 * (probability * (1 - probability) / n_runs) ** 0.5
        assert drawn.count(kind) / n_runs == pytest.approx(probability, abs=four_sigma)


def test_chance_depends_on_seed_run_and_rule():
    histogram = StrataHistogram.from_strata([(50, 50, 50, 50)] * 20, 0, 0)
    draws = {
        counts_of(random_pairs(histogram, seed=seed, run=run, rule=rule))
        for seed in (0, 1)
        for run in (0, 1)
        for rule in ("a", "b")
    }
    assert len(draws) == 8
