"""A table surveyed and coded in parts gives what it gives as a whole."""

import datetime as dt
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causalrules.domain import Declared, Settings
from causalrules.encode import encode, values
from causalrules.encode.column_roles import Roles
from causalrules.encode.columns import Batches
from causalrules.encode.survey import survey
from causalrules.encode.tally import GrowingTally, Tally
from causalrules.errors import SettingsError, TooManyNumbersError, UnknownValueError

VALUES = {
    "text": st.none() | st.sampled_from(["a", " a", "b", "?", "", "10", "9"]),
    "numbers as text": st.none() | st.sampled_from(["1", "1.0", "2.5", "NA", " 7", "1e3", "-4"]),
    "number": st.none() | st.sampled_from([0.0, -0.0, 1.5, float("nan"), 3.0, 8.25, 1e300]),
    "whole": st.none() | st.integers(-3, 3),
    "flag": st.none() | st.booleans(),
    "day": st.none() | st.sampled_from([dt.date(2026, 1, 1), dt.date(2026, 2, 3), dt.date(1969, 5, 5)]),
    "moment": st.none()
    | st.sampled_from([dt.datetime(2026, 1, 1), dt.datetime(2026, 2, 3, 4, 5), dt.datetime(2020, 1, 2)]),
    "z": st.none() | st.sampled_from(["yes", "no", "no ", "?"]),
}
TYPES = {
    "text": pa.string(),
    "numbers as text": pa.string(),
    "number": pa.float64(),
    "whole": pa.int32(),
    "flag": pa.bool_(),
    "day": pa.date32(),
    "moment": pa.timestamp("us"),
    "z": pa.string(),
}


@st.composite
def tables(draw):
    n = draw(st.integers(2, 40))
    columns = {
        name: pa.array(draw(st.lists(values, min_size=n, max_size=n)), TYPES[name])
        for name, values in VALUES.items()
    }
    columns["sound"] = pa.array([*"ab" * n][:n])
    columns["z"] = pa.concat_arrays([pa.array(["yes", "no"]), columns["z"].slice(2)])
    return pa.table(columns)


def in_parts(table, cuts, outcome, chosen, declared=None):
    """Survey and code a table cut at these places."""
    places = [0, *sorted(min(cut, table.num_rows) for cut in cuts), table.num_rows]
    parts = [table.slice(a, b - a) for a, b in pairwise(places)]
    batches = Batches(lambda: parts, chosen.missing)
    vocabulary, coder = survey(batches, table.schema, outcome, Roles(chosen, declared or Declared()))
    coded = [coder.code(batch) for batch in batches]
    return vocabulary, np.concatenate([c for c, _ in coded], axis=1), np.concatenate([h for _, h in coded])


def assert_same(whole, vocabulary, codes, has_outcome):
    assert vocabulary.items == whole.items
    assert vocabulary.summary == whole.summary
    assert vocabulary.first_item.tolist() == whole.first_item.tolist()
    assert codes.tolist() == whole.codes.tolist()
    assert has_outcome.tolist() == whole.has_outcome.tolist()


@settings(max_examples=60)
@given(
    tables(),
    st.lists(st.integers(0, 40), max_size=5),
    st.sampled_from(["mdl", "quantile:3", "none"]),
    st.sampled_from([(), ("number", "whole", "moment"), ("numbers as text", "day")]),
)
def test_parts_are_coded_like_the_whole(table, cuts, bins, categorical):
    chosen = Settings(bins=bins, categorical=categorical)
    assert_same(encode(table, "z=yes", chosen), *in_parts(table, cuts, "z=yes", chosen))


@pytest.mark.parametrize(
    ("values", "asked"),
    [
        (pa.array([1.0, 0.0, 1.0, 0.0, None, 1.0]), "z=1.0"),
        (pa.array([True, False] * 3), "z=True"),
        (pa.array(["01", "0", "01", "0", "0", "01"]), "z=1"),
        (
            pa.array([dt.datetime(2026, 1, 1), dt.datetime(2026, 1, 1), *[dt.datetime(2026, 1, 2, 3)] * 4]),
            "z=2026-01-01 00:00:00",
        ),
    ],
    ids=["number", "truth value", "leading zero", "moment"],
)
def test_an_outcome_written_in_another_way(values, asked):
    """The first two records alone would write the moment as a day."""
    table = pa.table({"x": ["a", "b", "a", "b", "b", "a"], "z": values})
    chosen = Settings()
    assert_same(encode(table, asked, chosen), *in_parts(table, [2], asked, chosen))


def test_mistakes_are_the_same():
    table = pa.table({"x": ["a", "b"], "z": ["yes", "no"]})
    with pytest.raises(UnknownValueError):
        in_parts(table, [1], "z=maybe", Settings())
    with pytest.raises(SettingsError):
        in_parts(table, [1], "z=yes", Settings(numeric=("x",)))


def many(values, kind):
    n = len(values)
    return pa.table(
        {
            "many": pa.array(values, kind),
            "x": ["a", "b"] * (n // 2),
            "z": ["yes", "no", "no", "no"] * (n // 4),
        }
    )


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([f"id {k}" for k in range(80_000)], pa.string()),
        ([f"{k * 0.5}" for k in range(80_000)], pa.string()),
        ([f"{k}" for k in range(79_999)] + ["ten"], pa.string()),
        ([k * 0.5 for k in range(80_000)], pa.float64()),
    ],
    ids=["texts", "numbers as texts", "numbers, and at the end a text", "numbers"],
)
def test_columns_with_more_values_than_codes(values, kind):
    table = many(values, kind)
    chosen = Settings(bins="quantile:4")
    assert_same(encode(table, "z=yes", chosen), *in_parts(table, [20_000, 70_000], "z=yes", chosen))


def test_more_numbers_than_memory_allows_are_refused():
    table = many([k * 0.5 for k in range(80_000)], pa.float64())
    with pytest.raises(TooManyNumbersError, match=r"column 'many' has at least 80,000 .* drop="):
        survey(
            Batches(lambda: [table], ()),
            table.schema,
            "z=yes",
            Roles(Settings(), Declared()),
            most_numbers=70_000,
        )


@pytest.mark.parametrize(("cuts", "n_reads"), [([], 1), ([2, 5], 2)], ids=["one batch", "three batches"])
def test_only_a_table_in_several_batches_is_read_again_for_its_codes(cuts, n_reads):
    table = pa.table({"x": ["a", "b", "b"] * 3, "z": [True, False, None] * 3})
    reads = []

    def read():
        reads.append(1)
        return [table.slice(a, b - a) for a, b in pairwise([0, *cuts, table.num_rows])]

    batches = Batches(read, ())
    _, coder = survey(batches, table.schema, "z=true", Roles(Settings(), Declared()))
    codes = np.concatenate([coder.code(batch)[0] for batch in batches], axis=1)
    assert codes.tolist() == encode(table, "z=true", Settings()).codes.tolist()
    assert len(reads) == n_reads


def test_tallies_add_up_in_any_grouping():
    chance = np.random.default_rng(5)
    growing = GrowingTally("x", may_be_numbers=True)
    values = chance.integers(0, 5000, 300_000)
    for part in np.array_split(values, 50):
        distinct, counts = np.unique(part, return_counts=True)
        growing.add(Tally(pa.array(distinct), counts, 2 * counts, len(part)))
    total = growing.total()
    found = dict(zip(total.values.to_pylist(), total.n_with.tolist(), strict=True))
    assert found == dict(enumerate(np.bincount(values).tolist()))
    assert total.n_without.sum() == 2 * len(values)
    assert total.n_records == len(values)


def test_texts_are_read_as_numbers_once_however_much_is_asked_of_them(monkeypatch):
    read, lengths = values._parsed, []

    def counted(texts, kinds):
        if len(kinds) > 1:  # afterwards, for the codes, it is known what they are
            lengths.append(len(texts))
        return read(texts, kinds)

    monkeypatch.setattr(values, "_parsed", counted)
    days = [f"{number + 0.5}" for number in range(200)]
    table = pa.table({"days": days, "ill": ["yes" if number % 3 else "no" for number in range(200)]})
    survey(Batches(lambda: [table], ()), table.schema, "ill=yes", Roles(Settings(), Declared()))
    assert lengths == [len(days), 2]


@pytest.mark.parametrize("turned", [False, True])
def test_a_second_pass_may_have_the_parts_in_another_order(turned):
    """As on Spark, whose tasks end in any order; an outcome without a value takes two passes."""
    parts = [pa.table({"x": ["a", "b"], "ill": [value, value]}) for value in (True, False, False)]
    passes = [parts, parts[::-1] if turned else parts]
    batches = Batches(lambda: passes.pop(0), ("?",))
    vocabulary, _ = survey(batches, parts[0].schema, "ill", Roles(Settings(), Declared()))
    assert (vocabulary.summary.outcome.n_with, vocabulary.summary.outcome.n_without) == (2, 4)
    assert not passes
