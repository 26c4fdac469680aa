"""Pairs of columns that act together: against counting, and by what is planted."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causalrules.find import pairs
from causalrules.find.pairs import interacting_columns
from causalrules.find.sample import Sample
from unit.find.made_records import records_of


def naive_contrast(x, y, z):
    """Woolf's contrast by its standard error; 0 where a combination has fewer than ten records."""
    contrast = variance = 0.0
    for has_x in (True, False):
        for has_y in (True, False):
            here = (x == has_x) & (y == has_y)
            if here.sum() < 10:
                return 0.0
            with_z, without = (here & z).sum() + 0.5, (here & ~z).sum() + 0.5
            contrast += (1 if has_x == has_y else -1) * log(with_z / without)
            variance += 1 / with_z + 1 / without
    return abs(contrast) / np.sqrt(variance)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_strongest_items_of_two_columns(seed):
    draw = np.random.default_rng(seed)
    a, b = draw.integers(0, 3, 400), draw.integers(0, 2, 400)
    z = draw.random(400) < np.where((a == 1) == (b == 1), 0.85, 0.15)
    (found,) = interacting_columns(Sample.of(records_of([a, b], z)), [1, 0])
    wanted = {level: naive_contrast(a == level, b == 1, z) for level in range(3)}
    assert found.deviate == pytest.approx(max(wanted.values()))
    assert found.first_level == max(wanted, key=wanted.__getitem__)
    assert (found.first, found.second) == (0, 1)


def test_what_adds_up_is_no_pair():
    draw = np.random.default_rng(1)
    columns = list(draw.integers(0, 3, (12, 4000)))
    z = draw.random(4000) < 1 / (1 + np.exp(1 - 0.8 * columns[0] - 0.8 * columns[1] + 0.5 * columns[2]))
    assert interacting_columns(Sample.of(records_of(columns, z)), range(12)) == []


@pytest.mark.parametrize("kind", ["number and category", "two numbers"])
def test_numbers_act_together_too(kind):
    draw = np.random.default_rng(2)
    x, y = draw.normal(size=(2, 3000))
    g = draw.integers(0, 3, 3000)
    score = 0.8 * np.where(g == 2, x, -0.4 * x) if kind == "number and category" else 0.7 * x * y
    other = g if kind == "number and category" else y
    z = draw.random(3000) < 1 / (1 + np.exp(-score))
    noise = [draw.normal(size=3000), draw.integers(0, 4, 3000)]
    found = interacting_columns(Sample.of(records_of([x, other, *noise], z)), range(4))
    assert [(pair.first, pair.second) for pair in found] == [(0, 1)]
    assert found[0].p < 0.001


def test_a_missing_number_is_above_no_cut():
    draw = np.random.default_rng(3)
    x = np.where(draw.random(2000) < 0.3, np.nan, draw.normal(size=2000))
    b = draw.integers(0, 2, 2000)
    z = draw.random(2000) < np.where((np.nan_to_num(x) > 0) == (b == 1), 0.6, 0.3)
    (found,) = interacting_columns(Sample.of(records_of([x, b], z)), [0, 1])
    cuts = np.nanquantile(x, np.arange(0.1, 1, 0.1))
    above = max(naive_contrast(np.nan_to_num(x, nan=-9) >= cut, b == 1, z) for cut in cuts)
    assert found.deviate <= above + 0.5


def test_of_too_many_columns_the_strongest_are_paired(monkeypatch):
    draw = np.random.default_rng(4)
    columns = list(draw.integers(0, 2, (20, 1000)))
    z = draw.random(1000) < np.where(columns[3] == columns[9], 0.7, 0.3)
    sample = Sample.of(records_of(columns, z))
    monkeypatch.setattr(pairs, "MOST_WORK", 3 * (64 + 1 + 15))
    assert interacting_columns(sample, range(20)) == []
    assert [(p.first, p.second) for p in interacting_columns(sample, [9, 3, *range(3)])] == [(3, 9)]


def test_noise_interacts_in_one_table_of_twenty():
    n_found = 0
    for seed in range(60):
        draw = np.random.default_rng(seed)
        columns = list(draw.integers(0, 3, (10, 600)))
        n_found += bool(
            interacting_columns(Sample.of(records_of(columns, draw.random(600) < 0.4)), range(10))
        )
    assert n_found <= 7  # 3 expected at most: more than seven happen once in a hundred runs
