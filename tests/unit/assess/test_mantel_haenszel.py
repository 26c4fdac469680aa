"""The Mantel-Haenszel odds ratio: judged by enumeration in plain Python, SciPy and statsmodels."""

from fractions import Fraction
from itertools import product
from math import comb, exp, inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import nchypergeom_fisher

from causalrules.assess import mantel_haenszel as module
from causalrules.assess.mantel_haenszel import mantel_haenszel
from causalrules.domain.histogram import StrataHistogram
from causalrules.kernels.conditional import sum_cumulants


def naive_p(strata):
    """Enumerate every way in which the first cells could have come out."""
    tables = []
    for a1, a0, b1, b0 in strata:
        exposed, cases, n = a1 + a0, a1 + b1, a1 + a0 + b1 + b0
        support = range(max(0, exposed + cases - n), min(exposed, cases) + 1)
        total = comb(n, exposed)
        tables.append([(x, Fraction(comb(cases, x) * comb(n - cases, exposed - x), total)) for x in support])
    observed = sum(table[0] for table in strata)
    below = above = at = Fraction(0)
    for cells in product(*tables):
        chance = Fraction(1)
        for _, share in cells:
            chance *= share
        value = sum(x for x, _ in cells)
        below += chance * (value < observed)
        above += chance * (value > observed)
        at += chance * (value == observed)
    return float(min(Fraction(1), 2 * (min(below, above) + at / 2)))


cell = st.integers(0, 3)
one_stratum = st.tuples(cell, cell, cell, cell).filter(lambda t: t[0] + t[1] > 0 and t[2] + t[3] > 0)


@given(st.lists(one_stratum, min_size=1, max_size=5))
def test_the_p_value_is_that_of_the_enumeration(strata):
    found = mantel_haenszel(StrataHistogram.from_strata(strata, 0, 0), 0.95)
    assert found.p_value == pytest.approx(naive_p(strata), rel=1e-9)


@given(st.lists(one_stratum, min_size=1, max_size=8), st.integers(1, 5))
def test_the_exact_interval_excludes_one_when_the_p_value_says_so(strata, times):
    found = mantel_haenszel(StrataHistogram.from_strata(strata * times, 0, 0), 0.95)
    ratio = found.odds_ratio
    assert 0 <= ratio.low <= ratio.high
    if abs(found.p_value - 0.05) > 1e-9:
        assert (ratio.low > 1 or ratio.high < 1) == (found.p_value < 0.05)


@given(st.lists(one_stratum, min_size=1, max_size=8))
def test_the_opposite_outcome_turns_the_ratio_round(strata):
    histogram = StrataHistogram.from_strata(strata, 0, 0)
    one, other = mantel_haenszel(histogram, 0.9), mantel_haenszel(histogram.flipped(), 0.9)
    assert one.p_value == pytest.approx(other.p_value, rel=1e-9)
    if one.odds_ratio.low > 0 and one.odds_ratio.high < inf:
        assert one.odds_ratio.low == pytest.approx(1 / other.odds_ratio.high, rel=1e-6)


ONE_SIDED = [(60, 0, 40, 300), (30, 20, 0, 50), (25, 0, 0, 40), (188, 0, 184, 2628)]


@pytest.mark.parametrize("tables", [ONE_SIDED, [(400, 0, 0, 400)], [(90, 0, 30, 500)] * 3])
def test_records_all_on_one_side_still_have_a_limit(tables):
    """With much information too: the odds ratio at which nothing else than that is seen in 5 of 100 cases."""
    hypergeometric = pytest.importorskip("scipy.stats").nchypergeom_fisher
    histogram = StrataHistogram.from_strata(tables, 0, 0)
    found = mantel_haenszel(histogram, 0.95)
    assert not found.is_exact
    assert found.odds_ratio.value == found.odds_ratio.high == inf
    chance = 1.0
    for a1, a0, b1, b0 in tables:
        given_margins = hypergeometric(a1 + a0 + b1 + b0, a1 + b1, a1 + a0, found.odds_ratio.low)
        chance *= given_margins.pmf(min(a1 + b1, a1 + a0))
    assert chance == pytest.approx(0.05, rel=1e-6)
    other = mantel_haenszel(StrataHistogram.from_strata([(c, d, a, b) for a, b, c, d in tables], 0, 0), 0.95)
    assert other.odds_ratio.value == other.odds_ratio.low == 0
    assert other.odds_ratio.high == pytest.approx(1 / found.odds_ratio.low, rel=1e-9)


def test_one_table_like_scipy():
    contingency = pytest.importorskip("scipy.stats.contingency")
    table = (12, 5, 4, 9)
    found = mantel_haenszel(StrataHistogram.from_strata([table], 0, 0), 0.95)
    other = contingency.odds_ratio(np.array(table).reshape(2, 2)).confidence_interval(0.95)
    # SciPy's interval is exact, not mid-p: a little wider.
    assert other.low < found.odds_ratio.low < 1.05 * other.low + 0.6
    assert 0.6 * other.high < found.odds_ratio.high < other.high


@pytest.mark.parametrize("table", [(12, 5, 4, 9), (3, 1, 2, 20), (1, 30, 9, 40)])
def test_the_estimate_of_one_table_is_scipys_conditional_one(table):
    contingency = pytest.importorskip("scipy.stats.contingency")
    found = mantel_haenszel(StrataHistogram.from_strata([table], 0, 0), 0.95)
    other = contingency.odds_ratio(np.array(table).reshape(2, 2), kind="conditional").statistic
    assert found.is_exact
    assert found.odds_ratio.value == pytest.approx(other, rel=1e-6)


def naive_log_likelihood(strata, log_odds):
    """Of the first cells given all margins, in plain Python."""
    total = 0.0
    for a1, a0, b1, b0 in strata:
        exposed, cases, n = a1 + a0, a1 + b1, a1 + a0 + b1 + b0
        support = range(max(0, exposed + cases - n), min(exposed, cases) + 1)
        weights = {x: comb(cases, x) * comb(n - cases, exposed - x) * exp(log_odds * x) for x in support}
        total += log(weights[a1] / sum(weights.values()))
    return total


@given(st.lists(one_stratum, min_size=1, max_size=6))
def test_no_odds_ratio_is_likelier_than_the_estimate(strata):
    found = mantel_haenszel(StrataHistogram.from_strata(strata, 0, 0), 0.95)
    if not found.information or not 0 < found.odds_ratio.value < inf:
        return
    at = log(found.odds_ratio.value)
    best = naive_log_likelihood(strata, at)
    for step in (-1.0, -0.1, -0.01, 0.01, 0.1, 1.0):
        assert naive_log_likelihood(strata, at + step) <= best + 1e-12


@given(
    st.lists(one_stratum, min_size=1, max_size=12),
    st.integers(1, 40),
    st.sampled_from([0.05, 0.5, 0.8, 0.95, 0.999]),
)
def test_the_estimate_lies_in_its_interval(strata, times, confidence):
    ratio = mantel_haenszel(StrataHistogram.from_strata(strata * times, 0, 0), confidence).odds_ratio
    assert ratio.low <= ratio.value <= ratio.high


def test_thin_strata_with_a_strong_effect():
    """Mantel and Haenszel's ratio is at the edge of the interval here."""
    strata = [(1, 0, 1, 18)] * 30 + [(1, 0, 0, 12)] * 14 + [(0, 1, 1, 9)] * 2
    ratio = mantel_haenszel(StrataHistogram.from_strata(strata, 0, 0), 0.95).odds_ratio
    assert ratio.low * 1.3 < ratio.value < ratio.high / 1.3


def random_strata(seed, n_strata, size, odds_ratio=1.0):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n_strata):
        a, b = rng.integers(1, size, 2)
        risk = rng.uniform(0.05, 0.6)
        odds = risk / (1 - risk) * odds_ratio
        a1, b1 = rng.binomial(a, odds / (1 + odds)), rng.binomial(b, risk)
        rows.append((a1, a - a1, b1, b - b1))
    return rows


@pytest.mark.parametrize("odds_ratio", [0.5, 1.0, 3.0])
def test_estimate_and_interval_like_statsmodels(odds_ratio):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    rows = random_strata(4, 60, 40, odds_ratio)
    found = mantel_haenszel(StrataHistogram.from_strata(rows, 0, 0), 0.95)
    other = tables.StratifiedTable([np.array(row).reshape(2, 2) for row in rows])
    assert not found.is_exact
    assert found.odds_ratio.value == pytest.approx(other.oddsratio_pooled)
    assert (found.odds_ratio.low, found.odds_ratio.high) == pytest.approx(other.oddsratio_pooled_confint())


@pytest.mark.parametrize("seed", range(30))
def test_the_two_ways_agree_where_they_meet(seed, monkeypatch):
    rows = random_strata(seed, 40, 16, 1.3)
    histogram = StrataHistogram.from_strata(rows, 0, 0)
    monkeypatch.setattr(module, "EXACT_VARIANCE", 1e9)
    exact = mantel_haenszel(histogram, 0.95)
    monkeypatch.setattr(module, "EXACT_VARIANCE", 0.0)
    approximate = mantel_haenszel(histogram, 0.95)
    assert exact.is_exact
    assert not approximate.is_exact
    assert 10 < exact.information < 60
    assert approximate.p_value == pytest.approx(exact.p_value, rel=0.01)
    for side in ("low", "high"):
        assert getattr(approximate.odds_ratio, side) == pytest.approx(
            getattr(exact.odds_ratio, side), rel=0.06
        )


def test_far_tails_keep_their_digits():
    histogram = StrataHistogram(np.array([[1, 0, 0, 1, 80]]), 0, 0)
    assert mantel_haenszel(histogram, 0.95).p_value == pytest.approx(0.5**80, rel=1e-9)
    many = StrataHistogram(np.array([[1, 0, 0, 1, 3000], [0, 1, 1, 0, 1000]]), 0, 0)
    assert 0 < mantel_haenszel(many, 0.95).p_value < 1e-200


def test_strata_that_tell_nothing():
    for rows in ([], [(0, 3, 0, 4)], [(2, 0, 5, 0)]):
        found = mantel_haenszel(StrataHistogram.from_strata(rows, 0, 0), 0.95)
        assert found.p_value == 1
        assert (found.odds_ratio.value, found.odds_ratio.low, found.odds_ratio.high) == (1, 0, inf)


def test_one_sided_strata_have_one_limit():
    found = mantel_haenszel(StrataHistogram.from_strata([(0, 1, 1, 0)] * 6, 0, 0), 0.95)
    assert found.odds_ratio.value == 0
    assert found.odds_ratio.low == 0
    assert 0 < found.odds_ratio.high < 1
    lots = mantel_haenszel(StrataHistogram.from_strata([(1, 0, 0, 1)] * 600, 0, 0), 0.95)
    assert lots.odds_ratio.value == inf
    every_time = 0.05 ** (1 / 600)  # half the chance of 600 pairs of one kind is 2.5 %
    assert lots.odds_ratio.low == pytest.approx(every_time / (1 - every_time), rel=1e-6)
    assert lots.p_value < 1e-100
    never = mantel_haenszel(StrataHistogram.from_strata([(0, 1, 1, 0)] * 600, 0, 0), 0.95)
    assert never.odds_ratio.high == pytest.approx(1 / lots.odds_ratio.low, rel=1e-6)


def test_an_odds_ratio_next_to_nothing_breaks_no_stratum():
    """More exposed and ill together than records: the most likely count was once divided by zero."""
    rows = np.array([(1, 1, 1, 0, 35), (0, 1, 1, 0, 70)], np.int64)
    cumulants = np.empty(3)
    sum_cumulants(rows, -60.0, cumulants)
    assert cumulants[1] == pytest.approx(35), "the fewest that the margins allow"


def test_interval_and_p_value_never_contradict_each_other():
    """Robins, Breslow and Greenland's interval and the saddle-point do in one study of two hundred."""
    rng, mended = np.random.default_rng(1), 0
    for _ in range(800):
        sizes, risk = rng.integers(2, 15, (40, 2)), rng.uniform(0.05, 0.5, 40)
        exposed = rng.binomial(sizes[:, 0], 1.35 * risk / (1 + 0.35 * risk))
        unexposed = rng.binomial(sizes[:, 1], risk)
        cells = np.column_stack([exposed, sizes[:, 0] - exposed, unexposed, sizes[:, 1] - unexposed])
        histogram = StrataHistogram.from_strata(cells.tolist(), 0, 0)
        found = mantel_haenszel(histogram, 0.95)
        estimate = found.odds_ratio
        assert (estimate.low > 1 or estimate.high < 1) == (found.p_value <= 0.05)
        assert estimate.low <= estimate.value <= estimate.high
        if not found.is_exact:
            normal = module.normal_interval(module.sums_of(histogram), 0.95)
            mended += normal != estimate
            assert estimate.low == pytest.approx(normal.low, rel=0.03)
            assert estimate.high == pytest.approx(normal.high, rel=0.06)
    assert mended, "otherwise this test could not fail"


def test_noise_in_thin_strata_is_noise():
    """Rare outcome, strata of three: the chi-square of 5 % would reject more than it should."""
    rng = np.random.default_rng(0)
    p_values = []
    for _ in range(300):
        y = rng.random((400, 3)) < 0.02
        rows = [(int(r[0]), 1 - int(r[0]), int(r[1:].sum()), 2 - int(r[1:].sum())) for r in y]
        p_values.append(mantel_haenszel(StrataHistogram.from_strata(rows, 0, 0), 0.95).p_value)
    assert np.mean(np.array(p_values) < 0.05) <= 0.07


@pytest.mark.parametrize("turn", [False, True])
def test_a_one_sided_odds_ratio_has_a_limit_however_much_there_is(turn):
    """All exposed are cases in one stratum, no unexposed in the others; the limit is where mid-p is 2.5 %."""
    rows = [(70, 0, 200, 260), (69, 0, 150, 300), (30, 9, 0, 300)]
    if turn:
        rows = [(b, a, d, c) for a, b, c, d in rows]
    found = mantel_haenszel(StrataHistogram.from_strata(rows, 0, 0), 0.95)
    assert not found.is_exact
    limit = found.odds_ratio.high if turn else found.odds_ratio.low
    assert (found.odds_ratio.value, found.odds_ratio.low if turn else found.odds_ratio.high) == (
        (0.0, 0.0) if turn else (np.inf, np.inf)
    )
    chance = np.prod([nchypergeom_fisher.pmf(a, a + b + c + d, a + b, a + c, limit) for a, b, c, d in rows])
    assert chance / 2 == pytest.approx(0.025, rel=1e-5)
