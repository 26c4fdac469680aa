"""Columns permuted, values renamed, records shuffled: what is seen stays the same."""

from dataclasses import replace

import numpy as np
import pyarrow.csv as csv
import pytest

from causalrules.look import look
from causalrules.words.records import Records
from coded_records import coded_records
from datasets import FOLDER, folder_of_data, require


def content(found):
    """All that was seen."""
    return {
        "notes": found.notes,
        "set aside": list(found.set_aside.items()),
        "units": found.units,
        "scope": found.scope,
        "columns": [(column.name, column.kind, column.levels) for column in found.records.columns],
        "follow up": found.follow_up,
        "cluster": found.cluster,
    }


def shuffled(records, seed):
    """The same table with columns and rows elsewhere."""
    draw = np.random.default_rng(seed)
    rows = draw.permutation(records.n_rows)
    columns = [replace(one, codes=one.codes[rows]) for one in records.columns]
    placed = [columns[place] for place in draw.permutation(len(columns))]
    return Records(tuple(placed), records.outcome[rows], records.count[rows])


def renumbered(records, seed):
    """The same table with the levels of categories in another order."""
    draw = np.random.default_rng(seed)

    def other(column):
        if column.kind != "category":
            return column
        order = draw.permutation(len(column.levels))
        new = np.append(0, np.argsort(order) + 1).astype(column.codes.dtype)
        return replace(column, levels=tuple(column.levels[place] for place in order), codes=new[column.codes])

    return records.with_columns([other(column) for column in records.columns])


NAMES = ["hypothyroid", "sick", "adult", "german", "mushroom"]


@pytest.mark.parametrize("name", NAMES)
def test_real_tables_are_seen_alike_in_every_order(name):
    data = require(name)
    check(coded_records(data.arrow(), data.outcome)[0])


@pytest.mark.parametrize(("name", "outcome"), [("actg", "cens=1"), ("birthwt", "low=1")])
def test_textbook_tables_are_seen_alike_in_every_order(name, outcome):
    folder_of_data()
    check(coded_records(csv.read_csv(FOLDER / "known-answers" / f"{name}.csv"), outcome)[0])


def test_copies_and_shared_levels_are_seen_alike_in_every_order():
    draw = np.random.default_rng(1)
    n = 900
    internet = draw.choice(["a", "b", "none"], n)
    columns = {
        f"service {i}": np.where(internet == "none", "no internet", draw.choice(["y", "n"], n))
        for i in range(5)
    }
    coin = draw.random((8, n)) < 0.5
    columns |= {f"coin {i}": np.where(one, "heads", "tails") for i, one in enumerate(coin)}
    columns |= {f"coin {i} again": np.where(one, "0", "1") for i, one in enumerate(coin[:4])}
    columns |= {"internet": internet, "pay": draw.integers(0, 30, n), "ill": draw.choice(["yes", "no"], n)}
    check(coded_records(columns, "ill=yes")[0])


def check(records):
    expected = content(look(records))
    for seed in range(4):
        assert content(look(shuffled(records, seed))) == expected
        assert without_levels(content(look(renumbered(records, seed)))) == without_levels(expected)
    new = {column.name: f"column {place}" for place, column in enumerate(records.columns)}
    if not any(note.code in ("observation_time", "survey_weight") for note in expected["notes"]):
        check_renamed(records, new)


def check_renamed(records, new):
    """Other names of columns and values: the same columns, apart from which of equal ones comes first."""
    renamed = records.with_columns(
        [
            replace(
                one,
                name=new[one.name],
                levels=one.levels if one.is_number else tuple(f"v{i}" for i in range(len(one.levels))),
            )
            for one in records.columns
        ]
    )
    one, other = look(records), look(renamed)
    assert {frozenset(new[name] for name in unit) for unit in one.units} == set(map(frozenset, other.units))
    assert {new[name] for name in one.set_aside} == set(other.set_aside)
    assert {new[name] for name in one.scope} == set(other.scope)


def without_levels(seen):
    return seen | {"columns": [(name, kind, sorted(levels)) for name, kind, levels in seen["columns"]]}
