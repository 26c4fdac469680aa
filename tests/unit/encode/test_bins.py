import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from causalrules.encode import bins
from causalrules.encode.bins import (
    bin_codes,
    bin_names,
    moment_texts,
    number_texts,
    whole_moments,
)

small_numbers = st.integers(-4, 12) | st.sampled_from([0.25, 0.5, 1.75, -2.5])
labelled = st.lists(st.tuples(small_numbers, st.booleans()), min_size=1, max_size=60)
any_numbers = st.floats(allow_nan=False)


def mdl_cuts(values, outcome):
    distinct, place = np.unique(values, return_inverse=True)
    n_with, n_without = (np.bincount(place[outcome == has], minlength=len(distinct)) for has in (True, False))
    return bins.mdl_cuts(distinct, n_with, n_without)


def quantile_cuts(values, n_bins):
    return bins.quantile_cuts(*np.unique(values, return_counts=True), n_bins)


def arrays(pairs):
    values, outcome = zip(*pairs, strict=True)
    return np.array(values, np.float64), np.array(outcome, np.bool_)


@given(labelled)
def test_cuts_like_the_oracle(pairs):
    values, outcome = arrays(pairs)
    assert mdl_cuts(values, outcome) == naive.mdl_cuts(values.tolist(), outcome.tolist())


@given(labelled, st.integers(2, 6))
def test_repeated_records_cut_like_the_oracle(pairs, times):
    """More evidence of the same kind gives deeper cuts."""
    values, outcome = arrays(pairs * times)
    assert mdl_cuts(values, outcome) == naive.mdl_cuts(values.tolist(), outcome.tolist())


@given(st.permutations(range(30)))
def test_cuts_do_not_depend_on_the_order_of_records(order):
    values = np.repeat(np.arange(10.0), 3)
    outcome = np.isin(values, [2, 3, 4, 8, 9])
    assert mdl_cuts(values[order], outcome[order]) == mdl_cuts(values, outcome)


@given(st.lists(st.tuples(any_numbers, st.booleans()), min_size=1, max_size=40), st.integers(2, 5))
def test_cuts_of_any_numbers_divide_them(pairs, n_bins):
    values, outcome = arrays(pairs)
    for cuts in (mdl_cuts(values, outcome), quantile_cuts(values, n_bins)):
        assert cuts == sorted(set(cuts))
        if cuts:
            assert set(bin_codes(values, cuts)) == set(range(1, len(cuts) + 2))


@given(st.lists(any_numbers, min_size=1, max_size=40), st.integers(2, 6))
def test_quantiles_give_at_most_as_many_bins_and_at_least_one_cut(values, n_bins):
    cuts = quantile_cuts(np.array(values), n_bins)
    assert len(cuts) < n_bins
    assert bool(cuts) == (len(set(values)) > 1)


@pytest.mark.parametrize(
    ("values", "cuts"),
    [
        ([0] * 90 + [5] * 10, [2.5]),
        ([0] * 10 + [5] * 90, [2.5]),
        ([1, 2, 3, 4, 5, 6, 7, 8], [2.5, 4.5, 6.5]),
        ([1, 1, 1, 1, 1, 2, 3, 4], [1.5, 2.5]),
        ([7, 7, 7], []),
    ],
)
def test_quartiles(values, cuts):
    assert quantile_cuts(np.array(values, np.float64), 4) == cuts


def test_extremes_are_cut_without_a_warning():
    ends = np.array([-np.inf, np.inf] * 20)
    assert mdl_cuts(ends, ends > 0) == [-np.inf]
    huge = np.array([-1.7e308, 1.7e308] * 20)
    assert mdl_cuts(huge, huge > 0) == [-1.7e308]
    neighbours = np.array([1.0, np.nextafter(1.0, 2.0)] * 20)
    assert mdl_cuts(neighbours, neighbours > 1) == [1.0]


def test_codes():
    values = np.array([-np.inf, 1.0, 2.0, 2.5, np.inf, np.nan])
    assert bin_codes(values, [1.0, 2.0]).tolist() == [1, 1, 2, 3, 3, 0]


@pytest.mark.parametrize(
    ("cuts", "texts"),
    [
        ([27.5, 41.0], ["27.5", "41"]),
        ([0.1 + 0.2], ["0.30000000000000004"]),
        ([1234567.5], ["1234567.5"]),
        ([1e20, 2e20], ["1e+20", "2e+20"]),
        ([1.0, 1.0000001], ["1", "1.0000001"]),
    ],
)
def test_texts_of_cuts(cuts, texts):
    assert number_texts(cuts) == texts


@given(st.lists(any_numbers, min_size=1, max_size=8))
def test_texts_of_cuts_are_exact(cuts):
    assert [float(text) for text in number_texts(cuts)] == cuts


def test_names():
    assert bin_names(["1"]) == ["<=1", ">1"]
    assert bin_names(["1", "2", "3"]) == ["<=1", "(1, 2]", "(2, 3]", ">3"]


def test_dates():
    noon_cut = [43_200.0, 129_600.0]
    assert moment_texts(whole_moments(noon_cut, are_days=True), are_days=True) == ["1970-01-01", "1970-01-02"]
    assert moment_texts(whole_moments([0.5], are_days=False), are_days=False) == ["1970-01-01T00:00:00"]
    assert moment_texts([-86_400.0], are_days=True) == ["1969-12-31"]
    assert moment_texts([86_400.0 * 365.2425 * 20_000], are_days=True) == ["21970-01-01"]
