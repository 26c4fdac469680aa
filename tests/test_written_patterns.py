"""Outcomes, exposures and what to adjust for, as people write them, from Python and on every engine."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import causalrules


@pytest.fixture(scope="module")
def people():
    chance = np.random.default_rng(0)
    n = 3000
    age, smoker = chance.integers(20, 90, n), chance.random(n) < 0.3
    bmi = np.round(chance.normal(26, 4, n), 1)
    risk = chance.choice(["high", "medium", "low"], n)
    score = -2 + smoker + 0.03 * (age - 50) + 0.8 * (bmi >= 30) + 0.5 * (risk != "low")
    died = chance.random(n) < 1 / (1 + np.exp(-score))
    days = pd.to_datetime("2019-01-01") + pd.to_timedelta(chance.integers(0, 900, n), "D")
    return pd.DataFrame(
        {
            "age": age,
            "bmi": np.where(chance.random(n) < 0.02, np.nan, bmi),
            "smoker": np.where(smoker, "yes", "no"),
            "risk": risk,
            "date": days.astype(str),
            "died": died,
        }
    )


EXPOSURES = {
    "bmi>=30": lambda t: t.bmi >= 30,
    "18.5<=bmi<25": lambda t: (t.bmi >= 18.5) & (t.bmi < 25),
    "bmi=>=30": lambda t: t.bmi >= 30,
    "risk=high|medium": lambda t: t.risk.isin(["high", "medium"]),
    "risk!=low": lambda t: t.risk != "low",
    "smoker": lambda t: t.smoker == "yes",
    "smoker=1": lambda t: t.smoker == "yes",
    "smoker=true & age>=60": lambda t: (t.smoker == "yes") & (t.age >= 60),
    "date>=2020-01-01": lambda t: t.date >= "2020-01-01",
}


@pytest.mark.parametrize("exposure", EXPOSURES)
def test_an_exposure_means_the_records_it_says(people, exposure):
    rule = causalrules.test(people, "died", exposure).tested[0]
    expected = EXPOSURES[exposure](people)
    unknown = people.bmi.isna() if "bmi" in exposure else pd.Series(False, people.index)
    assert (rule.exposed, rule.unexposed) == (
        int((expected & ~unknown).sum()),
        int((~expected & ~unknown).sum()),
    )
    assert not set(rule.design.held) & {item.column for item in rule.pattern}


@pytest.mark.parametrize("outcome", [*sorted(set(EXPOSURES) - {"bmi=>=30"}), "died & age<50"])
def test_an_outcome_means_the_records_it_says(people, outcome):
    find = EXPOSURES.get(outcome, lambda t: t.died & (t.age < 50))
    summary = causalrules.mine(people, outcome, max_length=1)
    unknown = people.bmi.isna() if "bmi" in outcome else pd.Series(False, people.index)
    assert summary.data.outcome.n_with == int((find(people) & ~unknown).sum())
    columns = {item.column for rule in summary.tested for item in rule.pattern}
    assert not columns & {name for name in people.columns if name in outcome}


def test_a_threshold_gives_the_answer_of_a_column_made_by_hand(people):
    by_hand = people.assign(obese=np.where(people.bmi.isna(), None, np.where(people.bmi >= 30, "yes", "no")))
    expected = causalrules.test(by_hand, "died", "obese=yes", drop="bmi").tested[0]
    found = causalrules.test(people, "died", "bmi>=30").tested[0]
    assert found.adjusted_odds_ratio == expected.adjusted_odds_ratio
    assert found.design.held == expected.design.held


def test_a_condition_can_be_adjusted_for(people):
    by_hand = people.assign(obese=np.where(people.bmi.isna(), None, np.where(people.bmi >= 30, "yes", "no")))
    expected = causalrules.test(by_hand, "died", "smoker", adjust="obese", drop="bmi").tested[0]
    found = causalrules.test(people, "died", "smoker", adjust="bmi>=30").tested[0]
    assert found.design.held == ("bmi",)
    assert found.adjusted_odds_ratio == expected.adjusted_odds_ratio


def test_streaming_gives_the_same(people):
    for outcome, exposure in (("smoker=1 & age>=60", "bmi>=30"), ("died", "risk=high|medium")):
        found = causalrules.test(people, outcome, exposure, engine="streaming", memory="16MiB")
        assert found.tested == causalrules.test(people, outcome, exposure).tested


@pytest.mark.parametrize(
    ("outcome", "exposure", "options", "message"),
    [
        ("died", "bmi>>30", {}, "the exposure 'bmi>>30' is not understood at character 5, '>30'"),
        ("died", "risk>=3", {}, "compares with a number, but column 'risk' has texts"),
        ("died", "age>=2020-01-01", {}, "compares with a date, but column 'age' has numbers"),
        ("died", "risk=high|mediun", {}, "exposure value 'mediun' does not occur in column 'risk'"),
        ("bmi>=900", "smoker", {}, "no record has the outcome 'bmi>=900'"),
        ("died", "smoker", {"adjust": "bmi>=a"}, "the adjust 'bmi>=a' is not understood at character 6"),
        ("died", "bmi>=30", {"adjust": "bmi>=25"}, "cut column 'bmi' in two ways"),
    ],
)
def test_mistakes_are_one_sentence(people, outcome, exposure, options, message):
    with pytest.raises(causalrules.CausalRulesError) as refused:
        causalrules.test(people, outcome, exposure, **options)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_spark_understands_patterns(people):
    from spark_sessions import frame_of, require_spark, session

    require_spark()
    session()
    arrow = pa.Table.from_pandas(people, preserve_index=False)
    for outcome, exposure in (("smoker=1 & age>=60", "bmi>=30"), ("bmi>=30", "risk=high|medium")):
        found = causalrules.test(frame_of(arrow, 2), outcome, exposure)
        assert found.tested == causalrules.test(arrow, outcome, exposure).tested
