"""Passes over records told by codes, against the same in plain NumPy with every indicator written out."""

from itertools import combinations

import numpy as np
import pytest

from causalrules.kernels import term_sums

N_CODES = np.array([3, 1, 5, 2])
FIRST_SLOT = np.append(0, np.cumsum(N_CODES))
N_ROWS = [1, 50, 4096, 4100]  # a block of rows has 4,096


class Rows:
    """Random codes of four terms, with weights, and indicators of all codes."""

    def __init__(self, n: int, k: int) -> None:
        rng = np.random.default_rng(n)
        self.codes = np.stack([rng.integers(0, size, n) for size in N_CODES]).astype(np.int32)
        self.weights = rng.uniform(0, 2, n)
        self.values = rng.normal(size=(n, k))
        self.effects = rng.normal(size=(int(FIRST_SLOT[-1]), k))
        self.level = rng.integers(0, k, n)
        self.slots = np.zeros((n, int(FIRST_SLOT[-1])))
        for codes, first in zip(self.codes, FIRST_SLOT[:-1], strict=True):
            self.slots[np.arange(n), first + codes] = 1.0


@pytest.mark.parametrize("n", N_ROWS)
def test_tables_of_pairs(n):
    rows = Rows(n, 1)
    places = [(s, t) for s in range(4) for t in range(s, 4)]
    sizes = [int(N_CODES[s] * (1 if s == t else N_CODES[t])) for s, t in places]
    starts = np.zeros((4, 4), np.int64)
    for (s, t), start in zip(places, np.append(0, np.cumsum(sizes)[:-1]), strict=True):
        starts[s, t] = start
    tables = np.zeros(sum(sizes))
    term_sums.fill_pair_tables(rows.codes, N_CODES, rows.weights, starts, tables)
    for (s, t), size in zip(places, sizes, strict=True):
        cells = rows.codes[s] if s == t else rows.codes[s] * N_CODES[t] + rows.codes[t]
        found = tables[starts[s, t] : starts[s, t] + size]
        assert found == pytest.approx(np.bincount(cells, rows.weights, size))


@pytest.mark.parametrize("n", N_ROWS)
@pytest.mark.parametrize("size", [2, 3])
def test_cells_of_sets(n, size):
    rows = Rows(n, 3)
    sets = np.array(list(combinations(range(4), size)))
    ends = np.cumsum(N_CODES[sets].prod(axis=1))
    tables = np.zeros((int(ends[-1]), 3))
    starts = np.append(0, ends[:-1])
    term_sums.fill_cell_tables(rows.codes, N_CODES, rows.values, sets, starts, tables)
    for places, found in zip(sets.tolist(), np.split(tables, ends[:-1]), strict=True):
        cells = np.ravel_multi_index(tuple(rows.codes[places]), tuple(N_CODES[places]))
        expected = [np.bincount(cells, one, len(found)) for one in rows.values.T]
        assert found == pytest.approx(np.stack(expected, axis=1))


def test_logistic_pass():
    rows = Rows(1100, 1)
    has = (rows.values[:, 0] > 0.0).astype(np.float64)
    mean, curvature, sums = np.empty(1100), np.empty(1100), np.empty(int(FIRST_SLOT[-1]))
    fit, rest = term_sums.logit_pass(
        rows.codes, FIRST_SLOT, rows.effects[:, 0], 0.3, has, rows.weights, mean, sums, curvature
    )
    chance = 1 / (1 + np.exp(-0.3 - rows.slots @ rows.effects[:, 0]))
    assert mean == pytest.approx(chance)
    assert curvature == pytest.approx(rows.weights * chance * (1 - chance))
    assert fit == pytest.approx(rows.weights @ np.log(np.where(has == 1, chance, 1 - chance)))
    assert rest == pytest.approx(rows.weights @ (has - chance))
    assert sums == pytest.approx(rows.slots.T @ (rows.weights * (has - chance)))


@pytest.mark.parametrize("k", [2, 3, 7])
def test_pass_of_several_levels(k):
    rows = Rows(300, k)
    constants = np.linspace(-1, 1, k)
    chances, sums, totals = np.empty((300, k)), np.empty_like(rows.effects), np.empty(k)
    fit = term_sums.softmax_pass(
        rows.codes, FIRST_SLOT, rows.effects, constants, rows.level, rows.weights, chances, sums, totals
    )
    odds = np.exp(constants + rows.slots @ rows.effects)
    expected = odds / odds.sum(axis=1, keepdims=True)
    left = rows.weights[:, None] * ((rows.level[:, None] == np.arange(k)) - expected)
    assert chances == pytest.approx(expected)
    assert fit == pytest.approx(rows.weights @ np.log(expected[np.arange(300), rows.level]))
    assert totals == pytest.approx(left.sum(axis=0))
    assert sums == pytest.approx(rows.slots.T @ left)


def test_sums_by_code_and_effects_of_rows():
    rows = Rows(300, 4)
    sums = np.zeros_like(rows.effects)
    term_sums.sum_by_code(rows.codes, FIRST_SLOT, rows.values, sums)
    assert sums == pytest.approx(rows.slots.T @ rows.values)
    predictor = np.ones((300, 4))
    term_sums.add_effects(rows.codes, FIRST_SLOT, rows.effects, predictor)
    assert predictor == pytest.approx(1 + rows.slots @ rows.effects)


def test_exponentials_are_those_of_the_library():
    values = np.concatenate(
        [
            [0.0, -1e-300, -1e-9, -0.3465735902799727, -0.34657359027997264, -699.9],
            -np.geomspace(1e-6, 700, 999),
        ]
    )
    found = values.copy()
    term_sums.fill_exponentials(found, len(found) - 1)
    assert found[:-1] == pytest.approx(np.exp(values[:-1]), rel=4e-16, abs=0)
    assert found[-1] == values[-1]
    far = np.array([-np.inf, -1e6, -701.0])
    term_sums.fill_exponentials(far, 3)
    assert (far < 1e-300).all()
