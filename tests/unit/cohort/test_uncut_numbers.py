"""Numbers that show nothing by themselves: they are looked at beside other columns, and adjusted for."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

import causalrules
from causalrules.cohort.neighbours.screen import course_p_value
from causalrules.cohort.neighbours.uncut_numbers import difference_of_trends, p_value_beside
from causalrules.find.window_rows import Levels


def _drawn(chance, score, **columns):
    n = len(score)
    x, y = (chance.random(n) < 1 / (1 + np.exp(-(score - shift))) for shift in (0.8, 1.2))
    noise = {f"noise {k}": chance.choice(["a", "b", "c"], n) for k in range(3)}
    return pd.DataFrame({**columns, **noise, "x": x, "y": y})


def body_mass(seed, n=3000):
    """The body mass index confounds; height alone has nothing to do with it."""
    chance = np.random.default_rng(seed)
    height = chance.normal(1.7, 0.1, n).round(2)
    weight = (chance.normal(26, 4.5, n) * height**2).round()
    return _drawn(chance, 0.9 * (weight / height**2 - 26) / 4.5, height=height, weight=weight)


def seasons(seed, n=3000):
    """Winters are worse, over four years."""
    chance = np.random.default_rng(seed)
    day = chance.integers(0, 4 * 365, n)
    admitted = pd.Timestamp("2020-01-01") + pd.to_timedelta(day, unit="D")
    return _drawn(chance, np.cos(2 * np.pi * day / 365.25), admitted=admitted)


def turned(seed, n=2000):
    """Age does good to women and harm to men, and nothing on average."""
    chance = np.random.default_rng(seed)
    age, is_man = chance.normal(50, 12, n).round(), chance.random(n) < 0.5
    return _drawn(chance, np.where(is_man, 1, -1) * (age - 50) / 12, age=age, sex=np.where(is_man, "m", "f"))


def turned_beside_a_strong_column(seed, n=3000):
    """The same beside a ward that matters more: in its cells and those of sex, age looks unlikely."""
    chance = np.random.default_rng([seed, 9])
    age, is_man = chance.normal(50, 12, n).round(), chance.random(n) < 0.5
    ward = chance.integers(0, 4, n)
    score = 0.8 * np.where(is_man, 1, -1) * (age - 50) / 12 + ward - 1.5
    return _drawn(chance, score, age=age, sex=np.where(is_man, "m", "f"), ward=np.array(list("pqrs"))[ward])


def test_a_number_that_acts_in_company_is_held_however_strong_another_column_is():
    """An exposure without effect was causal in two of four, with odds ratios of 1.8."""
    tables = [turned_beside_a_strong_column(seed) for seed in range(4)]
    rules = [causalrules.test(table, "y", "x", threads=1).tested[0] for table in tables]
    assert all({"age", "sex", "ward"} <= set(rule.design.held) for rule in rules)
    assert sum(rule.verdict == "causal" for rule in rules) <= 1
    mined = [causalrules.mine(table, "y", max_length=1, threads=1).causal for table in tables[:2]]
    assert not any(rule.pattern[0].column == "x" for causal in mined for rule in causal)


@pytest.mark.parametrize(
    ("table", "confounders"),
    [(body_mass, {"height", "weight"}), (seasons, {"admitted"}), (turned, {"age", "sex"})],
)
def test_what_shows_beside_others_only_is_adjusted_for(table, confounders):
    rules = [causalrules.test(table(seed), "y", "x", threads=1).tested[0] for seed in range(4)]
    assert sum(confounders <= set(rule.design.held) for rule in rules) >= 3
    assert sum(rule.verdict == "causal" for rule in rules) <= 1
    assert all(rule.of_the_outcome().odds_ratio.value > 1.2 for rule in rules)


def test_that_the_day_of_the_week_is_not_adjusted_for_is_told():
    found = causalrules.mine(seasons(1), "y", max_length=1).data.notes
    (note,) = [note for note in found if "day of the week" in note]
    assert note.startswith("admitted is a date: studies adjust for its course over time")
    first_days = seasons(1).assign(admitted=lambda table: table.admitted.dt.to_period("M").dt.to_timestamp())
    mondays = seasons(1).assign(admitted=lambda table: table.admitted.dt.to_period("W").dt.start_time)
    assert not any(
        "day of the week" in note for note in causalrules.mine(mondays, "y", max_length=1).data.notes
    )
    assert causalrules.mine(first_days, "y", controls="items", max_length=1).data.notes == ()


@pytest.mark.parametrize("seed", range(5))
def test_the_course_is_pearsons_test_of_ten_parts(seed):
    chance = np.random.default_rng(seed)
    codes = np.repeat(np.arange(1, 41), 5).astype(np.uint16)
    counts = np.column_stack([np.full(200, 3), chance.integers(1, 4, 200)])
    counts[:, 0] = 6 - counts[:, 1]  # so that every part has as many records
    parts = counts.reshape(10, 20, 2).sum(axis=1)
    expected = stats.chi2_contingency(parts, correction=False).pvalue
    assert course_p_value(codes, counts) == pytest.approx(expected)
    missing = np.zeros(1, np.uint16)
    with_missing = course_p_value(np.append(codes, missing), np.vstack([counts, [500, 3]]))
    assert with_missing == pytest.approx(expected)


def test_a_number_of_one_value_has_no_course():
    assert course_p_value(np.array([1], np.uint16), np.array([[5, 5]])) == 1.0
    assert course_p_value(np.array([1, 2], np.uint16), np.array([[5, 0], [7, 0]])) == 1.0


def _naive_difference(records):
    """Record by record: (bin, value, has the outcome)."""
    bins = np.array([one[0] for one in records])
    rank = stats.rankdata(bins) / len(records)
    parts = []
    for value in sorted({one[1] for one in records}):
        own = np.array([one[1] == value for one in records])
        ill = np.array([one[2] for one in records])[own]
        here = rank[own]
        if min(ill.sum(), (~ill).sum()) < 10:
            continue
        excess = here[ill].sum() - ill.mean() * here.sum()
        # The variance of a sum of ranks drawn without replacement.
        variance = ill.sum() * (~ill).sum() / len(ill) * np.var(here, ddof=1)
        parts.append((excess, variance))
    slope = sum(e for e, _ in parts) / sum(v for _, v in parts)
    statistic = sum(v * (e / v - slope) ** 2 for e, v in parts)
    return stats.chi2.sf(statistic, len(parts) - 1)


@pytest.mark.parametrize("seed", range(5))
def test_the_difference_of_trends_is_that_of_the_records(seed):
    chance = np.random.default_rng(seed)
    cells = {(b, v): chance.integers(0, 9, 2) for b in range(1, 7) for v in range(1, 4)}
    records = [
        (b, v, bool(ill)) for (b, v), counts in cells.items() for ill in (0, 1) for _ in range(counts[ill])
    ]
    codes, given = np.array(list(cells)).T
    found = difference_of_trends(codes, given, np.array(list(cells.values()))).p_value
    assert found == pytest.approx(_naive_difference(records), rel=1e-6)


@pytest.mark.parametrize("slope", [0.0, 0.5, 1.5])
def test_how_far_trends_are_apart_does_not_hang_on_the_number_of_records(slope):
    """Log odds of half of the slope for a rank of 1 in either direction, so half of it times √(1/12)."""
    chance = np.random.default_rng(4)
    age, group = chance.integers(1, 21, 200_000), chance.integers(1, 3, 200_000)
    logit = slope / 2 * np.where(group == 1, 1, -1) * (age - 10.5) / 20
    ill = chance.random(200_000) < 1 / (1 + np.exp(1 - logit))
    found = difference_of_trends(age, group, np.column_stack([~ill, ill]).astype(np.int64))
    assert found.spread == pytest.approx(slope / 2 * 12**-0.5, abs=0.01)


def test_of_many_records_a_trend_that_hardly_differs_is_not_held():
    chance = np.random.default_rng(0)
    n = 40_000
    number, group, smokes = chance.normal(size=n), chance.integers(0, 2, n), chance.random(n) < 0.4
    logit = 0.05 * number * np.where(group, 1, -1) + 0.8 * smokes - 1
    ill = chance.random(n) < 1 / (1 + np.exp(-logit))
    bins = np.searchsorted(np.quantile(number, np.arange(1, 50) / 50), number) + 1
    assert difference_of_trends(bins, group + 1, np.column_stack([~ill, ill]).astype(np.int64)).p_value < 1e-5
    columns = {"number": number.round(3), "group": group, "smokes": smokes, "ill": ill}
    columns |= {f"noise_{place}": chance.integers(0, 2, n) for place in range(4)}
    table = {name: (1 * values).tolist() for name, values in columns.items()}
    (rule,) = causalrules.test(table, "ill=1", "smokes=1").tested
    assert "number" not in rule.design.held


def test_trends_that_are_the_same_are_seldom_called_different():
    chance = np.random.default_rng(3)
    found = []
    for _ in range(400):
        age, group = chance.integers(1, 21, 600), chance.integers(1, 4, 600)
        ill = chance.random(600) < 1 / (1 + np.exp(1 - 0.5 * group))
        counts = np.column_stack([~ill, ill]).astype(np.int64)
        found.append(difference_of_trends(age, group, counts).p_value)
    assert 0.02 < np.mean(np.array(found) < 0.05) < 0.08


@pytest.mark.parametrize("seed", range(5))
def test_beside_others_is_the_score_test_of_least_squares(seed):
    chance = np.random.default_rng(seed)
    n_levels = np.array([3, 2, 4])
    codes = np.column_stack([chance.integers(0, n, 50) for n in n_levels])
    counts = chance.integers(0, 5, (50, 2))
    found = p_value_beside(Levels(codes, counts, n_levels))
    records = [(i, ill) for i in range(50) for ill in (0, 1) for _ in range(counts[i, ill])]
    y = np.array([ill for _, ill in records], float)
    dummies = [
        np.array([[codes[i, j] == value for value in range(1, n)] for i, _ in records], float)
        for j, n in enumerate(n_levels)
    ]
    without = sm.OLS(y, sm.add_constant(np.hstack(dummies[:2]))).fit()
    fitted = sm.OLS(y, sm.add_constant(np.hstack(dummies))).fit()
    statistic = len(y) * (without.ssr - fitted.ssr) / without.ssr
    assert found == pytest.approx(stats.chi2.sf(statistic, 3), rel=1e-6)


def test_a_column_that_others_tell_shows_nothing_beside_them():
    codes = np.column_stack([np.arange(6), np.arange(6) // 2])
    counts = np.array([[9, 1], [8, 2], [5, 5], [4, 6], [2, 8], [1, 9]])
    assert p_value_beside(Levels(codes, counts, np.array([6, 3]))) == 1.0
