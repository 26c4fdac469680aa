import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import causalrules
from causalrules.errors import SettingsError, SourceError
from causalrules.read import read_table

COLUMNS = {"age": [31, 45, 57], "sex": ["f", "m", None], "ill": [True, False, True]}

FRAMES = {
    "pandas": pd.DataFrame,
    "Polars": pl.DataFrame,
    "Polars, lazy": pl.LazyFrame,
    "Arrow": pa.table,
    "Arrow batch": pa.record_batch,
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES.keys())
def test_every_kind_of_frame_gives_the_same_table(make):
    assert read_table(make(COLUMNS)).arrow.to_pydict() == COLUMNS


def test_a_pandas_frame_is_not_changed():
    frame = pd.DataFrame({"a": [1, "x", None], "b": pd.Categorical([1, 2, 1])}, index=[5, 6, 9])
    before = frame.copy(deep=True)
    read_table(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_a_polars_frame_is_not_changed():
    frame = pl.DataFrame(COLUMNS)
    before = frame.clone()
    read_table(frame)
    assert frame.equals(before)


def test_the_index_of_pandas_is_no_column():
    frame = pd.DataFrame(COLUMNS)
    assert read_table(frame[frame["age"] > 40]).arrow.column_names == ["age", "sex", "ill"]
    assert read_table(frame.set_index("age")).arrow.column_names == ["sex", "ill"]


def test_mixed_objects_become_text():
    frame = pd.DataFrame({"a": pd.Series([1, "x", None, 2.5, dt.date(2026, 1, 2)], dtype=object)})
    assert read_table(frame).arrow.to_pydict() == {"a": ["1", "x", None, "2.5", "2026-01-02"]}


@pytest.mark.parametrize(
    ("column", "texts"),
    [
        (pd.cut(pd.Series([1, 2, 3]), 2), ["(0.998, 2.0]", "(0.998, 2.0]", "(2.0, 3.0]"]),
        (pd.Series(pd.period_range("2024", "2026", freq="Y")), ["2024", "2025", "2026"]),
        (pd.Series(pd.arrays.SparseArray([1, 0, 0])), ["1", "0", "0"]),
        (pd.Series(["\ud800", "b", None], dtype=object), ["?", "b", None]),
    ],
    ids=["intervals", "periods", "sparse", "half a character"],
)
def test_what_arrow_has_no_type_for_becomes_text(column, texts):
    assert read_table(pd.DataFrame({"a": column})).arrow.to_pydict() == {"a": texts}


def test_declared_categories_stay_categories():
    frame = pd.DataFrame({"code": pd.Categorical([1, 2, 1]), "n": [1, 2, 3]})
    assert read_table(frame).declared.categorical == {"code"}
    kinds = {"c": pl.Categorical, "e": pl.Enum(["1", "2"]), "s": pl.String}
    assert read_table(
        pl.DataFrame({name: ["1", "2"] for name in kinds}, schema=kinds)
    ).declared.categorical == {
        "c",
        "e",
    }


@pytest.mark.parametrize(
    "frame",
    [7, None, pd.Series([1])],
    ids=["number", "none", "series"],
)
def test_what_is_no_frame(frame):
    with pytest.raises(SourceError, match="neither a path nor a data frame"):
        read_table(frame)


def test_repeated_names():
    with pytest.raises(SourceError, match="occur more than once: 'a'\\. Rename them"):
        read_table(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(SourceError, match="occur more than once: '1'"):
        read_table(pd.DataFrame([[1, 2]], columns=["1", 1]))
    with pytest.raises(SourceError, match="occur more than once: 'a'"):
        read_table(pa.table([[1], [2]], names=["a", "a"]))


def test_numbers_and_levels_become_texts():
    frame = pd.DataFrame(np.eye(2))
    assert read_table(frame).schema.names == ["0", "1"]
    assert frame.columns.tolist() == [0, 1]
    levels = pd.MultiIndex.from_tuples([("blood", "sodium"), ("age", "")])
    assert read_table(pd.DataFrame(np.eye(2), columns=levels)).schema.names == ["blood.sodium", "age"]


def test_a_frame_whose_columns_have_numbers_is_asked_by_them():
    chance = np.random.default_rng(4)
    exposed = chance.random(2000) < 0.5
    ill = chance.random(2000) < np.where(exposed, 0.5, 0.2)
    frame = pd.DataFrame(np.column_stack([exposed, ill]))
    result = causalrules.mine(frame, outcome=1)
    assert [rule.name for rule in result.causal] == ["0=true"]
    assert result.causal[0].mask(frame).tolist() == exposed.tolist()
    assert len(result.matched("0=true", frame)) == 2000


def test_frames_without_columns_or_records():
    with pytest.raises(SourceError, match="no columns"):
        read_table(pd.DataFrame())
    with pytest.raises(SourceError, match="2 columns but no records"):
        read_table(pl.DataFrame({"a": [], "b": []}))


def test_names_cannot_be_given_for_a_frame():
    with pytest.raises(SettingsError, match="columns must be left out for a data frame"):
        read_table(pd.DataFrame(COLUMNS), columns=["x", "y", "z"])
