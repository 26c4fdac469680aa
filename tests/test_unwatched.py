"""Coverage stops where it need not look, and goes on afterwards, whatever happened."""

import sys
from types import SimpleNamespace

import pytest

from unwatched import leave_unwatched, not_watching, only_examples_watched


@pytest.fixture
def told(monkeypatch):
    """What coverage's tracer is told, and what runs meanwhile."""
    told = []
    tracer = SimpleNamespace(stop=lambda: told.append("stop"), start=lambda: told.append("start"))
    monkeypatch.setattr(sys, "gettrace", lambda: tracer)
    return told


def test_it_goes_on_after_a_mistake(told):
    with pytest.raises(ZeroDivisionError), not_watching():
        told.append(1 / 0)
    assert told == ["stop", "start"]


def test_oracles_are_not_watched(told):
    oracle = SimpleNamespace(answer=lambda: told.append("answer") or 42, __name__=__name__)
    leave_unwatched(oracle)
    assert oracle.answer() == 42
    assert told == ["stop", "answer", "start"]


def test_of_hypothesis_only_examples_are_watched(told):
    test = SimpleNamespace(inner_test=lambda example: told.append(example))
    body = test.inner_test
    with only_examples_watched(test):
        told.append("draw")
        test.inner_test(1)
        told.append("draw")
        test.inner_test(2)
    assert told == ["stop", "draw", "start", 1, "stop", "draw", "start", 2, "stop", "start"]
    assert test.inner_test is body


def test_a_debugger_is_left_alone(monkeypatch):
    monkeypatch.setattr(sys, "gettrace", lambda: print)
    test = SimpleNamespace(inner_test=len)
    with not_watching(), only_examples_watched(test):
        assert test.inner_test is len
