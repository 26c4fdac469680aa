import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable, mcnemar

from causalrules.assess.significance import exact_test, mantel_haenszel_test, matched_pairs_test
from causalrules.domain import PairCounts
from causalrules.domain.histogram import StrataHistogram

whole = st.integers(0, 5000)


def pairs(n12, n21):
    return PairCounts(n11=3, n12=n12, n21=n21, n22=5)


@given(whole, whole)
def test_exact_p_value_is_statsmodels_mcnemar(n12, n21):
    found = exact_test(pairs(n12, n21), 0.95)
    expected = mcnemar([[3, n12], [n21, 5]], exact=True).pvalue
    assert found.p_value == pytest.approx(expected, rel=1e-9)


@given(whole, whole, st.sampled_from([0.8, 0.95, 0.99]))
def test_exact_interval_is_scipy_s_clopper_pearson(n12, n21, confidence):
    found = exact_test(pairs(n12, n21), confidence).odds_ratio
    if n12 + n21 == 0:
        assert (found.value, found.low, found.high) == (1.0, 0.0, math.inf)
        return
    interval = stats.binomtest(n12, n12 + n21).proportion_ci(confidence, method="exact")
    assert found.low == pytest.approx(interval.low / (1 - interval.low), rel=1e-6)
    if n21 > 0:
        assert found.high == pytest.approx(interval.high / (1 - interval.high), rel=1e-6)
    else:
        assert found.high == math.inf


@given(st.integers(0, 200), st.integers(0, 200))
def test_mid_p_is_the_hand_calculation(n12, n21):
    n = n12 + n21
    found = exact_test(pairs(n12, n21), 0.95, mid_p=True).p_value
    tails = [stats.binom.sf(k - 1, n, 0.5) - 0.5 * stats.binom.pmf(k, n, 0.5) for k in (n12, n21)]
    assert found == pytest.approx(min(1.0, 2 * min(tails)), rel=1e-8)


@given(whole, whole, st.sampled_from([0.8, 0.95, 0.99]))
def test_exact_interval_and_p_value_agree(n12, n21, confidence):
    found = exact_test(pairs(n12, n21), confidence)
    if abs(found.p_value - (1 - confidence)) > 1e-9:
        assert found.is_above_one == (n12 > n21 and found.p_value < 1 - confidence)


@given(st.floats(0, 1e7), st.floats(0, 1e7), st.sampled_from([0.8, 0.95, 0.99]))
def test_matched_pairs_interval_and_p_value_agree(n12, n21, confidence):
    found = matched_pairs_test(pairs(n12, n21), confidence)
    if abs(found.p_value - (1 - confidence)) > 1e-9:
        assert found.is_above_one == (found.odds_ratio.value > 1 and found.p_value < 1 - confidence)
    z = math.log(max(n12, 1) / max(n21, 1)) / math.sqrt(1 / max(n12, 1) + 1 / max(n21, 1))
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-9)


def test_tiny_p_values_do_not_vanish():
    assert 0 < matched_pairs_test(pairs(2000, 1), 0.95).p_value < 1e-10
    assert 0 < exact_test(pairs(900, 1), 0.95).p_value < 1e-200
    assert matched_pairs_test(pairs(6000, 4000), 0.95).p_value == pytest.approx(
        2 * stats.norm.sf(math.log(1.5) / math.sqrt(1 / 6000 + 1 / 4000)), rel=1e-9
    )


cell = st.integers(0, 300)
strata_lists = st.lists(
    st.tuples(cell, cell, cell, cell).filter(lambda s: s[0] + s[1] and s[2] + s[3]), min_size=1, max_size=12
)


@given(strata_lists)
def test_mantel_haenszel_is_statsmodels(strata):
    found = mantel_haenszel_test(StrataHistogram.from_strata(strata, 0, 0), 0.95)
    tables = StratifiedTable([np.array([[a1, a0], [b1, b0]], dtype=float) for a1, a0, b1, b0 in strata])
    with np.errstate(all="ignore"):
        odds_ratio, interval = tables.oddsratio_pooled, tables.oddsratio_pooled_confint(0.05)
        p_value = stats.chi2.sf(tables.test_null_odds(correction=False).statistic, 1)
    if np.isfinite(odds_ratio) and odds_ratio > 0 and np.isfinite(interval[1]):
        assert found.odds_ratio.value == pytest.approx(odds_ratio, rel=1e-9)
        assert (found.odds_ratio.low, found.odds_ratio.high) == pytest.approx(interval, rel=1e-9)
    if np.isfinite(p_value):
        assert found.p_value == pytest.approx(p_value, rel=1e-9, abs=1e-300)


def test_multiplicity_counts_like_repetition():
    repeated = StrataHistogram.from_strata([(2, 1, 1, 4)] * 500 + [(1, 3, 2, 2)] * 300, 0, 0)
    tables = [np.array([[2, 1], [1, 4]])] * 500 + [np.array([[1, 3], [2, 2]])] * 300
    expected = StratifiedTable(tables)
    found = mantel_haenszel_test(repeated, 0.95).odds_ratio
    assert found.value == pytest.approx(expected.oddsratio_pooled, rel=1e-12)
    assert (found.low, found.high) == pytest.approx(expected.oddsratio_pooled_confint(0.05), rel=1e-9)


@pytest.mark.parametrize("strata", [[], [(1, 0, 1, 0)], [(0, 3, 0, 4)], [(5, 0, 0, 5)], [(0, 5, 5, 0)]])
def test_one_sided_and_empty_strata_do_no_harm(strata):
    found = mantel_haenszel_test(StrataHistogram.from_strata(strata, 0, 0), 0.95)
    assert 0 <= found.p_value <= 1
    assert found.odds_ratio.low <= found.odds_ratio.value <= found.odds_ratio.high


def test_ten_million_records_do_not_overflow():
    big = StrataHistogram.from_strata([(2_600_000, 2_400_000, 2_500_000, 2_500_000)], 0, 0)
    found = mantel_haenszel_test(big, 0.95).odds_ratio
    assert found.value == pytest.approx(2.6 * 2.5 / (2.4 * 2.5), rel=1e-12)
    assert 0 < found.high - found.low < 0.01


@given(st.integers(0, 60), st.integers(0, 60))
def test_no_split_of_the_discordant_pairs_beats_the_smallest_p(n12, n21):
    """The exact test reaches it; averaged pairs may split between whole numbers, the other one not."""
    n = n12 + n21
    best = min(exact_test(pairs(k, n - k), 0.95).p_value for k in range(n + 1))
    assert exact_test(pairs(n12, n21), 0.95).smallest_p == pytest.approx(best, rel=1e-9)
    best = min(matched_pairs_test(pairs(k / 10, n - k / 10), 0.95).p_value for k in range(10 * n + 1))
    smallest = matched_pairs_test(pairs(n12, n21), 0.95).smallest_p
    assert smallest <= best * (1 + 1e-9)
    assert smallest == pytest.approx(best, rel=1e-2)
