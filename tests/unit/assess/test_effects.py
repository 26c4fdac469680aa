import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from causalrules.assess.effects import effects_of
from causalrules.domain import Estimate, PairCounts
from causalrules.judge.sensitivity import e_value, e_value_of_limit, gamma_of, rosenbaum_p

count = st.integers(1, 10**6)


def effects(pairs):
    return effects_of(pairs, 60, 40, 100, 900, 0.95)


@given(count, count, count, count)
def test_paired_risks_are_the_hand_calculation(n11, n12, n21, n22):
    found = effects(PairCounts(n11=n11, n12=n12, n21=n21, n22=n22))
    n = n11 + n12 + n21 + n22
    p1, p0 = (n11 + n12) / n, (n11 + n21) / n
    assert found.risk_difference.value == pytest.approx(p1 - p0, abs=1e-12)
    covariance = n11 / n - p1 * p0
    error = math.sqrt(max(0, p1 * (1 - p1) + p0 * (1 - p0) - 2 * covariance) / n)  # textbook form
    low = max(-1, p1 - p0 - stats.norm.isf(0.025) * error)
    assert found.risk_difference.low == pytest.approx(low, abs=1e-9)
    assert found.risk_ratio.value == pytest.approx(p1 / p0, rel=1e-9)
    width = stats.norm.isf(0.025) * math.sqrt((n12 + n21) / ((n11 + n12) * (n11 + n21)))
    assert found.risk_ratio.high == pytest.approx(p1 / p0 * math.exp(width), rel=1e-9)
    assert found.attributable == n12 - n21
    assert found.number_needed == (math.inf if n12 == n21 else pytest.approx(n / (n12 - n21), rel=1e-9))


def test_crude_risks():
    found = effects(PairCounts(n11=1, n12=1, n21=1, n22=1))
    assert found.crude_risk_difference == pytest.approx(60 / 100 - 40 / 900)
    assert found.crude_risk_ratio == pytest.approx(0.6 / (40 / 900))


@pytest.mark.parametrize("counts", [(0, 0, 0, 0), (0, 5, 0, 0), (0, 0, 5, 0), (5, 0, 0, 5)])
def test_sparse_pairs_give_numbers_all_the_same(counts):
    found = effects(PairCounts(**dict(zip(("n11", "n12", "n21", "n22"), counts, strict=True))))
    for estimate in (found.risk_difference, found.risk_ratio):
        assert estimate.low <= estimate.value <= estimate.high
        assert not math.isnan(estimate.value)


def test_rosenbaum_s_p_values_for_smokers():
    """Rosenbaum 2002, table 4.1 in spirit: 110 against 12 discordant pairs."""
    smokers = PairCounts(n11=0, n12=110, n21=12, n22=0)
    found = [rosenbaum_p(smokers, gamma) for gamma in (4, 5, 6)]
    assert found == pytest.approx([0.00196, 0.0232, 0.0969], rel=5e-3)
    for gamma, p_value in zip((4, 5, 6), found, strict=True):
        assert p_value == pytest.approx(stats.binom.sf(109, 122, gamma / (1 + gamma)), rel=1e-9)


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_gamma_is_where_the_p_value_reaches_alpha(n12, n21):
    pairs = PairCounts(n11=0, n12=n12, n21=n21, n22=0)
    gamma = gamma_of(pairs, 0.05)
    if gamma == 1:
        assert rosenbaum_p(pairs, 1) >= 0.05 - 1e-9
    else:
        assert rosenbaum_p(pairs, gamma) == pytest.approx(0.05, rel=1e-6)


def test_e_values_of_the_literature():
    """VanderWeele and Ding 2017: a risk ratio of 3.9 (1.8 to 8.7) has E-values 7.26 and 3.0."""
    assert e_value(3.9) == pytest.approx(7.26, abs=0.005)
    assert e_value_of_limit(Estimate(3.9, 1.8, 8.7)) == pytest.approx(3.0, abs=0.005)
    assert e_value(1 / 3.9) == pytest.approx(7.26, abs=0.005)
    assert e_value_of_limit(Estimate(1.2, 0.9, 1.5)) == 1
