"""Masks, SQL and Polars expressions choose the records that the search counted as exposed."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import causalrules
from causalrules import Item
from causalrules.errors import UnknownColumnError
from causalrules.interchange import mask_of, states_of_pattern
from causalrules.interchange.rule_expressions import polars_of, sql_of

N = 600


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(5)
    age = rng.integers(20, 90, N)
    bmi = np.where(rng.random(N) < 0.1, np.nan, np.round(rng.normal(27, 5, N), 1))
    born = np.datetime64("1930-01-01") + rng.integers(0, 20_000, N)
    smoker = rng.choice(["yes", "no", " yes ", "?"], N)
    risk = 1 / (1 + np.exp(-(age - 55) / 12 - (np.char.strip(smoker) == "yes")))
    return pd.DataFrame(
        {
            "age": age,
            "bmi": bmi,
            "born": born,
            "smoker": smoker,
            "children": rng.integers(0, 4, N).astype(float),
            "flag": rng.random(N) < 0.4,
            "region": rng.choice(["north", "south", "east", "high|low"], N),
            "ill": np.where(rng.random(N) < risk, "yes", "no"),
        }
    )


EXPOSURES = [
    "smoker=yes",
    "age>=60",
    "18.5<=bmi<25",
    "born>=1960-01-01",
    "children=2",
    "flag",
    "region!=north",
    "region=north|south",
    'region="high|low"',
    "age>=60 & smoker=yes",
    "bmi>=30 & region!=east",
]


@pytest.mark.parametrize("exposure", EXPOSURES)
def test_a_mask_is_the_studys_exposed_records(people, exposure):
    rule = causalrules.test(people, "ill=yes", exposure, adjust=["age", "flag"]).rules[0]
    mask = rule.mask(people)
    assert isinstance(mask, pd.Series)
    assert mask.sum() == rule.exposed > 0
    states = states_of_pattern(rule.pattern, pa.Table.from_pandas(people), ("?",))
    assert [(states == 1).sum(), (states == 0).sum()] == [rule.exposed, rule.unexposed]


@pytest.mark.parametrize("exposure", [one for one in EXPOSURES if "smoker" not in one])
def test_sql_and_polars_choose_the_same_records(people, exposure):
    rule = causalrules.test(people, "ill=yes", exposure, adjust=["children", "age"]).rules[0]
    frame = pl.from_pandas(people)
    mask = rule.mask(frame)
    assert isinstance(mask, pl.Series)
    assert frame.filter(rule.to_polars()).equals(frame.filter(mask))
    assert frame.lazy().filter(rule.to_polars()).collect().height == rule.exposed
    found = duckdb.sql(f"select count(*) from people where {rule.to_sql()}").fetchall()
    assert found == [(rule.exposed,)]


def test_a_mask_is_of_the_frames_own_kind(people):
    pattern = (Item("region", "north"),)
    shuffled = people.sample(frac=1, random_state=1)
    mask = mask_of(pattern, shuffled)
    assert mask.index.equals(shuffled.index)
    assert (shuffled[mask]["region"] == "north").all()
    assert isinstance(mask_of(pattern, pa.Table.from_pandas(people)), pa.ChunkedArray)
    assert isinstance(mask_of(pattern, {"region": ["north", "south"]}), np.ndarray)
    assert isinstance(mask_of(pattern, pl.from_pandas(people).lazy()), pl.Series)


def test_unknown_exposure_is_none(people):
    pattern = (Item("bmi", ">30"), Item("smoker", "yes"))
    table = pa.table({"bmi": [40.0, 40.0, None, None], "smoker": ["yes", "?", "no", "yes"]})
    assert states_of_pattern(pattern, table, ("?",)).tolist() == [1, -1, 0, -1]
    assert mask_of(pattern, table).to_pylist() == [True, False, False, False]


def test_a_text_that_looks_like_an_interval_is_a_text():
    table = pa.table({"dose": ["<5", "5-10", "<5", None]})
    assert states_of_pattern((Item("dose", "<5"),), table, ()).tolist() == [1, 0, 1, -1]


def test_a_column_that_is_not_there_is_named(people):
    with pytest.raises(UnknownColumnError, match="regin"):
        mask_of((Item("regin", "north"),), people)


def test_sql_quotes_what_the_data_say():
    assert sql_of((Item('a"b', "x' OR 1=1"),)) == "\"a\"\"b\" = 'x'' OR 1=1'"
    frame = pl.DataFrame({"a": ["x", "y"]})
    assert frame.filter(polars_of((Item("a", "x"),))).height == 1
