"""The odds ratio per unit of a number, against statsmodels."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.stats.contingency_tables import StratifiedTable

import causalrules
from causalrules.assess.per_unit import odds_ratio_per, slope


def happens(chance, log_odds):
    return chance.random(len(log_odds)) < 1 / (1 + np.exp(-log_odds))


def rows_of(stratum, values, ill):
    """One row a record."""
    return stratum, values.astype(float), np.stack([~ill, ill], axis=1).astype(np.int64)


def test_of_two_values_it_is_mantel_and_haenszels():
    chance = np.random.default_rng(1)
    stratum = np.repeat(np.arange(40), 25)
    exposed = chance.random(1000) < 0.4
    ill = happens(chance, chance.normal(-1, 1, 40)[stratum] + 0.7 * exposed)
    estimate, error = slope(*rows_of(stratum, exposed, ill))
    cells = [
        [[(have & arm & here).sum() for have in (ill, ~ill)] for arm in (exposed, ~exposed)]
        for here in (stratum == one for one in range(40))
    ]
    expected = StratifiedTable([np.array(table, float) for table in cells])
    assert estimate == pytest.approx(expected.logodds_pooled, abs=1e-9)
    assert error == pytest.approx(expected.logodds_pooled_se, rel=0.05)


def test_of_pairs_it_is_conditional_logistic_regression():
    chance = np.random.default_rng(2)
    pair = np.repeat(np.arange(600), 2)
    values = chance.normal(size=1200) + chance.normal(size=600)[pair]
    is_second = happens(chance, 0.5 * (values[1::2] - values[::2]))
    ill = np.stack([~is_second, is_second], axis=1).ravel()
    estimate, error = slope(*rows_of(pair, values, ill))
    fit = ConditionalLogit(ill.astype(int), values[:, None], groups=pair).fit(disp=0)
    assert estimate == pytest.approx(fit.params[0], rel=1e-4)
    assert error == pytest.approx(fit.bse[0], rel=0.05)


def test_of_one_stratum_it_is_close_to_logistic_regression():
    chance = np.random.default_rng(3)
    values = chance.normal(50, 12, 4000)
    ill = happens(chance, 0.05 * (values - 60))
    estimate, error = slope(*rows_of(np.zeros(4000, int), values.round(), ill))
    fit = sm.Logit(ill.astype(float), sm.add_constant(values)).fit(disp=0)
    assert estimate == pytest.approx(fit.params[1], rel=0.02)
    assert error == pytest.approx(fit.bse[1], rel=0.05)
    assert odds_ratio_per(10, (estimate, error), 0.95).value == pytest.approx(np.exp(10 * estimate))


def test_where_nothing_can_be_told_there_is_no_estimate():
    values, ill = np.arange(10.0), np.arange(10) >= 5
    assert slope(*rows_of(np.zeros(10, int), values, ill)) is None
    assert slope(*rows_of(np.arange(10), values, ill)) is None
    assert slope(np.full(10, -1), values, np.ones((10, 2), np.int64)) is None


def patients(n=2000, seed=1, effect=0.04, n_regions=6):
    chance = np.random.default_rng(seed)
    region = chance.integers(0, n_regions, n)
    shift = np.linspace(-1, 1, n_regions)[region]
    age = (55 + 10 * shift + chance.normal(0, 12, n)).round()
    ill = happens(chance, -1 + effect * (age - 55) + shift)
    frame = {"region": np.array([f"r{one}" for one in range(n_regions)])[region], "age": age}
    return pd.DataFrame(frame | {"ill": np.where(ill, "yes", "no")})


def study_of(table, exposure="age>=60", **options):
    return causalrules.test(table, "ill=yes", exposure, adjust="region", **options).tested[0]


def test_the_study_tells_what_logistic_regression_tells():
    table = patients()
    found = study_of(table).per_unit
    design = pd.get_dummies(table[["age", "region"]], drop_first=True, dtype=float)
    fit = sm.Logit((table.ill == "yes").astype(float), sm.add_constant(design)).fit(disp=0)
    low, high = fit.conf_int().loc["age"]
    assert found.unit == 10
    for expected, told in zip(
        (fit.params["age"], low, high),
        (found.odds_ratio.value, found.odds_ratio.low, found.odds_ratio.high),
        strict=True,
    ):
        assert np.log(told) == pytest.approx(10 * expected, abs=0.02)
    deviation = table.age.std(ddof=0)
    assert found.standard_deviation == pytest.approx(deviation, rel=0.01)
    assert np.log(found.per_deviation.value) / deviation == pytest.approx(
        np.log(found.odds_ratio.value) / 10, rel=0.01
    )


def test_a_number_without_effect_keeps_its_level_beside_a_confounder():
    found = [study_of(patients(800, seed, effect=0.0)).per_unit for seed in range(30)]
    n_significant = sum(one.p_value <= 0.05 for one in found)
    assert n_significant <= 5  # P(more) < 0.4 %


def test_the_unit_follows_the_number_and_the_outcome_is_spoken_of():
    table = patients()
    months = study_of(table.assign(age=12 * table.age), "age>=720").per_unit
    years = study_of(table).per_unit
    protective = study_of(table.replace({"ill": {"yes": "no", "no": "yes"}})).per_unit
    assert (years.unit, months.unit) == (10, 100)
    assert months.per_deviation.value == pytest.approx(years.per_deviation.value, rel=1e-9)
    assert protective.odds_ratio.value == pytest.approx(1 / years.odds_ratio.value, rel=1e-9)


def test_engines_and_files_agree_and_every_report_has_it(tmp_path):
    table = patients(800)
    table.to_parquet(tmp_path / "table.parquet")
    result = causalrules.test(table, "ill=yes", "age>=60", adjust="region")
    streamed = study_of(tmp_path / "table.parquet", engine="streaming")
    assert streamed.per_unit == result.tested[0].per_unit is not None
    result.save(tmp_path / "result.json")
    again = causalrules.Result.load(tmp_path / "result.json")
    assert again.tested[0].per_unit == result.tested[0].per_unit
    (row,) = result.to_frame(columns="all").to_dict("records")
    per_unit = result.tested[0].per_unit
    numbers = (row["unit"], row["odds_ratio_per_unit"], row["per_unit_low"], row["per_unit_high"])
    assert numbers == (10, per_unit.odds_ratio.value, per_unit.odds_ratio.low, per_unit.odds_ratio.high)
    result.report(tmp_path / "page.html")
    assert "for each 10 of age" in (tmp_path / "page.html").read_text()
    assert "for each 10 of age" in result.tested[0]._repr_html_()


def test_what_is_no_number_or_not_counted_by_records_has_none():
    table = patients(800).assign(day=pd.date_range("2020-01-01", periods=800), person=np.arange(800) // 2)
    assert causalrules.test(table, "ill=yes", "region=r1", adjust="age").tested[0].per_unit is None
    assert study_of(table, "day>=2021-01-01").per_unit is None
    assert study_of(table, "age>=60", cluster="person").per_unit is None
    both = causalrules.test(table, "ill=yes", "age>=60 & region=r1", adjust="person").tested[0]
    assert both.per_unit is None
    assert all(rule.per_unit is None for rule in causalrules.mine(table, "ill=yes", max_length=1).tested)
