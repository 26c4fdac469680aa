"""Coded records stand in an order of their own, and nothing of them is lost."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from coded_records import coded_records

NUMBERS = ("age", "dose")


def table(seed, n=400):
    draw = np.random.default_rng(seed)

    def texts(k, share_missing):
        found = np.array([f"v{i}" for i in draw.choice(k, n, p=draw.dirichlet(np.ones(k)))], object)
        found[draw.random(n) < share_missing] = None
        return found

    return {
        "colour": texts(4, 0.1),
        "size": texts(3, 0.0),
        "age": draw.integers(18, 90, n),
        "dose": draw.exponential(2, n).round(1),
        "ill": np.where(draw.random(n) < 0.4, "yes", "no"),
    }


def coded(columns):
    return coded_records({name: pa.array(values.tolist()) for name, values in columns.items()}, "ill=yes")[0]


def naive_rows(columns):
    """What every record says of its categories and whether it is ill, counted."""
    return Counter(zip(columns["colour"], columns["size"], columns["ill"] == "yes", strict=True))


def rows_of(records):
    texts = [
        np.array([None, *records.column(name).levels], object)[records.column(name).codes]
        for name in ("colour", "size")
    ]
    found = Counter()
    for *values, ill, count in zip(*texts, records.outcome == 1, records.count, strict=True):
        found[(*values, ill)] += int(count)
    return found


def shuffled(columns, seed):
    draw = np.random.default_rng(seed)
    rows = draw.permutation(len(columns["ill"]))
    return {name: columns[name][rows] for name in draw.permutation(list(columns)).tolist()}


def same_column(one, other):
    return (
        one.kind == other.kind
        and one.cuts == other.cuts
        and (one.codes == other.codes).all()
        and (one.values is None or (one.values == other.values).all())
    )


@pytest.mark.parametrize("seed", range(4))
def test_no_record_is_lost(seed):
    columns = table(seed)
    records = coded(columns)
    assert rows_of(records) == naive_rows(columns)
    assert records.n_records == len(columns["ill"])
    for name in NUMBERS:
        column = records.column(name)
        mean = (np.append(0.0, column.values)[column.codes] * records.count).sum() / records.n_records
        assert mean == pytest.approx(columns[name].mean())
        assert (np.diff(column.values) > 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_equal_tables_are_equal_records(seed):
    """Array by array, so that sums of floating numbers are made in one order."""
    columns = table(seed)
    first, second = coded(columns), coded(shuffled(columns, seed))
    assert [one.name for one in first.columns] == [one.name for one in second.columns]
    assert [one.levels for one in first.columns] == [one.levels for one in second.columns]
    assert all(map(same_column, first.columns, second.columns))
    assert (first.outcome == second.outcome).all()
    assert (first.count == second.count).all()


@pytest.mark.parametrize("seed", range(4))
def test_other_names_are_the_same_records(seed):
    """Columns exchange their names, and values of a category as well."""
    columns = table(seed)
    values = dict(zip(["v0", "v1", "v2", "v3"], ["v2", "v3", "v1", "v0"], strict=True))
    other = {
        "size": np.array([values.get(one) for one in columns["colour"]], object),
        "colour": columns["size"],
        "dose": columns["age"],
        "age": columns["dose"],
        "ill": columns["ill"],
    }
    first, second = coded(columns), coded(other)
    names = {"colour": "size", "size": "colour", "age": "dose", "dose": "age"}
    assert [names[one.name] for one in first.columns] == [one.name for one in second.columns]
    assert all(map(same_column, first.columns, second.columns))
    assert (first.outcome == second.outcome).all()
    assert (first.count == second.count).all()


def test_values_of_a_category_stand_by_how_many_records_have_them():
    records = coded(table(5))
    for name in ("colour", "size"):
        column = records.column(name)
        size = np.bincount(column.codes, records.count, column.n_codes)[1:]
        assert (np.diff(size) <= 0).all()
