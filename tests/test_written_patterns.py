"""Outcomes, exposures and what to adjust for, as people write them, from Python and on every engine."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import causalrules
from causalrules.domain.pattern_grammar import Condition, Limit


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


NAMES = ["a=b", "a", "5", "a & b", "x|y", 'q"q', "a<b", "!x", "2020-01-01", " padded ", "->", "age (years)"]
VALUES = ["yes", "a=b", ">50K", "x & y", "p|q", '"q"', "<5", "!=a", "(1, 2]", "1", ">=3", "2020-01-01", "="]


@st.composite
def odd_questions(draw):
    """A table with odd names and values, a condition on one of its columns, and who fulfils it."""
    text, number = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
    values = draw(st.lists(st.sampled_from(VALUES), min_size=3, max_size=4, unique=True))
    chance = np.random.default_rng(draw(st.integers(0, 999)))
    texts, numbers = chance.choice(values, 60).tolist(), (chance.integers(0, 40, 60) / 4).tolist()
    table = pa.table({text: texts, number: numbers, "z": ["yes", "no"] * 30})
    if draw(st.booleans()):
        chosen = tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True)))
        kind = draw(st.sampled_from(["is", "is not"]))
        return table, Condition(text, kind, chosen), [(one in chosen) == (kind == "is") for one in texts]
    low, high = sorted(draw(st.lists(st.integers(4, 36), min_size=2, max_size=2, unique=True)))
    condition = Condition(
        number, "within", low=Limit(f"{low / 4:g}", True), high=Limit(f"{high / 4:g}", False)
    )
    return table, condition, [low / 4 <= one < high / 4 for one in numbers]


@given(odd_questions())
@settings(max_examples=40, deadline=None)
def test_the_name_of_a_rule_asks_about_the_same_records(case):
    """In reports, `find`, `--settings` and masks alike, whatever signs names and values hold."""
    table, condition, expected = case
    if len(set(expected)) == 1:
        return
    result = causalrules.test(table, "z=yes", str(condition), min_support=0)
    rule = result.rules[0]
    assert rule.exposed == sum(expected)
    assert causalrules.test(table, "z=yes", rule.name, min_support=0).tested == result.tested
    assert causalrules.test(table, settings=result).tested == result.tested
    assert result.find(rule.name) is rule
    assert rule.mask(table).to_pylist() == expected
    rest = table.drop_columns(["z"]).append_column("other", pa.array(["p", "q"] * 30))
    outcome = causalrules.mine(rest, str(condition), max_length=1).data.outcome
    again = causalrules.mine(rest, str(outcome), max_length=1).data.outcome
    assert (again.n_with, outcome.n_with) == (sum(expected), sum(expected))


def test_all_but_a_value_is_written_with_its_sign(people):
    rule = causalrules.test(people, "died", "risk!=low").rules[0]
    assert rule.name == "risk!=low"


def test_texts_that_look_like_limits_are_values():
    table = pa.table({"dose": ["<5", "5-10", ">10", "<5"] * 50, "z": ["yes", "no", "no", "no", "yes"] * 40})
    for text in ("dose<5", "dose=<5", 'dose="<5"'):
        assert causalrules.test(table, "z=yes", text).rules[0].exposed == 100
        assert causalrules.mine(table, text).data.outcome.n_with == 100
    with pytest.raises(causalrules.CausalRulesError, match="compares with a number, but column 'dose' has"):
        causalrules.mine(table, "dose<6")
