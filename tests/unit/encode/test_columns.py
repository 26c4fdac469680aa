import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.domain.question_settings import DEFAULT_MISSING
from causalrules.encode.column_codings import Categories
from causalrules.encode.columns import distinct_of, plain
from causalrules.encode.tally import Tally
from causalrules.encode.values import as_numbers


def column(values, kind=None):
    array = values if isinstance(values, pa.Array) else pa.array(values, kind)
    return plain(pa.chunked_array([array]))


def categories_of(column, missing, keep=None):
    """Names, and the code of each record; records not kept have no known outcome."""
    distinct = distinct_of(column, missing)
    states = (
        np.zeros(len(distinct.indices), np.int8) if keep is None else np.where(keep, 0, -1).astype(np.int8)
    )
    categories = Categories.of(Tally.of(distinct, states), missing)
    return categories.names, distinct.codes(categories)


def texts(values, kind=None, missing=DEFAULT_MISSING):
    """The category of each record, None where missing."""
    names, codes = categories_of(column(values, kind), missing)
    return [names[code - 1] if code else None for code in codes]


def numbers(values, kind=None, missing=DEFAULT_MISSING):
    distinct = distinct_of(column(values, kind), missing)
    found = as_numbers(distinct.values)
    if found is None:
        return None
    of_records = np.append(found.values, np.nan)[distinct.indices]
    return [None if value != value else value for value in of_records.tolist()]


DAY = 86_400
CASES = {  # values, type, categories, numbers
    "text": (["b", " a ", "b"], None, ["b", "a", "b"], None),
    "large text": (["1", "x"], pa.large_string(), ["1", "x"], None),
    "text view": (["1", "2"], pa.string_view(), ["1", "2"], [1, 2]),
    "text of numbers": ([" 1", "2.50", "-1e3", "?"], None, ["1", "2.50", "-1e3", None], [1, 2.5, -1e3, None]),
    "all null": ([None, None], pa.string(), [None, None], None),
    "no type": ([None, None], pa.null(), [None, None], None),
    "all missing": (["?", ""], None, [None, None], None),
    "booleans": ([True, None, False], None, ["true", None, "false"], None),
    "integers": ([3, None, -7], None, ["3", None, "-7"], [3, None, -7]),
    "large": ([2**62, 2**62 + 1], None, ["4611686018427387904", "4611686018427387905"], [2.0**62] * 2),
    "unsigned": ([2**64 - 1, 0], pa.uint64(), ["18446744073709551615", "0"], [2.0**64, 0]),
    "floats": ([1.0, 2.5, None, float("nan")], None, ["1", "2.5", None, None], [1, 2.5, None, None]),
    "single floats": ([0.1, 2.0], pa.float32(), ["0.1", "2"], [float(np.float32(0.1)), 2]),
    "half floats": (pa.array(np.array([0.5, 2], np.float16)), None, ["0.5", "2"], [0.5, 2]),
    "infinities": ([float("inf"), float("-inf")], None, ["inf", "-inf"], [float("inf"), float("-inf")]),
    "zeros": ([0.0, -0.0], None, ["0", "0"], [0, 0]),
    "huge floats": ([1e300, 1e15], None, ["1e+300", "1000000000000000"], [1e300, 1e15]),
    "decimals": ([Decimal("1.00"), Decimal("2.50")], None, ["1", "2.50"], [1, 2.5]),
    "days": ([dt.date(1970, 1, 2), None], None, ["1970-01-02", None], [DAY, None]),
    "midnights": ([DAY * 10**9, 0], pa.timestamp("ns"), ["1970-01-02", "1970-01-01"], [DAY, 0]),
    "moments": ([DAY, 61], pa.timestamp("s"), ["1970-01-02 00:00:00", "1970-01-01 00:01:01"], [DAY, 61]),
    "fractions": ([1_500], pa.timestamp("ms"), ["1970-01-01 00:00:01.500"], [1]),
    "with a zone": ([DAY], pa.timestamp("s", "+01:00"), ["1970-01-02 01:00:00"], [DAY + 3600]),
    "text of days": (["1970-01-02", "NA"], None, ["1970-01-02", None], [DAY, None]),
    "text of moments": (["1970-01-01 00:01:00.5"], None, ["1970-01-01 00:01:00.5"], [60]),
    "text with zones": (["1970-01-02T00:00:00Z"], None, ["1970-01-02T00:00:00Z"], [DAY]),
    "times": ([dt.time(1, 2)], pa.time32("s"), ["01:02:00"], None),
    "durations": ([dt.timedelta(seconds=90)], None, ["90000000"], [90]),
    "dictionary": (pa.array(["a", None, "a"]).dictionary_encode(), None, ["a", None, "a"], None),
    "dictionary of numbers": (pa.array([2, 1, 2]).dictionary_encode(), None, ["2", "1", "2"], [2, 1, 2]),
    "dictionary of days": (pa.array([dt.date(1970, 1, 2)]).dictionary_encode(), None, ["1970-01-02"], [DAY]),
    "run ends": (pa.RunEndEncodedArray.from_arrays([2, 3], ["a", "b"]), None, ["a", "a", "b"], None),
    "extension": (pa.array([1, 0], pa.int8()).cast(pa.bool8()), None, ["1", "0"], [1, 0]),
}  # fmt: skip


@pytest.mark.parametrize(("values", "kind", "expected", "_"), CASES.values(), ids=CASES.keys())
def test_categories(values, kind, expected, _):
    assert texts(values, kind) == expected


@pytest.mark.parametrize(("values", "kind", "_", "expected"), CASES.values(), ids=CASES.keys())
def test_numbers(values, kind, _, expected):
    assert numbers(values, kind) == expected


@pytest.mark.parametrize(
    "array",
    [
        pa.array([[1], [2]]),
        pa.array([{"a": 1}]),
        pa.array([b"x"]),
        pa.array([b"x"], pa.large_binary()),
        pa.array([b"x"], pa.binary(1)),
        pa.array([b"x"], pa.binary_view()),
        pa.array([(1, 2, 3)], pa.month_day_nano_interval()),
        pa.array([b"x"]).dictionary_encode(),
    ],
    ids=lambda array: str(array.type),
)
def test_other_types_are_not_plain(array):
    assert column(array) is None


def test_are_dates():
    assert as_numbers(pa.array(["2026-01-01", "2026-01-02"])).are_dates
    assert not as_numbers(pa.array(["20260101", "20260102"])).are_dates


@pytest.mark.parametrize("word", ["0x10", "1,5", "1_000", "ten", "12 kg", "2026-13-01"])
def test_what_is_neither_number_nor_date(word):
    assert numbers(["1", word]) is None


@pytest.mark.parametrize("token", ["", "  ", "?", " ? ", "NA", "NaN", "null", "\tNA\u00a0"])
def test_missing_tokens(token):
    assert texts(["x", token]) == ["x", None]
    assert numbers(["5", token]) == [5, None]
    assert texts(pa.array(["x", token, "x"]).dictionary_encode()) == ["x", None, "x"]


def test_own_missing_tokens_replace_the_usual_ones():
    assert texts(["-9", "?", "x"], missing=("-9",)) == [None, "?", "x"]
    assert texts(["-9", "", None], missing=()) == ["-9", None, None]


def test_texts_that_differ_in_blanks_are_one_category():
    distinct = distinct_of(column(["a", " a", "b", "a "]), ())
    assert distinct.values.to_pylist() == ["a", "b"]
    assert distinct.indices.tolist() == [0, 0, 1, 0]


def test_numbers_come_first_and_by_size():
    names, _ = categories_of(column(["b", "10", "9", "-1", "a", "2.5"]), ())
    assert names == ["-1", "2.5", "9", "10", "a", "b"]


def test_values_that_do_not_occur_are_no_items():
    frame = pd.Series(["a", "b", "c"], dtype="category")
    names, codes = categories_of(column(pa.array(frame[frame != "b"])), ())
    assert names == ["a", "c"]
    assert codes.tolist() == [1, 2]


def test_only_some_records():
    keep = np.array([False, True, True, True])
    names, codes = categories_of(column(["c", "b", "a", None]), (), keep)
    assert names == ["a", "b"]
    assert codes.tolist() == [0, 2, 1, 0]


def test_chunks_with_dictionaries_of_their_own():
    chunks = [pa.array(["x", "y"]).dictionary_encode(), pa.array(["y", None, "z"]).dictionary_encode()]
    names, codes = categories_of(plain(pa.chunked_array(chunks)), ())
    assert names == ["x", "y", "z"]
    assert codes.tolist() == [1, 2, 2, 0, 3]


def test_no_records():
    assert categories_of(plain(pa.chunked_array([], pa.string())), ())[0] == []


def test_integers_with_nulls_from_pandas():
    """Pandas turns them into floats."""
    assert texts(pa.array(pd.Series([1, None, 2]))) == ["1", None, "2"]


@given(st.lists(st.none() | st.text(max_size=4), max_size=30), st.randoms(use_true_random=False))
def test_a_shuffle_gives_the_same_values_and_shuffled_codes(values, chance):
    order = list(range(len(values)))
    chance.shuffle(order)
    names, codes = categories_of(column(values, pa.string()), DEFAULT_MISSING)
    shuffled = [values[place] for place in order]
    names_after, codes_after = categories_of(column(shuffled, pa.string()), DEFAULT_MISSING)
    assert names_after == names
    assert codes_after.tolist() == codes[order].tolist()


@given(st.lists(st.none() | st.floats() | st.integers(-(2**53), 2**53).map(float), max_size=30))
def test_floats_read_back_from_their_texts(values):
    for text, value in zip(texts(values, pa.float64()), values, strict=True):
        is_missing = value is None or value != value
        assert text is None if is_missing else float(text) == value
