"""A level that is the same records in several columns becomes one column, and copies become one unit."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causalrules.domain.knowledge import Knowledge
from causalrules.look import TableHints, look
from causalrules.look.copies import are_copies, copies
from causalrules.look.sketches import Sketcher
from causalrules.words.records import Column, Records
from coded_records import coded_records

SERVICES = ("OnlineSecurity", "OnlineBackup", "DeviceProtection", "TechSupport", "StreamingTV")


def telco(seed=1, n=3000):
    draw = np.random.default_rng(seed)
    internet = draw.choice(["DSL", "Fiber optic", "No"], n, p=[0.35, 0.43, 0.22])
    phone, lines = draw.random(n) < 0.9, draw.choice(["Yes", "No"], n)
    columns = {
        name: np.where(internet == "No", "No internet service", draw.choice(["Yes", "No"], n))
        for name in SERVICES
    }
    leaves = draw.random(n) < np.where(internet == "No", 0.07, 0.25) + 0.1 * (columns["TechSupport"] == "No")
    return {
        "gender": draw.choice(["Male", "Female"], n),
        "PhoneService": np.where(phone, "Yes", "No"),
        "MultipleLines": np.where(phone, lines, "No phone service"),
        "InternetService": internet,
        **columns,
        "Churn": np.where(leaves, "Yes", "No"),
    }


def looked(columns, outcome, **knowledge):
    records, _ = coded_records(columns, outcome)
    return look(records, TableHints(roles=Knowledge(**knowledge).about(outcome.partition("=")[0])))


def test_no_internet_service_is_one_column_of_its_own():
    table = telco()
    found = looked(table, "Churn=Yes")
    (name,) = {found.scope[service] for service in (*SERVICES, "InternetService")}
    assert name == "InternetService=No"
    assert found.made == {name: "InternetService"}
    assert found.scope["MultipleLines"] == "PhoneService"
    assert found.units == ()
    own = found.records.column(name)
    assert own.levels == ("no", "yes")
    assert found.records.count[own.codes == 2].sum() == (table["InternetService"] == "No").sum()
    for service in SERVICES:
        column = found.records.column(service)
        assert set(column.levels) == {"Yes", "No"}
        assert ((column.codes == 0) == (own.codes == 2)).all()
        yes = column.codes == column.levels.index("Yes") + 1
        assert found.records.count[yes].sum() == (table[service] == "Yes").sum()


def test_the_note_says_what_was_taken_out_of_what():
    notes = {note.data["column"]: note.data for note in looked(telco(), "Churn=Yes").notes}
    assert notes.keys() == {"PhoneService", "InternetService"}
    assert notes["PhoneService"]["level"] == "No"
    assert notes["PhoneService"]["columns"] == {"MultipleLines": "No phone service"}
    assert notes["PhoneService"]["made"] == ""
    own = notes["InternetService"]
    assert (own["level"], own["made"]) == ("No", "InternetService=No")
    assert own["columns"] == dict.fromkeys(SERVICES, "No internet service") | {"InternetService": "No"}


def test_a_skip_code_among_numbers_and_missing_values_says_to_whom_a_question_applies():
    draw = np.random.default_rng(2)
    n = 1500
    is_woman = draw.random(n) < 0.5
    columns = {
        "sex": np.where(is_woman, "f", "m"),
        "births": np.where(is_woman, draw.integers(0, 9, n), -8),
        "pill": [
            ["no", "yes"][v] if w else None for v, w in zip(draw.integers(0, 2, n), is_woman, strict=True)
        ],
        "menopause": np.where(is_woman, draw.choice(["no", "yes", "now"], n), "2"),
        "ill": draw.choice(["yes", "no"], n),
    }
    found = looked(columns, "ill=yes")
    assert found.scope == dict.fromkeys(("births", "pill", "menopause"), "sex")
    births = found.records.column("births")
    assert births.values.tolist() == list(range(9))
    assert len(births.cuts) == 8
    assert found.records.count[births.codes > 0].sum() == is_woman.sum()


@pytest.mark.parametrize("seed", range(3))
def test_values_that_are_the_same_by_hierarchy_stay(seed):
    """Town, region: a region of one town is the same records, and nothing that does not apply."""
    draw = np.random.default_rng(seed)
    town = draw.integers(0, 12, 2000)
    region = np.array(["a", "b", "b", "c", "c", "c", "d", "e", "e", "e", "e", "e"])[town]
    columns = {
        "town": np.char.add("t", town.astype(str)),
        "region": region,
        "ill": draw.choice(["yes", "no"], 2000),
    }
    found = looked(columns, "ill=yes")
    assert found.scope == {}
    assert found.units == ()


def test_independent_columns_share_nothing():
    draw = np.random.default_rng(3)
    columns = {f"x{i}": draw.integers(0, 2 + i % 5, 800).astype(str) for i in range(60)}
    columns |= {f"n{i}": draw.normal(size=800) for i in range(20)} | {"ill": draw.choice(["yes", "no"], 800)}
    found = looked(columns, "ill=yes")
    assert (found.scope, found.units, found.notes) == ({}, (), ())


def with_copies(n=2000, seed=4):
    draw = np.random.default_rng(seed)
    school, kg, cold = draw.integers(0, 16, n), draw.gamma(9, 8, n).round(1), draw.random(n) < 0.4
    return {
        "education": np.array([f"grade {v}" for v in school]),
        "years": school * 1,
        "kg": kg,
        "pounds": (kg * 2.2046).round(),
        "cold": np.where(cold, "yes", "no"),
        "warm": np.where(cold ^ (draw.random(n) < 0.005), "no", "yes"),
        "kg too": kg + draw.normal(0, 8, n),
        "wet": np.where(cold ^ (draw.random(n) < 0.1), "no", "yes"),
        "ill": draw.choice(["yes", "no"], n),
    }


def test_copies_are_units_and_relatives_are_none():
    units = {frozenset(unit) for unit in looked(with_copies(), "ill=yes").units}
    assert units == {
        frozenset(("education", "years")),
        frozenset(("kg", "pounds")),
        frozenset(("cold", "warm")),
    }
    (unit,) = (unit for unit in looked(with_copies(), "ill=yes").units if "years" in unit)
    assert unit[0] == "years", "a number says more than its name"


def test_what_the_user_tells_apart_in_time_is_no_unit():
    units = looked(with_copies(), "ill=yes", after=("warm",)).units
    assert not any("warm" in unit for unit in units)


def test_copies_among_many_columns_are_found():
    draw = np.random.default_rng(5)
    n = 600
    codes = [draw.integers(1, 2 + (2, 3, 9, 40)[i % 4], n) for i in range(400)]
    copied = [
        draw.permutation(np.arange(one.max() + 1))[one] if i % 2 else one for i, one in enumerate(codes[:60])
    ]
    copied = [np.where(one == 0, one.max() + 1, one) for one in copied]
    columns = tuple(
        Column(
            name=f"c{i}",
            kind="category",
            levels=tuple(map(str, range(one.max()))),
            codes=one,
        )
        for i, one in enumerate([*codes, *copied])
    )
    records = Records(columns, draw.integers(0, 2, n).astype(float), np.ones(n))
    found = copies(Sketcher(records).sketches, records.count)
    assert {frozenset(unit) for unit in found} == {frozenset((f"c{i}", f"c{400 + i}")) for i in range(60)}


def left_in(pairs, counts):
    """The chance that two records differ in y, alike in x and at all, from a list of pairs of values."""
    records = [pair for pair, count in zip(pairs, counts, strict=True) for _ in range(count)]
    n, groups = len(records), {x: [y for other, y in records if other == x] for x, _ in records}

    def unlike(values):
        return sum(a != b for a, b in product(values, values)) / len(values)

    of_y = unlike([y for _, y in records])
    if of_y == 0 or n == len(groups):
        return 1.0
    return round(sum(map(unlike, groups.values())) / (n - len(groups)) / of_y * (n - 1), 9)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_copies_are_what_pairs_of_records_say(data):
    n = data.draw(st.integers(2, 40))
    values = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    x, y = data.draw(values), data.draw(values)
    if data.draw(st.booleans()):
        y = [3 - a if a else 0 for a in x]
    counts = data.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    known = [place for place in range(n) if x[place] and y[place]]
    either = sum(counts[place] for place in range(n) if x[place] or y[place])
    pairs, weights = [(x[i], y[i]) for i in known], [counts[i] for i in known]
    is_known = sum(weights) >= 0.9 * either
    expected = (
        bool(pairs)
        and is_known
        and max(left_in(pairs, weights), left_in([p[::-1] for p in pairs], weights)) < 0.1
    )
    one, other = (
        Column(name="c", kind="category", levels=("1", "2", "3"), codes=np.array(v)) for v in (x, y)
    )
    assert are_copies(one, other, np.array(counts, float)) == expected


def test_levels_that_the_user_names_stay_and_what_comes_after_is_left_alone():
    records, _ = coded_records(telco(), "Churn=Yes")
    assert "TechSupport" not in look(records, TableHints(asked=("TechSupport",))).scope
    found = looked(telco(), "Churn=Yes", after=("PhoneService",))
    assert "MultipleLines" not in found.scope
    assert found.records.column("PhoneService").levels == records.column("PhoneService").levels
