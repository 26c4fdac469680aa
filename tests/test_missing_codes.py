"""Codes that stand for a missing value: they are asked about, never changed, and never made up."""

import numpy as np
import pandas as pd
import pytest

import causalrules
from causalrules.domain import Settings
from causalrules.encode import encode
from causalrules.look.missing_codes import lone_codes
from datasets import require


def patients(n=2000, seed=3):
    draw = np.random.default_rng(seed)
    age = draw.integers(20, 80, n)
    ill = draw.random(n) < 1 / (1 + np.exp(1 - 0.04 * (age - 50)))
    return pd.DataFrame(
        {
            "age": np.where(draw.random(n) < 0.08, -99, age),
            "smoke": draw.choice([0, 1, 9], n, p=[0.5, 0.4, 0.1]),
            "children": draw.integers(0, 13, n),
            "alcohol": draw.choice(["yes", "no", "NA"], n, p=[0.4, 0.4, 0.2]),
            "ill": np.where(ill, "yes", "no"),
        }
    )


def questions(table, outcome="ill=yes", **asked):
    """What is asked or told about values; that NA is taken for missing is another note."""
    notes = causalrules.mine(table, outcome, max_length=1, **asked).data.notes
    return [note for note in notes if "--missing" in note and "counts as missing" not in note]


@pytest.mark.parametrize("as_text", [False, True])
def test_lone_codes_are_asked_about_first(as_text):
    table = patients().astype(str) if as_text else patients()
    (note,) = questions(table)
    assert "smoke is 9 (" in note
    assert "age is -99 (" in note
    assert note.endswith("--missing age=-99,smoke=9.")
    assert not questions(table, missing=["9", "-99", "NA"])


def test_texts_that_say_so_are_asked_about():
    draw = np.random.default_rng(1)
    table = patients().assign(
        job=draw.choice(["none", "some", "Weiß nicht"], 2000),
        reply=draw.choice(["accepted", "refused"], 2000),
    )
    (note,) = questions(table, missing=["9", "-99", "NA"])
    assert "job is Weiß nicht (" in note
    assert "reply" not in note
    assert "--missing '9,-99,NA,job=Weiß nicht'" in note


def test_a_code_of_the_outcome_is_asked_about():
    table = patients().assign(ill=np.random.default_rng(2).choice([0, 1, 9], 2000, p=[0.6, 0.35, 0.05]))
    (note,) = questions(table, "ill=1")
    assert "ill is 9 (" in note


@pytest.mark.parametrize("asked", [{"outcome": "income", "outcome_as": "mean"}, {"outcome": "income<20"}])
def test_a_code_of_a_numeric_outcome_is_asked_about(asked):
    draw = np.random.default_rng(4)
    income = draw.integers(5, 60, 800)
    income[::15] = -99
    table = pd.DataFrame({"income": income, "region": draw.choice(["a", "b"], 800)})
    (question,) = questions(table, **asked)
    assert "income is -99 (6.8%)" in question
    assert not questions(table, missing={"income": [-99]}, **asked)


def test_codes_named_in_an_outcome_of_several_values_are_not_asked_about():
    draw = np.random.default_rng(5)
    table = pd.DataFrame({"stage": draw.choice([1, 2, 3, 9], 800), "region": draw.choice(["a", "b"], 800)})
    assert not questions(table, "stage=3|9")


@pytest.mark.parametrize("declared", ["-9", "-9.0", "-9.00"])
def test_a_number_means_missing_however_the_file_writes_it(declared, tmp_path):
    draw = np.random.default_rng(6)
    stage = draw.choice([1.0, 2.0, 3.0, -9.0], 900, p=[0.4, 0.3, 0.2, 0.1])
    ill = np.where(draw.random(900) < 0.2 + 0.2 * (stage == 3), "yes", "no")
    table = pd.DataFrame({"stage": stage, "ill": ill})
    table.to_csv(tmp_path / "table.csv", index=False)
    assert "-9.0" in (tmp_path / "table.csv").read_text()
    table.assign(stage=table.stage.where(table.stage > 0)).to_csv(tmp_path / "blank.csv", index=False)
    expected = causalrules.mine(tmp_path / "blank.csv", "ill=yes").tested
    assert expected
    for missing in ([declared], {"stage": declared}):
        found = causalrules.mine(tmp_path / "table.csv", "ill=yes", missing=missing)
        assert found.tested == expected
        assert not any("Is a value missing" in note for note in found.data.notes)
    assert any(f"{declared} in stage (" in note and "no record" not in note for note in found.data.notes)


def test_numbers_declared_missing_are_missing_whatever_their_type():
    """A table of numbers answers like the same table as texts."""
    table, asked = patients(), {"max_length": 1, "missing": ["-99", "9", "NA"]}
    numbers = causalrules.mine(table, "ill=yes", **asked)
    assert numbers.tested == causalrules.mine(table.astype(str), "ill=yes", **asked).tested
    gone = table.assign(
        age=table.age.where(table.age != -99).where(table.age != 9),
        smoke=table.smoke.where(table.smoke != 9),
        children=table.children.where(table.children != 9),
    )
    assert numbers.tested == causalrules.mine(gone, "ill=yes", max_length=1).tested


def test_usual_texts_that_are_values_by_a_new_list_are_named():
    (note,) = questions(patients(), missing=["9", "-99"])
    assert note.startswith("NA is a value now: alcohol is NA (")
    assert "instead of the usual ones" in note
    assert "--missing 9,-99,NA" in note


def codes(*values):
    values = np.array(values, float)
    having = np.full(len(values), 50)
    return lone_codes(values, having, int(having.sum()))


@pytest.mark.parametrize(
    "values",
    [
        range(10),  # 9 is the next integer
        [*range(7), 8, 9],
        range(18, 100),  # an age of 99 among those in their nineties
        [*range(18, 95), 97, 99],
        [-1, 0, 1],
        [-2, -1, 0, 1, 2],
        [-9, -4, -1, 0, 3],  # others are below 0 as well
        [1, 2, 4, 8],
        [3, 4, 5, 6, 8],
        [1, 9],
        [0, 99],
        [*range(0, 101, 7), 99],
        [90.5, 95.2, 99, 101.3],
    ],
)
def test_what_may_be_a_value_is_no_code(values):
    assert codes(*values) == []


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1, 9], [9]),
        ([1, 2, 3, 4, 5, 8, 9], [8, 9]),
        ([1, 2, 3, 97, 98, 99], [97, 98, 99]),
        ([1, 2, 9999], [9999]),
        ([*range(18, 66), 99], [99]),
        ([*np.arange(15, 45, 0.2), 999], [999]),
        ([-9, -8, 1, 2], [-9, -8]),
        ([-99, *range(20, 60), 999], [-99, 999]),
    ],
)
def test_codes_that_stand_apart_are_found(values, expected):
    assert codes(*values) == expected


def test_a_value_of_a_few_records_is_no_code():
    values, counts = np.array([0.0, 1, 9]), np.array([1000, 1000, 4])
    assert lone_codes(values, counts, 2004) == []
    assert lone_codes(values, np.array([1000, 1000, 20]), 2020) == [9]


def test_minus_one_is_a_code_before_a_gap():
    assert codes(-1, *range(18, 60)) == [-1]
    assert codes(-1, *range(3, 60)) == []
    assert codes(-1, *np.arange(0.0, 5.0, 0.1)) == []


def test_minus_one_is_a_code_where_it_is_met_far_more_often():
    values = np.arange(-1.0, 300)
    counts = np.full(len(values), 10)
    assert lone_codes(values, counts, int(counts.sum())) == []
    counts[0] = 5000
    assert lone_codes(values, counts, int(counts.sum())) == [-1]


@pytest.mark.parametrize("name", ["adult", "german", "mushroom", "kr-vs-kp", "hypothyroid", "sick"])
def test_real_tables_are_asked_no_needless_question(name):
    data = require(name)
    coded = encode(data.arrow(), data.outcome, Settings())
    assert not [note for note in coded.summary.notes if "--missing" in note or "--cluster" in note]


@pytest.mark.parametrize(
    ("code", "count", "asked"),
    [
        (9999, 28, True),
        (-999, 28, True),
        (9999, 4, False),
        (299, 28, False),
        (999, 28, True),
        (99, 28, False),
    ],
)
def test_a_rare_code_is_asked_about_where_it_is_far_from_all_values(code, count, asked):
    """28 of 14,000 temperatures; 299 is no code, 99 is below them all, and four records are a slip."""
    draw = np.random.default_rng(5)
    values = draw.normal(182, 4, 14_000).round(1)
    values[:count] = code
    table = pd.DataFrame({"temperature": values, "scrap": np.where(draw.random(14_000) < 0.05, "yes", "no")})
    notes = causalrules.mine(table, "scrap=yes").data.notes
    assert any(note.startswith(f"Is a value missing where temperature is {code}") for note in notes) == asked
