"""How strongly columns go with the outcome beside others: against plain least squares."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, norm

from causalrules.find.sample import Sample
from causalrules.find.strength import normal_deviate, strengths
from unit.find.made_records import records_of


def one_hot(values):
    return (values[:, None] == np.unique(values)).astype(float)


def naive_deviate(column, outcome, held):
    """Score test by residuals: regress outcome and levels on the held levels, then one on the other."""
    known = np.column_stack([np.ones(len(outcome)), *(one_hot(h) for h in held)])

    def rest(y):
        return y - known @ np.linalg.lstsq(known, y, rcond=1e-10)[0]

    levels, y = rest(one_hot(column)[:, 1:]), rest(outcome.astype(float))
    gram = levels.T @ levels
    statistic = (levels.T @ y) @ np.linalg.pinv(gram, rcond=1e-8) @ (levels.T @ y) / np.mean(y**2)
    return float(normal_deviate(np.array(statistic), np.array(float(levels.shape[1]))))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2))
def test_it_is_the_score_test_of_least_squares(seed, n_held):
    draw = np.random.default_rng(seed)
    base = draw.integers(0, 3, 300)
    columns = [(base + draw.integers(0, 3, 300)) % draw.integers(2, 5) for _ in range(4)]
    outcome = draw.random(300) < 0.3 + 0.15 * (base == 1)
    held = list(range(n_held))
    found = strengths(Sample.of(records_of(columns, outcome)), held).outcome
    assert np.isneginf(found[held]).all()
    for place in range(n_held, 4):
        wanted = naive_deviate(columns[place], outcome, [columns[h] for h in held])
        assert found[place] == pytest.approx(wanted, abs=0.02)  # a ridge of a millionth of the records


def test_association_with_held_columns_is_pearsons():
    draw = np.random.default_rng(1)
    x = draw.integers(0, 3, 800)
    y = (x + draw.integers(0, 2, 800)) % 4
    held = strengths(Sample.of(records_of([x, y], draw.random(800) < 0.4)), [0]).held
    statistic, _, free, _ = chi2_contingency(np.histogram2d(x, y, bins=(3, 4))[0], correction=False)
    assert held[1, 0] == pytest.approx(float(normal_deviate(np.array(statistic), np.array(float(free)))))
    assert np.isneginf(held[0, 0])


@given(st.floats(0.01, 60), st.integers(1, 30))
def test_a_deviate_has_nearly_the_p_value_of_its_statistic(statistic, free):
    from scipy.stats import chi2

    p = chi2.sf(statistic, free)
    if 1e-6 < p < 0.3:
        found = norm.sf(float(normal_deviate(np.array(statistic), np.array(float(free)))))
        assert found == pytest.approx(p, rel=0.35, abs=0.01)


def test_a_confounder_that_cancels_is_seen_through():
    """x raises the outcome, and is frequent where the confounder lowers it: nothing shows without."""
    draw = np.random.default_rng(2)
    c = draw.random(20_000) < 0.5
    x = draw.random(20_000) < np.where(c, 0.8, 0.2)
    risk = 0.4 + 0.12 * x - 0.12 * 0.6 * c
    sample = Sample.of(records_of([c.astype(int), x.astype(int)], draw.random(20_000) < risk))
    assert strengths(sample).outcome[1] > 5
    gains = strengths(sample, [1]).outcome[0]
    assert gains > strengths(sample).outcome[0]


def test_of_copies_only_one_says_something():
    draw = np.random.default_rng(3)
    x = draw.integers(0, 2, 3000)
    copies = [np.where(draw.random(3000) < 0.02, 1 - x, x) for _ in range(5)]
    outcome = draw.random(3000) < 0.3 + 0.3 * x
    found = strengths(Sample.of(records_of([x, *copies], outcome)), [0]).outcome
    assert (found[1:] < 3).all()
    assert (strengths(Sample.of(records_of([x, *copies], outcome))).outcome > 10).all()


def test_a_trend_is_clearer_than_its_levels():
    draw = np.random.default_rng(4)
    number = draw.normal(size=1500)
    outcome = draw.random(1500) < 1 / (1 + np.exp(-0.25 * number))
    as_number = strengths(Sample.of(records_of([number], outcome))).outcome[0]
    bins = np.searchsorted(np.quantile(number, np.arange(0.1, 1, 0.1)), number)
    as_category = strengths(Sample.of(records_of([bins], outcome))).outcome[0]
    assert as_number > as_category + 0.5


def test_rows_count_as_often_as_they_occur():
    draw = np.random.default_rng(5)
    columns, outcome = draw.integers(0, 3, (3, 60)), draw.random(60) < 0.5
    count = draw.integers(1, 5, 60)
    times = np.repeat(np.arange(60), count)
    once = strengths(Sample.of(records_of(list(columns), outcome, count)), [0])
    spread = strengths(Sample.of(records_of(list(columns[:, times]), outcome[times])), [0])
    assert once.outcome == pytest.approx(spread.outcome)
