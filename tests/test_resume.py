"""A checkpoint knows what it surveyed: a resumed run reads its table only if it must, and never another."""

import os
import shutil
import sqlite3
from contextlib import closing
from itertools import count
from threading import current_thread, main_thread

import pyarrow as pa
import pytest
from pyarrow import parquet

import causalrules
from causalrules.engines import load
from causalrules.engines.blocks import Blocks
from causalrules.engines.checkpoint import SavedAnswers
from causalrules.engines.disk import StreamingEngine
from causalrules.errors import CheckpointOfAnotherRunError, SettingsError, SourceError
from causalrules.report.table_files import write_table
from causalrules.simulation import planted_table

PATIENTS = planted_table(700).append_column("person", pa.array([f"p{i // 3}" for i in range(700)]))
RUNS = {
    "as usual": {},
    "two threads": {"threads": 2},
    "in blocks": {"engine": "streaming"},
    "held out": {"holdout": 0.4},
    "in clusters, held out": {"cluster": "person", "holdout": 0.4},
    "items": {"controls": "items", "max_length": 3},
    "random pairs": {"controls": "columns", "pairs": "random"},
    "by distance": {"matching": "jaccard", "max_length": 1},
    "ordered": {"categorical": ["noise_1"], "before": ["smoker"]},
}
every_run = pytest.mark.parametrize("options", RUNS.values(), ids=RUNS.keys())


@pytest.fixture
def patients(tmp_path):
    write_table(PATIENTS, tmp_path / "patients.csv")
    return tmp_path / "patients.csv"


def mine(table, options, checkpoint=None, outcome="ill=yes"):
    """What was found, without the times."""
    found = causalrules.mine(table, outcome, checkpoint=checkpoint, **options).to_dict()
    del found["created"], found["timings"]
    return found


@pytest.fixture
def reads(monkeypatch):
    """How often a table was read."""
    seen = []

    def counted(read):
        return lambda source, *args, **more: (seen.append(source), read(source, *args, **more))[1]

    for name in ("read_table", "open_batches"):
        monkeypatch.setattr(load, name, counted(getattr(load, name)))
    return seen


class StoppedError(Exception):
    """The run was ended from outside."""


def mine_and_stop(n_answers, *run):
    """End a run as soon as it has saved so many answers."""
    counted, add = count(1), SavedAnswers.add

    def add_or_stop(saved, *answer):
        add(saved, *answer)
        if next(counted) >= n_answers:
            raise StoppedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SavedAnswers, "add", add_or_stop)
        with pytest.raises(StoppedError):
            mine(*run)


@every_run
def test_a_finished_run_is_answered_without_its_table(patients, tmp_path, reads, options):
    expected = mine(patients, options)
    assert mine(patients, options, tmp_path / "c") == expected
    reads.clear()
    assert mine(patients, options, tmp_path / "c") == expected
    assert not reads
    assert expected["rules"]


@pytest.fixture
def takers(monkeypatch):
    """The threads that looked answers up."""
    seen, find = set(), SavedAnswers.find
    monkeypatch.setattr(
        SavedAnswers, "find", lambda saved, key: (seen.add(current_thread()), find(saved, key))[1]
    )
    return seen


def test_studies_go_on_side_by_side_in_a_resumed_run(patients, tmp_path, takers):
    for _ in range(2):  # first the records are there, then only what was counted
        mine(patients, {"threads": 2}, tmp_path / "c")
        assert takers - {main_thread()}
        takers.clear()
    mine(patients, {"threads": 1}, tmp_path / "c")
    assert takers == {main_thread()}


def test_records_on_disk_are_asked_about_one_question_after_the_other(patients, tmp_path, takers):
    """Also by threads that found them in memory before."""
    mine_and_stop(12, patients, {"threads": 2}, tmp_path / "c")
    in_blocks = {"threads": 2, "engine": "streaming"}
    expected = mine(patients, in_blocks)
    under_way, most = [], []

    def alone(answer):
        def asked(*question):
            under_way.append(question)
            most.append(len(under_way))
            try:
                return answer(*question)
            finally:
                under_way.pop()

        return asked

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Blocks, "in_memory", lambda blocks: None)  # as if they were too many
        for name in ("answer", "unique_rows"):
            patch.setattr(StreamingEngine, name, alone(getattr(StreamingEngine, name)))
        takers.clear()
        assert mine(patients, in_blocks, tmp_path / "c") == expected
    assert takers - {main_thread()}
    assert set(most) == {1}


@every_run
def test_a_run_that_was_ended_reads_its_table_once(patients, tmp_path, reads, options):
    expected = mine(patients, options)
    for n_answers in (2, 3):
        mine_and_stop(n_answers, patients, options, tmp_path / "c")
    reads.clear()
    assert mine(patients, options, tmp_path / "c") == expected
    assert len(reads) == 1


def test_what_a_column_of_numbers_was_made_of_is_known_again(tmp_path, reads):
    number = pa.array([(7 * i) % 101 / 4 for i in range(700)])
    table = PATIENTS.append_column("weight", number).append_column("height", pa.array(range(700)))
    parquet.write_table(table, tmp_path / "t.parquet")
    for outcome, options in {"weight": {"outcome_as": "mean"}, "weight>=10": {}}.items():
        expected = mine(tmp_path / "t.parquet", options, outcome=outcome)
        folder = tmp_path / outcome.replace(">=", " from ")
        assert mine(tmp_path / "t.parquet", options, folder, outcome) == expected
        reads.clear()
        assert mine(tmp_path / "t.parquet", options, folder, outcome) == expected
        assert not reads


def test_another_engine_resumes_without_the_table(patients, tmp_path, reads):
    expected = mine(patients, {"engine": "streaming"}, tmp_path / "c")
    reads.clear()
    assert mine(patients, {"engine": "memory"}, tmp_path / "c")["rules"] == expected["rules"]
    assert not reads


def test_a_changed_table_is_never_taken_for_the_old_one(patients, tmp_path):
    """Not even if it has the old size and time."""
    mine(patients, {}, tmp_path / "c")
    before, text = patients.stat(), patients.read_text()
    changed = text.replace('"z"', '"x"', 1)
    assert len(changed) == len(text)
    assert changed != text
    patients.write_text(changed)
    os.utime(patients, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(CheckpointOfAnotherRunError):
        mine(patients, {}, tmp_path / "c")


def test_a_table_that_was_only_touched_is_the_same(patients, tmp_path, reads):
    mine(patients, {}, tmp_path / "c")
    os.utime(patients, (1, 1))
    reads.clear()
    mine(patients, {}, tmp_path / "c")
    assert not reads


def test_another_way_of_reading_the_same_file_is_another_table(tmp_path):
    write_table(PATIENTS, tmp_path / "patients.csv")
    mine(tmp_path / "patients.csv", {}, tmp_path / "c")
    names = ["other", *PATIENTS.column_names[1:]]
    with pytest.raises(CheckpointOfAnotherRunError):
        causalrules.mine(tmp_path / "patients.csv", "ill=yes", columns=names, checkpoint=tmp_path / "c")


def test_other_settings_are_refused_as_before(patients, tmp_path):
    mine(patients, {}, tmp_path / "c")
    with pytest.raises(CheckpointOfAnotherRunError, match=r"alpha was 0\.05 and is 0\.01 now"):
        mine(patients, {"alpha": 0.01}, tmp_path / "c")


def test_a_table_that_is_being_written_is_not_remembered(patients, tmp_path, reads, monkeypatch):
    read = load.read_table

    def read_and_touch(*args, **more):
        table = read(*args, **more)
        os.utime(patients, (1, 1))
        return table

    monkeypatch.setattr(load, "read_table", read_and_touch)
    mine(patients, {}, tmp_path / "c")
    reads.clear()
    monkeypatch.setattr(load, "read_table", read)
    mine(patients, {}, tmp_path / "c")
    assert len(reads) == 1


def test_a_table_that_changes_before_it_is_read_at_last_is_refused(patients, tmp_path, monkeypatch):
    mine_and_stop(3, patients, {}, tmp_path / "c")
    read = load.read_table

    def read_another(path, **more):
        write_table(PATIENTS.slice(1), patients)
        return read(path, **more)

    monkeypatch.setattr(load, "read_table", read_another)
    with pytest.raises(SourceError, match="it changed while it was read"):
        mine(patients, {}, tmp_path / "c")


def test_a_damaged_survey_is_made_again(patients, tmp_path, reads):
    expected = mine(patients, {}, tmp_path / "c")
    with closing(sqlite3.connect(tmp_path / "c" / "checkpoint.sqlite")) as file, file:
        changed = file.execute("UPDATE answers SET answer = zeroblob(9) WHERE question = 'survey'")
        assert changed.rowcount == 1
    for n_reads in (1, 1):  # made again, and known from then on
        assert mine(patients, {}, tmp_path / "c") == expected
        assert len(reads) == n_reads + 1


def test_files_of_a_folder_are_known_together(tmp_path, reads):
    (tmp_path / "t").mkdir()
    for number in range(2):
        parquet.write_table(PATIENTS.slice(350 * number, 350), tmp_path / "t" / f"{number}.parquet")
    expected = mine(tmp_path / "t", {}, tmp_path / "c")
    reads.clear()
    assert mine(tmp_path / "t", {}, tmp_path / "c") == expected
    assert not reads
    shutil.copy(tmp_path / "t" / "0.parquet", tmp_path / "t" / "2.parquet")
    with pytest.raises(CheckpointOfAnotherRunError):
        mine(tmp_path / "t", {}, tmp_path / "c")


def test_a_frame_is_looked_at_every_time(tmp_path, reads):
    expected = mine(PATIENTS, {}, tmp_path / "c")
    reads.clear()
    assert mine(PATIENTS, {}, tmp_path / "c") == expected
    assert len(reads) == 1


@pytest.fixture(params=["in memory", "on disk"])
def place(request, monkeypatch):
    """Records that fit into memory, and records of which only a hundred do."""
    if request.param == "on disk":
        monkeypatch.setattr(load, "records_within", lambda *_: 100)
        return {"engine": "streaming"}
    return {"engine": "memory"}


@pytest.fixture
def visits(tmp_path, monkeypatch):
    """A table that is read in many batches."""
    monkeypatch.setattr("causalrules.read.source.ROWS_A_BATCH", 16)
    parquet.write_table(PATIENTS, tmp_path / "visits.parquet")
    return tmp_path / "visits.parquet"


def mine_keeping(table, options, checkpoint):
    return mine(table, options | {"checkpoint_records": True}, checkpoint)


def records_of(folder):
    return sorted(path.name for path in folder.glob("records-*"))


@pytest.mark.parametrize("run", ["as usual", "in clusters, held out", "items", "by distance"])
def test_records_that_are_kept_take_the_place_of_the_table(visits, tmp_path, reads, place, run):
    options = place | RUNS[run]
    expected = mine(visits, options)
    mine_and_stop(3, visits, options | {"checkpoint_records": True}, tmp_path / "c")
    n_files = len(records_of(tmp_path / "c"))
    assert n_files >= (3 if place["engine"] == "streaming" else 1)
    reads.clear()
    with pytest.MonkeyPatch.context() as patch:
        if place["engine"] == "streaming":  # blocks are taken as they stand
            patch.setattr(Blocks, "add_records", lambda *_: pytest.fail("a block was read"))
        assert mine(visits, options, tmp_path / "c") == expected
    assert not reads
    assert len(records_of(tmp_path / "c")) == n_files


@pytest.mark.parametrize("most_records", [30, 100, 650, 10_000])
def test_records_are_taken_with_another_limit_of_memory(visits, tmp_path, reads, monkeypatch, most_records):
    """Blocks that are too large by now are cut, small ones are put together where they fit."""
    expected = mine(visits, {"engine": "streaming"})
    monkeypatch.setattr(load, "records_within", lambda *_: 100)
    options = {"engine": "streaming", "checkpoint_records": True}
    mine_and_stop(3, visits, options, tmp_path / "c")
    reads.clear()
    monkeypatch.setattr(load, "records_within", lambda *_: most_records)
    assert mine(visits, {"engine": "streaming"}, tmp_path / "c") == expected
    assert not reads


@pytest.mark.parametrize("damage", ["changed", "cut", "gone"])
def test_damaged_records_are_read_from_the_table_again(visits, tmp_path, reads, place, damage, caplog):
    mine_and_stop(3, visits, place | {"checkpoint_records": True}, tmp_path / "c")
    file = tmp_path / "c" / records_of(tmp_path / "c")[-1]
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    match damage:
        case "changed":
            file.write_bytes(content)
        case "cut":
            file.write_bytes(content[:-1])
        case "gone":
            file.unlink()
    reads.clear()
    expected = mine(visits, place)
    assert mine_keeping(visits, place, tmp_path / "c") == expected
    assert len(reads) == 2
    assert "are damaged: the table is read again" in caplog.text
    assert file.exists()  # they were kept again


def test_records_of_another_table_are_not_taken(visits, tmp_path, place):
    mine_keeping(visits, place, tmp_path / "c")
    before = {path.name: path.read_bytes() for path in (tmp_path / "c").iterdir()}
    parquet.write_table(PATIENTS.slice(1), visits)
    with pytest.raises(CheckpointOfAnotherRunError):
        mine_keeping(visits, place, tmp_path / "c")
    assert {path.name: path.read_bytes() for path in (tmp_path / "c").iterdir()} == before


def test_a_full_disk_does_not_end_a_run_that_keeps_records(visits, tmp_path, place, monkeypatch, caplog):
    expected = mine(visits, place)

    def no_room(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Blocks, "keep_in", no_room)
    assert mine_keeping(visits, place, tmp_path / "c") == expected
    assert "Cannot keep records in the checkpoint" in caplog.text
    assert "No space left on device" in caplog.text


def test_blocks_are_copied_where_the_checkpoint_is_on_another_disk(visits, tmp_path, reads, monkeypatch):
    monkeypatch.setattr(load, "records_within", lambda *_: 100)

    def refuse(*_):
        raise OSError(18, "Invalid cross-device link")

    options = {"engine": "streaming"}
    expected = mine(visits, options)
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", refuse)
        mine_and_stop(3, visits, options | {"checkpoint_records": True}, tmp_path / "c")
    reads.clear()
    assert mine(visits, options, tmp_path / "c") == expected
    assert not reads


def test_records_are_kept_only_in_a_checkpoint(visits):
    with pytest.raises(SettingsError, match="checkpoint_records must be left out without a checkpoint"):
        causalrules.mine(visits, "ill=yes", checkpoint_records=True)
