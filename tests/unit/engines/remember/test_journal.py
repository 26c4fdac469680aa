"""Answers come back as they were given; what cannot be saved is not lost while the run lives."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import causalrules.engines.remember.journal as module
from causalrules.engines.remember import Journal
from causalrules.engines.remember.answers import Batch, Entry, to_bytes
from causalrules.engines.remember.folder import Folder
from causalrules.errors import CheckpointOfAnotherRunError

int64_arrays = arrays_of.arrays(
    np.int64, arrays_of.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4)
)
answers = st.tuples(st.lists(int64_arrays, max_size=4), st.text(max_size=20))


def key(number):
    return number.to_bytes(16, "big")


def entry(number, size=3):
    return Entry(key(number), "strata", ([np.full(size, number)], f"text {number}"))


@pytest.fixture
def folder(tmp_path):
    folder = Folder(tmp_path)
    folder.claim()
    yield folder
    folder.release()


@given(found=st.lists(answers, min_size=1, max_size=5))
def test_a_batch_is_read_back_as_it_was(found):
    entries = [Entry(key(number), "a question", answer) for number, answer in enumerate(found)]
    batch = Batch.from_bytes(to_bytes(entries, "run"))
    assert (batch.run, batch.keys) == ("run", [one.key for one in entries])
    for row, (arrays, text) in enumerate(found):
        again, same_text = batch.answer(row)
        assert same_text == text
        assert [array.shape for array in again] == [array.shape for array in arrays]
        assert [array.tolist() for array in again] == [array.tolist() for array in arrays]


def test_changing_an_answer_does_not_change_the_journal(folder):
    journal = Journal(folder, "run", pytest.fail)
    journal.add(entry(1))
    journal.save()
    journal.find(key(1))[0][0][:] = 99
    assert journal.find(key(1))[0][0].tolist() == [1, 1, 1]


def test_answers_are_saved_when_their_time_has_come(folder, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    journal = Journal(folder, "run", pytest.fail)
    journal.add(entry(1))
    assert folder.answers() == []
    now[0] = 101.0
    journal.add(entry(2))
    assert len(folder.answers()) == 1
    now[0] = 1100.0  # the run has lasted a thousand seconds: every ten seconds are enough now
    journal.add(entry(3))
    now[0] = 1109.0
    journal.add(entry(4))
    assert len(folder.answers()) == 2
    now[0] = 1110.2
    journal.add(entry(5))
    assert len(folder.answers()) == 3
    again = Journal(folder, "run", pytest.fail)
    assert [again.find(key(n))[1] for n in range(1, 6)] == [f"text {n}" for n in range(1, 6)]


def test_many_numbers_are_not_kept_waiting(folder, monkeypatch):
    monkeypatch.setattr(module, "_MOST_UNSAVED_NUMBERS", 10)
    journal = Journal(folder, "run", pytest.fail)
    journal.add(entry(1, size=8))
    assert folder.answers() == []
    journal.add(entry(2, size=8))
    assert len(folder.answers()) == 1


def test_more_files_than_are_kept_at_hand(folder):
    journal = Journal(folder, "run", pytest.fail)
    for number in range(9):
        journal.add(entry(number))
        journal.save()
    for number in [*range(9), *reversed(range(9))]:
        assert journal.find(key(number))[1] == f"text {number}"


def test_a_full_disk_is_told_once_and_what_it_refused_is_saved_later(folder, monkeypatch):
    told = []
    journal = Journal(folder, "run", told.append)
    journal.add(entry(1))
    journal.save()
    write = folder.write_answers

    def full(number, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folder, "write_answers", full)
    for number in (2, 3):
        journal.add(entry(number))
        journal.save()
    assert told == [
        f"Cannot save to the checkpoint {folder.path}: No space left on device. "
        "The run goes on and tries again later; what was saved before is whole."
    ]
    assert journal.find(key(2))[1] == "text 2"
    monkeypatch.setattr(folder, "write_answers", write)
    journal.save()
    again = Journal(folder, "run", pytest.fail)
    assert [again.find(key(number))[1] for number in (1, 2, 3)] == ["text 1", "text 2", "text 3"]


def test_a_disk_that_stays_full_does_not_fill_the_memory(folder, monkeypatch):
    monkeypatch.setattr(module, "_MOST_UNSAVED_NUMBERS", 10)
    told = []
    journal = Journal(folder, "run", told.append)

    def full(number, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folder, "write_answers", full)
    for number in range(8):
        journal.add(entry(number))
    assert len(told) == 1
    assert len(journal._unsaved) < 4
    assert key(0) not in journal


def test_answers_of_another_run_are_refused_and_stay(folder):
    journal = Journal(folder, "one run", pytest.fail)
    journal.add(entry(1))
    journal.save()
    before = os.listdir(folder.path)
    with pytest.raises(CheckpointOfAnotherRunError, match="are not of this run"):
        Journal(folder, "another run", pytest.fail)
    assert os.listdir(folder.path) == before


def test_a_file_damaged_during_the_run_is_not_believed(folder):
    journal = Journal(folder, "run", pytest.fail)
    journal.add(entry(1))
    journal.save()
    (name,) = folder.answers()
    (folder.path / name).write_bytes(b"")
    assert journal.find(key(1)) is None
