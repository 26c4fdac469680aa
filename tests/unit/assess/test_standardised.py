"""Standardised risks: the definition in plain Python, and variances that hold for thin strata."""

from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.assess.standardised import standardise
from causalrules.domain.histogram import StrataHistogram

cell = st.integers(0, 4)
one_stratum = st.tuples(cell, cell, cell, cell).filter(lambda t: t[0] + t[1] > 0 and t[2] + t[3] > 0)


@given(st.lists(one_stratum, min_size=1, max_size=6))
def test_values_are_the_definition(strata):
    exposed = sum(a1 for a1, _, _, _ in strata)
    expected = sum((a1 + a0) * b1 / (b1 + b0) for a1, a0, b1, b0 in strata)
    n = sum(a1 + a0 for a1, a0, _, _ in strata)
    found = standardise(StrataHistogram.from_strata(strata, 0, 0), 0.95)
    assert found.exposed_risk == pytest.approx(exposed / n)
    assert found.unexposed_risk == pytest.approx(expected / n)
    assert found.difference.value == pytest.approx((exposed - expected) / n)
    assert -1 <= found.difference.low < found.difference.high <= 1
    assert 0 <= found.ratio.low <= found.ratio.high
    if exposed and expected:
        assert found.ratio.low < found.ratio.value < found.ratio.high


def test_one_large_stratum_is_the_textbook():
    found = standardise(StrataHistogram.from_strata([(300, 700, 400, 1600)], 0, 0), 0.95)
    spread = (0.3 * 0.7 / 999 + 0.2 * 0.8 / 1999) ** 0.5
    assert found.difference.value == pytest.approx(0.1)
    assert found.difference.high - found.difference.value == pytest.approx(1.963 * spread, rel=1e-3)
    logs = (0.7 / 0.3 / 999 + 0.8 / 0.2 / 1999) ** 0.5
    assert np.log(found.ratio.high / found.ratio.value) == pytest.approx(1.963 * logs, rel=1e-3)


def test_what_strata_leave_of_a_difference_is_taken_off():
    strata = StrataHistogram.from_strata([(30, 70, 40, 160), (50, 50, 30, 70)], 0, 0)
    plain, found = standardise(strata, 0.95), standardise(strata, 0.95, 0.04)
    assert found.exposed_risk == plain.exposed_risk
    assert found.unexposed_risk == pytest.approx(plain.unexposed_risk + 0.04)
    assert found.difference.value == pytest.approx(plain.difference.value - 0.04)
    assert found.ratio.value == pytest.approx(found.exposed_risk / found.unexposed_risk)
    opposite = standardise(strata.flipped(), 0.95, -0.04)
    assert opposite.difference.value == pytest.approx(-found.difference.value)
    assert standardise(strata, 0.95, -0.9).unexposed_risk == pytest.approx(plain.unexposed_risk / 2)
    assert standardise(strata, 0.95, 0.9).unexposed_risk == pytest.approx(plain.unexposed_risk * 1.5)
    none_ill = StrataHistogram.from_strata([(3, 7, 0, 20)], 0, 0)
    assert standardise(none_ill, 0.95, 1e-9) == standardise(none_ill, 0.95)


def test_nothing_to_standardise():
    found = standardise(StrataHistogram(np.empty((0, 5), np.int64), 3, 4), 0.95)
    assert isnan(found.exposed_risk)
    assert (found.difference.low, found.difference.high) == (-1, 1)
    assert (found.ratio.low, found.ratio.high) == (0, inf)


def test_no_outcome_at_all_is_not_certainty():
    found = standardise(StrataHistogram.from_strata([(0, 20, 0, 30)], 0, 0), 0.95)
    assert found.difference.value == 0
    assert found.difference.low < -0.01 < 0.01 < found.difference.high
    assert (found.ratio.low, found.ratio.high) == (0, inf)


@pytest.mark.parametrize("arms", [(1, 1), (1, 4), (4, 1), (3, 2), (10, 10)])
def test_intervals_cover_in_thin_strata(arms):
    """Risks differ between strata; the plug-in variance would be 0 for lone records."""
    rng = np.random.default_rng(7)
    a, b = arms
    covered = np.zeros(2)
    n_tables = 400
    for _ in range(n_tables):
        p0 = rng.beta(1, 4, 150)
        p1 = p0 + 0.15 * (1 - p0)
        a1, b1 = rng.binomial(a, p1), rng.binomial(b, p0)
        strata = np.column_stack([a1, a - a1, b1, b - b1])
        found = standardise(StrataHistogram.from_strata(strata, 0, 0), 0.95)
        covered[0] += found.difference.low <= (p1 - p0).mean() <= found.difference.high
        covered[1] += found.ratio.low <= p1.mean() / p0.mean() <= found.ratio.high
    assert (covered / n_tables > 0.92).all()
    assert covered[0] / n_tables < 0.985
