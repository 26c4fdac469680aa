"""The folder belongs to one run at a time, and a file in it is whole or absent."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from causalrules.engines.remember.folder import Folder
from causalrules.errors import CheckpointError


@contextmanager
def claimed(path):
    folder = Folder(path)
    folder.claim()
    try:
        yield folder
    finally:
        folder.release()


def test_a_claimed_folder_has_no_traces_of_it_afterwards(tmp_path):
    with claimed(tmp_path / "new") as folder:
        folder.write_header(b"{}")
        assert sorted(os.listdir(tmp_path / "new")) == ["checkpoint.json", "lock"]
    assert os.listdir(tmp_path / "new") == ["checkpoint.json"]


def test_a_folder_made_for_nothing_goes_away_again_but_one_that_was_there_stays(tmp_path):
    (tmp_path / "old").mkdir()
    for name in ("old", "new"):
        with claimed(tmp_path / name):
            pass
    assert os.listdir(tmp_path) == ["old"]


HOLD = """
import sys, time
from causalrules.engines.remember.folder import Folder
Folder(sys.argv[1]).claim()
print("claimed", flush=True)
time.sleep(600)
"""


def test_a_second_run_is_refused_while_the_first_lives_and_goes_on_when_it_was_killed(tmp_path):
    first = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout.readline() == "claimed\n"
        with pytest.raises(CheckpointError, match=rf"another run writes there now \(process {first.pid}\)"):
            Folder(tmp_path).claim()
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()
        first.stdout.close()
    assert os.listdir(tmp_path) == ["lock"]  # left by the dead
    with claimed(tmp_path):
        pass
    assert os.listdir(tmp_path) == []


def test_a_lock_that_was_taken_away_while_we_waited_is_not_ours(tmp_path, monkeypatch):
    """Another run may end, and remove its lock, between our opening and our locking of the file."""
    import causalrules.engines.remember.folder as module

    lock_for_real, calls = module.try_lock, []

    def lock_late(lock):
        if not calls:
            (tmp_path / "lock").unlink()
        calls.append(lock)
        return lock_for_real(lock)

    monkeypatch.setattr(module, "try_lock", lock_late)
    with claimed(tmp_path):
        assert len(calls) == 2
        with pytest.raises(CheckpointError, match="another run"):
            Folder(tmp_path).claim()


def test_only_what_a_killed_run_left_unfinished_is_removed(tmp_path):
    (tmp_path / ".checkpoint-answers-000001-aa.arrow").write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / ".causalrules-x.json").write_text("of another run's result")
    with claimed(tmp_path):
        pass
    assert sorted(os.listdir(tmp_path)) == [".causalrules-x.json", "notes.txt"]


def test_answers_come_back_in_their_order_and_only_if_they_are_whole(tmp_path):
    with claimed(tmp_path) as folder:
        names = [folder.write_answers(number, bytes([number % 256])) for number in (2, 10, 1_000_000, 1)]
        assert folder.answers() == [names[3], names[0], names[1], names[2]]
        assert folder.read_answers(names[1]) == b"\x0a"
        (tmp_path / names[1]).write_bytes(b"\x0b")
        assert folder.read_answers(names[1]) is None
        assert folder.read_answers("answers-000009-" + 32 * "0" + ".arrow") is None


def test_a_write_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with claimed(tmp_path) as folder:
        name = folder.write_answers(1, b"before")
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            folder.write_answers(2, b"after")
        assert sorted(os.listdir(tmp_path)) == [name, "lock"]
        assert folder.read_answers(name) == b"before"


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
        Folder(tmp_path / "place").claim()
    assert os.listdir(tmp_path) == before


def test_a_folder_without_a_parent_is_refused(tmp_path):
    with pytest.raises(
        CheckpointError, match=r"No such file or directory. Name a folder that can be written"
    ):
        Folder(tmp_path / "a" / "b").claim()
