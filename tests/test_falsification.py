"""Negative controls and placebo runs: numbers counted apart, engines, files, and their error rates."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest
from statsmodels.stats.contingency_tables import StratifiedTable

import causalrules
from causalrules.errors import ExposureError, SettingsError, UnknownColumnError


def people(n=3000, seed=1, hidden=1.5):
    """Smoking harms; wealth, which the table may lack, goes with smoking, illness and injuries."""
    chance = np.random.default_rng(seed)

    def happens(score):
        return np.where(chance.random(n) < 1 / (1 + np.exp(-score)), "yes", "no")

    sex = chance.choice(["female", "male"], n)
    poor = happens(np.zeros(n))
    is_poor, is_male = poor == "yes", sex == "male"
    smoker = happens(-1 + hidden * is_poor + 0.5 * is_male)
    ill = happens(-1.5 + 0.8 * (smoker == "yes") + 0.8 * is_poor + 0.4 * is_male)
    injury = happens(-1.5 + 0.9 * is_poor + 0.3 * is_male)
    born = chance.choice(["spring", "autumn"], n)
    columns = {"sex": sex, "poor": poor, "smoker": smoker, "born": born, "injury": injury, "ill": ill}
    table = pd.DataFrame(columns)
    table.loc[:30, "injury"] = None
    return table


def studied(table, **settings):
    return causalrules.test(table, "ill=yes", "smoker=yes", negative_outcome="injury", **settings)


def test_a_negative_outcome_is_the_same_study_of_another_column():
    table = people().drop(columns="poor")
    (control,) = studied(table, adjust="sex").negative_controls
    known = table.dropna()
    strata = [
        pd.crosstab(part.smoker == "yes", part.injury == "yes").to_numpy(float)[::-1, ::-1]
        for _, part in known.groupby("sex")
    ]
    expected = StratifiedTable(strata)
    assert control.odds_ratio.value == pytest.approx(expected.oddsratio_pooled, abs=1e-8)
    low, high = expected.oddsratio_pooled_confint()
    assert (control.odds_ratio.low, control.odds_ratio.high) == pytest.approx((low, high), abs=1e-8)
    assert (control.kind, control.exposure, control.outcome) == ("outcome", "smoker=yes", "injury=yes")


def test_it_gives_the_alarm_where_the_confounder_is_not_in_the_table_and_none_where_it_is_held():
    hidden = studied(people().drop(columns="poor"))
    assert hidden.negative_controls[0].is_alarm
    assert "effects where there can be none" in hidden.data.notes[-1]
    (held,) = studied(people(), adjust=["poor", "sex"]).negative_controls
    assert not held.is_alarm


def test_columns_for_checks_take_no_other_part():
    result = causalrules.mine(people(), "ill=yes", negative_outcome="injury=yes", negative_exposure="born")
    columns = {item.column for rule in result.tested for item in rule.pattern}
    held = {name for rule in result.tested for name in rule.design.held}
    assert not {"injury", "born"} & (columns | held)
    on_outcome = [one.exposure for one in result.negative_controls if one.kind == "outcome"]
    of_exposure = [one.exposure for one in result.negative_controls if one.kind == "exposure"]
    assert on_outcome == [rule.name for rule in result.causal]
    assert len(of_exposure) == 1
    assert of_exposure[0] in ("born=autumn", "born=spring")
    p_values = sorted(one.p_value for one in result.negative_controls)
    smallest = min(result.negative_controls, key=lambda one: one.p_value)
    assert smallest.q_value == pytest.approx(min(1, len(p_values) * p_values[0]))


def test_engines_agree_and_files_keep_everything(tmp_path):
    asked = {"negative_exposure": "born", "placebo": 3, "adjust": "sex"}
    result = studied(people(800), **asked)
    streamed = studied(people(800), engine="streaming", **asked)
    assert streamed.negative_controls == result.negative_controls
    assert streamed.placebo == result.placebo
    result.save(tmp_path / "result.json")
    loaded = causalrules.Result.load(tmp_path / "result.json")
    assert (loaded.negative_controls, loaded.placebo) == (result.negative_controls, result.placebo)
    assert "placebo" not in causalrules.test(people(300), "ill=yes", "smoker=yes").to_dict()


def test_clusters_widen_the_interval_of_a_negative_outcome():
    table = pd.concat([people(400)] * 4, ignore_index=True)
    table["family"] = [f"f{number % 400}" for number in range(len(table))]
    (alone,) = studied(table.drop(columns="family"), adjust="sex").negative_controls
    (together,) = studied(table, adjust="sex", cluster="family").negative_controls
    assert together.odds_ratio.value == pytest.approx(alone.odds_ratio.value)
    assert together.odds_ratio.low < alone.odds_ratio.low


def test_a_placebo_of_a_null_table_stays_within_its_binomial_bounds():
    chance = np.random.default_rng(4)
    table = pd.DataFrame({name: chance.choice(["a", "b"], 500) for name in ("x", "y", "z", "outcome")})
    mined = causalrules.mine(table, "outcome=a", placebo=60, max_length=1).placebo
    assert binom.sf(mined.with_causal - 1, 60, 0.05) > 0.001
    study = causalrules.test(table, "outcome=a", "x=a", adjust="y", placebo=60).placebo
    assert binom.cdf(study.with_causal, 60, 0.05) > 0.001
    assert binom.sf(study.with_causal - 1, 60, 0.05) > 0.001
    exact = binomtest(study.with_causal, 60).proportion_ci(0.95, method="exact")
    assert (study.share.low, study.share.high) == pytest.approx((exact.low, exact.high), abs=1e-8)
    assert study.within == ("y",)


def test_mining_counts_only_rules_of_columns_that_the_outcome_was_not_dealt_out_within():
    table = people(1500)
    placebo = causalrules.mine(
        table, "ill=yes", adjust=["+poor", "smoker"], placebo=10, max_length=1, drop="injury"
    ).placebo
    assert placebo.within == ("poor", "smoker")
    assert placebo.with_causal <= 4  # poverty and smoking themselves are causal in every one of them


def test_the_seed_fixes_a_placebo():
    asked = {"placebo": 12, "seed": 1}
    shares = [causalrules.test(people(400), "ill=yes", "smoker=yes", **asked).placebo for _ in range(2)]
    assert shares[0] == shares[1]


@pytest.mark.parametrize(
    ("settings", "error", "told"),
    [
        ({"negative_outcome": "injurie"}, UnknownColumnError, "'injury'"),
        ({"negative_outcome": "sex"}, SettingsError, "such as 'injury=yes'"),
        ({"negative_outcome": "ill=yes"}, SettingsError, "it is the outcome"),
        ({"negative_exposure": "bron"}, UnknownColumnError, "'born'"),
        ({"negative_exposure": "ill"}, SettingsError, "other than the outcome's"),
        ({"negative_exposure": "smoker"}, ExposureError, "negative control"),
        ({"negative_exposure": "sex", "adjust": "sex"}, SettingsError, "no negative controls"),
        ({"placebo": 3, "holdout": 0.5}, SettingsError, "held out"),
        ({"placebo": 3, "controls": "items"}, SettingsError, "whole columns"),
    ],
)
def test_what_makes_no_check_is_refused(settings, error, told):
    with pytest.raises(error, match=told):
        causalrules.test(people(300), "ill=yes", "smoker=yes", **settings)
