"""What is compared with what: levels of a category, parts of a number, and how they are called."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.estimate.levels import N_SHOWN, bounds, levels_of, shown_cuts
from causalrules.words import constants
from causalrules.words.records import Column, Records
from coded_records import coded_records
from unit.find.made_records import column_of


def records_with(column):
    n = len(column.codes)
    return Records((column,), np.arange(n) % 2.0, np.ones(n))


def coded(values, **settings):
    """Records of one column x, as a run reads it."""
    n = len(values)
    return coded_records(
        {"x": values, "y": ["yes", "no"] * (n // 2) + ["no"] * (n % 2)}, "y=yes", **settings
    )[0]


def shown(records, reference=None):
    return levels_of(records, records.column("x"), reference)


def naive_levels(values):
    """Frequent values, and the number of records of the others together."""
    names, count = np.unique(values, return_counts=True)
    is_frequent = count >= max(constants.LEAST_RECORDS, constants.RARE * len(values))
    return set(names[is_frequent].tolist()), int(count[~is_frequent].sum()), names[~is_frequent]


@given(st.lists(st.tuples(st.integers(1, 60), st.booleans()), min_size=1, max_size=8))
def test_values_of_a_category(sizes):
    values = np.repeat([f"v{i}" for i in range(len(sizes))], [size for size, _ in sizes])
    column = column_of("x", values)
    found = levels_of(records_with(column), column)
    frequent, n_rare, rare = naive_levels(values)
    names = set(found.names)
    assert names - {"other", *rare} == frequent
    if n_rare >= constants.LEAST_RECORDS:
        assert (found.level >= 0).all()
        assert names - frequent == ({rare[0]} if len(rare) == 1 else {"other"})
    else:
        assert names == frequent
        assert (found.level < 0).sum() == n_rare
    for value in frequent:
        assert {found.names[level] for level in found.level[values == value]} == {value}
    if frequent:
        size = {value: (values == value).sum() for value in frequent}
        assert size[found.names[found.reference]] == max(size.values())


@pytest.mark.parametrize(
    ("sizes", "names", "records"),
    [
        ({0: 159, 1: 24, 2: 5, 3: 1}, ("0", "≥1"), (159, 30)),
        ({0: 1553, 1: 739, 2: 176, 3: 30, 4: 2}, ("0", "1", "2", "≥3"), (1553, 739, 176, 32)),
        ({0: 500, 1: 300, 2: 100, 3: 8, 4: 5}, ("0", "1", "2", "≥3"), (500, 300, 100, 13)),
        ({1: 3, 2: 100, 3: 90, 4: 80}, ("≤2", "3", "4"), (103, 90, 80)),
    ],
)
def test_rare_counts_are_with_their_neighbours(sizes, names, records):
    values = np.repeat([str(value) for value in sizes], list(sizes.values()))
    column = column_of("x", values)
    found = levels_of(records_with(column), column)
    assert found.names == names
    assert tuple(np.bincount(found.level)) == records
    assert found.is_ordered == (len(names) > 2)
    assert found.reference == 0


@pytest.mark.parametrize("values", ["0 1 2 99", "0 2 1 3", "a b c d"])
def test_rare_values_that_are_no_ends_of_counts_are_told_as_rare(values):
    names = values.split()
    column = column_of("x", np.repeat(names, [300, 200, 100, 4] if "2 99" in values else [300, 200, 4, 100]))
    found = levels_of(records_with(column), column)
    assert not found.is_ordered
    assert found.apart.keys() == {"rare"}
    assert (found.apart["rare"] == (found.level == -1)).all()
    assert found.apart["rare"].sum() == 4


def test_numbers_below_zero_have_a_true_minus():
    values = np.random.default_rng(9).normal(0.0, 1.0, 1_000)
    names = shown(coded(values)).names
    assert names[0][:2] == "≤−"
    assert " to " in names[1]
    assert not any("-" in name for name in names)


def test_missing_has_no_level():
    column = column_of("x", np.array([-1, 0, 1] * 30))
    found = levels_of(records_with(column), column)
    assert ((found.level < 0) == (column.codes == 0)).all()


def test_the_asked_reference_is_taken_and_an_unknown_one_is_not():
    column = column_of("x", np.array([0, 0, 1, 2] * 30))
    named = levels_of(records_with(column), column, "2")
    assert named.names[named.reference] == "2"
    unknown = levels_of(records_with(column), column, "9")
    assert unknown.names[unknown.reference] == "0"


def test_an_ordered_column_starts_at_its_lowest_and_keeps_rare_values():
    codes = np.array([1] * 3 + [2] * 50 + [3] * 40, np.uint8)
    column = Column(name="x", kind="ordered", levels=("low", "mid", "high"), codes=codes)
    found = levels_of(records_with(column), column)
    assert found.names == ("low", "mid", "high")
    assert (found.reference, found.is_ordered) == (0, True)


def bounded(values, **facts):
    return Column(
        name="x",
        kind="number",
        levels=tuple(map(str, values)),
        codes=np.arange(1, len(values) + 1, dtype=np.uint8),
        values=np.array(values, float),
        cuts=tuple((np.array(values[:-1]) + np.array(values[1:])) / 2),
        **facts,
    )


@pytest.mark.parametrize(
    ("column", "cut", "expected"),
    [
        (bounded([23.0, 24.0, 25.0, 26.0], is_whole=True), 1, ("≤24", "≥25")),
        (bounded([0.0, 1.0, 2.0], is_whole=True), 0, ("0", "≥1")),
        (bounded([0.0, 1.5, 2.5]), 0, ("0", ">0")),
        (bounded([-1.5, -0.5, 2.5]), 1, ("≤1", ">1")),
        (bounded([-3.5, -2.5, 2.5]), 0, ("≤−3", ">−3")),
        (bounded([0.5, 1.5, 2.5]), 1, ("≤2", ">2")),
        (bounded([0.0, 86_400.0, 3 * 86_400.0], is_date=True), 1, ("≤1970-01-03", ">1970-01-03")),
    ],
)
def test_how_bounds_are_written(column, cut, expected):
    assert bounds(column, cut) == expected


def naive_part(text, value):
    """Whether a value is where the text says."""
    low, dash, high = text.partition("–")
    if dash:
        return float(low) <= value <= float(high)
    signs = {"≤": float.__le__, "≥": float.__ge__, ">": float.__gt__}
    return signs[text[0]](value, float(text[1:])) if text[0] in signs else value == float(text)


@pytest.mark.parametrize("seed", range(4))
def test_whole_numbers_are_in_the_part_that_their_name_says(seed):
    draw = np.random.default_rng(seed)
    values = draw.integers(18, 80, 900) if seed % 2 else draw.poisson(2.0, 900)
    records = coded(values)
    found = shown(records)
    column = records.column("x")
    assert 2 <= len(found.names) <= N_SHOWN
    assert found.is_ordered
    for level, code in set(zip(found.level.tolist(), column.codes.tolist(), strict=True)):
        value = float(column.values[code - 1])
        assert [naive_part(name, value) for name in found.names] == [
            i == level for i in range(len(found.names))
        ]
    share = np.bincount(found.level) / 900
    assert share.max() < 0.45


def test_fractions_are_cut_near_quantiles():
    draw = np.random.default_rng(5)
    records = coded(draw.normal(120.0, 15.0, 2_000))
    found = shown(records)
    share = np.bincount(found.level, minlength=5) / 2_000
    assert len(found.names) == 5
    assert share == pytest.approx(np.full(5, 0.2), abs=0.1 + 1e-9)  # each end of a part .05 from its quantile
    assert (found.names[0][0], found.names[-1][0]) == ("≤", ">")
    for name, after in zip(found.names[1:-1], found.names[2:], strict=True):
        assert name.partition("–")[2] == after.lstrip(">").partition("–")[0]


def test_zeros_and_what_is_above():
    draw = np.random.default_rng(6)
    values = np.where(draw.random(1_000) < 0.6, 0.0, draw.exponential(3.0, 1_000).round(2) + 0.01)
    found = shown(coded(values))
    assert found.names[0] == "0"
    assert (found.level == 0).sum() == (values == 0).sum()


def test_dates_are_written_as_dates():
    days = np.datetime64("2020-01-01") + np.random.default_rng(7).integers(0, 900, 800)
    found = shown(coded(days.astype("datetime64[s]")))
    assert len(found.names) == N_SHOWN
    first = found.names[0]
    assert (first[0], len(first)) == ("≤", 11)
    np.datetime64(first[1:])


def test_the_users_own_cut_points_are_the_levels():
    values = np.random.default_rng(8).integers(18, 80, 900)
    records = coded(values, cut={"x": [30, 50]})
    found = shown(records)
    assert found.names == ("<30", "[30, 50)", ">=50")
    inside = (values >= 30) & (values < 50)
    assert np.bincount(found.level).tolist() == [(values < 30).sum(), inside.sum(), (values >= 50).sum()]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=60))
def test_cuts_are_ascending_and_leave_no_part_empty(sizes):
    size = np.array(sizes, float)
    cuts = shown_cuts(size, list(range(1, len(sizes))))
    assert cuts == sorted(set(cuts))
    assert len(cuts) < N_SHOWN
    assert all(0 <= cut < len(sizes) - 1 for cut in cuts)


@given(st.permutations(range(6)), st.lists(st.integers(0, 40), min_size=6, max_size=6))
def test_names_of_codes_do_not_matter(order, sizes):
    """Codes in another order: the same records share levels."""
    if sum(sizes) == 0:
        return
    names = tuple(f"v{i}" for i in range(6))
    codes = np.repeat(np.arange(1, 7), sizes).astype(np.uint8)
    column = Column(name="x", kind="category", levels=names, codes=codes)
    place = np.argsort(order)
    other = replace(
        column, levels=tuple(names[i] for i in order), codes=(place[codes - 1] + 1).astype(np.uint8)
    )
    one, two = (levels_of(records_with(each), each) for each in (column, other))

    def named(found):
        return [found.names[level] if level >= 0 else None for level in found.level.tolist()]

    assert named(one) == named(two)
