"""Run beneath failing_disk.c: every call to the disk fails once, in turn; what went wrong is printed as JSON.

A folder is named on the command line. Each round begins with the same files,
lets one call fail, and then looks at what is left.
"""

import ctypes
import errno
import json
import shutil
import sys
from pathlib import Path

import numpy as np

from causalrules.engines.checkpoint import SavedAnswers
from causalrules.errors import CheckpointError, OutputError
from causalrules.files import whole_file

disk = ctypes.CDLL(None)
MOST_ROUNDS = 1000
OLD, NEW = "old " * 5000, "new " * 7000


def main(folder):
    found = {"rounds": {}, "wrong": []}
    for scenario in (replace_a_file, resume_a_checkpoint, begin_a_checkpoint):
        for error in (errno.EIO, errno.ENOSPC):
            name = f"{scenario.__name__}, {errno.errorcode[error]}"
            for number in range(1, MOST_ROUNDS):
                home = folder / f"{scenario.__name__}-{error}-{number}"
                home.mkdir()
                try:
                    scenario(home, number, error)
                except Exception as problem:
                    found["wrong"].append(f"{name}, call {number}: {problem!r}")
                n_calls = disk.calls_counted()
                disk.fail_at(0, 0)
                shutil.rmtree(home)
                found["rounds"][name] = number
                if n_calls < number:
                    break  # nothing failed: all calls have had their turn
    print(json.dumps(found))


def replace_a_file(home, number, error):
    target = home / "result.json"
    target.write_text(OLD)
    disk.fail_at(number, error)
    is_done = True
    try:
        with whole_file(target) as unfinished:
            unfinished.write_text(NEW)
    except OutputError:
        is_done = False
    n_calls = disk.calls_counted()
    disk.fail_at(0, 0)
    text = target.read_text()
    assert text in (OLD, NEW), "half a file"
    assert text == NEW or not is_done, "said to be written, and is not"
    assert [path.name for path in home.iterdir()] == ["result.json"], "something was left behind"
    _set_counted(n_calls)


def resume_a_checkpoint(home, number, error):
    folder = home / "c"
    _answer(folder, [1, 2])
    disk.fail_at(number, error)
    told = []
    try:
        _answer(folder, [3, 4], told.append)
    except CheckpointError:
        told.append("refused")
    n_calls = disk.calls_counted()
    disk.fail_at(0, 0)
    there = _answers_in(folder)
    assert there[:2] == ["1", "2"], f"lost what was saved: {there}, {told}"
    assert told or there == ["1", "2", "3", "4"], f"lost without a word: {there}"
    _set_counted(n_calls)


def begin_a_checkpoint(home, number, error):
    folder = home / "c"
    disk.fail_at(number, error)
    told = []
    try:
        _answer(folder, [1, 2], told.append)
    except CheckpointError:
        told.append("refused")
    n_calls = disk.calls_counted()
    disk.fail_at(0, 0)
    there = _answers_in(folder)
    assert told or there[:2] == ["1", "2"], f"lost without a word: {there}"
    _set_counted(n_calls)


def _set_counted(n_calls):
    """What `main` reads: the calls of the part that was to fail."""
    disk.fail_at(0, 0)
    disk.set_counted(n_calls)


def _opened(folder, tell):
    saved = SavedAnswers(folder, tell)
    saved.open()
    try:
        if saved.run() is None:
            saved.describe(b"causalrules run")
    except BaseException:
        saved.close()
        raise
    return saved


def _answer(folder, numbers, tell=print):
    saved = _opened(folder, tell)
    try:
        for number in numbers:
            saved.add(_key(number), "strata", ([np.full(2000, number)], str(number)))
            saved.save()
    finally:
        saved.close()


def _answers_in(folder):
    def fail(text):
        raise AssertionError(f"the next start finds trouble: {text}")

    saved = _opened(folder, fail)
    found = [saved.find(_key(number)) for number in (1, 2, 3, 4)]
    saved.close()
    return [packed[1] for packed in found if packed]


def _key(number):
    return number.to_bytes(16, "big")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
