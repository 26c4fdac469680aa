"""All levels of an ordered column as one finding, against statsmodels."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.stats.contingency_tables import StratifiedTable

import causalrules
from causalrules.domain import Estimate
from causalrules.errors import SettingsError, UnknownColumnError

LEVELS = ["none", "some", "much"]


def people(n=1200, seed=8):
    chance = np.random.default_rng(seed)
    sex = chance.choice(["f", "m"], n)
    level = chance.choice(3, n, p=[0.5, 0.3, 0.2])
    age = chance.integers(20, 90, n)
    risk = -1.2 + 0.4 * level + 0.5 * (sex == "m") + 0.02 * (age - 50)
    ill = np.where(chance.random(n) < 1 / (1 + np.exp(-risk)), "yes", "no")
    drinks = np.array(LEVELS)[level]
    return pd.DataFrame({"sex": sex, "age": age, "drinks": drinks, "ill": ill})


def dose_of(table, exposure="drinks=much", **settings):
    (rule,) = causalrules.test(table, "ill=yes", exposure, adjust="sex", **settings).tested
    return rule.dose


ORDER = "drinks=none<some<much"


def test_the_trend_is_the_score_test_of_conditional_logistic_regression():
    table = people(200)
    score = table.drinks.map(LEVELS.index).to_numpy(float)
    y = (table.ill == "yes").to_numpy(int)
    model = ConditionalLogit(y, score[:, None], groups=(table.sex == "m").to_numpy(int))
    step = 1e-4
    slope = (model.score(np.array([step])) - model.score(np.array([-step])))[0] / (2 * step)
    statistic = model.score(np.zeros(1))[0] ** 2 / -slope
    assert dose_of(table, ordered=ORDER).trend_p == pytest.approx(chi2.sf(statistic, 1), rel=1e-5)


def test_the_trend_by_hand():
    """Score by score, stratum by stratum, with plain Python."""
    table = people(300)
    surplus = variance = 0.0
    for _, part in table.groupby("sex"):
        scores = [LEVELS.index(level) for level in part.drinks]
        cases = [value == "yes" for value in part.ill]
        n, n_cases, total = len(scores), sum(cases), sum(scores)
        surplus += sum(s for s, is_case in zip(scores, cases, strict=True) if is_case) - n_cases * total / n
        spread = sum(s * s for s in scores) - total * total / n
        variance += n_cases * (n - n_cases) / n / (n - 1) * spread
    found = dose_of(table, ordered=ORDER).trend_p
    assert found == pytest.approx(chi2.sf(surplus**2 / variance, 1), abs=1e-8)


def test_each_level_is_compared_with_the_first_within_strata():
    table = people()
    dose = dose_of(table, ordered=ORDER)
    assert [level.name for level in dose.levels] == [f"drinks={level}" for level in LEVELS]
    for level, found in zip(LEVELS[1:], dose.levels[1:], strict=True):
        two = table[table.drinks.isin([level, "none"])]
        strata = [
            pd.crosstab(part.drinks == level, part.ill == "yes").to_numpy(float)[::-1, ::-1]
            for _, part in two.groupby("sex")
        ]
        expected = StratifiedTable(strata)
        assert found.odds_ratio.value == pytest.approx(expected.oddsratio_pooled, abs=1e-8)
        assert found.odds_ratio.low == pytest.approx(expected.oddsratio_pooled_confint()[0], abs=1e-8)
        assert found.records == (table.drinks == level).sum()
    assert dose.course == "rises"


def with_rare_cases_below(n=3000, seed=5):
    """The lowest level has four cases, the highest few records."""
    chance = np.random.default_rng(seed)
    level = chance.choice(4, n, p=[0.2, 0.4, 0.35, 0.05])
    sex = chance.choice(["f", "m"], n)
    ill = chance.random(n) < np.array([0.0, 0.1, 0.15, 0.2])[level] + 0.05 * (sex == "m") * (level > 0)
    ill[np.flatnonzero(level == 0)[:4]] = True
    drinks = np.array(["none", "some", "much", "most"])[level]
    return pd.DataFrame({"sex": sex, "drinks": drinks, "ill": np.where(ill, "yes", "no")})


def test_the_reference_is_the_lowest_level_with_enough_cases(tmp_path):
    table = with_rare_cases_below()
    result = causalrules.test(
        table, "ill=yes", "drinks=much", adjust="sex", ordered="drinks=none<some<much<most"
    )
    dose = result.tested[0].dose
    assert dose.levels[0].cases == 4
    assert dose.reference == 1
    assert dose.levels[1].odds_ratio == Estimate(1.0, 1.0, 1.0)
    assert dose.course == "rises"
    for place, name in ((0, "none"), (2, "much"), (3, "most")):
        found = dose.levels[place]
        two = table[table.drinks.isin([name, "some"])]
        strata = [
            pd.crosstab(part.drinks == name, part.ill == "yes").to_numpy(float)[::-1, ::-1]
            for _, part in two.groupby("sex")
        ]
        assert found.odds_ratio.value == pytest.approx(StratifiedTable(strata).oddsratio_pooled, rel=0.02)
    result.plot.dose().save(tmp_path / "dose.svg")
    assert "drinks=some (reference)" in (tmp_path / "dose.svg").read_text()
    result.save(tmp_path / "result.json")
    assert causalrules.Result.load(tmp_path / "result.json").tested[0].dose == dose


def test_a_protective_dose_and_one_without_enough_cases_have_a_reference():
    table = with_rare_cases_below().replace({"ill": {"yes": "no", "no": "yes"}})
    dose = (
        causalrules.test(table, "ill=yes", "drinks=much", adjust="sex", ordered="drinks=none<some<much<most")
        .tested[0]
        .dose
    )
    assert (dose.reference, dose.course) == (1, "falls")
    few = with_rare_cases_below(90)
    dose = (
        causalrules.test(few, "ill=yes", "drinks=much", adjust="sex", ordered="drinks=none<some<much<most")
        .tested[0]
        .dose
    )
    rarer = [min(level.cases, level.records - level.cases) for level in dose.levels]
    assert max(rarer) < 10
    assert rarer[dose.reference] == max(rarer)


def bent(bend, slope, seed, n=2500):
    """A body mass index that goes with age, and acts by a line and a square."""
    chance = np.random.default_rng(seed)
    age, own = chance.normal(size=(2, n))
    mass = 0.6 * age + 0.8 * own
    risk = -1.5 + 0.8 * age + slope * mass + bend * mass**2
    ill = np.where(chance.random(n) < 1 / (1 + np.exp(-risk)), "yes", "no")
    return pd.DataFrame({"age": (50 + 12 * age).round(), "bmi": (26 + 4 * mass).round(1), "ill": ill})


@pytest.mark.parametrize(("bend", "slope", "courses"), [(0.8, 0, {"mixed"}), (0, 0.9, {"rises", "mixed"})])
def test_what_falls_and_rises_again_neither_rises_nor_falls(bend, slope, courses):
    found = []
    for seed in range(4):
        rules = causalrules.mine(bent(bend, slope, seed), "ill=yes", max_length=1).causal
        found += [rule.dose.course for rule in rules if rule.dose and rule.dose.column == "bmi"]
    assert len(found) >= 3
    assert set(found) <= courses
    assert slope == 0 or found.count("rises") >= 2


def test_an_ordered_category_of_pandas_knows_its_order_and_a_plain_one_has_none():
    table = people()
    plain = table.assign(drinks=table.drinks.astype("category"))
    assert dose_of(plain) is None
    ordered = table.assign(drinks=pd.Categorical(table.drinks, LEVELS, ordered=True))
    assert dose_of(ordered) == dose_of(table, ordered=ORDER)


def test_engines_agree_and_files_keep_it(tmp_path):
    asked = {"ordered": ORDER, "adjust": "sex"}
    memory = causalrules.test(people(), "ill=yes", "drinks=much", **asked)
    streamed = causalrules.test(people(), "ill=yes", "drinks=much", engine="streaming", **asked)
    assert streamed.tested[0].dose == memory.tested[0].dose
    memory.save(tmp_path / "result.json")
    assert causalrules.Result.load(tmp_path / "result.json").tested[0].dose == memory.tested[0].dose
    memory.plot.dose().save(tmp_path / "dose.svg")
    assert "drinks=none (reference)" in (tmp_path / "dose.svg").read_text()


def test_mining_has_one_dose_response_a_column_and_numbers_have_it_by_themselves():
    result = causalrules.mine(people(4000), "ill=yes", ordered=ORDER, cut={"age": [40, 60]}, max_length=1)
    found = [rule.dose.column for rule in result.tested if rule.dose is not None]
    assert sorted(found) == ["age", "drinks"]
    (age,) = [rule.dose for rule in result.tested if rule.dose is not None and rule.dose.column == "age"]
    assert [level.name for level in age.levels] == ["age<40", "age=[40, 60)", "age>=60"]


def stepped(n_steps, n=20_000, seed=3):
    """A number whose odds go up and down from step to step, beside a confounder; MDL cuts at every step."""
    rng = np.random.default_rng(seed)
    ward = rng.integers(0, 3, n)
    number = np.minimum(rng.exponential(4, n), n_steps - 0.01) + 0.3 * ward
    logit = np.where(number.astype(int) % 2, 1.2, -1.2) + 0.5 * ward - 1
    ill = rng.random(n) < 1 / (1 + np.exp(-logit))
    return {"ward": ward.tolist(), "number": number.round(3).tolist(), "ill": ill.astype(int).tolist()}


def test_cuts_that_were_not_asked_for_make_at_most_ten_levels():
    table = stepped(16)
    result = causalrules.mine(table, "ill=1", max_length=1)
    (dose,) = [rule.dose for rule in result.tested if rule.dose is not None]
    n_items = len(result.data.cuts[0].split(",")) + 1
    assert n_items > 10
    assert len(dose.levels) == 10
    assert dose.levels[0].name.startswith("number<=")
    assert dose.levels[-1].name.startswith("number>")
    assert all(level.cases >= 10 and level.records - level.cases >= 10 for level in dose.levels)
    edges = [level.name for level in dose.levels[1:-1]]
    assert all(one.rpartition(", ")[2].rstrip("]") in other for one, other in pairwise(edges))
    points = list(range(1, 16))
    asked = causalrules.mine(table, "ill=1", max_length=1, cut={"number": points})
    (dose,) = [rule.dose for rule in asked.tested if rule.dose is not None]
    assert len(dose.levels) == len(points) + 1


def test_of_several_rules_of_a_column_the_one_that_compares_most_records_tells_its_levels():
    result = causalrules.mine(stepped(6), "ill=1", max_length=1)
    studied = [rule for rule in result.causal if rule.pattern[0].column == "number"]
    assert len(studied) > 2
    compared = {rule.name: rule.design.matched_exposed + rule.design.matched_unexposed for rule in studied}
    (told,) = [rule for rule in studied if rule.dose is not None]
    assert compared[told.name] == max(compared.values())
    assert sum(level.records for level in told.dose.levels) == compared[told.name]


def test_the_trend_keeps_its_level_where_there_is_none():
    n_significant = 0
    for seed in range(40):
        table = people(400, seed)
        table["drinks"] = np.random.default_rng(seed).permutation(table.drinks)
        n_significant += dose_of(table, ordered=ORDER).trend_p <= 0.05
    assert n_significant <= 6  # P(more) < 0.4 %


def test_the_order_that_is_proposed_is_whole():
    draw = np.random.default_rng(1)
    grades = ["a, first", "b", "c", "d", "e", "f"]
    table = pd.DataFrame({"grade": draw.choice(grades, 300), "ill": draw.choice(["yes", "no"], 300)})
    with pytest.raises(SettingsError) as told:
        causalrules.test(table, "ill=yes", "grade=b", ordered="grade")
    assert r"'grade=a\, first<b<c<d<e<f'" in str(told.value)


@pytest.mark.parametrize(
    ("ordered", "error", "told"),
    [
        ("drinks", SettingsError, "'drinks=much<none<some'"),
        ("drinks=none<much", SettingsError, "all 3 values of drinks"),
        ("drink=a<b", UnknownColumnError, "'drinks'"),
        ("drinks=", SettingsError, "dose=none<some<much"),
    ],
)
def test_an_order_that_is_none_is_refused(ordered, error, told):
    with pytest.raises(error, match=told):
        dose_of(people(200), ordered=ordered)
