"""Which records have the outcome, as a coded table tells."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from causalrules.domain import Item, Settings
from causalrules.encode import encode
from causalrules.errors import NoValueError, OutcomeError, UnknownColumnError, UnknownValueError


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
        find(["no", "yes", "no"], "z")
    assert "say which value of it: 'z=no' (2 records) or 'z=yes' (1 records)" in str(caught.value)


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
