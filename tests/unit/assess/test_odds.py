import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import naive
from causalrules.assess import critical_value, crude_odds_ratios
from causalrules.assess.odds import fair_odds_ratio
from causalrules.domain import PairCounts

counts = st.integers(0, 10**7)


@given(counts, counts, counts, counts, st.floats(0.5, 0.999))
def test_crude_odds_ratio_is_the_oracle_s(pz, p_not_z, not_p_z, neither, confidence):
    found = crude_odds_ratios(
        np.array([pz]), np.array([p_not_z]), pz + not_p_z, p_not_z + neither, confidence
    )[0]
    expected = naive.odds_ratio((pz, p_not_z, not_p_z, neither), confidence)
    assert (found.value, found.low, found.high) == pytest.approx(expected, rel=1e-9)


@given(st.floats(0, 1e7), st.floats(0, 1e7), st.floats(0.5, 0.999))
def test_fair_odds_ratio_is_the_oracle_s(n12, n21, confidence):
    found = fair_odds_ratio(PairCounts(n11=1, n12=n12, n21=n21, n22=1), confidence)
    assert (found.value, found.low, found.high) == pytest.approx(
        naive.fair_odds_ratio(n12, n21, confidence), rel=1e-9
    )


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99, 0.999999])
def test_critical_value_is_scipy_s(confidence):
    assert critical_value(confidence) == pytest.approx(stats.norm.isf((1 - confidence) / 2), rel=1e-9)


def test_interval_is_scipy_s():
    table = np.array([[185, 120], [65, 60]])
    expected = stats.contingency.odds_ratio(table, kind="sample").confidence_interval(0.95)
    found = crude_odds_ratios(table[:1, 0], table[:1, 1], *table.sum(axis=0), 0.95)[0]
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_no_cell_is_ever_zero():
    found = crude_odds_ratios(np.array([10]), np.array([0]), 10, 20, 0.95)[0]
    assert found.value == 10 * 20 / (1 * 1)
    assert math.isfinite(found.high)
