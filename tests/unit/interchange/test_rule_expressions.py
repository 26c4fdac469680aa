"""SQL and Polars choose the records that a mask chooses, whatever a column holds, or refuse."""

import sqlite3
from datetime import UTC, date, datetime, timedelta, timezone

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import causalrules
from causalrules import CausalRulesError, Item, Settings
from causalrules.encode import encode
from causalrules.errors import NotWritableError
from causalrules.interchange import mask_of
from causalrules.interchange.rule_expressions import polars_of, sql_of

ODD_TEXTS = (
    *("<1", "1-5", ">5", "1", "01", "1.0", "2", "true", "!=a", "a", "b", "a|b", '"a|b"', "[1, 2)"),
    *("2020-01-01", "NA", "?", "", "x' OR 1=1", "inf", "-0"),
)
MOMENTS = st.datetimes(datetime(1980, 1, 1), datetime(2030, 1, 1))
COLUMNS = {
    pa.string(): st.sampled_from(ODD_TEXTS),
    pa.int64(): st.integers(-3, 3) | st.integers(-(2**62), 2**62),
    pa.float64(): st.floats(allow_nan=False, allow_infinity=False, width=32) | st.sampled_from([0.1, 2.0]),
    pa.float32(): st.floats(allow_nan=False, allow_infinity=False, width=32),
    pa.bool_(): st.booleans(),
    pa.date32(): st.dates(date(1960, 1, 1), date(2030, 1, 1)),
    pa.timestamp("us"): MOMENTS | MOMENTS.map(lambda one: one.replace(microsecond=0)),
    pa.timestamp("us", "Europe/Berlin"): MOMENTS.map(lambda one: one.replace(tzinfo=UTC)),
    pa.duration("us"): st.timedeltas(timedelta(0), timedelta(days=9)),
    pa.time64("us"): st.times(),
}


@st.composite
def columns_with_conditions(draw):
    """Values of one column, and what is asked of it."""
    kind = draw(st.sampled_from(list(COLUMNS)))
    few = draw(st.lists(COLUMNS[kind], min_size=2, max_size=8, unique=True))
    values = draw(st.lists(st.sampled_from([*few, None]), min_size=8, max_size=30))
    asked = ""
    if kind == pa.string():
        one, other = draw(st.sampled_from(["a", "1", ">5", "NA"])), draw(st.sampled_from(["b", "2", "1.0"]))
        asked = draw(st.sampled_from(["", f'x!="{one}"', f'x="{one}"|{other}']))
    elif kind == pa.bool_():
        asked = draw(st.sampled_from(["", "x!=true"]))
    return pa.table(
        {"x": pa.array(values, kind), "y": pa.array([True, False] * len(values))[: len(values)]}
    ), (asked)


def stored(value):
    """A value as Python's own drivers store it in SQLite."""
    if isinstance(value, bool):
        return int(value)
    return (
        value.isoformat(" ")
        if isinstance(value, datetime)
        else str(value)
        if isinstance(value, date)
        else value
    )


def numbers_of(rows):
    return [number for (number,) in rows.fetchall()]


@settings(max_examples=300, deadline=None)
@given(case=columns_with_conditions())
def test_all_choose_the_same_records(case):
    table, asked = case
    try:
        coded = encode(table, "y=true", Settings(bins="quantile:3"), exposure=asked)
    except CausalRulesError:
        return  # a column without two values, or without the value asked for
    records = table.append_column("n", pa.array(range(len(table))))
    kind = table.schema.field("x").type
    small, large = sqlite3.connect(":memory:"), duckdb.connect()
    with small, large:
        names = {pa.string(): "text", pa.bool_(): "integer", pa.float64(): "real", pa.float32(): "real"}
        small.execute(f"create table records (n integer, x {names.get(kind, '')})")
        if not (pa.types.is_duration(kind) or pa.types.is_time(kind)):
            rows = [(number, stored(value)) for number, value in enumerate(table["x"].to_pylist())]
            small.executemany("insert into records values (?, ?)", rows)
        large.register("records", records)
        for item in (one for one in coded.items[: coded.n_items] if one.column == "x"):
            expected = np.flatnonzero(mask_of((item,), table)).tolist()
            try:
                chosen = pl.from_arrow(records).filter(polars_of((item,)))["n"].to_list()
                assert chosen == expected, (item, item.kind)
            except NotWritableError:
                assert pa.types.is_time(kind) or pa.types.is_duration(kind) or item.kind == "date in texts"
            try:
                where = f"select n from records where {sql_of((item,))} order by n"
            except NotWritableError:
                assert item.kind not in ("", "text", "texts", "number", "truth", "day", "moment")
                continue
            assert numbers_of(large.execute(where)) == expected, (item, item.kind, where)
            assert numbers_of(small.execute(where)) == expected, (item, item.kind, where)
    small.close()


@pytest.fixture(scope="module")
def visits():
    rng = np.random.default_rng(3)
    n = 400
    berlin = timezone(timedelta(hours=1))
    return pd.DataFrame(
        {
            "years": rng.choice(["<1", "1-5", ">5"], n),
            "wait": pd.to_timedelta(rng.integers(0, 300_000, n), unit="s"),
            "seen": pd.Timestamp("2020-01-01", tz=berlin)
            + pd.to_timedelta(rng.integers(0, 300, n), unit="D"),
            "age": rng.integers(20, 90, n).astype(str),
            "ill": rng.random(n) < 0.4,
        }
    )


def test_a_text_like_a_cut_is_named_in_quotes_and_found_again(visits, tmp_path):
    result = causalrules.test(visits, "ill", "years=>5", adjust="age")
    (rule,) = result.rules
    assert rule.name == 'years=">5"'
    assert result.find(rule.name) == rule == causalrules.test(visits, "ill", rule.name, adjust="age").rules[0]
    result.save(tmp_path / "result.json")
    again = causalrules.Result.load(tmp_path / "result.json").rules[0]
    assert again.name == rule.name
    assert again.to_sql() == rule.to_sql() == "\"years\" = '>5'"


@pytest.mark.parametrize(
    ("exposure", "holds"),
    [("wait>150000", "durations"), ("seen>2020-06-01", "a time zone"), ("age>50", "numbers as texts")],
)
def test_what_databases_store_in_different_ways_is_refused_in_sql(visits, exposure, holds):
    (rule,) = causalrules.test(visits, "ill", exposure, adjust="years").rules
    with pytest.raises(NotWritableError, match=holds):
        rule.to_sql()
    frame = pl.from_pandas(visits)
    assert frame.filter(rule.to_polars()).height == rule.exposed == rule.mask(visits).sum() > 0


def test_numbers_of_a_text_file_are_written_as_numbers(visits, tmp_path):
    visits[["years", "age", "ill"]].to_csv(tmp_path / "visits.csv", index=False)
    (rule,) = causalrules.test(tmp_path / "visits.csv", "ill", "age>50 & years=>5").rules
    assert rule.to_sql() == '"years" = \'>5\' AND "age" > 50'


def test_nan_is_missing_in_polars():
    frame = pl.DataFrame({"x": [1.0, 7.0, float("nan"), None]})
    for item in (Item("x", ">5"), Item("x", "!=1", "number")):
        assert frame.filter(polars_of((item,)))["x"].to_list() == [7.0]


def written(rule, write):
    """What is written of a rule, or why it is refused."""
    try:
        return str(write(rule))
    except NotWritableError as error:
        return str(error)


def test_a_rule_from_a_file_is_written_as_before(tmp_path):
    chance = np.random.default_rng(2)
    n = 600
    high = chance.random(n) < 0.5
    days = np.where(high, 40, 3) + chance.integers(0, 3, n)
    columns = {
        "truth": pa.array(high),
        "number": pa.array(high.astype(int)),
        "short": pa.array(np.where(high, 0.1, 2.5).astype(np.float32)),
        "code": pa.array(np.where(high, "1", "1.0")),
        "day": pa.array([date(2020, 1, 1) + timedelta(days=int(one)) for one in days]),
        "wait": pa.array([timedelta(days=int(one)) for one in days]),
        "years": pa.array(np.where(high, ">5", "<1")),
        "y": pa.array((chance.random(n) < 0.3 + 0.3 * high).astype(str)),
    }
    result = causalrules.mine(pa.table(columns), "y=True", max_length=1, adjust=["number"], controls="auto")
    result.save(tmp_path / "result.json")
    loaded = causalrules.Result.load(tmp_path / "result.json")
    assert {item.column for rule in result.rules for item in rule.pattern} == set(columns) - {"y"}
    for rule, again in zip(result.rules, loaded.rules, strict=True):
        assert [item.kind for item in again.pattern] == [item.kind for item in rule.pattern]
        for write in (type(rule).to_sql, type(rule).to_polars):
            assert written(again, write) == written(rule, write)
    assert loaded.find("truth=true").to_sql() == '"truth" = TRUE'
    assert "durations" in written(
        next(r for r in loaded.rules if r.name.startswith("wait")), type(rule).to_sql
    )
