"""Numbers as digits: nothing is lost that matters, and a middle divides the records."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.domain import Settings
from causalrules.encode import encode
from causalrules.encode.columns import distinct_of
from causalrules.encode.number_digits import carried_number, middle_of
from causalrules.encode.tally import Tally
from causalrules.errors import OutcomeError, SettingsError

NUMBERS = st.lists(
    st.one_of(st.integers(-1000, 1000).map(float), st.floats(-1e9, 1e9)), min_size=1, max_size=40
)


def tally_of(values):
    distinct = distinct_of(pa.chunked_array([pa.array(values, pa.float64())]), ())
    return Tally.of(distinct, np.zeros(len(values), np.int8)), distinct


@given(NUMBERS)
def test_numbers_come_back(values):
    tally, distinct = tally_of(values)
    number = carried_number("outcome", "y", tally)
    found = number.values(number.digits(distinct))
    span = max(values) - min(values)
    assert found == pytest.approx(values, rel=1e-15, abs=span * 2.0**-50)


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=40), st.integers(0, 6))
def test_decimals_come_back_exactly(whole, decimals):
    values = [one / 10**decimals for one in whole]
    tally, distinct = tally_of(values)
    number = carried_number("outcome", "y", tally)
    assert number.values(number.digits(distinct)).tolist() == values


def test_a_missing_number_stays_missing():
    tally, distinct = tally_of([1.5, None, 2.5])
    number = carried_number("outcome", "y", tally)
    assert np.isnan(number.values(number.digits(distinct))).tolist() == [False, True, False]


@given(NUMBERS.filter(lambda values: len(set(values)) > 1))
def test_the_middle_is_as_near_to_half_as_values_allow(values):
    condition = middle_of("y", tally_of(values)[0])
    above = sum(value > condition.low.number for value in values)
    assert 0 < above < len(values)
    possible = [sum(value > cut for value in values) for cut in sorted(set(values))[:-1]]
    assert abs(2 * above - len(values)) == min(abs(2 * one - len(values)) for one in possible)


def table(**columns):
    n = 40
    return pa.table({"x": ["a", "b"] * (n // 2), "y": np.arange(n) / 10, **columns})


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ("y=1", "had or not had"),
        ("y>1", "had or not had"),
        ("x", "only numbers have a mean"),
        ("c", "same value"),
    ],
)
def test_what_has_no_mean_is_refused(outcome, told):
    with pytest.raises(OutcomeError, match=told):
        encode(table(c=[1.0] * 40), outcome, Settings(outcome_as="mean"))


@pytest.mark.parametrize(
    ("weights", "told"),
    [([0.0] + [1.0] * 39, "has 0"), ([None] + [1.0] * 39, "missing values"), (["a"] * 40, "texts")],
)
def test_weights_of_a_sample_are_above_nothing(weights, told):
    with pytest.raises(SettingsError, match=told):
        encode(table(w=weights), "x=a", Settings(weights="w", weights_are="sampling"))


def test_the_outcome_is_known_by_its_mean():
    coded = encode(table(), "y", Settings(outcome_as="mean"))
    outcome = coded.summary.outcome
    values = np.arange(40) / 10
    assert (str(outcome), outcome.asked, outcome.value) == ("y", "y", ">1.9")
    assert (outcome.mean, outcome.spread) == pytest.approx((values.mean(), values.std(ddof=1)))
    assert coded.n_item_columns == 1
    assert len(coded.held_columns) == 1
