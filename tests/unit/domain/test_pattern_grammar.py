"""What is printed parses back: to the same conditions, and to the same records."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causalrules.domain import Settings
from causalrules.domain.pattern_grammar import (
    Condition,
    Limit,
    condition_of_item,
    number_of,
    parse,
    written,
)
from causalrules.encode import encode
from causalrules.errors import PatternError, UnknownColumnError
from causalrules.paper import PaperSettings

TEXTS = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=8) | st.sampled_from(
    ["a=b", "a", "5", "a&b", "x|y", '"', "<", "a <= b", "!", "2020-01-01", " padded ", "->", "a>"]
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32).map(lambda x: f"{x:g}")
DATES = st.dates().map(str)


@st.composite
def conditions(draw, columns):
    column = draw(st.sampled_from(columns))
    kind = draw(st.sampled_from(["is", "is not", "within", "yes"]))
    if kind == "yes":
        return Condition(column, "yes")
    if kind != "within":
        values = draw(st.lists(TEXTS, min_size=1, max_size=3))
        return Condition(column, kind, tuple(values))
    low, high = sorted(
        draw(st.lists(draw(st.sampled_from([NUMBERS, DATES])), min_size=2, max_size=2)), key=number_of
    )
    inside = st.booleans()
    limits = [Limit(low, draw(inside)), Limit(high, draw(inside))]
    chosen = draw(st.sampled_from([(0, 1), (0,), (1,)]))
    return Condition(
        column, "within", low=limits[0] if 0 in chosen else None, high=limits[1] if 1 in chosen else None
    )


@st.composite
def patterns(draw):
    columns = draw(st.lists(TEXTS, min_size=1, max_size=4, unique_by=str.strip))
    return columns, tuple(draw(st.lists(conditions(columns), min_size=1, max_size=3)))


@given(patterns())
@settings(max_examples=300)
def test_what_is_printed_parses_back(case):
    columns, pattern = case
    assert parse(written(pattern), columns) == pattern


def naive(condition, value):
    """Whether a value fulfils a condition, from its definition."""
    if condition.kind == "is":
        return value in condition.values
    if condition.kind == "is not":
        return value not in condition.values
    below = condition.high is None or value < condition.high.number
    above = condition.low is None or value > condition.low.number
    on_high = condition.high is not None and condition.high.is_inside and value == condition.high.number
    on_low = condition.low is not None and condition.low.is_inside and value == condition.low.number
    return (above or on_low) and (below or on_high)


@st.composite
def exposures(draw):
    """Records of a number and a category, and a condition on one of them that some fulfil and some do not."""
    seed = draw(st.integers(0, 99))
    chance = np.random.default_rng(seed)
    if draw(st.booleans()):
        values = chance.integers(0, 20, 60) / 2
        low, high = sorted(draw(st.lists(st.integers(1, 19), min_size=2, max_size=2, unique=True)))
        limits = [Limit(f"{low / 2:g}", draw(st.booleans())), Limit(f"{high / 2:g}", draw(st.booleans()))]
        sides = draw(st.sampled_from([(0, 1), (0,), (1,)]))
        condition = Condition(
            "x", "within", low=limits[0] if 0 in sides else None, high=limits[1] if 1 in sides else None
        )
        return values.tolist(), condition
    chosen = draw(st.lists(st.sampled_from(["a", "b|c", "d & e"]), min_size=1, max_size=2, unique=True))
    values = chance.choice(["a", "b|c", "d & e", "f"], 60)
    return values.tolist(), Condition("x", draw(st.sampled_from(["is", "is not"])), tuple(chosen))


@given(exposures())
@settings(max_examples=60, deadline=None)
def test_what_is_printed_is_an_item_of_the_same_records(case):
    """Conditions as exposures, and the names of their items, mean the records of the definition."""
    values, condition = case
    expected = [naive(condition, value) for value in values]
    if len(set(expected)) == 1:
        return
    table = pa.table({"x": values, "z": ["yes", "no"] * 30})
    for text in (str(condition), str(condition_of_item("x", condition.item_value))):
        coded = encode(table, "z=yes", PaperSettings(), exposure=text)
        item = next(item for item in coded.items if item.value == parse(text, ["x"])[0].item_value)
        code = [one.value for one in coded.items if one.column == "x"].index(item.value) + 1
        assert (coded.codes[0] == code).tolist() == expected
    as_outcome = encode(pa.table({"x": values, "y": ["p", "q"] * 30}), str(condition), Settings())
    assert as_outcome.has_outcome.tolist() == expected


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("bmi>>30", 5, "a number or a date must stand here"),
        ("bmi >= thirty", 8, "a number or a date must stand here"),
        ("18.5<=bmi<", 11, "a number or a date must stand here"),
        ("bmi=", 5, "a value must stand here"),
        ("bmi=a|", 7, "a value must stand here"),
        ("bmi>=30 | 40", 9, "an & or the end must stand here"),
        ("bmi>=30 &", 10, "the name of a column must stand here"),
        ("", 1, "the name of a column must stand here"),
        ('bmi="30', 5, "the quotes that open here are never closed"),
        ("30<=bmi<20", 11, "the upper limit 20 is below the lower one, 30"),
    ],
)
def test_a_mistake_points_at_the_character(text, place, what):
    with pytest.raises(PatternError) as refused:
        parse(text, ["bmi"], "outcome")
    assert refused.value.place == place
    assert f"at character {place}" in str(refused.value)
    assert what in str(refused.value)


def test_unknown_columns_are_named():
    with pytest.raises(UnknownColumnError, match=r"'bim'.*Did you mean 'bmi'"):
        parse("bim>=30", ["bmi"])
    with pytest.raises(UnknownColumnError, match="'bim'"):
        parse("18<bim<30", ["bmi"])


def test_a_name_that_is_a_number_can_be_meant():
    assert parse("5<=bmi", ["5", "bmi"])[0] == Condition("bmi", "within", low=Limit("5", True))
    assert parse("5<7", ["5"])[0] == Condition("5", "within", high=Limit("7", False))
    assert math.isclose(parse("x<1e3", ["x"])[0].high.number, 1000)
