"""Weights of a survey: estimates for the population, variances by the design, against a slow oracle."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import statsmodels.api as sm
from scipy import stats

import causalrules
import naive_sampling as naive
from causalrules.domain import Settings
from causalrules.domain.progress import Stopwatch, ignore_progress
from causalrules.encode import encode
from causalrules.engines.contract import Opened
from causalrules.engines.memory import MemoryEngine
from causalrules.errors import SettingsError
from causalrules.read import read_table
from causalrules.search.job import DefaultJob
from in_blocks import streamed

SAMPLED = {"weights": "w", "weights_are": "sampling"}
EXACTLY = {**SAMPLED, "adjust": ["sex", "region"], "matching": "exact"}


def survey(n=900, seed=0):
    """The ill were sampled more often, as were men; weights undo that."""
    chance = np.random.default_rng(seed)
    sex, region = chance.choice(["f", "m"], 20 * n), chance.choice(list("abc"), 20 * n)
    smoker = np.where(chance.random(20 * n) < 0.25 + 0.2 * (sex == "m"), "yes", "no")
    score = -1.2 + np.where(sex == "m", 1.2, 0.2) * (smoker == "yes") + 0.4 * (region == "a")
    ill = np.where(chance.random(20 * n) < 1 / (1 + np.exp(-score)), "yes", "no")
    inclusion = 0.5 + 1.5 * (sex == "m") + 1.0 * (ill == "yes") + 0.5 * chance.random(20 * n)
    columns = {"sex": sex, "region": region, "smoker": smoker, "ill": ill}
    columns |= {"w": np.round(10 / inclusion, 3), "village": chance.integers(0, 40, 20 * n)}
    columns["size"] = np.round(50 + 5 * (sex == "m") + 3 * (smoker == "yes") + chance.normal(0, 4, 20 * n), 1)
    chosen = chance.choice(20 * n, n, replace=False, p=inclusion / inclusion.sum())
    return pd.DataFrame(columns).iloc[chosen].reset_index(drop=True), pd.DataFrame(columns)


def study_of(table, outcome="ill=yes", **settings):
    drop = [name for name in ("village", "size", "ill", "w") if name not in (outcome[:4], outcome[:3])]
    drop = [name for name in drop if name not in settings.values()]
    (rule,) = causalrules.test(table, outcome, "smoker=yes", drop=drop, **settings).tested
    return rule.of_the_outcome()


def arrays(table):
    strata = (table.sex + table.region).to_numpy()
    exposed = (table.smoker == "yes").to_numpy()
    return strata, exposed, (table.ill == "yes").to_numpy(float), table.w.to_numpy()


def effect_in(population):
    """The effect among all exposed of a population."""
    strata, exposed, value, _ = arrays(population)
    return naive.mean_difference(strata, exposed, value, np.ones(len(population)))


def half_width(table, variance, cluster=None):
    """By Student's t, with the units of the smallest of four groups; clusters as if of equal size."""
    _, exposed, value, _ = arrays(table)
    groups = [exposed, ~exposed, value == 1, value == 0]
    units = [one.sum() if cluster is None else naive.equal_clusters(cluster[one]) for one in groups]
    return stats.t.ppf(0.975, min(units) - 1) * np.sqrt(variance)


@pytest.mark.parametrize("has_clusters", [False, True])
def test_estimates_and_limits_are_those_of_a_linearisation(has_clusters):
    table, _ = survey(500)
    cluster = table.village.to_numpy() if has_clusters else None
    found = study_of(table, **EXACTLY, **({"cluster": "village"} if has_clusters else {}))
    for estimate, ratio in (
        (naive.log_odds_ratio, found.adjusted_odds_ratio),
        (naive.log_risk_ratio, found.effects.risk_ratio),
    ):
        value = estimate(*arrays(table)).real
        width = half_width(table, naive.linearised_variance(estimate, *arrays(table), cluster), cluster)
        expected = [value, value - width, value + width]
        assert np.log([ratio.value, ratio.low, ratio.high]) == pytest.approx(expected, abs=1e-8)
    variance = naive.linearised_variance(naive.mean_difference, *arrays(table), cluster)
    difference = found.effects.risk_difference
    assert difference.value == pytest.approx(naive.mean_difference(*arrays(table)), abs=1e-8)
    assert difference.high - difference.value == pytest.approx(half_width(table, variance, cluster), abs=1e-8)
    assert found.design.n_clusters == (40 if has_clusters else 0)


def test_without_controls_it_is_weighted_logistic_regression():
    """The variance of statsmodels is HC0; ours has n/(n - 1) twice, for the stratum and for the units."""
    table, _ = survey(400)
    _, exposed, ill, weight = arrays(table)
    model = sm.GLM(ill, sm.add_constant(exposed.astype(float)), sm.families.Binomial(), var_weights=weight)
    fit = model.fit(cov_type="HC0", tol=1e-14)
    found = study_of(table, **SAMPLED, never_adjust=["sex", "region"]).adjusted_odds_ratio
    n = len(table)
    width = half_width(table, fit.cov_params()[1, 1] * (n / (n - 1)) ** 2)
    expected = fit.params[1] + np.array([0, -width, width])
    assert np.log([found.value, found.low, found.high]) == pytest.approx(expected, abs=1e-8)


def test_the_unit_of_weights_does_not_matter():
    table, _ = survey(500)
    found, scaled = (study_of(one, **SAMPLED) for one in (table, table.assign(w=1000 * table.w)))
    assert scaled.adjusted_odds_ratio.low == pytest.approx(found.adjusted_odds_ratio.low, rel=1e-9)
    assert scaled.p_value == pytest.approx(found.p_value, rel=1e-6)


def test_weights_bring_back_the_population():
    """The weighted effect is that of all from whom the sample was drawn; the plain one is not."""
    n_tables, covered, plain = 30, 0, 0
    for seed in range(n_tables):
        sample, population = survey(700, seed)
        truth = effect_in(population)
        weighted = study_of(sample, **EXACTLY).effects.risk_difference
        unweighted = study_of(sample, adjust=["sex", "region"], matching="exact").effects.risk_difference
        covered += weighted.low <= truth <= weighted.high
        plain += unweighted.low <= truth <= unweighted.high
    assert stats.binomtest(covered, n_tables, 0.95).pvalue > 0.001
    assert plain < covered


def test_the_second_opinion_is_weighted_too():
    sample, population = survey(3000, 1)
    rule = study_of(sample, **SAMPLED)
    opinion, truth = rule.design.second_opinion, effect_in(population)
    assert rule.design.opinions_agree
    assert opinion.low <= truth <= opinion.high
    assert rule.design.estimand.endswith("weighted to the population")


def test_means_of_a_sample_are_weighted():
    table, _ = survey(500)
    strata, exposed, _, weight = arrays(table)
    found = study_of(table, "size", outcome_as="mean", **EXACTLY).mean.difference
    expected = naive.mean_difference(strata, exposed, table["size"].to_numpy(), weight)
    assert found.value == pytest.approx(expected, abs=1e-8)
    assert found.low < 3 < found.high


def mined(table, settings, open_engine):
    coded = encode(read_table(table).arrow, "ill=yes", settings)
    engine = open_engine(coded)
    search = DefaultJob.search(Opened(coded, engine, engine), settings, Stopwatch(), ignore_progress)
    search.run()
    return sorted((rule.name, rule.p_value, rule.verdict, str(rule.effects)) for rule in search.rules)


def test_mining_and_every_engine():
    table = survey(1500)[0].drop(columns=["size", "village"])
    settings = Settings(**SAMPLED)
    in_memory = mined(table, settings, MemoryEngine)
    assert any(name == "smoker=yes" and verdict == "causal" for name, _, verdict, _ in in_memory)
    assert mined(table, settings, lambda coded: streamed(coded, 67)) == in_memory


def test_spark_says_the_same():
    from spark_sessions import frame_of, require_spark

    require_spark()
    table = survey(400)[0].drop(columns="size")
    frame = frame_of(pa.Table.from_pandas(table), 3)
    asked = {**SAMPLED, "cluster": "village"}
    on_spark = causalrules.test(frame, "ill=yes", "smoker=yes", engine="spark", **asked)
    assert on_spark.rules == causalrules.test(table, "ill=yes", "smoker=yes", **asked).rules


@pytest.mark.parametrize(
    "setting", [{"negative_exposure": "sex"}, {"placebo": 3}, {"explain": True}, {"matched_set": "village"}]
)
def test_what_counts_records_alike_is_refused(setting):
    with pytest.raises(SettingsError, match=r"Leave out one of the two, .* or weights_are='sampling'"):
        causalrules.test(survey(100)[0], "ill=yes", "smoker=yes", **SAMPLED, **setting)


def test_weights_are_of_a_column():
    with pytest.raises(SettingsError, match="weights"):
        Settings(weights_are="sampling")


@pytest.mark.parametrize("matching", ["exact", "propensity"])
def test_matched_records_come_with_weights_that_give_the_difference(matching):
    table, _ = survey(700)
    table = table.drop(columns=["village", "size"])
    result = causalrules.test(
        table, "ill=yes", "smoker=yes", adjust=["sex", "region"], matching=matching, **SAMPLED
    )
    matched = result.matched(0, table)
    ill, exposed = (matched.ill == "yes").to_numpy(), (matched.arm == "exposed").to_numpy()
    risks = [np.average(ill[arm], weights=matched.weight[arm]) for arm in (exposed, ~exposed)]
    assert risks[0] - risks[1] == pytest.approx(result.tested[0].effects.risk_difference.value, abs=1e-9)
