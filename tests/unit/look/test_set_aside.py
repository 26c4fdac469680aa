"""What is set aside is what tables of known truth were made with, and nothing else."""

import numpy as np
import pytest

from causalrules.domain.knowledge import Knowledge
from causalrules.look import CODES, TableHints, look
from causalrules.words.records import Records
from coded_records import coded_records


def looked(columns, outcome="ill=yes", hints=None, **settings):
    records, coded = coded_records(columns, outcome, **settings)
    return look(records, hints or TableHints(persons=dict.fromkeys(coded.repeating, 100)))


def said(outcome="ill", **knowledge):
    return TableHints(roles=Knowledge(**knowledge).about(outcome))


def codes_of(found):
    return {name: note.code for name, note in found.set_aside.items()}


def nhefs(seed=1, n=1629):
    """Deaths by 1992 with their dates, known for the dead only; smoking acts."""
    draw = np.random.default_rng(seed)
    age, quit_ = draw.integers(25, 75, n), draw.random(n) < 0.25
    ill = draw.random(n) < 1 / (1 + np.exp(3.5 - 0.06 * (age - 25) + 0.4 * quit_))
    dates = {
        "year of death": draw.integers(83, 93, n),
        "month of death": draw.integers(1, 13, n),
        "day of death": draw.integers(1, 32, n),
    }
    return {
        "age": age,
        "quit": np.where(quit_, "yes", "no"),
        "weight": draw.normal(70, 15, n).round(1),
        **{
            name: [int(v) if has else None for v, has in zip(at, ill, strict=True)]
            for name, at in dates.items()
        },
        "ill": np.where(ill, "yes", "no"),
    }


def test_dates_known_for_the_dead_only_are_leaks():
    found = looked(nhefs())
    assert codes_of(found) == dict.fromkeys(("year of death", "month of death", "day of death"), "leak")
    assert {note.data["known_for"] for note in found.set_aside.values()} == {"with"}
    assert {column.name for column in found.records.columns} == {"age", "quit", "weight"}
    survivors = looked(nhefs(), "ill=no").set_aside["month of death"]
    assert survivors.data["known_for"] == "without"


def test_what_is_known_nearly_only_for_the_dead_is_a_leak_too():
    columns = nhefs()
    few = np.random.default_rng(2).random(1629)
    # A third of the dead have no month, and one of 200 living has one by mistake.
    columns["month of death"] = [
        (None if u < 1 / 3 else v) if v is not None else (5 if u < 0.005 else None)
        for v, u in zip(columns["month of death"], few, strict=True)
    ]
    assert looked(columns).set_aside["month of death"].data["known_for"] == "with"


@pytest.mark.parametrize(
    "knowledge",
    [
        {"before": ("month of death",)},
        {"after": ("month of death",)},
        {"tiers": (("month of death",), ("ill",))},
    ],
)
def test_what_the_user_put_in_time_is_no_leak(knowledge):
    assert "month of death" not in looked(nhefs(), hints=said(**knowledge)).set_aside


@pytest.mark.parametrize("seed", range(5))
def test_missing_at_random_and_rare_outcomes_leak_nothing(seed):
    draw = np.random.default_rng(seed)
    n = 400
    columns = {
        f"x{i}": [
            int(v) if u > i / 30 else None
            for v, u in zip(draw.integers(0, 9, n), draw.random(n), strict=True)
        ]
        for i in range(25)
    }
    columns |= {f"many{i}": draw.integers(0, 90, n).astype(str) for i in range(5)}
    columns["ill"] = np.where(draw.random(n) < 0.05, "yes", "no")
    assert looked(columns, max_values=500).set_aside == {}


@pytest.mark.parametrize(("share", "is_leak"), [(0.3, False), (0.03, True)])
@pytest.mark.parametrize("rate", [0.3, 0.01])
def test_a_number_that_decides_is_a_leak_however_rare_the_outcome(rate, share, is_leak):
    """The outcome is that a number is high; of a share of the records it is another number."""
    draw = np.random.default_rng(3)
    score, other = draw.normal(size=(2, 6000))
    decides = np.where(draw.random(6000) < share, other, score)
    ill = decides > np.quantile(decides, 1 - rate)
    found = looked({"score": score, "noise": draw.normal(size=6000), "ill": np.where(ill, "yes", "no")})
    assert codes_of(found) == ({"score": "leak"} if is_leak else {})


def followed(name="time", n=1500, seed=1, is_ended=True):
    """Times to an event, censored at random; a treatment prolongs them."""
    draw = np.random.default_rng(seed)
    treated, age = draw.integers(0, 2, n), draw.integers(30, 80, n)
    until_event = draw.exponential(60 * np.exp(0.5 * treated - 0.02 * (age - 55)))
    until_end = draw.uniform(0, 80, n)
    time = np.minimum(until_event, until_end) if is_ended else draw.uniform(0, 80, n)
    ill = np.where(until_event < until_end, "yes", "no")
    return {"treated": treated.astype(str), "age": age, name: time.round(1), "ill": ill}


@pytest.mark.parametrize(
    "name", ["time", "days", "follow-up (years)", "futime", "Beobachtungszeit", "time_to_death"]
)
def test_a_time_that_the_outcome_ends_is_set_aside(name):
    found = looked(followed(name))
    assert codes_of(found) == {name: "observation_time"}
    assert found.follow_up == name
    assert found.set_aside[name].data["shorter"] > 0.6
    assert looked(followed(name), "ill=no").set_aside[name].data["shorter"] < 0.4


def test_other_names_equal_times_and_what_the_user_said_are_no_observation_times():
    assert looked(followed("dose")).follow_up is None
    assert looked(followed("age at time 1")).follow_up is None
    assert looked(followed(is_ended=False)).follow_up is None
    assert looked(followed(), hints=said(before=("time",))).follow_up is None


def test_a_time_that_decides_the_outcome_is_one_of_observation():
    columns = followed("followup", 3000)
    columns["followup"] = np.where(columns["ill"] == "yes", columns["followup"], 80.0)
    assert codes_of(looked(columns)) == {"followup": "observation_time"}


@pytest.mark.parametrize(
    ("name", "mean", "is_aside"),
    [("fnlwgt", 900, True), ("weight", 1, True), ("weight", 75, False), ("wealth", 1, False)],
)
def test_survey_weights_are_set_aside_and_those_of_bodies_are_not(name, mean, is_aside):
    draw = np.random.default_rng(3)
    weight = draw.lognormal(0, 0.25, 2000)
    columns = {
        name: weight * mean / weight.mean(),
        "sex": draw.choice(["f", "m"], 2000),
        "ill": draw.choice(["yes", "no"], 2000),
    }
    assert codes_of(looked(columns)) == ({name: "survey_weight"} if is_aside else {})


def test_identifiers_are_set_aside_and_those_that_repeat_are_clusters():
    draw = np.random.default_rng(4)
    person = np.repeat(np.arange(200), 5)
    columns = {
        "patient_id": np.array([f"P{7 * one:05}" for one in person]),
        "sex": draw.choice(["f", "m"], 200)[person],
        "ill": draw.choice(["yes", "no"], 1000),
    }
    found = looked(columns)
    assert found.cluster == "patient_id"
    assert codes_of(found) == {"patient_id": "repeated_identifier"}
    hints = TableHints(left_out={"row": "identifier", "flag": "constant", "comment": "too_many_values"})
    found = looked(columns, hints=hints)
    assert codes_of(found) == {"row": "identifier", "flag": "constant"}
    assert [note.data for note in found.notes if note.code == "left_out"] == [
        {"column": "comment", "reason": "too_many_values"}
    ]


def test_of_a_declared_cluster_and_a_declared_weight_nothing_is_asked():
    records, _ = coded_records(followed("fnlwgt"), "ill=yes")
    n = records.n_rows
    declared = Records(
        records.columns, records.outcome, records.count, np.ones(n), np.arange(n, dtype=np.int32)
    )
    found = look(declared, TableHints(persons={"age": 50}))
    assert found.cluster is None
    assert "fnlwgt" not in found.set_aside


def test_many_equal_records_are_told_where_chance_gives_none():
    draw = np.random.default_rng(5)
    rows = draw.integers(0, 3, (300, 14))
    twice = np.concatenate([rows, rows[:200]]).astype(str)
    columns = {f"x{i}": one for i, one in enumerate(twice.T)} | {"ill": draw.choice(["yes", "no"], 500)}
    (note,) = (note for note in looked(columns).notes if note.code == "repeated_records")
    assert note.data == {"records": 400, "of": 500}
    assert not looked({name: one[:300] for name, one in columns.items()}).notes


def test_codes_that_may_mean_missing_and_dates_are_told():
    draw = np.random.default_rng(6)
    n = 1000
    columns = {
        "children": draw.choice([0, 1, 2, 3, 9], n),
        "job": draw.choice(["clerk", "none", "don't know"], n),
        "income": np.where(draw.random(n) < 0.1, -99, draw.integers(100, 900, n)),
        "seen": draw.integers(0, 900, n).astype("datetime64[D]"),
        "ill": draw.choice(["yes", "no"], n),
    }
    notes = looked(columns).notes
    told = {note.data["column"]: note.data["value"] for note in notes if note.code == "missing_code"}
    assert told == {"children": "9", "job": "don't know", "income": "-99"}
    assert [note.data["column"] for note in notes if note.code == "date"] == ["seen"]


def test_a_mean_has_leaks_as_well():
    draw = np.random.default_rng(7)
    records, _ = coded_records(
        {"x": draw.normal(size=900), "cost": draw.normal(size=900), "ill": draw.choice(["yes", "no"], 900)},
        "ill=yes",
    )
    cost = records.column("cost")
    means = Records(records.columns, cost.values[cost.codes - 1] * 2.5, records.count, is_mean=True)
    assert codes_of(look(means)) == {"cost": "leak"}


def test_every_code_is_declared():
    assert {note.code for note in looked(nhefs() | followed("time", 1629)).notes} <= set(CODES)
    assert looked({"x": ["a", "b"] * 30, "ill": ["yes", "no", "no"] * 20}).notes == ()
    assert look(Records((), np.array([0.0, 1.0]), np.ones(2))).units == ()
