"""Columns of a file that take no part are not read, unless something else speaks of them."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

import causalrules
from causalrules.domain import Settings
from causalrules.engines.load import _is_needed


@pytest.fixture(scope="module")
def table():
    chance = np.random.default_rng(0)
    values = {name: chance.choice(["no", "yes"], 400) for name in ("a", "b", "c", "it's")}
    values["z"] = np.where(chance.random(400) < 0.7, values["a"], values["b"])
    numbers = {"age": chance.integers(20, 80, 400), "times": chance.integers(1, 3, 400)}
    return pa.table({**values, **numbers, "who": chance.integers(0, 90, 400)})


@pytest.fixture(scope="module")
def file(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("needed") / "table.csv"
    csv.write_csv(table, path, csv.WriteOptions(quoting_style="none"))
    return path


ASKED = {
    "only some": {"outcome": "z=yes", "only": ["a", "b"]},
    "all but some": {"outcome": "z=yes", "drop": ["age", "c", "it's"]},
    "a dropped outcome": {"outcome": "z=yes & age>=50", "only": ["a", "b"]},
    "an outcome with a sign in its name": {"outcome": '"it\'s"=yes', "only": ["a", "b"]},
    "weights": {"outcome": "z=yes", "only": ["a", "b"], "weights": "times"},
    "clusters": {"outcome": "z=yes", "only": ["a", "b"], "cluster": "who", "controls": "auto"},
    "an adjustment": {"outcome": "z=yes", "only": ["a", "b", "age"], "adjust": ["age"], "controls": "auto"},
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_a_file_gives_what_the_whole_table_gives(table, file, asked):
    options = {"controls": "items", "min_odds_ratio": 1.0, "judge": "interval"} | asked
    if options["controls"] == "auto":
        del options["min_odds_ratio"], options["judge"]
    found, expected = (causalrules.mine(source, **options).to_dict() for source in (file, table))
    for result in (found, expected):
        result["data"]["source"], result["timings"], result["created"] = "", {}, ""
    assert found["rules"]
    assert found == expected


def test_what_nothing_speaks_of_is_not_needed():
    is_needed = _is_needed(Settings(only=("a", "b"), cluster="who"), "z=yes & age>=50")
    names = ("a", "who", "z", "age", "it's", "times", "income")
    assert [is_needed(name) for name in names] == [True] * 5 + [False] * 2
    assert _is_needed(Settings(), "z=yes") is None


def test_one_hypothesis_about_a_column_that_takes_no_part(table, file):
    options = {"outcome": "z=yes", "exposure": "age>=40", "drop": ["c"], "controls": "items"}
    found, expected = (causalrules.test(source, **options).rules for source in (file, table))
    assert found == expected
