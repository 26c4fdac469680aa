import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable

from causalrules.assess.association import chi_square_p, selected_cut_p, stratified_p, tenths_of

TABLES = st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=2, max_size=6).map(np.array)


@given(TABLES)
def test_chi_square_is_scipy_s(table):
    assert chi_square_p(table) == pytest.approx(
        stats.chi2_contingency(table, correction=False).pvalue, abs=1e-12
    )


def test_empty_tables_say_nothing():
    assert chi_square_p(np.array([[0, 0], [3, 4]])) == 1.0
    assert chi_square_p(np.array([[3, 0], [4, 0]])) == 1.0


def test_tenths_hold_about_equally_many_records():
    table = np.tile([[3, 1], [1, 3]], (50, 1))
    tenths = tenths_of(table)
    assert tenths.sum(axis=0).tolist() == table.sum(axis=0).tolist()
    assert set(tenths.sum(axis=1)) == {40}


def test_a_chosen_cut_pays_for_the_choice():
    """Tail of the largest statistic over all cuts between the tenths, by simulation."""
    chance = np.random.default_rng(0)
    n, n_tables = 200, 2000
    z = chance.random((n_tables, n)) < 0.3
    total = z.sum(axis=1, keepdims=True)
    below = np.cumsum(z, axis=1)[:, 19:180]
    size = np.arange(20, 181)
    expected, share = total * size / n, total / n
    variance = share * (1 - share) * size * (n - size) / (n - 1)
    largest = np.abs((below - expected) / np.sqrt(variance)).max(axis=1)
    for level in (0.01, 0.001):
        found = (largest > -stats.norm.ppf(level / 2)).mean()
        assert found < 1.2 * selected_cut_p(level), "on the safe side"
        assert found > 0.5 * selected_cut_p(level), "and not far from the truth"
        assert found > 5 * level, "which is far from the p-value of a cut fixed before"


@given(st.lists(st.lists(st.integers(1, 30), min_size=4, max_size=4), min_size=1, max_size=5))
def test_two_values_within_strata_are_statsmodels_s(strata):
    tables = np.array(strata).reshape(-1, 2, 2)
    expected = StratifiedTable([table.astype(float) for table in tables]).test_null_odds(correction=False)
    assert stratified_p(tables) == pytest.approx(expected.pvalue, abs=1e-8)
    assert stratified_p(tables, np.array([3.0, 7.0])) == pytest.approx(expected.pvalue, abs=1e-8)


@given(TABLES)
def test_one_stratum_is_pearson_s_chi_square(table):
    """Which divides by n where Cochran, Mantel and Haenszel divide by n - 1."""
    statistic = stats.chi2_contingency(table, correction=False).statistic
    expected = stats.chi2.sf(statistic * (table.sum() - 1) / table.sum(), len(table) - 1)
    assert stratified_p(table[None]) == pytest.approx(expected, abs=1e-8)


@given(TABLES, st.lists(st.floats(-5, 5), min_size=6, max_size=6, unique=True))
def test_a_trend_is_a_correlation(table, scores):
    score, outcome = np.repeat(scores[: len(table)], table.sum(axis=1)), np.tile([0, 1], len(table))
    outcome = np.repeat(outcome, table.ravel())
    if np.std(score) < 1e-3:
        return
    statistic = (len(score) - 1) * np.corrcoef(score, outcome)[0, 1] ** 2
    found = stratified_p(table[None], np.array(scores[: len(table)]))
    assert found == pytest.approx(stats.chi2.sf(statistic, 1), abs=1e-6)


def test_strata_that_do_not_vary_say_nothing():
    assert stratified_p(np.array([[[3, 0], [4, 0]], [[0, 1], [0, 0]]])) == 1.0
    assert stratified_p(np.array([[[3, 0], [4, 0]]]), np.array([0.0, 1.0])) == 1.0


def test_records_that_belong_together_count_less_in_proportion():
    """Every record twice, as a cluster of two, tells as much as once; but for n - 1 in the place of n."""
    tables = np.array([[[40, 24], [18, 36], [28, 22]], [[16, 18], [30, 12], [14, 26]]])
    for scores in (None, np.array([0.0, 1.0, 3.0])):
        once, twice = stratified_p(tables, scores), stratified_p(2 * tables, scores)
        assert twice < once / 2
        assert stratified_p(2 * tables, scores, design_effect=2.0) == pytest.approx(once, rel=0.05)
