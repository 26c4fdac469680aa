"""Subgroups and levels where the outcome is a number: against studies of their records alone."""

import io

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from scipy import stats

import causalrules
from causalrules.report.markdown import study_markdown
from causalrules.report.page.view import view_of
from causalrules.report.terminal.study_report import study_report

EXACTLY = {"outcome_as": "mean", "adjust": ["sex", "region"], "matching": "exact"}
DOSES = ["none", "some", "much"]


def pupils(n=1_500, seed=0, differs=0.0, step=4.0, in_class=0.0):
    """Training helps, boys by `differs` more; classes of 25 have something of their own."""
    chance = np.random.default_rng(seed)
    sex, region = chance.choice(["girl", "boy"], n), chance.choice(list("abc"), n)
    group = np.arange(n) // 25
    trained = chance.random(n) < 0.3 + 0.2 * (sex == "boy")
    dose = chance.choice(3, n, p=[0.3, 0.4, 0.3])
    score = 500 + 10 * (region == "a") - 8 * (sex == "boy") + trained * (12 + differs * (sex == "boy"))
    score = score + step * dose + chance.normal(0, 1, n // 25 + 1)[group] * in_class
    columns = {
        "sex": sex,
        "region": region,
        "trained": np.where(trained, "yes", "no"),
        "dose": np.array(DOSES)[dose],
        "class": group,
        "score": np.round(score + chance.normal(0, 20, n), 1),
    }
    return pd.DataFrame(columns)


def study_of(table, exposure="trained=yes", **settings):
    drop = [] if "cluster" in settings else ["class"]
    return causalrules.test(table, "score", exposure, drop=drop, **(EXACTLY | settings))


def test_each_subgroup_is_the_study_of_its_records():
    table = pupils(differs=15)
    (rule,) = study_of(table, by=["sex", "region"]).tested
    assert [one.column for one in rule.subgroups] == ["sex", "region"]
    for one in rule.subgroups:
        for group in one.groups:
            part = table[table[one.column] == group.name.split("=")[1]]
            others = [name for name in EXACTLY["adjust"] if name != one.column]
            (alone,) = study_of(part, adjust=others).tested
            assert group.mean_difference == pytest.approx(alone.mean.difference, abs=1e-9)
            assert group.exposed == int((part.trained == "yes").sum())
            assert group.p_value == pytest.approx(alone.p_value)


def test_the_interaction_of_two_groups_is_the_test_of_their_difference():
    (rule,) = study_of(pupils(differs=15), by="sex").tested
    (sex,) = rule.subgroups
    differences = [group.mean_difference for group in sex.groups]
    errors = [(one.high - one.low) / 2 / stats.norm.ppf(0.975) for one in differences]
    apart = abs(differences[0].value - differences[1].value) / np.hypot(*errors)
    assert sex.interaction_p == pytest.approx(2 * stats.norm.sf(apart), rel=0.05)
    assert sex.interaction_p < 1e-3


@pytest.mark.parametrize("settings", [{}, {"cluster": "class"}])
def test_the_interaction_test_keeps_its_level_where_effects_are_equal(settings):
    n_significant = 0
    for seed in range(40):
        table = pupils(900, seed, in_class=8 if settings else 0)
        (rule,) = study_of(table, by="region", **settings).tested
        n_significant += rule.subgroups[0].interaction_p <= 0.05
    assert n_significant <= 6  # P(more) < 0.4 %


def test_families_widen_what_is_known_of_a_subgroup():
    table = pupils(1_200)
    twice = pd.concat([table, table], ignore_index=True)
    twice["class"] = np.tile(np.arange(len(table)), 2)
    (alone,), (clustered,) = (
        study_of(twice, by="sex", **further).tested for further in ({}, {"cluster": "class"})
    )
    for one, other in zip(alone.subgroups[0].groups, clustered.subgroups[0].groups, strict=True):
        narrow, wide = (group.mean_difference for group in (one, other))
        assert wide.value == pytest.approx(narrow.value, abs=1e-9)
        assert wide.high - wide.low == pytest.approx((narrow.high - narrow.low) * np.sqrt(2), rel=0.05)


def test_by_scores_the_planted_effects_come_out():
    table = pupils(4_000, differs=15)
    table["age"] = np.random.default_rng(1).normal(12, 2, len(table)).round(1)
    table["score"] += 3 * table.age
    (rule,) = study_of(table, adjust=["sex", "age"], matching="propensity", by="sex").tested
    found = {group.name: group.mean_difference for group in rule.subgroups[0].groups}
    assert found["sex=girl"].low < 12 < found["sex=girl"].high
    assert found["sex=boy"].low < 27 < found["sex=boy"].high


@pytest.fixture(scope="module")
def dosed():
    return study_of(pupils(), "dose=much", ordered="dose=none<some<much", by="sex")


def test_every_level_is_compared_with_the_reference(dosed):
    table, dose = pupils(), dosed.tested[0].dose
    assert [level.name for level in dose.levels] == [f"dose={value}" for value in DOSES]
    assert dose.levels[0].mean_difference == causalrules.domain.Estimate(0.0, 0.0, 0.0)
    for level, value in list(zip(dose.levels, DOSES, strict=True))[1:]:
        part = table[table.dose.isin(["none", value])]
        (alone,) = study_of(part, f"dose={value}").tested
        assert level.mean_difference == pytest.approx(alone.mean.difference, abs=1e-9)
    assert dose.course == "rises"


def test_the_trend_is_mantels(dosed):
    """Scores and values of every stratum could have been dealt out anew."""
    table = pupils().assign(level=lambda one: one.dose.map(DOSES.index).astype(float))
    surplus = variance = 0.0
    for _, part in table.groupby(["sex", "region"]):
        level, score = part.level - part.level.mean(), part.score - part.score.mean()
        surplus += float((level * score).sum())
        variance += float((level**2).sum() * (score**2).sum() / (len(part) - 1))
    assert dosed.tested[0].dose.trend_p == pytest.approx(2 * stats.norm.sf(abs(surplus) / np.sqrt(variance)))


@pytest.mark.parametrize("settings", [{}, {"cluster": "class"}])
def test_the_trend_keeps_its_level(settings):
    n_significant = 0
    for seed in range(40):
        table = pupils(600, seed, step=0.0, in_class=8 if settings else 0)
        (rule,) = study_of(table, "dose=much", ordered="dose=none<some<much", **settings).tested
        n_significant += rule.dose.trend_p <= 0.05
    assert n_significant <= 6  # P(more) < 0.4 %


def test_engines_agree_and_files_keep_it(dosed, tmp_path):
    again = study_of(pupils(), "dose=much", ordered="dose=none<some<much", by="sex", engine="streaming")
    assert (again.tested[0].dose, again.tested[0].subgroups) == (
        dosed.tested[0].dose,
        dosed.tested[0].subgroups,
    )
    dosed.save(tmp_path / "result.json")
    (kept,) = causalrules.Result.load(tmp_path / "result.json").tested
    assert (kept.dose, kept.subgroups) == (dosed.tested[0].dose, dosed.tested[0].subgroups)


def test_a_subgroup_that_cannot_tell_says_so(tmp_path):
    table = pupils(600)
    table.loc[:1, "region"] = "far away"
    table.loc[:1, "trained"] = ["yes", "no"]
    result = study_of(table, by="region")
    result.save(tmp_path / "result.json")
    result = causalrules.Result.load(tmp_path / "result.json")
    (far,) = (group for group in result.tested[0].subgroups[0].groups if group.name.endswith("far away"))
    assert not far.is_informative
    assert far.mean_difference.low == -np.inf
    assert "cannot tell" in study_markdown(result)


def test_every_face_speaks_of_means(dosed, tmp_path):
    console = Console(file=io.StringIO(), width=120)
    console.print(study_report(dosed))
    for text in (console.file.getvalue(), study_markdown(dosed)):
        assert "sex=girl" in text
        assert "the mean of the outcome rises from level to level" in text
        assert "odds" not in text.partition("dose=none (reference)")[2].partition("Grade")[0]
        assert "cases" not in text
    (rule,) = view_of(dosed)["rules"]
    assert rule["dose"]["rows"][1][1][0] == pytest.approx(6.08, abs=0.01)
    for kind in ("subgroups", "dose"):
        getattr(dosed.plot, kind)().save(tmp_path / f"{kind}.svg")
        assert "mean difference" in (tmp_path / f"{kind}.svg").read_text()


def test_the_methods_say_how_means_were_compared(dosed):
    text = str(dosed.methods())
    assert "judged by the adjusted Wald test of equal mean differences" in text
    assert "the lowest one that had at least ten records, and a trend" in text
    assert "conditional logistic" not in text


def test_the_methods_of_one_study_say_that_the_search_cut_the_outcome():
    result = causalrules.test(pupils(), "score", "trained=yes", outcome_as="mean", drop="class")
    assert "a direct link to the outcome, which was cut at its median for this, unless" in str(
        result.methods()
    )
