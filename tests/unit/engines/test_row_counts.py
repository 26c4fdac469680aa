"""Answers about unique rows are remembered by the memory they take."""

import gc
from weakref import ref

import numpy as np
import pytest

from causalrules.engines.row_counts import RowCounts
from causalrules.engines.unique_records import Profiles

N_RECORDS = 1000
FIRST_ITEM = np.arange(0, 41, 10)
BYTES_AN_ANSWER = 10 * (2 * 1 + 2 * 8) + 4 * N_RECORDS
"""Of one column: ten rows with a code and two counts each, and the row of every record."""


@pytest.fixture
def records():
    codes = np.stack([np.arange(N_RECORDS) // 10**place % 10 + 1 for place in (0, 1, 2, 0)])
    has_outcome = (np.arange(N_RECORDS) % 3 == 0).astype(np.int64)
    return Profiles.of_records(FIRST_ITEM, codes.astype(np.uint16), has_outcome, 1 - has_outcome)


def asked_for(counts, *columns):
    """Weak references to the answers, each of which is let go of as soon as it is there."""
    found = [ref(counts.unique_rows(np.array([column]))) for column in columns]
    gc.collect()
    return found


@pytest.mark.parametrize("n_fit", [1, 2, 3])
def test_the_last_answers_that_fit_are_kept(records, n_fit):
    counts = RowCounts(records, most_bytes=n_fit * BYTES_AN_ANSWER)
    kept = [answer() is not None for answer in asked_for(counts, 0, 1, 2, 3)]
    assert kept == [False] * (4 - n_fit) + [True] * n_fit


def test_the_last_answer_is_kept_however_large(records):
    counts = RowCounts(records, most_bytes=0)
    first, last = asked_for(counts, 0, 1)
    assert first() is None
    assert last() is not None
    assert counts.unique_rows(np.array([1])) is last()


def test_an_answer_that_somebody_holds_is_known(records):
    counts = RowCounts(records, most_bytes=0)
    held = counts.unique_rows(np.array([0, 1]))
    asked_for(counts, 2, 3)
    assert counts.unique_rows(np.array([0, 1])) is held


def test_sums_are_the_same_whether_the_rows_are_known_or_not(records):
    rows = RowCounts(records).unique_rows(np.array([2, 0]))
    weights = np.arange(2 * rows.n_rows).reshape(-1, 2)
    known, unknown = RowCounts(records), RowCounts(records)
    same = known.unique_rows(np.array([2, 0]))
    assert known.item_sums(same, weights).tolist() == unknown.item_sums(rows, weights).tolist()
