"""The effect in subgroups: against tables counted apart, on both engines, and in files."""

import json

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.contingency_tables import StratifiedTable

import causalrules
from causalrules.errors import SettingsError, UnknownColumnError


def people(n=3000, seed=3, differs=1.3):
    chance = np.random.default_rng(seed)
    sex = chance.choice(["female", "male"], n)
    region = chance.choice(list("abc"), n)
    weight = chance.normal(70, 9, n).round(1)
    smoker = chance.random(n) < 0.3 + 0.2 * (sex == "male")
    risk = -1.5 + 0.4 * (sex == "male") + smoker * np.where(sex == "male", 0.2 + differs, 0.2)
    ill = chance.random(n) < 1 / (1 + np.exp(-risk))
    yes = lambda is_so: np.where(is_so, "yes", "no")  # noqa: E731
    table = pd.DataFrame(
        {"sex": sex, "region": region, "weight": weight, "smoker": yes(smoker), "ill": yes(ill)}
    )
    table.loc[:20, "region"] = None
    return table


@pytest.fixture(scope="module")
def studied():
    return causalrules.test(people(), "ill=yes", "smoker=yes", by=["sex", "region", "weight"], adjust="sex")


def test_each_subgroup_is_the_stratified_table_of_its_records(studied):
    table = people()
    assert [one.column for one in studied.tested[0].subgroups] == ["sex", "region", "weight"]
    for one in studied.tested[0].subgroups[:2]:
        for group in one.groups:
            part = table[table[one.column] == group.name.split("=")[1]]
            strata = [
                pd.crosstab(s.smoker == "yes", s.ill == "yes").to_numpy()[::-1, ::-1]
                for _, s in part.groupby("sex")
            ]
            expected = StratifiedTable([np.asarray(cells, float) for cells in strata])
            assert group.odds_ratio.value == pytest.approx(expected.oddsratio_pooled, abs=1e-8)
            low, high = expected.oddsratio_pooled_confint()
            assert (group.odds_ratio.low, group.odds_ratio.high) == pytest.approx((low, high), abs=1e-8)
            assert group.exposed == int((part.smoker == "yes").sum())
            assert group.unexposed_cases == int(((part.smoker == "no") & (part.ill == "yes")).sum())


def test_the_column_that_changes_the_effect_is_found_and_the_others_are_not(studied):
    sex, region, weight = studied.tested[0].subgroups
    assert sex.interaction_q < 1e-4 < 0.05 < min(region.interaction_q, weight.interaction_q)
    assert sex.interaction_q == pytest.approx(3 * sex.interaction_p)
    assert region.left_out == 21
    assert [group.name.split(":")[0] for group in weight.groups] == ["weight"] * 4


def test_engines_agree_and_files_keep_it(studied, tmp_path):
    streamed = causalrules.test(
        people(), "ill=yes", "smoker=yes", by=["sex", "region", "weight"], adjust="sex", engine="streaming"
    )
    assert streamed.tested[0].subgroups == studied.tested[0].subgroups
    studied.save(tmp_path / "result.json")
    assert (
        causalrules.Result.load(tmp_path / "result.json").tested[0].subgroups == studied.tested[0].subgroups
    )
    entry = json.loads((tmp_path / "result.json").read_text())["rules"][0]["subgroups"][0]
    assert entry["column"] == "sex"
    assert len(entry["groups"]) == 2


def test_mining_looks_at_every_causal_rule_and_corrects_for_all_of_them():
    result = causalrules.mine(people(), "ill=yes", by="sex", max_length=1)
    assert result.causal
    tests = [one.interaction_p for rule in result.causal for one in rule.subgroups]
    assert all(rule.subgroups or rule.pattern[0].column == "sex" for rule in result.causal)
    assert not any(rule.subgroups for rule in result.tested if rule.verdict != "causal")
    smallest = min(tests)
    (kept,) = [s for rule in result.causal for s in rule.subgroups if s.interaction_p == smallest]
    assert kept.interaction_q == pytest.approx(min(1.0, smallest * len(tests)))


def test_the_interaction_test_keeps_its_level_where_effects_are_equal():
    n_significant = 0
    for seed in range(40):
        result = causalrules.test(
            people(800, seed, differs=0.0), "ill=yes", "smoker=yes", by="region", adjust="sex"
        )
        n_significant += result.tested[0].subgroups[0].interaction_p <= 0.05
    assert n_significant <= 6  # P(more) < 0.4 %


@pytest.mark.parametrize(
    ("by", "error", "told"),
    [
        ("sexx", UnknownColumnError, "Did you mean 'sex'"),
        ("ill", SettingsError, "other than the outcome's"),
        ("smoker", SettingsError, "other than the exposure's"),
    ],
)
def test_columns_that_make_no_subgroups_are_refused(by, error, told):
    with pytest.raises(error, match=told):
        causalrules.test(people(300), "ill=yes", "smoker=yes", by=by)


def test_the_papers_protocol_has_no_subgroups():
    with pytest.raises(SettingsError, match="whole columns"):
        causalrules.mine({}, "a=b", by="sex", controls="items")


def test_the_picture_and_the_markdown_name_every_subgroup(studied, tmp_path):
    from causalrules.report.markdown import study_markdown

    studied.plot.subgroups().save(tmp_path / "subgroups.svg")
    drawn = (tmp_path / "subgroups.svg").read_text()
    text = study_markdown(studied)
    for name in ("sex=female", "region=c", "weight: lowest quarter"):
        assert name in drawn
        assert name in text.replace("\\", "")
    assert "the effect differs between its values" in text
