"""Columns of a file that take no part are not read, unless something else speaks of them."""

import numpy as np
import pyarrow as pa
import pytest

import causalrules
from causalrules.domain import Settings
from causalrules.engines.load import needed_columns


@pytest.fixture(scope="module")
def table():
    chance = np.random.default_rng(0)
    values = {name: chance.choice(["no", "yes"], 400) for name in ("a", "b", "c", "it's")}
    values["z"] = np.where(chance.random(400) < 0.7, values["a"], values["b"])
    numbers = {"age": chance.integers(20, 80, 400), "times": chance.integers(1, 3, 400)}
    who = chance.integers(0, 90, 400)
    return pa.table({**values, **numbers, "who": who, "who\xa0is it": who})


@pytest.fixture(scope="module")
def file(table, tmp_path_factory):
    """Without a quotation mark, in the header neither: with one, all columns are read."""
    path = tmp_path_factory.mktemp("needed") / "table.csv"
    lines = [table.column_names, *zip(*table.to_pydict().values(), strict=True)]
    path.write_text("".join(f"{','.join(map(str, line))}\n" for line in lines), encoding="utf-8")
    return path


ASKED = {
    "only some": {"outcome": "z=yes", "only": ["a", "b"]},
    "all but some": {"outcome": "z=yes", "drop": ["age", "c", "it's"]},
    "a dropped outcome": {"outcome": "z=yes & age>=50", "only": ["a", "b"]},
    "an outcome with a sign in its name": {"outcome": '"it\'s"=yes', "only": ["a", "b"]},
    "weights": {"outcome": "z=yes", "only": ["a", "b"], "weights": "times"},
    "clusters": {"outcome": "z=yes", "only": ["a", "b"], "cluster": "who", "controls": "auto"},
    "clusters, by a name with a space that does not break": {
        "outcome": "z=yes",
        "only": ["a", "b"],
        "cluster": "who\xa0is it",
        "controls": "auto",
    },
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
        result.pop("kinds", None)  # which a file of texts does not know
    assert found["rules"]
    assert found == expected


def test_what_nothing_speaks_of_is_not_needed():
    is_needed = needed_columns(Settings(only=("a", "b"), cluster="who"), "z=yes & age>=50")
    needed, not_needed = ("a", "who", "z", "age", 'a "quoted" name'), ("it's", "times", "income")
    assert all(map(is_needed, needed))
    assert not any(map(is_needed, not_needed))
    assert needed_columns(Settings(), "z=yes") is None


@pytest.mark.parametrize("name", ["ag", "ge", "seed", "auto", "w", "NA"])
def test_a_name_within_a_longer_word_or_among_the_defaults_is_not_meant(name):
    is_needed = needed_columns(Settings(only=("a",), cluster="who", tiers="first_age < last"), "z>=50.5")
    assert not is_needed(name)


@pytest.mark.parametrize(
    "name", ["%fat", "a b", "patient\xa0id", "tab\there", "back\\slash", "größe", "_x_", "[0]"]
)
def test_a_name_is_known_whatever_signs_it_has(name):
    for settings in (Settings(only=("a",), cluster=name), Settings(only=("a",), adjust=(f"a=1&{name}>=3",))):
        assert needed_columns(settings, "z")(name)
    assert needed_columns(Settings(only=("a",)), f"1<={name}<3")(name)


def test_one_hypothesis_about_a_column_that_takes_no_part(table, file):
    options = {"outcome": "z=yes", "exposure": "age>=40", "drop": ["c"], "controls": "items"}
    found, expected = (causalrules.test(source, **options).rules for source in (file, table))
    assert found == expected
