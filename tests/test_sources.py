"""The result is the same however the table comes, and however the outcome is given."""

from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import causalrules
from causalrules.errors import (
    CausalRulesError,
    NoValueError,
    OutcomeError,
    SettingsError,
    SourceError,
    SourceMissingError,
)

N = 900


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(11)
    age = rng.normal(50, 12, N).round(1)
    smoker = rng.choice(["yes", "no"], N)
    region = rng.choice(["north", "south", "east"], N)
    odds = np.exp((age - 50) / 10 + (smoker == "yes") - 0.5)
    ill = np.where(rng.random(N) < odds / (1 + odds), "yes", "no")
    return pa.table({"age": age, "smoker": smoker, "region": region, "ill": ill})


@pytest.fixture(scope="module")
def expected(table):
    return causalrules.mine(table, "ill=yes")


class Capsule:
    """Nothing but Arrow's protocol."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def as_csv(table, folder):
    csv.write_csv(table, folder / "people.csv")
    return folder / "people.csv"


def as_parquet(table, folder):
    parquet.write_table(table, folder / "people.parquet")
    return folder / "people.parquet"


def as_parts(table, folder):
    parts = [folder / f"part-{number}.parquet" for number in range(3)]
    for number, part in enumerate(parts):
        parquet.write_table(table.slice(300 * number, 300), part)
    return parts


def as_csv_parts(table, folder):
    for number in range(3):
        csv.write_csv(table.slice(300 * number, 300), folder / f"part-{number}.csv")
    return str(folder / "part-*.csv")


def as_lazy_file(table, folder):
    return pl.scan_parquet(as_parquet(table, folder)).filter(pl.col("age") > 0)


def as_relation(table, folder):
    return duckdb.connect().from_arrow(table)


def as_partitions(table, folder):
    dask = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    return dask.from_pandas(table.to_pandas(), npartitions=12)


def as_ibis(table, folder):
    return pytest.importorskip("ibis", reason="ibis is not installed").memtable(table.to_pandas())


WAYS = {
    "CSV": as_csv,
    "Parquet": as_parquet,
    "list of paths": as_parts,
    "pattern of names": as_csv_parts,
    "pandas": lambda table, folder: table.to_pandas(),
    "Polars": lambda table, folder: pl.from_arrow(table),
    "Polars, lazy": lambda table, folder: pl.from_arrow(table).lazy(),
    "Polars, lazy file": as_lazy_file,
    "DuckDB": as_relation,
    "stream": lambda table, folder: table.to_reader(),
    "Arrow's protocol": lambda table, folder: Capsule(table),
    "dict of lists": lambda table, folder: table.to_pydict(),
    "dict of arrays": lambda table, folder: {name: table[name].to_numpy() for name in table.column_names},
    "array": lambda table, folder: (table.to_pandas().to_numpy(), table.column_names),
    "structured array": lambda table, folder: table.to_pandas().to_records(index=False),
}


@pytest.mark.parametrize("engine", ["auto", "streaming"])
@pytest.mark.parametrize("way", WAYS)
def test_the_result_is_the_same_however_the_table_comes(way, engine, table, expected, tmp_path):
    made = WAYS[way](table, tmp_path)
    source, columns = made if isinstance(made, tuple) else (made, None)
    result = causalrules.mine(source, "ill=yes", engine=engine, columns=columns)
    assert result.tested == expected.tested
    assert replace(result.data, source="") == replace(expected.data, source="")


@pytest.mark.filterwarnings("ignore")  # of theirs, about pandas
@pytest.mark.parametrize("make", [as_partitions, as_ibis])
def test_lazy_frames_of_other_libraries(make, table, expected, tmp_path):
    result = causalrules.mine(make(table, tmp_path), "ill=yes")
    assert result.tested == expected.tested
    assert replace(result.data, source="") == replace(expected.data, source="")


def test_an_array_needs_names(table, expected):
    array = table.to_pandas().to_numpy()
    assert causalrules.mine(array, "ill=yes", columns=table.column_names).tested == expected.tested
    with pytest.raises(SourceError, match=r"no names. Name them: columns="):
        causalrules.mine(array, "ill=yes")
    with pytest.raises(SettingsError, match="one name for each of the array's 4 columns"):
        causalrules.mine(array, "ill=yes", columns=["a", "b"])


OUTCOMES = {
    "pandas mask": lambda frame: frame["ill"] == "yes",
    "pandas series": lambda frame: frame["ill"],
    "Polars series": lambda frame: pl.from_pandas(frame)["ill"],
    "array": lambda frame: (frame["ill"] == "yes").to_numpy(),
    "list": lambda frame: (frame["ill"] == "yes").tolist(),
    "numbers": lambda frame: (frame["ill"] == "yes").astype(int).rename("sick"),
    "Arrow": lambda frame: pa.array(frame["ill"] == "yes"),
}


@pytest.mark.parametrize("how", OUTCOMES)
def test_the_outcome_may_be_values(how, table, expected):
    frame = table.to_pandas()
    rest = frame if how in ("pandas mask", "pandas series") else frame.drop(columns="ill")
    result = causalrules.mine(rest, OUTCOMES[how](frame))
    assert result.tested == expected.tested
    assert result.data.outcome.n_with == expected.data.outcome.n_with


def test_a_mask_takes_the_place_of_its_column(table):
    frame = table.to_pandas()
    frame.loc[:99, "age"] = np.nan
    by_text = causalrules.mine(frame, "age>=60")
    by_mask = causalrules.mine(frame, frame["age"] >= 60)
    assert by_mask.tested == by_text.tested
    assert by_mask.data.rows_without_outcome == by_text.data.rows_without_outcome == 100
    asked = causalrules.mine(frame, frame["age"].isna())
    assert asked.data.outcome.n_with == 100


def test_y_is_another_name_for_values(table, expected):
    frame = table.to_pandas()
    rest = frame.drop(columns="ill")
    assert causalrules.mine(frame, y=frame["ill"] == "yes").tested == expected.tested
    assert causalrules.mine(rest, y=frame["ill"].tolist()).tested == expected.tested  # texts are values here
    by_text = causalrules.test(frame, "ill=yes", "smoker=yes")
    assert causalrules.test(frame, y=frame["ill"], exposure="smoker=yes").tested == by_text.tested
    with pytest.raises(SettingsError, match="outcome and y are two names of one thing"):
        causalrules.mine(frame, "ill=yes", y=frame["ill"])
    with pytest.raises(SettingsError, match="y must be one value a record"):
        causalrules.mine(frame, y="ill=yes")


def test_values_in_another_order_are_refused(table, expected):
    frame = table.to_pandas()
    turned = frame.iloc[::-1]
    with pytest.raises(OutcomeError, match=r"with outcome\.loc\[table\.index\]"):
        causalrules.mine(turned, frame["ill"] == "yes")
    for mask in ((frame["ill"] == "yes").loc[turned.index], (turned["ill"] == "yes").to_numpy()):
        assert causalrules.mine(turned.drop(columns="ill"), mask).tested == expected.tested


def test_what_was_asked_by_values_is_asked_again_with_them(table, tmp_path):
    frame = table.to_pandas()
    mask = frame["age"] >= 60
    result = causalrules.test(frame, mask, "smoker=yes")
    by_text = causalrules.test(frame, "age>=60", "smoker=yes")
    rule = result.rules[0]
    assert result.matched(rule, frame, y=mask).equals(by_text.matched(0, frame))
    assert result.table1(rule, frame, y=mask).to_frame().equals(by_text.table1(0, frame).to_frame())
    handed = result.to_dowhy().data(frame, y=mask)
    assert handed.to_numpy().tolist() == by_text.to_dowhy().data(frame).to_numpy().tolist()
    assert causalrules.test(frame, mask, settings=result).tested == result.tested
    for again in (
        lambda: result.matched(rule, frame),
        lambda: result.table1(rule, frame),
        lambda: result.to_dowhy().data(frame),
        lambda: causalrules.test(frame, settings=result),
    ):
        with pytest.raises(CausalRulesError, match="given as values"):
            again()


def test_a_number_as_outcome_is_offered_a_threshold(table):
    with pytest.raises(NoValueError, match="say a threshold, such as 'age>=50"):
        causalrules.mine(table, "age")
    with pytest.raises(NoValueError, match="For its mean instead of a threshold, say outcome_as='mean'"):
        causalrules.mine(table, "age")


def test_what_is_no_table_or_outcome_is_refused(table):
    frame = table.to_pandas()
    with pytest.raises(OutcomeError, match="10 values and the table 900 records"):
        causalrules.mine(frame, np.ones(10, bool))
    with pytest.raises(OutcomeError, match="a DataFrame of several columns"):
        causalrules.mine(frame, frame[["ill"]])
    with pytest.raises(SourceError, match="something else than paths"):
        causalrules.mine([1, 2], "a=1")
    with pytest.raises(SourceError, match="'a' has 2 values and 'b' 1"):
        causalrules.mine({"a": [1, 2], "b": [1]}, "a=1")
    with pytest.raises(SourceMissingError, match="No file fits this pattern"):
        causalrules.mine("no/such-*.csv", "a=1")
    with pytest.raises(SettingsError, match="outcome must be a text such as"):
        causalrules.mine(frame)
    with pytest.raises(SettingsError, match=r"exposure must be a text such as .* 'Series'"):
        causalrules.test(frame, "ill=yes", frame["age"] > 60)


def test_files_with_other_columns_are_refused(table, tmp_path):
    first = as_csv(table, tmp_path)
    csv.write_csv(table.drop_columns(["age"]), tmp_path / "other.csv")
    with pytest.raises(SourceError, match=r"column 'age' is in .*people\.csv but not in .*other\.csv"):
        causalrules.mine([first, tmp_path / "other.csv"], "ill=yes")


def test_a_dict_of_pandas_series_keeps_missing_values():
    columns = {"a": pd.Series([1.0, None, 3.0]), "b": ["x", None, "y"]}
    from causalrules.read import read_table

    assert read_table(columns).arrow.to_pydict() == {"a": [1.0, None, 3.0], "b": ["x", None, "y"]}
