"""Columns that take part and have no study: each with its reason."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules


@pytest.fixture(scope="module")
def table():
    """One strong cause, one that lowers, noise, and a column whose second value is too rare."""
    random = np.random.default_rng(5)
    smoker, sport, noise = (random.integers(0, 2, 2_000) for _ in range(3))
    ill = random.random(2_000) < 0.2 + 0.4 * smoker - 0.15 * sport
    rare = np.where(np.arange(2_000) < 4, "yes", "no")
    words = np.array(["no", "yes"])
    return pa.table(
        {
            "smoker": words[smoker],
            "sport": words[sport],
            "noise": words[noise],
            "rare": rare,
            "ill": words[ill.astype(int)],
        }
    )


def reasons(table, **settings):
    result = causalrules.mine(table, "ill=yes", **settings)
    studied = {item.column for rule in result.tested for item in rule.pattern}
    named = {one.column: one.reason for one in result.not_studied}
    assert not studied & set(named)
    left_out = {one.column for one in result.data.left_out}
    assert studied | set(named) | left_out | {"ill"} == set(table.column_names)
    return named


def test_what_is_weak_or_rare_says_so(table):
    named = reasons(table)
    assert set(named) == {"noise", "rare"}
    assert named["noise"].startswith("it is not associated with the outcome, even before adjustment (p = 0.")
    assert named["rare"].startswith("no value of it is frequent enough: none covers more than 5 %")


def test_what_was_not_asked_about_names_the_statement(table):
    named = reasons(table, exposures=["smoker"])
    assert named["sport"] == "it was not tested, because you said: exposures smoker"


def test_what_goes_the_other_way_says_so(table):
    assert "direction that was not asked for" in reasons(table, direction="raises")["sport"]


def test_the_papers_protocol_tells_it_too(table):
    named = reasons(table, controls="items")
    assert named["noise"] == "no value of it is both frequent enough and associated with the outcome"
