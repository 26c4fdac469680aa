"""The same command on every engine: the same result file but for times."""

import json
import logging
import os
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyarrow import parquet

import causalrules
import datasets
from causalrules.engines import MemoryEngine, choose, disk, load
from causalrules.engines.memory import RecordsEngine
from causalrules.errors import (
    EngineError,
    OutcomeError,
    SettingsError,
    TooManyNumbersError,
    UnknownColumnError,
)
from causalrules.files import scratch_folder
from causalrules.read import source
from in_blocks import streamed
from strategies import coded

N = 1200


@pytest.fixture(scope="module")
def people():
    """Texts, numbers, dates, missing values and an unknown outcome, with an effect of smoking."""
    chance = np.random.default_rng(11)
    smokes, old = chance.random(N) < 0.4, chance.random(N) < 0.5
    age = np.where(old, 60, 35) + chance.integers(-9, 10, N)
    ill = chance.random(N) < 0.1 + 0.3 * smokes + 0.2 * old
    frame = pd.DataFrame(
        {
            "smokes": np.where(smokes, "yes", "no"),
            "age": age,
            "dose": chance.normal(size=N).round(2).astype(str),
            "town": chance.choice(["here", "there", "?"], N),
            "seen": pd.Timestamp("2026-01-01") + pd.to_timedelta(chance.integers(0, 90, N), unit="D"),
            "coffee": np.where(chance.random(N) < 0.2 + 0.5 * smokes, "yes", None),
            "health": np.where(ill, "ill", "well"),
        }
    )
    frame.loc[::50, "health"] = None
    return frame


@pytest.fixture
def tiny_blocks(monkeypatch):
    """As if memory held only a few distinct records."""
    monkeypatch.setattr(load, "records_within", lambda *_: 20)
    monkeypatch.setattr(source, "ROWS_A_BATCH", 100)


def content(result):
    """All that a result file says but for times, and the settings that must not matter."""
    entry = result.to_dict()
    del entry["created"], entry["timings"], entry["settings"]["engine"], entry["settings"]["memory"]
    return entry


CASES = {
    "as it is": {},
    "numbers and missing values as they are": {"missing_controls": "value", "matching": "propensity"},
    "complete records only": {"missing_controls": "drop", "adjust": ("+town", "coffee")},
    "some held out": {"holdout": 0.4, "seed": 3},
    "items": {"controls": "items"},
    "explained": {"controls": "items", "explain": True},
    "whole columns": {"controls": "columns"},
    "random pairs": {"controls": "items", "pairs": "random", "correction": "none"},
    "held out": {"controls": "items", "holdout": 0.4, "seed": 3},
    "resampled": {"controls": "items", "bootstrap": 20, "test": "mantel-haenszel"},
    "quantiles": {"controls": "items", "bins": "quantile:3", "min_support": 0.01},
    "quantiles of whole columns": {"bins": "quantile:3", "min_support": 0.01},
}


@pytest.mark.parametrize("case", CASES)
def test_blocks_on_disk_give_the_same_result(people, tiny_blocks, tmp_path, case):
    path = tmp_path / "people.parquet"
    people.to_parquet(path)
    settings = {"max_length": 2, **CASES[case]}
    expected = causalrules.mine(path, "health=ill", engine="memory", **settings)
    assert expected.tested
    found = causalrules.mine(path, "health=ill", engine="streaming", **settings)
    assert content(found) == content(expected)


@pytest.mark.parametrize("controls", ["items", "auto"])
def test_one_hypothesis_on_blocks(people, tiny_blocks, controls):
    question = (people, "health=ill", "smokes=yes & coffee=yes")
    expected = causalrules.test(*question, engine="memory", controls=controls)
    found = causalrules.test(*question, engine="streaming", controls=controls)
    assert content(found) == content(expected)


@pytest.mark.parametrize("matching", ["jaccard", "propensity", "almost-exact"])
def test_distances_in_blocks(people, matching, monkeypatch):
    monkeypatch.setattr(source, "ROWS_A_BATCH", 100)
    monkeypatch.setattr(load, "records_within", lambda *_: 60)
    settings = {"controls": "items", "max_length": 1, "matching": matching}
    expected = causalrules.mine(people, "health=ill", engine="memory", **settings)
    found = causalrules.mine(people, "health=ill", engine="streaming", **settings)
    assert content(found) == content(expected)


def test_distances_are_refused_where_the_kinds_of_records_do_not_fit(people, monkeypatch):
    monkeypatch.setattr(source, "ROWS_A_BATCH", 100)
    monkeypatch.setattr(load, "records_within", lambda *_: 2)
    with pytest.raises(EngineError, match="matching by distance needs all kinds of records in memory"):
        causalrules.mine(people, "health=ill", engine="streaming", controls="items", matching="jaccard")


def test_csv_with_numbers_as_texts(people, tiny_blocks, tmp_path):
    path = tmp_path / "people.csv"
    people.to_csv(path, index=False)
    expected = causalrules.mine(path, "health=ill", engine="memory", drop=("seen",))
    found = causalrules.mine(path, "health=ill", engine="streaming", drop=("seen",))
    assert content(found) == content(expected)


def test_a_query(people):
    """A relation of DuckDB is read batch by batch."""
    import duckdb

    table = pa.Table.from_pandas(people, preserve_index=False)
    connection = duckdb.connect()
    connection.register("people", table)
    chosen = connection.sql("SELECT * FROM people WHERE town <> 'here'")
    kept = table.filter(pc.not_equal(table["town"], "here"))
    expected = causalrules.mine(kept, "health=ill", engine="memory")
    found = causalrules.mine(chosen, "health=ill")
    assert found.tested == expected.tested
    assert found.data.rows == kept.num_rows


def test_a_stream_of_batches(people):
    table = pa.Table.from_pandas(people, preserve_index=False)
    expected = causalrules.mine(table, "health=ill", engine="memory")
    found = causalrules.mine(table.to_reader(100), "health=ill", engine="streaming")
    assert [rule.name for rule in found.causal] == [rule.name for rule in expected.causal]
    assert causalrules.mine(table.to_reader(100), "health=ill").causal == expected.causal


@pytest.mark.parametrize("options", [{"controls": "items", "explain": True}, {}], ids=["items", "default"])
@pytest.mark.parametrize("name", ["german", "hypothyroid"])
def test_real_data_in_blocks(name, options, monkeypatch):
    data = datasets.require(name)
    monkeypatch.setattr(load, "records_within", lambda *_: 300)
    expected = causalrules.mine(data.arrow(), data.outcome, engine="memory", **options)
    found = causalrules.mine(data.arrow(), data.outcome, engine="streaming", **options)
    assert content(found) == content(expected)


def test_a_part_with_one_kind_of_record_is_refused(tiny_blocks):
    frame = pd.DataFrame({"x": ["a", "b"] * 10, "z": ["yes"] + ["no"] * 19})
    for engine in ("memory", "streaming"):
        with pytest.raises(OutcomeError, match="cannot be compared"):
            causalrules.mine(frame, "z=yes", engine=engine, holdout=0.5)


def test_no_folder_stays(people, tiny_blocks, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    causalrules.mine(people, "health=ill", engine="streaming")
    with pytest.raises(UnknownColumnError):
        causalrules.mine(people, "health=ill", engine="streaming", drop="none")
    assert os.listdir(tmp_path) == []


def test_folders_of_the_dead_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    code = "import os; from causalrules.files import scratch_folder; c = scratch_folder(); c.__enter__(); "
    code += "os._exit(9)"
    subprocess.run([sys.executable, "-c", code], env=os.environ | {"TMPDIR": str(tmp_path)})
    (left,) = tmp_path.glob("causalrules-scratch-*")
    (tmp_path / "causalrules-notes").mkdir()
    with scratch_folder() as mine, scratch_folder() as other:
        assert not left.exists()
        assert mine.is_dir()
        assert other.is_dir()
    assert os.listdir(tmp_path) == ["causalrules-notes"]


def test_numbers_that_do_not_fit_are_refused():
    frame = pd.DataFrame({"x": np.arange(300_000) / 7, "z": ["a", "b"] * 150_000})
    with pytest.raises(TooManyNumbersError, match=r"column 'x' .* memory="):
        causalrules.mine(frame, "z=a", engine="streaming", memory="16MiB")


@pytest.mark.parametrize("size", ["", "much", "12 parsecs", -1, 1000, True])
def test_odd_sizes_of_memory(size):
    with pytest.raises(SettingsError, match="memory must be"):
        causalrules.Settings(memory=size)


def test_the_engine_that_fits_is_chosen_and_told(people, tmp_path, monkeypatch, caplog):
    path = tmp_path / "people.parquet"
    parquet.write_table(pa.Table.from_pandas(people), path)
    monkeypatch.setattr(choose, "SMALL", 0)
    with caplog.at_level(logging.INFO, "causalrules"):
        small = causalrules.mine(path, "health=ill")
        assert not caplog.messages
        monkeypatch.setattr(choose, "available_memory", lambda: 1000)
        large = causalrules.mine(path, "health=ill")
    assert content(large) == content(small)
    (message,) = caplog.messages
    assert "it is counted in blocks" in message


@pytest.mark.parametrize(("memory", "is_told"), [("319MiB", True), ("320MiB", False), (None, False)])
def test_a_limit_that_cannot_be_kept_is_told(people, memory, is_told, caplog):
    with caplog.at_level(logging.INFO, "causalrules"):
        causalrules.mine(people, "health=ill", engine="streaming", memory=memory)
    told = [message for message in caplog.messages if "the smallest limit is 320 MiB" in message]
    assert len(told) == is_told


@pytest.mark.parametrize(("allowed", "left"), [(1 << 30, (1 << 30) - (240 << 20)), (256 << 20, 64 << 20)])
def test_records_may_take_what_python_leaves(allowed, left):
    assert choose.memory_for_records(causalrules.Settings(memory=allowed)) == left


def test_the_terminal_says_so(people, tmp_path):
    path = tmp_path / "people.csv"
    pd.concat([people] * 600).to_csv(path, index=False)
    words = f"mine {path} --outcome health=ill --memory 32MiB --max-length 1 --format json"
    run = subprocess.run(
        [sys.executable, "-m", "causalrules", *words.split()],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "more than 32 MiB: it is counted in blocks" in run.stderr.replace("\n", " ")
    assert json.loads(run.stdout)["data"]["rows"] == 600 * N


def test_columns_without_any_value_and_outcomes_with_very_many(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "ROWS_A_BATCH", 30_000)
    n = 80_000
    table = pa.table(
        {
            "nothing": pa.nulls(n),
            "x": ["a", "b", "b"] * (n // 3) + ["a"] * (n % 3),
            "z": [f"person {k if k % 2 else 0}" for k in range(n)],
        }
    )
    path = tmp_path / "people.parquet"
    parquet.write_table(table, path)
    expected = causalrules.mine(path, "z=person 0", engine="memory", min_support=0.01)
    found = causalrules.mine(path, "z=person 0", engine="streaming", min_support=0.01)
    assert content(found) == content(expected)
    assert [entry.reason for entry in found.data.left_out] == ["it never has a value"]


def test_parts_stay_within_the_memory_allowed(monkeypatch):
    """Few controls make few parts; records are put together by the items in play before they are spread."""
    chance = np.random.default_rng(2)
    n = 6000
    rows = [
        {
            **{c: str(chance.integers(0, 9)) for c in "abcde"},
            "p": "xy"[k % 2],
            "h": "uv"[k // 2 % 2],
            "z": k % 3 == 0,
        }
        for k in range(n)
    ]
    table = coded(rows)
    engine = streamed(table, 1000)
    seen = []
    monkeypatch.setattr(
        disk,
        "RecordsEngine",
        lambda records, workers: seen.append(records) or RecordsEngine(records, workers),
    )
    number = {str(item): i for i, item in enumerate(table.items)}
    controls = np.zeros((1, len(table.items)), bool)
    controls[0, number["h=u"]] = True
    (found,) = engine.strata(np.array([[number["p=x"]]]), controls)
    (expected,) = MemoryEngine(table).strata(np.array([[number["p=x"]]]), controls)
    assert found == expected
    assert sum(records.n_profiles for records in seen) == 4
