"""Only what is missing is asked for, and every answer belongs to its rule."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep

import numpy as np
import pytest

from causalrules.engines import MemoryEngine
from causalrules.engines.checkpoint import CachingEngine, SavedAnswers
from strategies import coded

ROWS = [{"a": "pq"[i % 2], "b": "pqr"[i % 3], "c": "pq"[i % 5 > 2], "z": i % 7 < 3} for i in range(60)]
PATTERNS = np.array([[0], [1], [2], [3], [4], [5]])


class Asked(MemoryEngine):
    """Writes down for which patterns it is asked."""

    def __init__(self, table):
        super().__init__(table, threads=1)
        self.asked = []

    def strata(self, patterns, controls):
        self.asked.append(patterns.tolist())
        return super().strata(patterns, controls)

    def matched_items(self, patterns, controls):
        self.asked.append(patterns.tolist())
        return super().matched_items(patterns, controls)

    def nearest_pairs(self, patterns, controls, match):
        self.asked.append(patterns.tolist())
        return super().nearest_pairs(patterns, controls, match)


class NumberAndName:
    """A way of matching whose answer tells which rule of which name it was asked for."""

    def __init__(self, names):
        self.names = names

    def __call__(self, rule, signatures):
        return (rule, self.names[rule]), np.ones((len(signatures.words), 2), np.int64)

    def name_of(self, rule):
        return self.names[rule]

    def pack(self, answer):
        return [np.array([answer[0]])], answer[1]

    def unpack(self, packed):
        return int(packed[0][0][0]), packed[1]


@pytest.fixture
def inner():
    return Asked(coded(ROWS))


@pytest.fixture
def saved(tmp_path):
    saved = SavedAnswers(tmp_path, pytest.fail)
    saved.open()
    saved.describe(b"a run")
    yield saved
    saved.close()


def controls_for(patterns):
    return np.ones((len(patterns), 7), bool)


@pytest.mark.parametrize("question", ["strata", "matched_items"])
def test_only_the_missing_rules_are_asked_for_in_one_question(inner, saved, question):
    engine = CachingEngine(inner, saved)
    list(getattr(engine, question)(PATTERNS[[1, 4]], controls_for([1, 4])))
    found = list(getattr(engine, question)(PATTERNS, controls_for(PATTERNS)))
    assert inner.asked == [[[1], [4]], [[0], [2], [3], [5]]]
    assert saved.n_taken == 2
    expected = list(getattr(MemoryEngine(coded(ROWS)), question)(PATTERNS, controls_for(PATTERNS)))
    assert list(map(_numbers, found)) == list(map(_numbers, expected))


def test_a_question_that_two_threads_have_is_asked_once(inner, saved, monkeypatch):
    engine, columns, asked = CachingEngine(inner, saved), np.array([0, 1]), []
    both, count = Barrier(2), inner.unique_rows

    def slowly(columns):
        asked.append(columns)
        sleep(0.05)  # the other thread comes meanwhile
        return count(columns)

    def ask(_):
        both.wait()
        return engine.unique_rows(columns)

    monkeypatch.setattr(inner, "unique_rows", slowly)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ask, range(2))
    assert len(asked) == 1
    assert first.counts.tolist() == second.counts.tolist() == count(columns).counts.tolist()


def _numbers(answer):
    return [np.asarray(getattr(answer, name)).tolist() for name in type(answer).__slots__]


def test_the_missing_rules_keep_their_numbers_where_they_are_matched(inner, saved):
    engine = CachingEngine(inner, saved)
    way = NumberAndName([f"rule {number}" for number in range(6)])
    # The first of these is asked for as number 0 and remembered as such, under its name.
    list(engine.nearest_pairs(PATTERNS[:1], controls_for([0]), way))
    found = [answer for answer, _ in engine.nearest_pairs(PATTERNS, controls_for(PATTERNS), way)]
    assert found == [(number, f"rule {number}") for number in range(6)]
    assert inner.asked == [[[0]], [[1], [2], [3], [4], [5]]]


def test_the_same_rule_under_another_name_is_another_question(inner, saved):
    engine = CachingEngine(inner, saved)
    for name in ("raises: a=p", "lowers: a=p"):
        way = NumberAndName([name])
        ((answer, _),) = engine.nearest_pairs(PATTERNS[:1], controls_for([0]), way)
        assert answer == (0, name)
    assert saved.n_taken == 0


def test_a_way_of_matching_that_cannot_be_saved_is_asked_every_time(inner, saved):
    engine = CachingEngine(inner, saved)
    way = NumberAndName(["a"])
    for _ in range(2):
        list(engine.nearest_pairs(PATTERNS[:1], controls_for([0]), way.__call__))
    assert len(inner.asked) == 2


def test_questions_with_the_same_numbers_are_told_apart(inner, saved):
    """Items 0 and 2 held or counted, one pattern of two items or two patterns of one."""
    engine, plain = CachingEngine(inner, saved), MemoryEngine(coded(ROWS))
    for held, items in [([0, 2], [5]), ([0], [2, 5]), ([], [0, 2, 5]), ([2, 0], [5])]:
        words = np.array(held, np.intp), np.array(items, np.intp)
        assert engine.within(*words).tolist() == plain.within(*words).tolist()
    for patterns in (np.array([[0, 2]]), np.array([[0], [2]])):
        assert (
            engine.pattern_counts(patterns).support.tolist()
            == plain.pattern_counts(patterns).support.tolist()
        )
        overlaps = engine.overlaps(patterns, np.array([5]))
        assert overlaps.tolist() == plain.overlaps(patterns, np.array([5])).tolist()


def test_other_controls_are_another_question(inner, saved):
    engine = CachingEngine(inner, saved)
    plain = MemoryEngine(coded(ROWS))
    for held in range(7):
        controls = np.arange(7)[None, :] == held
        assert list(engine.strata(PATTERNS[:1], controls)) == list(plain.strata(PATTERNS[:1], controls))
    assert saved.n_taken == 0


def test_an_answer_that_vanished_is_asked_for_again(inner, saved):
    engine = CachingEngine(inner, saved)
    first = list(engine.strata(PATTERNS, controls_for(PATTERNS)))
    saved.save()
    answers = engine.strata(PATTERNS, controls_for(PATTERNS))
    saved._connection.execute("DELETE FROM answers")
    assert list(answers) == first
    assert inner.asked == [PATTERNS.tolist(), *([pattern] for pattern in PATTERNS.tolist())]


def test_the_parts_of_a_run_are_told_apart(saved):
    """Held-out records are counted by an engine of their own, with the same questions."""
    table = coded(ROWS)
    is_first = np.arange(60) < 25
    for part, records in (("proposing", is_first), ("judging", ~is_first)):
        engine = CachingEngine(MemoryEngine(table.only(records)), saved, part)
        plain = MemoryEngine(table.only(records))
        assert engine.item_counts().support.tolist() == plain.item_counts().support.tolist()
        assert list(engine.strata(PATTERNS, controls_for(PATTERNS))) == list(
            plain.strata(PATTERNS, controls_for(PATTERNS))
        )
