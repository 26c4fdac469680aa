"""Sets that came matched, against conditional logistic regression of statsmodels."""

import io
import json
import warnings

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from statsmodels.discrete.conditional_models import ConditionalLogit

import causalrules
from causalrules.errors import PictureError, SettingsError, UnknownColumnError
from causalrules.report.page.view import view_of
from causalrules.report.terminal.study_report import study_report


def sets(n_sets=300, size=3, effect=0.8, seed=0):
    """What a set shares goes with exposure and outcome, and is in no column."""
    chance = np.random.default_rng(seed)
    number = np.repeat(np.arange(n_sets), size)
    frail = np.repeat(chance.normal(0, 1.5, n_sets), size)
    x = chance.random(len(number)) < 1 / (1 + np.exp(-frail))
    y = chance.random(len(number)) < 1 / (1 + np.exp(-(frail - 1 + effect * x)))
    sex = chance.choice(["f", "m"], len(number))
    yes = {True: "yes", False: "no"}
    columns = {"set": number, "x": pd.Series(x).map(yes), "sex": sex, "y": pd.Series(y).map(yes)}
    return pd.DataFrame(columns)


def conditional_logit(table):
    y, x = (table.y == "yes").to_numpy(int), (table.x == "yes").to_numpy(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sets that tell nothing are dropped, as they should be
        model = ConditionalLogit(y, x[:, None], groups=table["set"].to_numpy())
    return model.fit(disp=0, method="newton", tol=1e-13)


def study(table, **settings):
    (rule,) = causalrules.test(table, "y=yes", "x=yes", matched_set="set", **settings).tested
    return rule


def test_the_odds_ratio_is_that_of_conditional_logistic_regression():
    table = sets(700)  # with fewer, the interval is the exact one
    rule, expected = study(table).of_the_outcome(), conditional_logit(table)
    assert np.log(rule.adjusted_odds_ratio.value) == pytest.approx(expected.params[0], abs=1e-8)
    low, high = expected.conf_int()[0]
    ratio = rule.adjusted_odds_ratio
    assert np.log([ratio.low, ratio.high]) == pytest.approx([low, high], abs=1e-6)
    assert rule.design.held == ("set",)
    assert rule.odds_ratio.value > 2 * ratio.value  # crude, the frail are compared with the others


def test_of_pairs_only_discordant_ones_count():
    table = sets(400, 2)
    wide = table.groupby("set").agg(list)
    differ = wide[[a != b and c != d for (a, b), (c, d) in zip(wide.x, wide.y, strict=True)]]
    together = sum((x[0] == "yes") == (y[0] == "yes") for x, y in zip(differ.x, differ.y, strict=True))
    expected = together / (len(differ) - together)
    rule = study(table).of_the_outcome()
    assert rule.adjusted_odds_ratio.value == pytest.approx(expected, abs=1e-8)


def test_adjusting_divides_the_sets_further():
    table = sets()
    finer = table.assign(set=table["set"].astype(str) + table.sex)
    found = study(table, adjust="sex").of_the_outcome()
    assert found.adjusted_odds_ratio == study(finer).of_the_outcome().adjusted_odds_ratio
    assert found.design.held == ("set", "sex")


def test_engines_agree_names_do_not_matter_and_records_without_a_set_are_left_out():
    table = sets(150)
    rule = study(table)
    assert study(table, engine="streaming") == rule
    renamed = table.assign(set=[f"family {one}" for one in table["set"]])
    assert study(renamed).adjusted_odds_ratio == rule.adjusted_odds_ratio
    more = pd.concat([table, sets(50, seed=4).assign(set=None)], ignore_index=True)
    assert study(more).adjusted_odds_ratio == rule.adjusted_odds_ratio
    assert study(more).design.left_out == 150


def test_a_null_exposure_keeps_its_level_where_the_crude_comparison_does_not():
    found = [study(sets(120, 3, effect=0.0, seed=seed)) for seed in range(30)]
    assert sum(rule.verdict == "causal" for rule in found) <= 5  # P(more) < 0.4 %
    assert sum(rule.of_the_outcome().odds_ratio.low > 1 for rule in found) > 20


def test_mining_studies_within_sets_and_the_set_is_no_hypothesis(tmp_path):
    result = causalrules.mine(sets(400), "y=yes", matched_set="set", max_length=1)
    (rule,) = [rule for rule in result.tested if rule.name == "x=yes"]
    assert rule.adjusted_odds_ratio == study(sets(400)).adjusted_odds_ratio
    assert not any(item.column == "set" for one in result.tested for item in one.pattern)
    result.save(tmp_path / "result.json")
    assert causalrules.Result.load(tmp_path / "result.json").tested == result.tested


def cases_and_controls(n_sets=400, seed=6):
    """A case and two controls in every set."""
    chance, rows = np.random.default_rng(seed), []
    for number in range(n_sets):
        frail = chance.normal()
        for case in (1, 0, 0):
            is_exposed = chance.random() < 1 / (1 + np.exp(-(frail - 0.3 + 0.8 * case)))
            rows.append((number, case, int(is_exposed)))
    return pd.DataFrame(rows, columns=["set", "case", "exposed"])


def case_control_result(**settings):
    return causalrules.test(cases_and_controls(), "case=1", "exposed=1", matched_set="set", **settings)


def test_sets_gathered_by_the_outcome_have_no_risks(tmp_path):
    result = case_control_result()
    (rule,) = result.tested
    assert rule.design.gathered_by_outcome
    assert not rule.has_risks
    assert np.isnan([rule.effects.risk_ratio.value, rule.effects.number_needed]).all()
    ratio = rule.adjusted_odds_ratio
    assert rule.doubts.e_value == pytest.approx(ratio.value + np.sqrt(ratio.value * (ratio.value - 1)))
    assert rule.doubts.e_value_limit == pytest.approx(ratio.low + np.sqrt(ratio.low * (ratio.low - 1)))
    result.save(tmp_path / "result.json")
    read = causalrules.Result.load(tmp_path / "result.json").tested[0]
    assert np.isnan(read.effects.risk_difference.value)
    assert read.design == rule.design
    assert result.to_frame().risk_difference.isna().all()


def test_no_text_tells_risks_of_a_case_control_study():
    result = case_control_result()
    texts = {
        "terminal": printed(result),
        "page": json.dumps(view_of(result), allow_nan=False),
        "methods": str(result.methods()),
        "article": str(result.article()),
        "notebook": result._repr_html_(),
    }
    for name, text in texts.items():
        for absent in ("isk difference", "tandardised to the", "isk ratio", "percentage point", "nan%"):
            assert absent not in text, name
    assert "E-value 4.5" in texts["terminal"]
    assert "if the outcome is rare" in texts["terminal"]
    assert "analysed as a matched case-control study" in texts["methods"]
    assert "cohort" not in texts["article"].lower().replace("cohort studies [", "")
    with pytest.raises(PictureError, match="gathered"):
        result.plot.strata()


def printed(result):
    console = Console(file=io.StringIO(), width=100)
    console.print(study_report(result))
    return console.file.getvalue()


def test_twins_and_matched_cohorts_keep_their_risks():
    rule = study(sets(400, 2))
    assert not rule.design.gathered_by_outcome
    assert rule.has_risks
    large = study(sets(60, 12))  # nearly every set has cases and others, but not equally many
    assert large.has_risks


def test_what_contradicts_is_refused():
    with pytest.raises(UnknownColumnError, match="'set'"):
        causalrules.test(sets(20), "y=yes", "x=yes", matched_set="sett")
    with pytest.raises(SettingsError, match="cluster"):
        causalrules.Settings(matched_set="set", cluster="sex")
    with pytest.raises(SettingsError, match="outcome's"):
        causalrules.test(sets(20), "y=yes", "x=yes", matched_set="y")
    with pytest.raises(SettingsError, match="whole columns"):
        causalrules.mine({}, "a=b", matched_set="set", controls="items")
