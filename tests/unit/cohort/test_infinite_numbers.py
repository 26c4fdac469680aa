"""An infinite number counts as the outermost finite one, and is mentioned."""

import warnings

import numpy as np
import pandas as pd
import pytest

import causalrules


@pytest.fixture(scope="module")
def confounded():
    rng = np.random.default_rng(30)
    n = 2000
    x = rng.normal(size=n)
    odds = 1.5 * x
    treated, ill = (rng.random(n) < 1 / (1 + np.exp(-odds)) for _ in range(2))
    return pd.DataFrame({"x": x, "treated": treated, "ill": ill})


@pytest.mark.parametrize(("infinite", "outermost"), [(np.inf, "max"), (-np.inf, "min")])
def test_it_counts_as_the_outermost_number(confounded, infinite, outermost):
    tables = [confounded.copy(), confounded.copy()]
    tables[0].loc[[5, 9], "x"] = infinite
    tables[1].loc[[5, 9], "x"] = getattr(tables[0]["x"][np.isfinite(tables[0]["x"])], outermost)()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, same = (causalrules.test(table, "ill", "treated", adjust="x") for table in tables)
    assert found.rules[0] == same.rules[0]
    assert found.rules[0].design.second_opinion == same.rules[0].design.second_opinion
    assert found.data.notes[0].startswith("x has 2 infinite values")
    assert not same.data.notes


def test_it_belongs_to_the_outermost_interval(confounded):
    table = confounded.assign(x=np.where(confounded.index == 5, -np.inf, confounded["x"]))
    result = causalrules.mine(table, "ill", max_length=1, bins="quantile:4")
    for rule in result.rules:
        assert rule.mask(table).sum() == rule.exposed
    lowest = next(rule for rule in result.tested if rule.name.startswith("x<="))
    assert lowest.mask(table)[5]


def test_nothing_but_infinite_numbers():
    table = {
        "x": [np.inf, -np.inf] * 50,
        "sex": ["m", "f", "f", "m"] * 25,
        "ill": [True, False, False, True] * 25,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = causalrules.mine(table, "ill")
    assert [entry.column for entry in result.not_studied] == ["x"]
    assert {item.column for rule in result.tested for item in rule.pattern} == {"sex"}
