"""Which records have the outcome, as a coded table tells."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from causalrules.domain import Item, Settings
from causalrules.encode import encode
from causalrules.errors import (
    ConditionError,
    NoValueError,
    OutcomeError,
    PatternError,
    UnknownColumnError,
    UnknownValueError,
)


def find(values, outcome, kind=None):
    """The outcome, and for each record 1 if it has it, 0 if not, -1 if that is not known."""
    array = values if isinstance(values, pa.Array) else pa.array(values, kind)
    table = pa.table({"z": array, "record": [f"record {number}" for number in range(len(array))]})
    coded = encode(table, outcome, Settings(categorical=("record",)))
    states = np.full(len(array), -1)
    for code, has_outcome in zip(coded.codes[0], coded.has_outcome, strict=True):
        states[int(coded.items[code - 1].value.removeprefix("record "))] = has_outcome
    return coded.summary.outcome, states


@pytest.mark.parametrize(
    ("values", "asked", "value"),
    [
        (["yes", "no"], "z=yes", "yes"),
        (["yes", "no"], " z = yes ", "yes"),
        ([" yes", "no"], "z=yes", "yes"),
        ([">50K", "<=50K"], "z=>50K", ">50K"),
        ([1.0, 0.0], "z=1", "1"),
        ([1, 0], "z=1.0", "1"),
        (["1.0", "0.0"], "z=1", "1.0"),
        (["01", "02"], "z=1", "01"),
        ([True, False], "z=True", "true"),
        (["True", "False"], "z=true", "True"),
        (["TRUE", "FALSE"], "z=True", "TRUE"),
        ([2.5, 1.0], "z=2.50", "2.5"),
        (["a=b", "c"], "z=a=b", "a=b"),
    ],
)
def test_the_value_is_found_however_it_is_written(values, asked, value):
    found, states = find(values, asked)
    assert (found.column, found.value) == ("z", value)
    assert states.tolist() == [1, 0]


def test_single_floats():
    assert find(pa.array([0.1, 0.5], pa.float32()), "z=0.1")[1].tolist() == [1, 0]


def test_a_value_as_written_beats_one_that_means_the_same():
    assert find(["1", "1.0", "0"], "z=1.0")[1].tolist() == [0, 1, 0]


def test_two_values_that_mean_the_same_are_not_chosen_between():
    with pytest.raises(UnknownValueError):
        find(["01", "1.0", "0"], "z=1")


def test_missing_outcomes_are_not_known():
    _, states = find(["yes", "?", None, "no", " "], "z=yes")
    assert states.tolist() == [1, -1, -1, 0, -1]


def test_an_outcome_that_names_only_a_column():
    with pytest.raises(NoValueError) as caught:
        find(["low", "high", "low"], "z")
    assert "say which value of it: 'z=low' (2 records) or 'z=high' (1 records)" in str(caught.value)


@pytest.mark.parametrize(
    ("values", "asked", "value"),
    [
        (["yes", "no"], "z", "yes"),
        ([True, False], "z", "true"),
        (["yes", "no"], "z=1", "yes"),
        ([1.0, 0.0], "z=yes", "1"),
        (["TRUE", "FALSE"], "z=1.0", "TRUE"),
    ],
)
def test_yes_is_said_in_several_ways(values, asked, value):
    found, states = find(values, asked)
    assert found.value == value
    assert states.tolist() == [1, 0]


def test_where_there_are_two_ways_each_is_a_value_of_its_own():
    with pytest.raises(UnknownValueError):
        find(["1", "true", "no"], "z=yes")


@pytest.mark.parametrize(
    ("values", "asked", "shown", "states"),
    [
        ([18.4, 18.5, 25, None], "18.5<=z<25", ("z", "[18.5, 25)"), [0, 1, 0, -1]),
        (["30", "29.9", "?"], "z>=30", ("z", ">=30"), [1, 0, -1]),
        (["low", "high", "medium", ""], "z=high|medium", ("z", "high|medium"), [0, 1, 1, -1]),
        (["north", "south", "east"], "z!=north", ("z", "!=north"), [0, 1, 1]),
        (["2019-12-31", "2020-01-01"], "z>=2020-01-01", ("z", ">=2020-01-01"), [0, 1]),
        (["a|b", "a", "b"], "z=a|b", ("z", "a|b"), [1, 0, 0]),
    ],
)
def test_patterns_are_outcomes(values, asked, shown, states):
    found, here = find(values, asked)
    assert (found.column, found.value, str(found)) == (*shown, asked.replace("a|b", '"a|b"'))
    assert here.tolist() == states


def test_a_pattern_of_two_columns_fails_as_soon_as_one_is_known_to_fail():
    table = pa.table(
        {"age": [70, 70, 50, None, None], "smoker": ["yes", None, None, "no", "yes"], "x": list("aabbc")}
    )
    coded = encode(table, "smoker=1 & age>=60", Settings(categorical=("x",)))
    outcome = coded.summary.outcome
    assert str(outcome) == "smoker=yes & age>=60"
    assert (outcome.n_with, outcome.n_without, coded.summary.rows_without_outcome) == (1, 2, 2)
    assert {one.column for one in coded.summary.left_out} == {"age", "smoker"}


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ("z>=3", ConditionError, "compares with a number, but column 'z' has texts"),
        ("z=a|d", UnknownValueError, "outcome value 'd' does not occur in column 'z'"),
        ("z=a & y=3", UnknownColumnError, "outcome column 'y' is not among"),
        ("z=a|b|c", OutcomeError, "every record has the outcome 'z=a|b|c'"),
        ("z=", PatternError, "at character 3, its end: a value must stand here"),
    ],
)
def test_patterns_that_are_no_outcomes(asked, error, message):
    with pytest.raises(error) as refused:
        find(["a", "b", "c"], asked)
    assert message in str(refused.value)


def test_an_unknown_column():
    with pytest.raises(UnknownColumnError, match="outcome column 'y' is not among the table's 2 columns"):
        find(["no", "yes"], "y=1")


def test_an_unknown_value_suggests_the_nearest():
    with pytest.raises(
        UnknownValueError, match=r"outcome value 'YEAH' does not occur in column 'z'.*mean 'yeah!'"
    ):
        find(["yeah!", "nope"], "z=YEAH")


def test_an_unknown_value_lists_what_there_is_most_frequent_first():
    with pytest.raises(UnknownValueError, match="There are: 'no', 'yes'"):
        find(["yes", "no", "no"], "z=1234")


def test_an_unknown_value_among_very_many():
    with pytest.raises(UnknownValueError, match="does not occur"):
        find([f"patient number {n} of the northern study" for n in range(50_000)], "z=patient")


def test_one_value_is_not_enough():
    with pytest.raises(OutcomeError, match="every record with a known 'z' has the value 'yes'"):
        find(["yes", "yes", None], "z=yes")


def test_categories_that_do_not_occur_are_no_values():
    values = pa.array(pd.Categorical(["yes", "yes"], categories=["yes", "no"]))
    with pytest.raises(OutcomeError, match="every record with a known 'z'"):
        find(values, "z=yes")
    with pytest.raises(UnknownValueError, match="There is: 'yes'"):
        find(values, "z=no")


def test_no_value_at_all():
    with pytest.raises(OutcomeError, match="has no value in any of the 2 records"):
        find(["?", None], "z=yes")


def test_a_missing_token_is_no_outcome():
    with pytest.raises(OutcomeError, match=r"'\?' means a missing value"):
        find(["?", "a", "b"], "z=?")


def test_lists_are_no_outcome():
    with pytest.raises(OutcomeError, match="holds values of type list"):
        find([[1], [2]], "z=1")


def test_long_and_odd_values_are_shown_short_and_on_one_line():
    with pytest.raises(NoValueError) as caught:
        find(["x" * 5000, "a\nb"], "z")
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


def test_an_item_is_not_parsed():
    table = pa.table({"a": ["b=c", "x"], "a=b": ["c", "d"]})
    assert encode(table, "a=b=c", Settings()).summary.outcome.column == "a=b"
    found = encode(table, Item("a", "b=c"), Settings()).summary.outcome
    assert (found.column, found.value) == ("a", "b=c")
    with pytest.raises(UnknownColumnError):
        encode(table, Item("b", "c"), Settings())
