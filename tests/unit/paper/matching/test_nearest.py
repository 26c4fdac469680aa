"""Nearest partners against a search of all pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.spatial import distance as scipy_distance

import naive_matching
from causalrules.domain.histogram import WEIGHT_UNIT, StrataHistogram
from causalrules.kernels import nearest_search as kernel
from causalrules.paper import PaperSettings
from causalrules.paper.matching import Matcher, partner_index
from causalrules.paper.matching.distances import SPACES
from causalrules.paper.matching.nearest import closest_matches
from causalrules.paper.matching.optimal import optimal_matches
from unit.paper.matching.signature_strategies import from_sets, signature_sets

METHODS = ["hamming", "jaccard", "euclidean"]
CALIPERS = {"hamming": [0, 1, 2, 4, np.inf], "jaccard": [0, 0.2, 0.5, 1, np.inf], "euclidean": [0, 1, 1.5, 3]}


def take_all(method, signatures, caliper, seed):
    """The kernel's takes, and the oracle's, for the exposed as seekers."""
    chosen = np.ones(len(signatures.controls), np.bool_)
    places = SPACES[method](signatures, chosen, caliper)
    chance = np.random.default_rng(seed)
    n = len(signatures.words)
    ranks = chance.permutation(n), chance.permutation(n)
    sizes = signatures.sizes
    block = np.zeros(n, np.int64)
    takes = closest_matches(places, sizes[:, 0].copy(), sizes[:, 1].copy(), block, ranks, keep_free=False)
    return places, ranks, takes


@pytest.mark.parametrize("method", METHODS)
@given(case=signature_sets(), data=st.data())
def test_takes_are_the_oracle_s(method, case, data):
    sets, counts, n_controls = case
    caliper = data.draw(st.sampled_from(CALIPERS[method]))
    signatures = from_sets(sets, counts, n_controls)
    places, ranks, takes = take_all(method, signatures, caliper, data.draw(st.integers(0, 5)))
    measure = naive_matching.DISTANCES[method]
    expected = naive_matching.closest_first(
        signatures.sizes[:, 0],
        signatures.sizes[:, 1],
        lambda s, p: measure(sets[s], sets[p]),
        caliper + 1e-12,
        *ranks,
    )
    found = list(zip(takes.seeker, takes.partner, takes.n_records, places.shown(takes.distance), strict=True))
    assert [take[:3] for take in found] == [take[:3] for take in expected]
    assert [take[3] for take in found] == pytest.approx([take[3] for take in expected])


def test_takes_are_the_oracle_s_where_candidates_run_out(monkeypatch):
    """Many seekers want the same few partners, so that the remembered candidates are soon taken."""
    sets = [frozenset([c, d]) for c in range(12) for d in range(c)]
    counts = [(1, 0, 0, 0) if sum(s) % 3 else (0, 0, 1, 1) for s in sets]
    signatures = from_sets(sets, counts, 12)
    for caliper in (2, 4, np.inf):
        _, ranks, takes = take_all("hamming", signatures, caliper, 3)
        sizes = signatures.sizes
        expected = naive_matching.closest_first(
            sizes[:, 0],
            sizes[:, 1],
            lambda s, p: naive_matching.hamming(sets[s], sets[p]),
            caliper,
            *ranks,
        )
        assert list(zip(*takes, strict=True)) == expected
        assert len(takes.seeker) > kernel.CANDIDATES


def test_blocks_of_controls_are_used_and_change_nothing(monkeypatch):
    chance = np.random.default_rng(4)
    sets = sorted(
        {frozenset(np.flatnonzero(chance.random(20) < 0.3).tolist()) for _ in range(300)}, key=sorted
    )
    counts = chance.integers(0, 2, (len(sets), 4))
    signatures = from_sets(sets, counts, 20)
    places, _, with_blocks = take_all("hamming", signatures, 3, 1)
    assert len(partner_index.block_masks(places)) == 4
    monkeypatch.setattr(partner_index, "MOST_BLOCKS", 0)
    assert len(partner_index.block_masks(places)) == 0
    _, _, without = take_all("hamming", signatures, 3, 1)
    assert all(np.array_equal(a, b) for a, b in zip(with_blocks, without, strict=True))


def matched(method, signatures, seed=0, **settings):
    settings = PaperSettings(matching=method, **settings)
    items = [f"item {i}" for i in range(len(signatures.controls))]
    is_exact = np.zeros(len(items), np.bool_)
    (fair,) = Matcher(settings, items, is_exact)(signatures, [np.random.default_rng(seed)])
    return fair


ways = st.sampled_from(
    [
        {},
        {"caliper": "none"},
        {"ratio": 2, "caliper": "none"},
        {"ratio": 3},
        {"replace": True},
        {"replace": True, "caliper": "none"},
        {"optimal": True},
    ]
)


@pytest.mark.parametrize("method", [*METHODS, "mahalanobis", "propensity", "almost-exact"])
@given(case=signature_sets(), way=ways)
def test_no_record_is_lost_or_used_twice(method, case, way):
    signatures = from_sets(*case)
    fair = matched(method, signatures, **({} if method == "almost-exact" else way))
    rows = fair.strata.rows
    n_exposed, n_unexposed = signatures.sizes.sum(axis=0)
    assert fair.strata.n_exposed == n_exposed
    assert fair.strata.n_unexposed == n_unexposed
    for column in range(4):  # nobody's outcome changes on the way
        assert (rows[:, column] * rows[:, 4]).sum() <= signatures.counts[:, column].sum()
    assert (rows[:, :2].sum(axis=1) > 0).all()
    assert (rows[:, 2:4].sum(axis=1) > 0).all()


@pytest.mark.parametrize("method", [*METHODS, "almost-exact", "mahalanobis", "propensity"])
@given(case=signature_sets(), way=ways)
def test_weights_add_up_to_the_pairs(method, case, way):
    """On either side, the weights of the matched records sum to the number of pairs."""
    signatures = from_sets(*case)
    fair = matched(method, signatures, **({} if method == "almost-exact" else way))
    rows = fair.strata.rows
    n_pairs = (np.minimum(rows[:, :2].sum(axis=1), rows[:, 2:4].sum(axis=1)) * rows[:, 4]).sum()
    totals = (fair.weights * signatures.sizes).sum(axis=0) / WEIGHT_UNIT
    assert totals == pytest.approx([n_pairs, n_pairs], abs=1e-4)


@pytest.mark.parametrize("method", METHODS)
@given(case=signature_sets())
def test_a_caliper_of_nothing_is_exact_matching(method, case):
    signatures = from_sets(*case)
    both = (signatures.sizes > 0).all(axis=1)
    lonely = signatures.sizes[~both].sum(axis=0)
    expected = StrataHistogram.from_strata(signatures.counts[both], int(lonely[0]), int(lonely[1]))
    assert matched(method, signatures, caliper=0).strata == expected
    if method == "hamming":
        assert matched("almost-exact", signatures, caliper=0).strata.n_exposed == expected.n_exposed


@pytest.mark.parametrize("method", METHODS)
@given(case=signature_sets())
def test_nobody_is_left_who_could_have_had_a_partner(method, case):
    """Without a caliper, everybody on the smaller side is matched."""
    signatures = from_sets(*case)
    fair = matched(method, signatures, caliper="none")
    if signatures.sizes.sum(axis=0).min() > 0:
        smaller = int(np.argmin(signatures.sizes.sum(axis=0)))
        assert (fair.strata.lonely_exposed, fair.strata.lonely_unexposed)[smaller] == 0


@given(case=signature_sets(most_groups=8), caliper=st.sampled_from([1.0, 2.0, 3.0, np.inf]))
def test_optimal_pairs_cost_least(case, caliper):
    sets, counts, n_controls = case
    signatures = from_sets(sets, counts, n_controls)
    places = SPACES["hamming"](signatures, np.ones(n_controls, np.bool_), caliper)
    sizes = signatures.sizes
    takes = optimal_matches(places, sizes[:, 0], sizes[:, 1], np.zeros(len(sets), np.int64))
    seekers = np.repeat(np.arange(len(sets)), sizes[:, 0])
    partners = np.repeat(np.arange(len(sets)), sizes[:, 1])
    far = 1e6
    cost = np.array([[naive_matching.hamming(sets[s], sets[p]) for p in partners] for s in seekers]).reshape(
        len(seekers), len(partners)
    )
    cost[cost > caliper] = far
    chosen = cost[linear_sum_assignment(cost)] if cost.size else np.zeros(0)
    assert takes.n_records.sum() == (chosen < far).sum()
    assert takes.distance @ takes.n_records == pytest.approx(chosen[chosen < far].sum())
    assert (np.bincount(takes.seeker, takes.n_records, len(sets)) <= sizes[:, 0]).all()
    assert (np.bincount(takes.partner, takes.n_records, len(sets)) <= sizes[:, 1]).all()


def test_a_problem_too_large_for_the_optimum_is_matched_greedily_and_says_so(monkeypatch):
    monkeypatch.setattr("causalrules.paper.matching.optimal.MOST_PAIRS", 1)
    signatures = from_sets([{0}, {0, 1}, {1, 2}], [(1, 0, 0, 0), (0, 0, 1, 1), (0, 0, 2, 0)], 3)
    assert not matched("hamming", signatures, optimal=True, caliper="none").closeness.is_optimal
    monkeypatch.undo()
    assert matched("hamming", signatures, optimal=True, caliper="none").closeness.is_optimal


@given(case=signature_sets())
def test_mahalanobis_is_scipy_s(case):
    signatures = from_sets(*case)
    bits, sizes = signatures.bits().astype(float), signatures.sizes
    places = SPACES["mahalanobis"](signatures, np.ones(bits.shape[1], np.bool_), np.inf)
    scatter = np.zeros((bits.shape[1], bits.shape[1]))
    for side in range(2):
        rows = np.repeat(bits, sizes[:, side], axis=0)
        scatter += (rows - rows.mean(axis=0)).T @ (rows - rows.mean(axis=0)) if len(rows) else 0
    inverse = np.linalg.pinv(scatter / max(sizes.sum() - 2, 1), hermitian=True, rcond=1e-10)
    unvaried = np.eye(bits.shape[1]) - inverse @ (scatter / max(sizes.sum() - 2, 1))
    for a in range(len(bits)):
        for b in range(a):
            found = np.linalg.norm(places.points[a] - places.points[b])
            if np.abs(unvaried @ (bits[a] - bits[b])).max() > 1e-6:  # they differ where nobody varies
                assert found > 1e3
            else:
                expected = scipy_distance.mahalanobis(bits[a], bits[b], inverse)
                assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_of_several_partners_the_ratio_takes_as_many_as_asked():
    """One exposed record; unexposed ones at the distances 1, 2 and 3."""
    signatures = from_sets(
        [{0}, {0, 1}, {0, 1, 2}, {0, 1, 2, 3}], [(1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 0, 1)], 4
    )
    for ratio, expected in ((1, [1, 0, 1, 0, 1]), (2, [1, 0, 1, 1, 1]), (3, [1, 0, 1, 2, 1])):
        fair = matched("hamming", signatures, caliper="none", ratio=ratio)
        assert fair.strata.rows.tolist() == [expected]
        assert fair.closeness.worst_distance == ratio


def test_with_replacement_those_who_share_a_partner_share_a_stratum():
    signatures = from_sets(
        [{0}, {1}, {0, 1}, {5}], [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 9)], 6
    )
    fair = matched("hamming", signatures, replace=True, caliper=2)
    assert fair.strata.rows.tolist() == [[1, 1, 1, 0, 1]]
    assert fair.strata.lonely_unexposed == 9


def test_exact_columns_are_never_crossed():
    signatures = from_sets([{0, 2}, {0}, {1, 2}], [(1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)], 3)
    settings = PaperSettings(matching="hamming", caliper="none", exact_on=("a",))
    matcher = Matcher(settings, ["a=0", "a=1", "b=0"], np.array([True, True, False]))
    (fair,) = matcher(signatures, [np.random.default_rng(0)])
    assert fair.strata.rows.tolist() == [[1, 0, 1, 0, 1]]
    assert fair.strata.lonely_unexposed == 1


@pytest.mark.parametrize("method", [*METHODS, "mahalanobis"])
@given(case=signature_sets(), data=st.data())
def test_exact_controls_are_never_crossed_whatever_the_search(method, case, data):
    """Blocks of controls or not, partners agree on the exact ones."""
    sets, counts, n_controls = case
    signatures = from_sets(sets, counts, n_controls)
    exact = data.draw(st.frozensets(st.integers(0, n_controls - 1), max_size=2))
    is_exact = np.isin(np.arange(n_controls), list(exact))
    block = np.unique(signatures.words_of(is_exact), axis=0, return_inverse=True)[1].reshape(-1)
    caliper = data.draw(st.sampled_from([1.0, 2.0, 3.0, np.inf]))
    places = SPACES[method](signatures, ~is_exact, caliper)
    ranks = np.arange(len(sets)), np.arange(len(sets))
    sizes = signatures.sizes
    takes = closest_matches(places, sizes[:, 0].copy(), sizes[:, 1].copy(), block, ranks, keep_free=False)
    for seeker, partner in zip(takes.seeker, takes.partner, strict=True):
        assert sets[seeker] & exact == sets[partner] & exact


@given(case=signature_sets(most_groups=8), caliper=st.sampled_from([1, 2, "none"]))
def test_optimal_matching_finds_as_many_pairs_as_there_are(case, caliper):
    """Also where matching identical records first would cost a pair."""
    sets = case[0]
    signatures = from_sets(*case)
    sizes = signatures.sizes
    fair = matched("hamming", signatures, optimal=True, caliper=caliper)
    rows = fair.strata.rows
    n_pairs = (np.minimum(rows[:, :2].sum(axis=1), rows[:, 2:4].sum(axis=1)) * rows[:, 4]).sum()
    limit = np.inf if caliper == "none" else caliper
    seekers, partners = (np.repeat(np.arange(len(sets)), sizes[:, side]) for side in range(2))
    is_far = [[naive_matching.hamming(sets[s], sets[p]) > limit for p in partners] for s in seekers]
    cost = np.array(is_far, float).reshape(len(seekers), len(partners))
    assert n_pairs == (cost[linear_sum_assignment(cost)] == 0).sum()


@pytest.mark.parametrize("method", ["hamming", "mahalanobis", "propensity", "almost-exact"])
def test_a_control_that_separates_the_sides_leaves_nobody_to_compare(method):
    """All exposed records have control 0, no unexposed one does; control 1 varies."""
    sets, counts = [{0}, {0, 1}, set(), {1}], [(5, 5, 0, 0), (5, 5, 0, 0), (0, 0, 5, 5), (0, 0, 5, 5)]
    fair = matched(method, from_sets(sets, counts, 2))
    assert len(fair.strata.rows) == 0


def test_ties_are_broken_by_chance_that_a_seed_fixes():
    """One exposed record and two equally distant partners, one with the outcome and one without."""
    signatures = from_sets([{0}, {0, 1}, {0, 2}], [(1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)], 3)
    drawn = [
        matched("hamming", signatures, seed, caliper=1).strata.rows.tolist()[0][2] for seed in range(400)
    ]
    assert drawn == [
        matched("hamming", signatures, seed, caliper=1).strata.rows.tolist()[0][2] for seed in range(400)
    ]
    assert 160 < sum(drawn) < 240
