"""What travels between Spark's driver and its workers: as little as can be, and the same on both sides."""

import pickle

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import causalrules
from causalrules.engines.questions import RuleQuestion
from causalrules.engines.spark import records, spark_engine
from causalrules.engines.spark.nearest import SignaturesQuestion
from causalrules.engines.unique_records import Profiles
from spark_sessions import comparable, frame_of, require_spark


@given(
    held=st.lists(st.lists(st.booleans(), min_size=11, max_size=11), max_size=5),
    kind=st.sampled_from(["rules", "signatures"]),
)
def test_a_question_arrives_as_it_was_sent(held, kind):
    controls = np.array(held, np.bool_).reshape(-1, 11)
    patterns = np.arange(2 * len(controls)).reshape(-1, 2)
    asked = (
        RuleQuestion("strata", patterns, controls)
        if kind == "rules"
        else SignaturesQuestion(patterns, controls)
    )
    arrived = pickle.loads(pickle.dumps(asked))
    assert arrived.controls.dtype == np.bool_
    assert arrived.controls.tolist() == controls.tolist()
    assert arrived.patterns.tolist() == patterns.tolist()


def test_controls_travel_in_bits_of_the_items_that_are_held():
    controls = np.zeros((1000, 10_000), np.bool_)
    controls[:, :800] = np.random.default_rng(0).random((1000, 800)) < 0.5
    question = RuleQuestion("strata", np.zeros((1000, 1), np.intp), controls)
    assert len(pickle.dumps(question)) < 1000 * 800 // 8 + 20_000
    assert len(pickle.dumps(question.without_words())) < 2_000


@pytest.mark.parametrize("most", [1, 255, 256, 70_000, 10**10])
def test_records_arrive_as_they_were_sent(most):
    first_item = np.array([0, 300, 302])
    codes = np.array([[0, 1, 299, 300], [2, 1, 0, 2]], np.uint16)
    n_with, n_without = np.array([0, 1, most, 2]), np.array([most, 0, 3, most])
    sent = Profiles.uncollapsed(first_item, codes, n_with, n_without)
    parts = np.array([1, 0, 1, 0])
    rows = list(records.rows_of(sent, np.arange(2), parts))
    arrived = records.records_in(rows, first_item)
    found = sorted(zip(*arrived.codes.tolist(), arrived.n_with, arrived.n_without, strict=True))
    assert found == sorted(zip(*codes.tolist(), n_with, n_without, strict=True))
    assert arrived.n_with.dtype == np.int64
    assert set(records.records_by_group(rows, first_item, 1)) == {0, 1}


def test_rows_and_batches_are_as_long_as_their_bytes_allow(monkeypatch):
    monkeypatch.setattr(records, "_BYTES_A_ROW", 100)
    sent = Profiles.uncollapsed(np.array([0, 1, 2]), np.ones((2, 12), np.uint16), *np.ones((2, 12), np.int64))
    rows = list(records.rows_of(sent, np.arange(2)))
    assert [row.column("n_records")[0].as_py() for row in rows] == [5, 5, 2]
    batches = pa.table({"a": np.arange(64)}).to_batches(max_chunksize=8)
    assert [len(table) for table in records.large_batches(batches, 150)] == [24, 24, 16]


def test_every_packed_table_is_read_back(monkeypatch):
    values = pa.array([f"v{i % 300}" for i in range(900)])
    table = pa.table({"few": pa.array(["a", "b", None] * 300), "many": values, "each": np.arange(900) / 7})
    (packed,) = records.PackPartition(("x", "y", "z"))(table.to_batches())
    (found,) = records.unpacked([packed])
    assert found.column("x").type.index_type == pa.int8()
    assert found.column("y").type.index_type == pa.int16()
    assert [column.to_pylist() for column in found.columns] == [one.to_pylist() for one in table.columns]


def test_records_in_one_place_are_dealt_out_to_all_cores(monkeypatch):
    require_spark()
    monkeypatch.setattr(spark_engine, "_RECORDS_A_PART", 10)
    monkeypatch.setattr(records, "_BYTES_A_ROW", 200)
    dealt_out = []
    deal_out = spark_engine.SparkEngine._deal_out
    monkeypatch.setattr(
        spark_engine.SparkEngine, "_deal_out", lambda engine: dealt_out.append(deal_out(engine))
    )
    chance = np.random.default_rng(3)
    people = pa.table(
        {name: pa.array(chance.choice(["p", "q", "r"], 400)) for name in "abcd"}
        | {"ill": pa.array(chance.random(400) < 0.4)}
    )
    asked = {"controls": "items", "max_length": 2}
    expected = comparable(causalrules.mine(people, "ill", **asked).to_dict())
    assert comparable(causalrules.mine(frame_of(people, 1), "ill", **asked).to_dict()) == expected
    assert len(dealt_out) == 1
    assert comparable(causalrules.mine(frame_of(people, 4), "ill", **asked).to_dict()) == expected
    assert len(dealt_out) == 1
