"""Of many columns those are compared that may be copies: hardly one is lost, hardly a pair is in vain."""

from itertools import combinations

import numpy as np
import pytest

from causalrules.look.copies import are_copies, copies, pairs_that_may_be
from causalrules.look.sketches import Sketcher
from causalrules.words.records import Column, Records

SHARES = {
    "two": [0.5, 0.5],
    "two, one of them rare": [0.93, 0.07],
    "three": [0.6, 0.3, 0.1],
    "five, one of them everywhere": [0.8, 0.05, 0.05, 0.05, 0.05],
    "six, three of them rare": [0.5, 0.3, 0.17, 0.01, 0.01, 0.01],
    "forty": [1 / 40] * 40,
    "thirty, ever rarer": (1 / np.arange(1, 31) / (1 / np.arange(1, 31)).sum()).tolist(),
}


def category(name, values):
    levels, codes = np.unique(values, return_inverse=True)
    return Column(name=name, kind="category", levels=tuple(map(str, levels)), codes=codes + 1)


def number(name, values):
    """At most 100 bins of as many records."""
    ranks = np.searchsorted(np.sort(values), values)
    bins = np.unique(ranks * 100 // len(values), return_inverse=True)[1]
    means = np.bincount(bins, values) / np.bincount(bins)
    return Column(name=name, kind="number", levels=tuple(map(str, means)), codes=bins + 1, values=means)


def sketched(columns, draw):
    n = len(columns[0].codes)
    return Sketcher(Records(tuple(columns), draw.integers(0, 2, n).astype(float), np.ones(n))).sketches


def compared(columns, draw):
    sketches = sketched(columns, draw)
    return {frozenset((sketches[x].name, sketches[y].name)) for x, y in pairs_that_may_be(sketches)}


def copied(draw, n, differ):
    """Pairs of categories that differ in a share of the records, some of which are missing in one."""
    for kind, shares in SHARES.items():
        values = draw.choice(len(shares), n, p=shares)
        other = np.where(draw.random(n) < differ, draw.choice(len(shares), n, p=shares), values)
        x, y = category(kind, values), category(f"{kind} too", draw.permutation(len(shares))[other])
        y.codes[draw.random(n) < 0.05] = 0
        yield x, y


@pytest.mark.parametrize("n", [200, 2000])
@pytest.mark.parametrize("differ", [0.003, 0.01, 0.02, 0.03])
def test_hardly_a_copy_of_categories_is_lost(n, differ):
    n_copies, lost = 0, []
    for seed in range(15):
        draw = np.random.default_rng(seed)
        pairs = list(copied(draw, n, differ))
        near = compared([column for pair in pairs for column in pair], draw)
        is_copy = [are_copies(*pair, np.ones(n)) and np.sum(pair[0].codes != 1) > 30 for pair in pairs]
        n_copies += sum(is_copy)
        lost += [
            x.name
            for (x, y), is_one in zip(pairs, is_copy, strict=True)
            if is_one and {x.name, y.name} not in near
        ]
    assert n_copies >= 15
    assert lost == []


@pytest.mark.parametrize("n", [200, 2000])
def test_hardly_a_copy_of_numbers_is_lost(n):
    n_copies, lost = 0, 0
    for seed in range(10):
        draw = np.random.default_rng(seed)
        weight, cost, visits = draw.normal(70, 12, n), draw.lognormal(0, 1, n), draw.poisson(4, n)
        pairs = [
            (weight, (weight * 2.2046 / 5).round()),
            (weight, -weight + draw.normal(0, 0.9, n)),
            (cost, np.log(cost) + draw.normal(0, 0.07, n)),
            (visits, np.where(draw.random(n) < 0.003, 0, visits * 30)),
        ]
        columns = [(number(f"{i}", x), number(f"{i} too", y)) for i, (x, y) in enumerate(pairs)]
        near = compared([column for pair in columns for column in pair], draw)
        for x, y in columns:
            if are_copies(x, y, np.ones(n)):
                n_copies += 1
                lost += {x.name, y.name} not in near
    assert n_copies >= 25
    assert lost == 0


@pytest.mark.parametrize("n", [200, 1000])
def test_hardly_an_unrelated_pair_is_compared(n):
    draw = np.random.default_rng(1)
    columns = [category(f"c{i}", draw.integers(0, 2 + i % 7, n)) for i in range(150)]
    columns += [category(f"rare {i}", draw.random(n) < 0.15) for i in range(100)]
    columns += [category(f"many {i}", draw.integers(0, 90, n)) for i in range(50)]
    columns += [number(f"n{i}", draw.normal(size=n)) for i in range(100)]
    assert len(compared(columns, draw)) <= 8


@pytest.mark.parametrize("n", [40, 90, 100, 104, 120, 130, 160, 210])
def test_numbers_of_few_records_are_copies_only_in_their_order(n):
    """With a bin for each record, every number is a function of every other."""
    draw = np.random.default_rng(n)
    columns = [number(f"n{i}", draw.normal(size=n)) for i in range(30)]
    columns.append(number("again", -columns[4].codes + draw.uniform(0, 0.1, n)))
    found = copies(sketched(columns, draw), np.ones(n))
    assert [set(unit) for unit in found] == [{"n4", "again"}]


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_those_of_all_pairs(seed):
    """Few columns, many equal records: chains of copies are followed to their ends."""
    draw = np.random.default_rng(seed)
    n, columns = 800, []
    for i in range(4):
        values = draw.integers(0, 2 + i, n)
        for j in range(3):
            columns.append(category(f"{i}{j}", values))
            values = np.where(draw.random(n) < 0.01, 0, values)
    group = {column.name: {column.name} for column in columns}
    for x, y in combinations(columns, 2):
        if are_copies(x, y, np.ones(n)):
            joined = group[x.name] | group[y.name]
            group |= dict.fromkeys(joined, joined)
    expected = {frozenset(one) for one in group.values() if len(one) > 1}
    assert set(map(frozenset, copies(sketched(columns, draw), np.ones(n)))) == expected


@pytest.mark.parametrize("n_values", [2, 4, 10])
def test_a_copy_has_errors_in_fewer_than_one_record_of_twenty_however_many_values(n_values):
    """From there on, records are compared whose text is another than their code's."""
    n, found = 4000, {}
    for errors in (0.04, 0.065):
        draw = np.random.default_rng(5)
        code = draw.integers(0, n_values, n)
        text = np.where(draw.random(n) < errors, draw.permutation(code), code)
        found[errors] = are_copies(category("code", code), category("text", text), np.ones(n))
    assert found == {0.04: True, 0.065: False}


def test_groups_of_two_records_tell_nothing_of_what_else_they_are():
    """Each says half of anything, by chance alone."""
    draw, n = np.random.default_rng(5), 2000
    group, other = draw.permutation(np.arange(n) // 2), draw.permutation(np.arange(n) // 2)
    assert not are_copies(category("group", group), category("other", other), np.ones(n))
