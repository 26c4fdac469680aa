"""The odds ratio per unit of a number, against statsmodels."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.stats.contingency_tables import StratifiedTable

import causalrules
from causalrules.assess.per_unit import odds_ratio_per, slope, slope_by_design


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


def test_what_is_no_number_has_none():
    table = patients(800).assign(day=pd.date_range("2020-01-01", periods=800), person=np.arange(800) // 2)
    assert causalrules.test(table, "ill=yes", "region=r1", adjust="age").tested[0].per_unit is None
    assert study_of(table, "day>=2021-01-01").per_unit is None
    assert study_of(table, "age>=60", cluster="person").per_unit is not None
    both = causalrules.test(table, "ill=yes", "age>=60 & region=r1", adjust="person").tested[0]
    assert both.per_unit is None
    assert all(rule.per_unit is None for rule in causalrules.mine(table, "ill=yes", max_length=1).tested)


def clustered_rows(n=240, seed=6, n_clusters=40):
    chance = np.random.default_rng(seed)
    unit, stratum = chance.integers(0, n_clusters, n), chance.integers(0, 5, n)
    values = (chance.normal(0, 1, n) + chance.normal(0, 1, n_clusters)[unit]).round(1)
    ill = happens(chance, 0.6 * values + 0.3 * stratum - 0.5 + chance.normal(0, 1, n_clusters)[unit])
    return rows_of(stratum, values, ill), chance.uniform(0.5, 2, n).round(1), unit


def naive_variance(rows, weight, unit):
    """All pairs one by one: what leaves the sum with each cluster, and what two clusters both count."""
    stratum, values, counts = rows
    estimate = slope_by_design(*rows, weight, unit)[0]
    with_each, both_count, information = np.zeros(unit.max() + 1), 0.0, 0.0
    for i in np.flatnonzero(counts[:, 1]):
        for j in np.flatnonzero((counts[:, 0] > 0) & (stratum == stratum[i])):
            apart, pair = values[i] - values[j], weight[i] * weight[j] / weight[stratum == stratum[i]].sum()
            chance = 1 / (1 + np.exp(estimate * apart))
            part = pair * apart * chance
            information += pair * apart**2 * chance * (1 - chance)
            for one in {unit[i], unit[j]}:
                with_each[one] += part
            both_count += part**2 * (unit[i] != unit[j])
    n_units = len(np.unique(unit))
    return (float(with_each @ with_each) - both_count) * n_units / (n_units - 1) / information**2


@pytest.mark.parametrize("weigh", [False, True])
def test_the_variance_of_clusters_is_that_of_all_pairs_one_by_one(weigh):
    rows, weight, unit = clustered_rows()
    weight = weight if weigh else np.ones(len(unit))
    found = slope_by_design(*rows, weight, unit)
    assert found[1] == pytest.approx(naive_variance(rows, weight, unit), rel=1e-9)
    if not weigh:
        assert found[0] == pytest.approx(slope(*rows)[0], rel=1e-9)


def test_where_every_record_is_a_cluster_the_variance_is_that_of_records():
    rows, _, unit = clustered_rows()
    n, ones = len(unit), np.ones(len(unit))
    expected = slope(*rows)[1] ** 2 * n / (n - 1)
    assert slope_by_design(*rows, ones, np.arange(n))[1] == pytest.approx(expected, rel=1e-9)
    assert slope_by_design(*rows, ones, None)[1] == pytest.approx(expected, rel=1e-9)


def visits(n_persons=400, seed=4, effect=0.04):
    """Four visits of each person, of nearly one age, who are ill often or seldom."""
    chance = np.random.default_rng(seed)
    person = np.repeat(np.arange(n_persons), 4)
    region, age = chance.integers(0, 4, n_persons)[person], chance.normal(55, 12, n_persons)[person]
    age = (age + chance.normal(0, 2, len(person))).round()
    ill = happens(chance, -1 + effect * (age - 55) + 0.4 * region + chance.normal(0, 1.5, n_persons)[person])
    columns = {"person": person, "region": np.array(list("abcd"))[region], "age": age}
    return pd.DataFrame(columns | {"ill": np.where(ill, "yes", "no"), "w": chance.uniform(0.5, 2, len(ill))})


@pytest.mark.parametrize(
    "settings",
    [{"cluster": "person", "drop": "w"}, {"weights": "w", "weights_are": "sampling", "drop": "person"}],
)
def test_clusters_and_weights_tell_what_a_robust_regression_tells(settings):
    table = visits()
    found = study_of(table, **settings).per_unit
    design = sm.add_constant(pd.get_dummies(table[["age", "region"]], drop_first=True, dtype=float))
    robust = {"cov_type": "cluster", "cov_kwds": {"groups": table.person}}
    weights = None
    if "weights" in settings:
        robust, weights = {"cov_type": "HC0"}, table.w
    family = sm.families.Binomial()
    fit = sm.GLM((table.ill == "yes").astype(float), design, family=family, var_weights=weights).fit(**robust)
    width = np.log(found.odds_ratio.high / found.odds_ratio.low) / 2 / 1.96 / found.unit
    assert np.log(found.odds_ratio.value) / found.unit == pytest.approx(fit.params["age"], abs=0.002)
    assert width == pytest.approx(fit.bse["age"], rel=0.06)


def test_a_number_without_effect_keeps_its_level_where_records_belong_together():
    tables = [visits(120, seed, effect=0.0) for seed in range(40)]
    found = [study_of(table, cluster="person", drop="w").per_unit for table in tables]
    assert sum(one.p_value <= 0.05 for one in found) <= 6  # P(more) < 0.4 %
