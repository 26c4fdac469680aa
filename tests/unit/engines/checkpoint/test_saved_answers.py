"""Answers come back as they were given; what cannot be saved is not lost while the run lives."""

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import causalrules.engines.checkpoint.saved_answers as module
from causalrules.engines.checkpoint import SavedAnswers
from causalrules.engines.questions import from_bytes, to_bytes
from causalrules.errors import CheckpointError

int64_arrays = arrays_of.arrays(
    np.int64, arrays_of.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4)
)
answers = st.tuples(st.lists(int64_arrays, max_size=4), st.text(max_size=20))


def key(number):
    return number.to_bytes(16, "big")


def entry(number):
    return key(number), "strata", ([np.full(3, number)], f"text {number}")


def opened(folder, on_trouble=pytest.fail):
    saved = SavedAnswers(folder, on_trouble)
    saved.open()
    if saved.run() is None:
        saved.describe(b"causalrules run")
    return saved


@pytest.fixture
def saved(tmp_path):
    saved = opened(tmp_path)
    yield saved
    saved.close()


def texts_in(folder, numbers):
    """What another start finds."""
    again = opened(folder)
    found = [again.find(key(number)) for number in numbers]
    again.close()
    return [packed and packed[1] for packed in found]


def n_saved(saved):
    return saved._connection.execute("SELECT count(*) FROM answers").fetchone()[0]


def fill_up(saved):
    """From now on there is no room for another page: SQLite's own way to say so."""
    (n_pages,) = saved._connection.execute("PRAGMA page_count").fetchone()
    saved._connection.execute(f"PRAGMA max_page_count = {n_pages}")


def big(number):
    """An answer that takes pages of its own, however it is compressed."""
    return key(number), "strata", ([np.random.default_rng(number).integers(0, 2**60, 3000)], f"text {number}")


def test_threads_add_and_find_answers_side_by_side(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "SECONDS_BETWEEN_SAVES", 0.0)
    monkeypatch.setattr(module, "SHARE_BETWEEN_SAVES", 0.0)
    saved, n_each = opened(tmp_path), 40

    def add_and_take(thread):
        numbers = range(thread * n_each, (thread + 1) * n_each)
        for number in numbers:
            saved.add(*entry(number))
        before = saved.n_taken
        texts = [saved.take(key(number))[1] for number in numbers]
        assert saved.n_taken - before == n_each  # whatever the others took
        return texts

    with ThreadPoolExecutor(4) as pool:
        found = list(chain.from_iterable(pool.map(add_and_take, range(4))))
    assert n_saved(saved) == 4 * n_each
    saved.close()
    assert found == texts_in(tmp_path, range(4 * n_each)) == [f"text {n}" for n in range(4 * n_each)]


@given(packed=answers)
def test_an_answer_is_read_back_as_it_was(packed):
    arrays, text = packed
    again, same_text = from_bytes(to_bytes(packed))
    assert same_text == text
    assert [array.shape for array in again] == [array.shape for array in arrays]
    assert [array.tolist() for array in again] == [array.tolist() for array in arrays]


def test_changing_an_answer_does_not_change_what_was_saved(saved):
    saved.add(*entry(1))
    for _ in range(2):
        saved.find(key(1))[0][0][:] = 99
        assert saved.find(key(1))[0][0].tolist() == [1, 1, 1]
        saved.save()


def test_answers_are_saved_when_their_time_has_come(tmp_path, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    saved = opened(tmp_path)
    saved.add(*entry(1))
    assert n_saved(saved) == 0
    now[0] = 101.0
    saved.add(*entry(2))
    assert n_saved(saved) == 2
    now[0] = 1100.0  # the run has lasted a thousand seconds: every ten seconds are enough now
    saved.add(*entry(3))
    now[0] = 1109.0
    saved.add(*entry(4))
    assert n_saved(saved) == 3
    now[0] = 1110.2
    saved.add(*entry(5))
    assert n_saved(saved) == 5
    saved.close()
    assert texts_in(tmp_path, range(1, 6)) == [f"text {n}" for n in range(1, 6)]


def test_large_answers_are_not_kept_waiting(saved, monkeypatch):
    monkeypatch.setattr(module, "_MOST_UNSAVED_BYTES", 30_000)
    saved.add(*big(1))
    assert n_saved(saved) == 0
    saved.add(*big(2))
    assert n_saved(saved) == 2


def test_a_full_disk_is_told_once_and_what_it_refused_is_saved_later(tmp_path):
    told = []
    saved = opened(tmp_path, told.append)
    saved.add(*big(1))
    saved.save()
    fill_up(saved)
    for number in (2, 3):
        saved.add(*big(number))
        saved.save()
    assert told == [
        f"Cannot save to the checkpoint {tmp_path}: No space left on device. "
        "The run goes on and tries again later; what was saved before is whole."
    ]
    assert saved.find(key(2))[1] == "text 2"
    assert n_saved(saved) == 1
    saved._connection.execute("PRAGMA max_page_count = 1000000")
    saved.save()
    saved.close()
    assert texts_in(tmp_path, [1, 2, 3]) == ["text 1", "text 2", "text 3"]


def test_what_was_saved_before_the_disk_was_full_is_whole(tmp_path):
    saved = opened(tmp_path, [].append)
    saved.add(*big(1))
    saved.save()
    fill_up(saved)
    saved.add(*big(2))
    saved.save()
    saved.close()
    assert texts_in(tmp_path, [1, 2]) == ["text 1", None]
    assert os.listdir(tmp_path) == ["checkpoint.sqlite"]


def test_a_disk_that_stays_full_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_MOST_UNSAVED_BYTES", 50_000)
    told = []
    saved = opened(tmp_path, told.append)
    fill_up(saved)
    for number in range(8):
        saved.add(*big(number))
    assert len(told) == 1
    assert len(saved._unsaved) < 4
    assert key(0) not in saved
    saved.close()


def test_a_run_that_cannot_be_described_is_refused_and_leaves_nothing(tmp_path):
    saved = SavedAnswers(tmp_path / "c", pytest.fail)
    saved.open()
    saved._connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(CheckpointError, match=r"No space left on device. Name a folder that can be written"):
        saved.describe(b"causalrules run")
    saved.close()
    assert os.listdir(tmp_path) == []


def test_an_answer_whose_bytes_changed_is_not_believed(tmp_path):
    saved = opened(tmp_path)
    for number in (1, 2):
        saved.add(*entry(number))
    saved.save()
    saved._connection.execute("UPDATE answers SET answer = answer || x'00' WHERE key = ?", (key(1),))
    saved._connection.execute("UPDATE answers SET answer = 7 WHERE key = ?", (key(2),))
    assert saved.find(key(1)) is None
    assert saved.take(key(2)) is None
    saved.add(*entry(1))
    saved.save()
    saved.close()
    assert texts_in(tmp_path, [1, 2]) == ["text 1", None]


def test_a_file_damaged_during_the_run_is_not_believed(saved, tmp_path):
    saved.add(*big(1))
    saved.save()
    saved._connection.execute("PRAGMA shrink_memory")
    file = tmp_path / "checkpoint.sqlite"
    with file.open("r+b") as damaged:
        damaged.seek(4096)
        damaged.write(os.urandom(file.stat().st_size - 4096))
    assert saved.find(key(1)) is None


def damage(kind, file):
    data = file.read_bytes()
    if kind == "cut":
        file.write_bytes(data[:-5000])
    elif kind == "other magic":
        file.write_bytes(b"?" + data[1:])
    elif kind == "a cut head":
        file.write_bytes(data[:50])
    elif kind == "read only for us":  # a version of the format that SQLite does not write
        file.write_bytes(data[:18] + b"\x09\x09" + data[20:])
    else:
        file.write_bytes(data.replace(b"causalrules run", b"causalrules rum"))


@pytest.mark.parametrize(
    "kind", ["cut", "other magic", "a cut head", "read only for us", "another description"]
)
def test_a_damaged_file_is_put_aside_and_told_in_one_sentence(tmp_path, kind):
    saved = opened(tmp_path)
    for number in range(3):
        saved.add(*big(number))
    saved.save()
    saved.close()
    damage(kind, tmp_path / "checkpoint.sqlite")
    damaged = (tmp_path / "checkpoint.sqlite").read_bytes()
    told = []
    saved = opened(tmp_path, told.append)
    assert told == [
        f"The checkpoint {tmp_path} is damaged: everything is counted anew, and what was there "
        "is now in damaged.sqlite."
    ]
    assert saved.find(key(1)) is None
    saved.add(*entry(1))
    saved.save()
    saved.close()
    assert texts_in(tmp_path, [1]) == ["text 1"]
    assert sorted(os.listdir(tmp_path)) == ["checkpoint.sqlite", "damaged.sqlite"]
    assert (tmp_path / "damaged.sqlite").read_bytes() == damaged


def test_another_program_s_database_is_left_alone(tmp_path):
    file = tmp_path / "checkpoint.sqlite"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE epochs (number INTEGER)")
    connection.commit()
    connection.close()
    before = file.read_bytes()
    saved = SavedAnswers(tmp_path, pytest.fail)
    saved.open()
    with pytest.raises(CheckpointError, match=r"its file checkpoint.sqlite was not written by causalrules"):
        saved.run()
    saved.close()
    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == ["checkpoint.sqlite"]
