"""The whole program asked twice: what must not matter does not matter, whatever the settings."""

import random
from functools import cache

import numpy as np
import pyarrow as pa
import pytest

import causalrules

SETTINGS = [
    {},
    {"max_length": 1, "adjust": ("+age",)},
    {"missing_controls": "value", "matching": "exact"},
    {"matching": "propensity", "bins": "quantile:3"},
    {"controls": "items", "max_length": 2},
    {"controls": "columns", "judge": "interval", "min_support": 0.02},
    {"controls": "items", "test": "exact", "direction": "raises"},
    {"controls": "items", "matching": "jaccard", "max_length": 1},
]


@cache
def table():
    """Two causes, a confounder, a number, a combined cause, a column with missing values, and noise."""
    chance = np.random.default_rng(7)
    n = 3000
    age = chance.normal(50, 12, n).round(1)
    smoker = chance.random(n) < 1 / (1 + np.exp(-(age - 50) / 15))
    a, b = chance.random((2, n)) < 0.5
    noise = chance.integers(0, 4, n)
    risk = -2 + 0.03 * (age - 50) + 0.9 * smoker + 1.6 * (a == b)
    ill = chance.random(n) < 1 / (1 + np.exp(-risk))
    is_low = chance.random(n) < 0.4 + 0.2 * smoker
    fitness = np.where(chance.random(n) < 0.1, None, np.where(is_low, "low", "high"))
    words = np.array(["yes", "no"])
    return pa.table(
        {
            "age": age,
            "smoker": words[1 - smoker],
            "a": words[1 - a],
            "b": words[1 - b],
            "noise": np.array(list("wxyz"))[noise],
            "fitness": pa.array(fitness.tolist(), pa.string()),
            "ill": words[1 - ill],
        }
    )


@cache
def answer_of(number):
    return facts(causalrules.mine(table(), "ill=yes", **SETTINGS[number]))


def facts(result, names=None, *, opposite=False):
    """What must be equal: every rule's items, direction, verdict and counts, and its estimates."""
    names = names or {}
    other = {"raises": "lowers", "lowers": "raises"}
    found = {}
    for rule in result.tested:
        items = frozenset((names.get(item.column, item.column), item.value) for item in rule.pattern)
        direction = other[rule.direction] if opposite else rule.direction
        ratio = rule.adjusted_odds_ratio
        found[items, direction] = (
            rule.verdict,
            rule.exposed,
            rule.unexposed,
            tuple(round(value, 6) for value in (ratio.value, ratio.low, ratio.high)),
        )
    return found


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_the_order_of_records_does_not_matter(number):
    order = np.random.default_rng(1).permutation(table().num_rows)
    assert facts(causalrules.mine(table().take(order), "ill=yes", **SETTINGS[number])) == answer_of(number)


@pytest.mark.parametrize("options", [{}, {"controls": "items"}, {"cluster": "visit"}], ids=str)
def test_neither_order_nor_engine_matters_to_who_is_held_out(options):
    chance = np.random.default_rng(2)
    people = table().append_column("visit", pa.array(chance.integers(0, 300, table().num_rows)))
    options = {"holdout": 0.4, "max_length": 1} | options
    expected = facts(causalrules.mine(people, "ill=yes", **options))
    assert expected
    moved = people.take(chance.permutation(people.num_rows)).select(people.column_names[::-1])
    for engine in ("memory", "streaming"):
        assert facts(causalrules.mine(moved, "ill=yes", engine=engine, **options)) == expected


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_the_order_and_the_names_of_columns_do_not_matter(number):
    names = table().column_names
    order = random.Random(3).sample(names, len(names))
    renamed = {name: f"column {name}" if name not in ("ill", "age") else name for name in names}
    moved = table().select(order).rename_columns([renamed[name] for name in order])
    found = causalrules.mine(moved, "ill=yes", **SETTINGS[number])
    assert facts(found, {new: old for old, new in renamed.items()}) == answer_of(number)


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_a_constant_column_does_not_matter(number):
    more = table().append_column("planet", pa.array(["earth"] * table().num_rows))
    assert facts(causalrules.mine(more, "ill=yes", **SETTINGS[number])) == answer_of(number)


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 3}, {"engine": "streaming"}])
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5])
def test_threads_and_engines_do_not_matter(number, options):
    assert facts(causalrules.mine(table(), "ill=yes", **SETTINGS[number], **options)) == answer_of(number)


@pytest.mark.parametrize("number", range(6))
def test_what_raises_the_outcome_lowers_its_opposite(number):
    """Supports are counted among records with the outcome, so only rules of both answers are compared."""
    found = facts(causalrules.mine(table(), "ill=no", **SETTINGS[number]), opposite=True)
    expected = answer_of(number)
    both = found.keys() & expected.keys()
    assert both
    for key in both:
        verdict, exposed, unexposed, _ = expected[key]
        assert found[key][:3] == (verdict, exposed, unexposed), key
