"""Four real tables with answers from elsewhere: what an epidemiologist would look for first."""

import numpy as np
import pandas as pd
import pytest

import causalrules
import datasets
import naive_aipw

FOLDER = datasets.FOLDER / "known-answers"


def table(name):
    """The path of a table, where it is at hand."""
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{name}.csv is not in ../shared/data/known-answers")
    return path


def test_a_trial_with_follow_up_time_and_later_measurements():
    result = causalrules.mine(table("actg"), "cens=1", max_length=1)
    assert any(note.startswith("days nearly decides the outcome") for note in result.data.notes)
    assert not any(item.column == "days" for rule in result.causal for item in rule.pattern)
    assert not any("days" in rule.design.held for rule in result.tested)
    # How long patients were treated before decides their stratum; nothing else stands for anything else.
    assert all(set(rule.group) <= {"str2", "strat", "preanti"} for rule in result.tested)


def test_the_randomised_treatment():
    rule = causalrules.test(table("actg"), "cens=1", "treat=1").tested[0].of_the_outcome()
    assert rule.adjusted_odds_ratio.low < 0.52 < rule.adjusted_odds_ratio.high < 1


def test_mortgages():
    rules = {
        rule.name: rule.of_the_outcome()
        for rule in causalrules.mine(table("hdma"), "deny=yes", max_length=1).causal
    }
    for name, regression in (("black=yes", 1 / 0.48), ("pbcr=yes", 1 / 0.29)):
        ratio = rules[name].adjusted_odds_ratio
        assert ratio.low < regression < ratio.high
    insurance = rules["dmi=yes"].adjusted_odds_ratio
    assert 1.3 * insurance.low < insurance.value < insurance.high / 1.3


def test_the_outcome_in_other_words():
    notes = causalrules.mine(table("birthwt"), "low=1", max_length=1).data.notes
    assert any(note.startswith("bwt nearly decides the outcome") for note in notes)


# The method of one study a column


def plain(name, outcome, exposure=None, **said):
    """What it says of a table, or of one column."""
    if exposure:
        return causalrules.test(table(name), outcome, exposure, method="plain", **said).findings[0]
    return causalrules.mine(table(name), outcome, method="plain", on_progress=lambda _: None, **said)


def test_birth_weight_by_columns():
    result = plain("birthwt", "low=1")
    assert result["bwt"].verdict == "set aside"
    kinds = {column.name: column.kind for column in result.data.columns}
    assert (kinds["lwt"], kinds["smoke"], kinds["ht"]) == ("number", "category", "category")
    levels = {name: [one.level for one in result[name].effect.levels] for name in ("lwt", "smoke", "ht")}
    assert len(levels["lwt"]) == 5
    assert sorted(levels["smoke"]) == sorted(levels["ht"]) == ["0", "1"]
    assert result["lwt"].effect.trend.per_unit[2] < 0
    assert result["ptl"].is_cause
    low, high = 1.4, 8.5  # of the regression, previous premature labours
    assert low < result.effect("ptl", 1, against=0).odds_ratio[0] < high
    assert result.effect("smoke", "1", against="0").odds_ratio[0] > 1
    assert result.effect("ht", "1", against="0").odds_ratio[0] > 1


LATER = ("cd420", "cd496", "cd820", "offtrt", "r", "arms")
"""Measured after the treatment was drawn, or the treatment in finer detail."""


@pytest.mark.parametrize(
    "said",
    [
        {"tiers": f"treat < {', '.join(LATER)}"},
        {"after": LATER},
        {"adjust": ["age", "wtkg", "karnof", "symptom", "cd40", "cd80"]},
    ],
    ids=["tiers", "after", "adjust"],
)
def test_the_randomised_treatment_with_what_came_later_said(said):
    """The trial's own answer is 0.52: a table of two rows and two columns."""
    found = plain("actg", "cens=1", "treat", reference="treat=0", **said)
    value, low, high = next(level for level in found.effect.levels if level.level == "1").odds_ratio
    assert value == pytest.approx(0.52, abs=0.03)
    assert low < 0.52 < high < 0.7
    assert found.verdict == "cause"
    assert not set(found.adjusted_for) & set(LATER)


def test_the_randomised_treatment_beside_what_came_later():
    """Nothing said, later measurements take most of the effect away: no more is claimed than fragile."""
    found = plain("actg", "cens=1")
    assert found["days"].verdict == "set aside"
    assert found["treat"].verdict == "possible"
    assert found["treat"].grade in ("fragile", None)
    assert set(found["treat"].adjusted_for) & set(LATER)
    assert all(cause.grade == "fragile" for cause in found.causes)


def test_mortgages_by_columns():
    """Odds ratios are of all applicants together, below those of a regression; the textbook's AIPW agrees."""
    result = plain("hdma", "deny=yes")
    assert {"dmi", "pbcr", "ccs", "black"} <= {finding.name for finding in result.causes}
    regression = 1 / 0.69, 1 / 0.34
    assert regression[0] < result.effect("black", "yes", against="no").odds_ratio[0] < regression[1]
    data = pd.read_csv(table("hdma")).dropna()
    parts = {name: pd.qcut(data[name], 5, labels=False).to_numpy() for name in ("dir", "hir", "lvr")}
    parts |= {name: data[name].to_numpy() for name in ("ccs", "black", "dmi", "pbcr", "self", "single")}
    for name in ("black", "pbcr"):
        others = [values for other, values in parts.items() if other != name]
        risk, of = naive_aipw.adjusted_risks(parts[name], (data["deny"] == "yes").to_numpy() * 1.0, others)
        error = np.sqrt(of[0, 0] + of[1, 1] - 2 * of[0, 1])
        ours = result.effect(name, "yes", against="no").difference[0]
        assert ours == pytest.approx(risk[1] - risk[0], abs=0.75 * error), name


def test_diabetes_by_columns():
    result = plain("pima", "type=Yes")
    assert {"glu", "bmi", "age", "ped"} == {finding.name for finding in result.causes}
    assert result.findings[0].name == "glu"
    trends = {name: result[name].effect.trend.per_unit for name in ("glu", "bmi", "age", "ped")}
    assert all(value > 0 for value, _, _ in trends.values())
    assert all(low > 0 for name, (_, low, _) in trends.items() if name != "age"), "age levels off at 40"
