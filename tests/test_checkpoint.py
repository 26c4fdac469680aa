"""A run that was ended goes on from its checkpoint and finds what it would have found."""

import logging
import os
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import causalrules
from causalrules.engines.checkpoint import SavedAnswers
from causalrules.engines.disk import StreamingEngine
from causalrules.engines.memory import RecordsEngine
from causalrules.errors import CheckpointError, CheckpointOfAnotherRunError
from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table
from memory_folder import memory_folder

QUESTIONS = [
    "item_counts",
    "pattern_counts",
    "overlaps",
    "within",
    "unique_rows",
    "item_sums",
    "strata",
    "matched_items",
    "nearest_pairs",
    "unique_rows",
    "item_sums",
]
PATIENTS = planted_table(700)
RUNS = {
    "as usual": {},
    "two threads": {"threads": 2},
    "as usual, held out": {"holdout": 0.4, "matching": "propensity"},
    "items": {"controls": "items"},
    "one direction": {"controls": "items", "direction": "lowers", "max_length": 3},
    "columns, random pairs": {"controls": "columns", "pairs": "random"},
    "held out": {"controls": "items", "holdout": 0.4, "judge": "interval", "confidence": 0.8},
    "explained": {
        "controls": "items",
        "explain": True,
        "max_length": 1,
        "judge": "interval",
        "confidence": 0.9,
    },
    "almost exact": {"matching": "almost-exact", "direction": "raises"},
    "by distance, lots drawn": {"matching": "jaccard", "pairs": "random", "max_length": 1},
    "without a caliper": {"matching": "hamming", "caliper": "none", "max_length": 1},
    "propensity": {"controls": "items", "matching": "propensity", "max_length": 1},
    "all at once": {"matching": "mahalanobis", "holdout": 0.5, "explain": True, "controls": "columns"},
}
every_run = pytest.mark.parametrize("options", RUNS.values(), ids=RUNS.keys())


@pytest.fixture
def tmp_path():
    """Each test's own folder, in memory."""
    with memory_folder() as name:
        yield Path(name)


def mine(options, checkpoint=None, table=PATIENTS, outcome="ill=yes"):
    """What was found, without the times."""
    found = causalrules.mine(table, outcome, checkpoint=checkpoint, **options).to_dict()
    del found["created"], found["timings"]
    return found


def fall_silent(monkeypatch):
    """From now on no record is counted."""

    def refuse(*_):
        pytest.fail("a record was counted")

    for engine in (RecordsEngine, StreamingEngine):
        for question in QUESTIONS:
            monkeypatch.setattr(engine, question, refuse)


class StoppedError(Exception):
    """The run was ended from outside."""


def stop_after(monkeypatch, n_answers):
    """End the run as soon as it has counted so many answers."""
    counted, add = count(1), SavedAnswers.add

    def add_or_stop(saved, *answer):
        add(saved, *answer)
        if next(counted) >= n_answers:
            raise StoppedError

    monkeypatch.setattr(SavedAnswers, "add", add_or_stop)


def n_answers_in(folder):
    if not folder.exists():
        return 0
    with closing(sqlite3.connect(folder / "checkpoint.sqlite")) as file:
        return file.execute("SELECT count(*) FROM answers").fetchone()[0]


def n_answers_of(options, folder):
    """How many answers a run adds to those in the folder."""
    before = n_answers_in(folder)
    mine(options, folder)
    return n_answers_in(folder) - before


@every_run
def test_a_run_ended_twice_finds_the_same_and_a_finished_one_counts_nothing(options, tmp_path, monkeypatch):
    expected = mine(options)
    assert expected["rules"]
    n_answers = n_answers_of(options, tmp_path / "whole")
    for n_before in (n_answers // 4, n_answers // 3):
        stop_after(monkeypatch, n_before)
        with pytest.raises(StoppedError):
            mine(options, tmp_path / "c")
        monkeypatch.undo()
    most_left = n_answers - n_answers // 4 - n_answers // 3
    assert 0 < n_answers_of(options, tmp_path / "c") <= most_left
    fall_silent(monkeypatch)
    assert mine(options, tmp_path / "c") == expected
    assert mine(options, tmp_path / "whole") == expected
    assert os.listdir(tmp_path / "c") == ["checkpoint.sqlite"]


def test_records_in_another_order_are_the_same_data(tmp_path, monkeypatch):
    expected = mine({}, tmp_path / "c")
    fall_silent(monkeypatch)
    backwards = PATIENTS.take(list(range(len(PATIENTS)))[::-1])
    assert mine({"threads": 1}, tmp_path / "c", backwards)["rules"] == expected["rules"]


def test_one_engine_goes_on_with_what_another_has_counted(tmp_path, monkeypatch):
    write_table(PATIENTS, tmp_path / "patients.csv")
    first, second = ({"engine": engine} for engine in ("streaming", "memory"))
    expected = mine(first, tmp_path / "c", tmp_path / "patients.csv")
    assert expected["rules"]
    fall_silent(monkeypatch)
    assert mine(second, tmp_path / "c", tmp_path / "patients.csv")["rules"] == expected["rules"]


@pytest.mark.parametrize(
    ("options", "table", "outcome", "said"),
    [
        ({"alpha": 0.01}, PATIENTS, "ill=yes", "alpha was 0.05 and is 0.01 now"),
        ({}, PATIENTS, "ill=no", "the outcome was 'ill=yes' and is 'ill=no' now"),
        ({}, PATIENTS.slice(1), "ill=yes", "the records are others (700 there, 699 now)"),
        ({}, PATIENTS.drop_columns("noise_1"), "ill=yes", "the columns or their values are others"),
    ],
)
def test_another_run_is_refused_and_leaves_the_checkpoint_alone(tmp_path, options, table, outcome, said):
    mine({}, tmp_path / "c")
    before = {path.name: path.read_bytes() for path in (tmp_path / "c").iterdir()}
    with pytest.raises(CheckpointOfAnotherRunError) as refused:
        mine(options, tmp_path / "c", table, outcome)
    assert said in str(refused.value)
    assert str(refused.value).endswith("Name another folder for this run, or delete that one.")
    assert {path.name: path.read_bytes() for path in (tmp_path / "c").iterdir()} == before


@pytest.mark.parametrize("content", [b'{"epoch": 3}', b"SQLite is not what this is", bytes(5000)])
def test_somebody_else_s_file_is_not_overwritten(tmp_path, content):
    (tmp_path / "checkpoint.sqlite").write_bytes(content)
    with pytest.raises(CheckpointError, match=r"its file checkpoint.sqlite was not written by causalrules"):
        mine({}, tmp_path)
    assert os.listdir(tmp_path) == ["checkpoint.sqlite"]
    assert (tmp_path / "checkpoint.sqlite").read_bytes() == content


def test_a_run_that_fails_before_it_counts_leaves_no_folder(tmp_path):
    with pytest.raises(causalrules.CausalRulesError, match="outcome column"):
        mine({}, tmp_path / "c", outcome="il=yes")
    assert os.listdir(tmp_path) == []


def test_a_full_disk_is_logged_and_the_run_goes_on(tmp_path, monkeypatch, caplog):
    expected = mine({})
    describe = SavedAnswers.describe

    def describe_and_fill_up(saved, description):
        describe(saved, description)
        saved._connection.execute("PRAGMA max_page_count = 1")  # as full as it is already

    monkeypatch.setattr(SavedAnswers, "describe", describe_and_fill_up)
    with caplog.at_level(logging.WARNING, "causalrules"):
        assert mine({}, tmp_path / "c") == expected
    assert [record.message for record in caplog.records] == [
        f"Cannot save to the checkpoint {tmp_path / 'c'}: No space left on device. "
        "The run goes on and tries again later; what was saved before is whole."
    ]
    assert os.listdir(tmp_path / "c") == ["checkpoint.sqlite"]


def test_a_disk_that_is_full_from_the_start_stops_the_run(tmp_path, monkeypatch):
    def full(**_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("causalrules.engines.checkpoint.saved_answers.TemporaryFile", full)
    with pytest.raises(
        CheckpointError, match=r"No space left on device. Name a folder that can be written to"
    ):
        mine({}, tmp_path / "c")
    assert os.listdir(tmp_path) == []


SMALL = planted_table(300)
QUICK = {"max_length": 1, "direction": "raises", "controls": "columns"}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The file of a finished run, every answer saved for itself, and what the run found."""
    folder = tmp_path_factory.mktemp("saved") / "c"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("causalrules.engines.checkpoint.saved_answers.SECONDS_BETWEEN_SAVES", 0.0)
        patch.setattr("causalrules.engines.checkpoint.saved_answers.SHARE_BETWEEN_SAVES", 0.0)
        expected = mine(QUICK, folder, SMALL)
    content = (folder / "checkpoint.sqlite").read_bytes()
    with closing(sqlite3.connect(folder / "checkpoint.sqlite")) as connection:
        assert connection.execute("SELECT count(*) FROM answers").fetchone()[0] >= 7
    return content, expected


@settings(max_examples=150)
@given(place=st.integers(0, 1 << 40), is_cut=st.booleans(), change=st.integers(1, 255))
def test_a_damaged_file_is_never_believed(saved, place, is_cut, change):
    """Cut anywhere, or with any byte changed, it is as if the changed part had not been written."""
    whole, expected = saved
    content = bytearray(whole)
    place %= len(content)
    if is_cut:
        del content[place:]
    else:
        content[place] ^= change
    with memory_folder() as folder:
        Path(folder, "checkpoint.sqlite").write_bytes(content)
        for _ in range(2):
            assert mine(QUICK, folder, SMALL) == expected
            assert set(os.listdir(folder)) - {"damaged.sqlite"} == {"checkpoint.sqlite"}


def test_damage_to_any_byte_of_the_file_s_head_is_survived(saved, tmp_path):
    """SQLite's own hundred bytes say how all others are read."""
    whole, expected = saved
    for place in range(100):
        content = bytearray(whole)
        content[place] ^= 255
        (tmp_path / "checkpoint.sqlite").write_bytes(content)
        assert mine(QUICK, tmp_path, SMALL) == expected, place
        for left in tmp_path.iterdir():
            left.unlink()
