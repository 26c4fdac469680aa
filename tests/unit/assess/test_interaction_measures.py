"""Measures of interaction against published numbers, statsmodels and plain Python."""

from itertools import product
from math import exp, inf, log, sqrt

import numpy as np
import pyarrow as pa
import pytest
from statsmodels.api import GLM, families

import causalrules
import naive_study
from causalrules.assess.interaction_measures import interaction_of, relative_excess

Z = 1.959964


def cells(*combinations):
    """One stratum: (records, cases) of none, the first part, the second, both."""
    return np.array([[[n - cases, cases] for n, cases in combinations]], np.int64)


def test_asbestos_and_smoking_as_vanderweele_and_knol_have_them():
    """Risks of lung cancer .0011, .0067 (asbestos), .0095 (smoking), .0450 (both); their section 2."""
    found = interaction_of(
        cells((100_000, 110), (100_000, 670), (100_000, 950), (100_000, 4_500)), "raises", 0.95
    )
    assert [one.exposed for one in found.risks] == [
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    ]
    assert [one.risk.value for one in found.risks] == pytest.approx([0.0011, 0.0067, 0.0095, 0.045])
    assert [one.cases for one in found.risks] == [110, 670, 950, 4_500]
    assert found.reri.value == pytest.approx((0.045 - 0.0067 - 0.0095 + 0.0011) / 0.0011)
    assert found.attributable_proportion.value == pytest.approx(0.0299 / 0.045)
    assert found.synergy.value == pytest.approx((0.045 - 0.0011) / (0.0067 + 0.0095 - 0.0022))
    assert found.reri.low > 0
    assert found.standardised_to == 100_000


def test_intervals_as_hosmer_and_lemeshow_published_them():
    """Oral cancer by smoking and alcohol (Rothman and Keller 1972): their delta method, on odds."""
    cases, controls = np.array([3, 8, 6, 225]), np.array([20, 18, 12, 166])
    odds = cases / controls
    reri, proportion, synergy = relative_excess(odds, odds**2 * (1 / cases + 1 / controls), "raises", Z)
    assert (reri.value, reri.low, reri.high) == pytest.approx((3.74, -1.84, 9.32), abs=0.01)
    limits = proportion.value, proportion.low, proportion.high
    assert limits == pytest.approx((0.41, -0.07, 0.90), abs=0.01)
    assert (synergy.value, synergy.low, synergy.high) == pytest.approx((1.87, 0.65, 5.42), abs=0.01)


def fitted_by_statsmodels(counts, design):
    """A logistic model of grouped records: rows of `counts` are records without and with the outcome."""
    outcome = np.tile([0, 1], len(counts))
    weights = counts.reshape(-1)
    return GLM(outcome, np.repeat(design, 2, axis=0), families.Binomial(), freq_weights=weights).fit()


def strata_at_random(seed, n_parts=2, n_strata=3):
    """Strata with hundreds of records of each combination."""
    rng = np.random.default_rng(seed)
    n = rng.integers(150, 400, (n_strata, 2**n_parts))
    cases = rng.binomial(n, rng.uniform(0.1, 0.6, n.shape))
    return np.stack([n - cases, cases], axis=2)


@pytest.mark.parametrize("seed", range(3))
def test_the_delta_method_as_by_statsmodels(seed):
    """A parameter for each stratum and combination; risks, then RERI, by hand from the covariance."""
    strata = strata_at_random(seed)
    n_strata = len(strata)
    design = np.eye(4 * n_strata)
    fitted = fitted_by_statsmodels(strata.reshape(-1, 2), design)
    chance = 1 / (1 + np.exp(-fitted.params))
    weights = strata[:, 3].sum(axis=1) / strata[:, 3].sum()
    to_risks = np.zeros((4, 4 * n_strata))
    for stratum, combination in product(range(n_strata), range(4)):
        place = 4 * stratum + combination
        to_risks[combination, place] = weights[stratum] * chance[place] * (1 - chance[place])
    risks = (chance.reshape(n_strata, 4) * weights[:, None]).sum(axis=0)
    covariance = to_risks @ fitted.cov_params() @ to_risks.T
    p0, p1, p2, p3 = risks
    slope = np.array([1 / p0 - (p3 - p1 - p2 + p0) / p0**2, -1 / p0, -1 / p0, 1 / p0])
    error = sqrt(slope @ covariance @ slope)
    found = interaction_of(strata, "raises", 0.95)
    assert [one.risk.value for one in found.risks] == pytest.approx(list(risks))
    assert found.reri.value == pytest.approx((p3 - p1 - p2 + p0) / p0)
    # Ours divides by n - 1, a binomial model by n.
    assert found.reri.high - found.reri.value == pytest.approx(Z * error, rel=0.01)
    proportion = (p3 - p1 - p2 + p0) / p3
    slope = np.array([1 / p3, -1 / p3, -1 / p3, 1 / p3 - proportion / p3])
    error = sqrt(slope @ covariance @ slope)
    assert found.attributable_proportion.value == pytest.approx(proportion)
    assert found.attributable_proportion.value - found.attributable_proportion.low == pytest.approx(
        Z * error, rel=0.01
    )


def test_without_strata_the_contrast_is_the_logistic_interaction():
    (stratum,) = strata = strata_at_random(5, n_strata=1)
    design = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1]])
    fitted = fitted_by_statsmodels(stratum, design)
    found = interaction_of(strata, "raises", 0.95).contrast
    assert found.value == pytest.approx(fitted.params[3], abs=0.01)
    assert (found.low, found.high) == pytest.approx(tuple(fitted.conf_int()[3]), abs=0.02)


def test_what_lowers_has_its_own_combination_as_the_reference():
    """Measures of being without both parts, for the same records."""
    strata = strata_at_random(7)
    lowers = interaction_of(strata, "lowers", 0.95)
    p0, p1, p2, p3 = (one.risk.value for one in lowers.risks)
    assert lowers.reri.value == pytest.approx((p3 - p1 - p2 + p0) / p3)
    assert lowers.attributable_proportion.value == pytest.approx((p3 - p1 - p2 + p0) / p0)
    assert lowers.contrast == interaction_of(strata, "raises", 0.95).contrast


def test_three_parts():
    """No more than a sum: 0.1 for each part on top of 0.1."""
    strata = np.array([[[900 - 100 * k, 100 + 100 * k] for k in map(int.bit_count, range(8))]])
    found = interaction_of(strata, "raises", 0.95)
    assert found.reri.value == pytest.approx(0)
    assert found.synergy.value == pytest.approx(1)
    assert found.risk_of(True, False, True).risk.value == pytest.approx(0.3)
    odds = [log(p / (1 - p)) for p in (0.1, 0.2, 0.3, 0.4)]
    assert found.contrast.value == pytest.approx(odds[3] - 3 * odds[2] + 3 * odds[1] - odds[0], abs=0.02)


def test_where_nothing_can_be_divided_the_measure_is_not_defined():
    found = interaction_of(cells((100, 0), (100, 10), (100, 10), (100, 60)), "raises", 0.95)
    assert found.reri.value == inf
    assert found.attributable_proportion.value == pytest.approx(0.4 / 0.6)
    exclusive_or = interaction_of(cells((100, 10), (100, 60), (100, 60), (100, 10)), "raises", 0.95)
    assert exclusive_or.synergy.value == inf
    assert exclusive_or.reri.high < 0
    assert interaction_of(np.empty((0, 4, 2), np.int64), "raises", 0.95) is None


def test_risks_have_wilsons_interval():
    """10 of 40: .142 to .402 by hand."""
    found = interaction_of(cells((40, 10), (40, 20), (40, 20), (40, 30)), "raises", 0.95).risks[0].risk
    n, p = 39, 0.25  # the variance divides by n - 1
    centre, half = p + Z**2 / (2 * n), Z * sqrt(p * (1 - p) / n + Z**2 / (4 * n * n))
    assert found.low == pytest.approx((centre - half) / (1 + Z**2 / n))
    assert found.high == pytest.approx((centre + half) / (1 + Z**2 / n))


def made_table(n, seed):
    """Two parts that act together, a confounder of three values, values missing here and there."""
    rng = np.random.default_rng(seed)
    s = rng.integers(0, 3, n)
    a = rng.random(n) < 0.3 + 0.15 * s
    b = rng.random(n) < 0.6 - 0.1 * s
    z = rng.random(n) < 0.1 + 0.05 * s + 0.1 * a + 0.1 * b + 0.25 * (a & b)
    columns = {"a": np.where(a, "yes", "no"), "b": np.where(b, "yes", "no"), "s": np.array(list("xyz"))[s]}
    for name in "ab":
        gaps = rng.random(n) < 0.03
        columns[name] = [None if gap else one for one, gap in zip(columns[name], gaps, strict=True)]
    return pa.table({**columns, "z": np.where(z, "yes", "no")})


@pytest.mark.parametrize("seed", range(2))
def test_a_study_of_two_parts_as_the_oracle_computes_it(seed):
    table = made_table(3_000, seed)
    rule = causalrules.test(table, outcome="z=yes", exposure="a=yes & b=yes", adjust="s").tested[0]
    records = [{**row, "z": row["z"] == "yes"} for row in table.to_pylist()]
    expected = naive_study.adjusted_risks(records, {"a": "yes", "b": "yes"}, ["s"])
    found = rule.interaction
    assert {one.exposed: (one.records, one.cases) for one in found.risks} == {
        parts: numbers[:2] for parts, numbers in expected.items()
    }
    for one in found.risks:
        assert one.risk.value == pytest.approx(expected[one.exposed][2])
    p = {parts: numbers[2] for parts, numbers in expected.items()}
    reference, top = p[False, False], p[True, True]
    excess = top - p[True, False] - p[False, True] + reference
    assert found.reri.value == pytest.approx(excess / reference)
    part = {(False, False): 1, (True, False): -1, (False, True): -1, (True, True): 1}
    slopes = {
        c: sign / reference - (excess / reference**2 if c == (False, False) else 0)
        for c, sign in part.items()
    }
    variance = sum(slopes[c] ** 2 * expected[c][3] for c in part)
    assert found.reri.high - found.reri.value == pytest.approx(Z * sqrt(variance), rel=1e-5)
    singles = p[True, False] + p[False, True] - 2 * reference
    assert found.synergy.value == pytest.approx((top - reference) / singles)
    slopes = {
        (False, False): -1 / (top - reference) + 2 / singles,
        (True, False): -1 / singles,
        (False, True): -1 / singles,
        (True, True): 1 / (top - reference),
    }
    error = sqrt(sum(slopes[c] ** 2 * expected[c][3] for c in part))
    assert found.synergy.high == pytest.approx(found.synergy.value * exp(Z * error), rel=1e-5)
    assert found.reri.low > 0


def test_one_item_has_no_interaction():
    rule = causalrules.test(made_table(500, 0), outcome="z=yes", exposure="a=yes").tested[0]
    assert rule.interaction is None


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Three strata, 30 to 80 records of each combination, 1,000 times."""
    draw = np.random.default_rng(5)
    n = np.array([[60, 40, 40, 30], [80, 30, 50, 40], [50, 60, 30, 60]])
    chance = np.array([[0.1, 0.2, 0.15, 0.4], [0.15, 0.25, 0.2, 0.5], [0.2, 0.3, 0.25, 0.55]])
    p0, p1, p2, p3 = n[:, 3] @ chance / n[:, 3].sum()
    excess = p3 - p1 - p2 + p0
    covered = np.zeros(3)
    for _ in range(1000):
        cases = draw.binomial(n, chance)
        found = interaction_of(np.stack([n - cases, cases], axis=2), "raises", 0.95)
        truths = {
            excess / p0: found.reri,
            excess / p3: found.attributable_proportion,
            p0: found.risks[0].risk,
        }
        covered += [one.low <= truth <= one.high for truth, one in truths.items()]
    assert ((covered > 930) & (covered < 970)).all()
