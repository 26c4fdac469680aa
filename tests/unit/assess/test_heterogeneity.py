import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import binom, chi2
from statsmodels.stats.contingency_tables import StratifiedTable

from causalrules.assess.heterogeneity import both_signs_p, heterogeneity_of, sum_of_squares_p
from causalrules.assess.significance import mantel_haenszel_test
from causalrules.domain.histogram import StrataHistogram
from causalrules.kernels.hypergeometric import central_moments

cell = st.integers(0, 40)


@given(st.tuples(cell, cell, cell, cell).filter(lambda s: s[0] + s[1] and s[2] + s[3]), st.floats(0.05, 20))
def test_moments_are_scipy_s(table, odds_ratio):
    a1, a0, b1, _ = table
    found = np.empty((1, 4))
    central_moments(np.array([table]), odds_ratio, found)
    n, exposed, cases = sum(table), a1 + a0, a1 + b1
    support = np.arange(max(0, exposed + cases - n), min(exposed, cases) + 1)
    if len(support) == 1:
        assert found[0].tolist() == [support[0], 0, 0, 0]
        return
    weights = stats.nchypergeom_fisher.pmf(support, n, cases, exposed, odds_ratio)
    weights /= weights.sum()
    mean = weights @ support
    expected = [mean, *(weights @ (support - mean) ** k for k in (2, 3, 4))]
    assert found[0] == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_moments_of_a_table_of_ten_million():
    found = np.empty((1, 4))
    central_moments(np.array([[2_000_000, 3_000_000, 1_000_000, 4_000_000]]), 1.0, found)
    central = stats.hypergeom(10_000_000, 3_000_000, 5_000_000)
    assert found[0, :2] == pytest.approx([central.mean(), central.var()], rel=1e-9)
    assert found[0, 3] == pytest.approx(3 * central.var() ** 2, rel=1e-3)


def tables(n, odds_ratios, seed, size=6):
    """Small strata whose odds ratio is drawn from a list."""
    chance = np.random.default_rng(seed)
    strata = []
    for _ in range(n):
        odds_ratio = chance.choice(odds_ratios)
        base = chance.uniform(0.2, 0.6)
        exposed_risk = odds_ratio * base / (1 - base) / (1 + odds_ratio * base / (1 - base))
        a, b = chance.integers(1, size, 2)
        a1, b1 = chance.binomial(a, exposed_risk), chance.binomial(b, base)
        strata.append((a1, a - a1, b1, b - b1))
    return StrataHistogram.from_strata(strata, 0, 0)


def p_value(strata):
    return heterogeneity_of(strata, mantel_haenszel_test(strata, 0.95).odds_ratio.value, 0.05)


def test_equal_odds_ratios_are_rejected_about_as_often_as_promised():
    """Strata of a few records: 400 tables, level 0.05, four standard errors."""
    rejected = sum(p_value(tables(400, [2.0], seed)).p_value < 0.05 for seed in range(400))
    assert rejected / 400 == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 400) ** 0.5)


def test_few_large_strata_are_judged_by_breslow_and_day():
    """The same statistic in statsmodels, which takes asymptotic means instead of exact ones."""
    strata = [(120, 80, 90, 110), (90, 110, 100, 100), (130, 70, 80, 120)]
    found = p_value(StrataHistogram.from_strata(strata, 0, 0)).p_value
    tables = StratifiedTable([np.array([[a1, a0], [b1, b0]]) for a1, a0, b1, b0 in strata])
    assert found == pytest.approx(tables.test_equal_odds(adjust=True).pvalue, rel=0.05)


def test_equal_odds_ratios_in_a_few_large_strata_are_rejected_as_promised():
    chance = np.random.default_rng(5)
    rejected = 0
    for _ in range(500):
        strata = []
        for base in (0.3, 0.4, 0.5):
            risk = 2 * base / (1 - base) / (1 + 2 * base / (1 - base))
            a1, b1 = chance.binomial(200, risk), chance.binomial(200, base)
            strata.append((a1, 200 - a1, b1, 200 - b1))
        rejected += p_value(StrataHistogram.from_strata(strata, 0, 0)).p_value < 0.05
    assert rejected / 500 == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 500) ** 0.5)


def test_opposite_effects_are_found_and_called_mixed():
    found = p_value(tables(3000, [0.2, 8.0], seed=0, size=8))
    assert found.p_value < 1e-6
    assert found.is_mixed


def test_a_common_effect_is_not_mixed():
    assert not p_value(tables(3000, [3.0], seed=0, size=8)).is_mixed


@pytest.mark.parametrize(
    "strata", [[], [(1, 0, 1, 0)], [(5, 0, 0, 5)], [(1, 0, 0, 1)] * 5, [(50, 40, 30, 60)]]
)
def test_what_cannot_be_compared_has_no_p_value(strata):
    found = p_value(StrataHistogram.from_strata(strata, 0, 0))
    assert found.p_value is None
    assert not found.is_mixed


@pytest.mark.parametrize(("n_strata", "bound"), [(2, 2.71), (3, 4.23), (4, 5.43), (5, 6.50)])
def test_effects_of_both_signs_have_the_published_bounds(n_strata, bound):
    """Gail and Simon 1985, table 1, level 0.05."""
    assert sum_of_squares_p(bound, n_strata) == pytest.approx(0.05, abs=0.0006)


def test_many_strata_are_summed_near_the_middle_only():
    exact = sum(binom.pmf(h, 1999, 0.5) * chi2.sf(1080, h) for h in range(1, 2000))
    assert sum_of_squares_p(1080.0, 2000) == pytest.approx(exact, rel=1e-6)


def test_both_signs_are_seen_only_where_strata_show_them():
    one_sign = [(46, 1174, 178, 2433), (83, 926, 221, 1834), (77, 718, 177, 1379), (257, 674, 511, 1312)]
    assert both_signs_p(StrataHistogram.from_strata(one_sign, 0, 0)) == 1.0
    both = [*one_sign[:2], (120, 718, 100, 1379)]
    assert both_signs_p(StrataHistogram.from_strata(both, 0, 0)) < 0.01
    assert both_signs_p(tables(3000, [0.2, 8.0], seed=0, size=8)) < 1e-6
    assert both_signs_p(StrataHistogram.from_strata([], 0, 0)) == 1.0


@pytest.mark.parametrize("odds_ratio", [1.0, 2.0])
def test_effects_of_one_sign_are_seldom_taken_for_both(odds_ratio):
    found = sum(both_signs_p(tables(300, [odds_ratio], seed)) < 0.05 for seed in range(200))
    assert found <= 0.05 * 200 + 4 * (0.05 * 0.95 * 200) ** 0.5
