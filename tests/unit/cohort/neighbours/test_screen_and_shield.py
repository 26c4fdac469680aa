"""Who gets a look, who is explained away, and who comes in company."""

from math import erfc, log, sqrt

import numpy as np
import pytest

from causalrules.cohort.neighbours.interactions import interacting_pairs
from causalrules.cohort.neighbours.screen import screen
from causalrules.cohort.neighbours.shield import shield
from causalrules.cohort.neighbours.window import helpers, leaks
from unit.cohort.neighbours.made_tables import opened, risk


def naive_cmh(x, z, held):
    """p-value over the strata of the held columns; x is 1, 0 or -1 for unknown."""
    excess = variance = 0.0
    strata = {}
    for record in range(len(z)):
        if x[record] >= 0:
            strata.setdefault(tuple(h[record] for h in held), []).append(record)
    for members in strata.values():
        n, a = len(members), sum(x[r] for r in members)
        m, both = sum(z[r] for r in members), sum(x[r] * z[r] for r in members)
        if n > 1:
            excess += both - a * m / n
            variance += a * (n - a) * m * (n - m) / (n * n * (n - 1))
    return erfc(abs(excess) / sqrt(2 * variance)) if variance > 0 else 1.0


def confounded_columns(n=1500, seed=0):
    """c moves x and z; x does nothing; d does; e is noise."""
    draw = np.random.default_rng(seed)
    c, d, e = (draw.integers(0, 2, n) for _ in range(3))
    x = (draw.random(n) < risk(1.5 * c - 0.75)).astype(np.int64)
    z = (draw.random(n) < risk(1.2 * c + 0.9 * d - 1)).astype(np.int64)
    return [x, c, d, e], z


def test_the_screen_is_a_test_of_one_table():
    columns, z = confounded_columns()
    columns[0][::7] = -1
    found = screen(opened(columns, z)[0], 4)
    assert found.asked.tolist() == [0, 2, 4, 6]  # one item of two-valued columns
    assert found.has_missing.tolist() == [True, False, False, False]
    for item, column in zip(found.asked, columns, strict=True):
        x = [-1 if value < 0 else int(value == 0) for value in column]
        assert found.p_values[item] == pytest.approx(naive_cmh(x, z, []))


def test_values_missing_among_the_ill_are_in_neither_arm():
    draw = np.random.default_rng(1)
    x, z = draw.integers(0, 2, 4000), draw.integers(0, 2, 4000)
    x[(z == 1) & (draw.random(4000) < 0.3)] = -1
    assert screen(opened([x], z)[0], 1).p_values[0] > 0.05


def test_what_a_confounder_explains_is_explained_by_it():
    columns, z = confounded_columns()
    engine = opened(columns, z)[0]
    left = shield(engine, screen(engine, 4))
    assert left[0].is_explained
    assert 2 in left[0].held
    assert not left[2].is_explained
    assert not left[4].is_explained
    held = [columns[1], columns[2]][: len(left[0].held)]
    assert left[0].p_value == pytest.approx(naive_cmh((columns[0] == 0).astype(int), z, held))


def test_missing_exposures_are_left_out_of_the_strata():
    columns, z = confounded_columns(seed=2)
    columns[0] = np.where(np.arange(len(z)) % 5 == 0, 2, columns[0])  # three values
    columns[0][::3] = -1
    engine = opened(columns, z)[0]
    left = shield(engine, screen(engine, 4))
    for item in (0, 1):
        if item in left and left[item].held == (3,):
            x = np.where(columns[0] < 0, -1, columns[0] == item).tolist()
            assert left[item].p_value == pytest.approx(naive_cmh(x, z, [columns[1]]))


def test_a_near_copy_explains_nothing():
    draw = np.random.default_rng(3)
    x = draw.integers(0, 2, 2000)
    copy = np.where(draw.random(2000) < 0.01, 1 - x, x)
    z = (draw.random(2000) < risk(x - 0.5)).astype(np.int64)
    engine = opened([x, copy], z)[0]
    assert not any(left.is_explained for left in shield(engine, screen(engine, 2)).values())


def exclusive_or(n=3000, seed=4):
    draw = np.random.default_rng(seed)
    columns = [draw.integers(0, 2, n) for _ in range(6)]
    z = (draw.random(n) < np.where(columns[1] ^ columns[4], 0.6, 0.35)).astype(np.int64)
    return columns, z


def test_an_exclusive_or_is_found_in_company():
    columns, z = exclusive_or()
    engine = opened(columns, z)[0]
    items = screen(engine, 6).asked
    (pair,) = interacting_pairs(engine, items)
    assert (pair.first, pair.second) == (2, 8)
    cells = {}
    for x, y, outcome in zip(columns[1], columns[4], z, strict=True):
        cells[x, y, outcome] = cells.get((x, y, outcome), 0.5) + 1

    def odds_ratio(y):
        return log(cells[0, y, 1] * cells[1, y, 0] / (cells[0, y, 0] * cells[1, y, 1]))

    wanted = odds_ratio(0) - odds_ratio(1)
    assert pair.contrast == pytest.approx(wanted)
    variance = sum(1 / count for count in cells.values())
    assert pair.p_value == pytest.approx(erfc(abs(wanted) / sqrt(2 * variance)))


def test_values_of_one_column_are_no_pair():
    draw = np.random.default_rng(5)
    column = draw.integers(0, 4, 2000)
    engine = opened([column], (column % 2 == 0).astype(np.int64))[0]
    assert interacting_pairs(engine, np.arange(4)) == ()


def test_helpers_go_with_the_window():
    draw = np.random.default_rng(6)
    x, noise = draw.integers(0, 2, 3000), draw.integers(0, 2, 3000)
    friend = (draw.random(3000) < risk(2 * x - 1)).astype(np.int64)
    z = draw.integers(0, 2, 3000)
    engine = opened([x, noise, friend], z)[0]
    assert helpers(engine, screen(engine, 3), [0]) == [2]


def test_what_nearly_is_the_outcome_is_a_leak():
    draw = np.random.default_rng(7)
    z = draw.integers(0, 2, 3000)
    copy = np.where(draw.random(3000) < 0.03, 1 - z, z)
    missing_if_ill = np.where(z == 1, -1, draw.integers(0, 2, 3000))
    strong = (draw.random(3000) < risk(3 * z - 1.5)).astype(np.int64)
    assert leaks(opened([copy, strong, missing_if_ill], z)[0], 3).tolist() == [True, False, True]
