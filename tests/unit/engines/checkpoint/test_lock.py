"""The folder belongs to one run at a time, and has no traces of it afterwards."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import contextmanager

import pytest

import causalrules.engines.checkpoint.saved_answers as module
from causalrules.engines.checkpoint import SavedAnswers
from causalrules.errors import CheckpointError


@contextmanager
def opened(path):
    saved = SavedAnswers(path, pytest.fail)
    saved.open()
    try:
        yield saved
    finally:
        saved.close()


def test_an_open_folder_has_no_traces_of_it_afterwards(tmp_path):
    with opened(tmp_path / "new") as saved:
        saved.describe(b"{}")
        assert {"checkpoint.sqlite", "process"} <= set(os.listdir(tmp_path / "new"))
    assert os.listdir(tmp_path / "new") == ["checkpoint.sqlite"]


def test_a_folder_made_for_nothing_goes_away_again_but_one_that_was_there_stays(tmp_path):
    (tmp_path / "old").mkdir()
    for name in ("old", "new"):
        with opened(tmp_path / name):
            pass
    assert os.listdir(tmp_path) == ["old"]
    assert os.listdir(tmp_path / "old") == []


HOLD = """
import sys, time
from causalrules.engines.checkpoint import SavedAnswers
saved = SavedAnswers(sys.argv[1], print)
saved.open()
if sys.argv[2] == "described":
    saved.describe(b"{}")
print("opened", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("state", ["empty", "described"])
def test_a_second_run_is_refused_while_the_first_lives_and_goes_on_when_it_was_killed(tmp_path, state):
    first = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path), state], stdout=subprocess.PIPE, text=True
    )
    try:
        assert first.stdout.readline() == "opened\n"
        for _ in range(2):  # a refusal does not take the lock away
            with pytest.raises(
                CheckpointError, match=rf"another run writes there now \(process {first.pid}\)"
            ):
                SavedAnswers(tmp_path, pytest.fail).open()
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()
        first.stdout.close()
    assert "process" in os.listdir(tmp_path)  # left by the dead
    with opened(tmp_path) as saved:
        assert saved.run() == (b"{}" if state == "described" else None)
    assert os.listdir(tmp_path) == (["checkpoint.sqlite"] if state == "described" else [])


def test_a_second_run_of_the_same_process_is_refused_as_well(tmp_path):
    with opened(tmp_path) as saved:
        for _ in range(2):
            with pytest.raises(CheckpointError, match=rf"another run .*process {os.getpid()}\)"):
                SavedAnswers(tmp_path, pytest.fail).open()
        saved.describe(b"{}")
        assert "process" in os.listdir(tmp_path)
    with opened(tmp_path) as saved:
        assert saved.run() == b"{}"


def test_a_file_that_was_taken_away_while_we_waited_is_not_ours(tmp_path, monkeypatch):
    """Another run may end, and remove what it made for nothing, between our opening and our locking."""
    connect_for_real, calls = sqlite3.connect, []

    def connect_early(file, **options):
        connection = connect_for_real(file, **options)
        if not calls:
            (tmp_path / "checkpoint.sqlite").unlink()
        calls.append(file)
        return connection

    monkeypatch.setattr(module.sqlite3, "connect", connect_early)
    with opened(tmp_path) as saved:
        assert len(calls) == 2
        with pytest.raises(CheckpointError, match="another run"):
            SavedAnswers(tmp_path, pytest.fail).open()
        saved.describe(b"{}")
    with opened(tmp_path) as saved:
        assert saved.run() == b"{}"


def test_only_files_of_ours_are_touched(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / ".causalrules-x.json").write_text("of another run's result")
    with opened(tmp_path):
        pass
    assert sorted(os.listdir(tmp_path)) == [".causalrules-x.json", "notes.txt"]


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: path.write_text("x"), "Not a directory"),
        (lambda path: path.symlink_to(path.parent / "nowhere" / "x"), "File exists|No such file"),
    ],
)
def test_a_place_that_is_no_folder_is_refused(tmp_path, make, problem):
    make(tmp_path / "place")
    before = os.listdir(tmp_path)
    with pytest.raises(CheckpointError, match=problem):
        SavedAnswers(tmp_path / "place", pytest.fail).open()
    assert os.listdir(tmp_path) == before


def test_a_folder_without_a_parent_is_refused(tmp_path):
    with pytest.raises(
        CheckpointError, match=r"No such file or directory. Name a folder that can be written"
    ):
        SavedAnswers(tmp_path / "a" / "b", pytest.fail).open()


def test_a_file_that_cannot_be_opened_is_refused(tmp_path):
    (tmp_path / "checkpoint.sqlite").mkdir()
    with pytest.raises(CheckpointError, match="unable to open"):
        SavedAnswers(tmp_path, pytest.fail).open()
    assert os.listdir(tmp_path) == ["checkpoint.sqlite"]
