"""Families with products: what they weigh, and what they cost."""

from math import comb, log

import numpy as np
import pytest

from causalrules.find.additive import additive_layouts, fitted_risks
from causalrules.find.average import average
from causalrules.find.coarse import coarse_codes
from causalrules.find.families import family_scores, prices, weigh_families
from causalrules.find.products import (
    Product,
    most_telling,
    product_prices,
    search_products,
    shares_of_products,
)
from causalrules.find.sample import Sample
from unit.find.made_records import records_of


def rows_of(columns, z):
    return Sample.of(records_of(columns, z)).window(range(len(columns)))


def together(seed, strength, n=2000):
    draw = np.random.default_rng(seed)
    a, b, c = draw.integers(0, 2, (3, n))
    score = -0.5 + 0.5 * a + 0.5 * b + strength * (a * b - 0.25) + 0.6 * c
    return [a, b, c], draw.random(n) < 1 / (1 + np.exp(-score))


def test_a_product_costs_a_pair_among_those_of_the_causes():
    found = product_prices(12, float(np.log(9)))
    assert found[12] == pytest.approx(log(comb(12, 2)))
    assert found[:5].tolist() == [float(np.log(9))] * 5


def test_what_acts_as_one_but_not_both_has_its_product_among_many_columns():
    """Both columns and three others are causes; how many more the table has tells nothing of the product."""
    draw = np.random.default_rng(6)
    a, b, *others = draw.integers(0, 2, (5, 6000))
    score = -0.6 + 0.3 * (a == b) + 0.3 * np.sum(others, axis=0)
    rows = rows_of([a, b, *others], draw.random(6000) < 1 / (1 + np.exp(-score)))
    for n_columns in (5, 100):
        found = weigh_families(rows, n_columns, products=[Product(0, 1, 1, 1)])
        assert found.shares[0, 0b11111] > 0.9


def test_a_product_of_noise_is_unlikely():
    draw = np.random.default_rng(7)
    columns = draw.integers(0, 2, (4, 2000))
    z = draw.random(2000) < 1 / (1 + np.exp(1 - 0.8 * columns[0] - 0.8 * columns[1]))
    found = weigh_families(rows_of(list(columns), z), 30, products=[Product(0, 1, 1, 1), Product(2, 3, 1, 1)])
    assert average(found.scores).families[: 1 << 4] @ found.shares.T == pytest.approx([0, 0], abs=0.1)


def test_a_product_stands_beside_both_of_its_columns():
    columns, z = together(1, 1.2)
    rows = rows_of(columns, z)
    layout = additive_layouts(rows, coarse_codes(rows))[0]
    found = search_products(layout, rows, [Product(0, 1, 1, 1)], prices(3, 4), np.full(5, 2.0), 0b111)
    lacks_one = [s for s in range(8) if s & 0b011 != 0b011]
    assert np.isneginf(found[1, lacks_one]).all()
    assert np.isfinite(found[1, 0b111])


def naive_marginal(columns, counts, variance):
    """Laplace's approximation of a logistic model's marginal likelihood; a constant with variance 100."""
    design, size = np.column_stack([np.ones(len(columns)), columns]), counts.sum(axis=1)
    before = np.diag([1 / 100, *(1 / v for v in variance)])
    beta = np.zeros(design.shape[1])
    for _ in range(50):
        mean = 1 / (1 + np.exp(-design @ beta))
        curve = (design * (size * mean * (1 - mean))[:, None]).T @ design + before
        beta += np.linalg.solve(curve, design.T @ (counts[:, 1] - size * mean) - before @ beta)
    score = design @ beta
    fit = (counts[:, 1] * score - size * np.log1p(np.exp(score))).sum()
    volume = np.linalg.slogdet(before)[1] - np.linalg.slogdet(curve)[1]
    return fit - 0.5 * beta @ before @ beta + 0.5 * volume


def test_a_product_weighs_what_a_logistic_model_with_it_does():
    """One effect on the product of both columns' scores, N(0, 1) beforehand."""
    (a, b, _), z = together(2, 1.0)
    rows = rows_of([a, b], z)
    layout = additive_layouts(rows, coarse_codes(rows))[0]
    found = search_products(layout, rows, [Product(0, 1, 1, 1)], np.zeros(4), np.zeros(4), 0b11)
    cells = np.array([(x, y) for x in range(2) for y in range(2)])
    counts = np.array([[((a == x) & (b == y) & (z == k)).sum() for k in (0, 1)] for x, y in cells])
    most = [np.bincount(column).argmax() for column in (a, b)]  # has no effect of its own
    scores = (cells - [a.mean(), b.mean()]) / [a.std(), b.std()]
    with_product = np.column_stack([cells != most, scores.prod(axis=1)])
    gain = naive_marginal(with_product, counts, [1, 1, 1])
    gain -= naive_marginal(with_product[:, :2], counts, [1, 1])
    assert found[1, 3] - found[0, 3] == pytest.approx(gain, abs=0.05)


def test_shares_follow_the_weights():
    with_products = np.log(np.array([[1.0, 4.0], [2.0, 0.0], [3.0, 0.0]]) + 1e-300)
    total, shares = shares_of_products(with_products, np.log([2.0, 4.0]))
    assert np.exp(total) == pytest.approx([6, 4])
    assert shares == pytest.approx(np.array([[4 / 8, 4 / 8], [5 / 8, 0]]))
    nothing = np.full((1, 1), -np.inf)
    assert shares_of_products(nothing, nothing[0])[1].tolist() == [[0.0]]


@pytest.mark.parametrize(("strength", "is_found"), [(0.0, False), (1.6, True)])
def test_what_adds_up_needs_no_product(strength, is_found):
    columns, z = together(3, strength, 4000)
    rows = rows_of(columns, z)
    found = weigh_families(rows, 3, products=[Product(0, 1, 1, 1)])
    assert (found.shares[0, 0b111] > 0.5) == is_found
    without = family_scores(rows, 3)
    assert (found.scores[:-1] == without[:-1]).all()
    assert (found.scores[-1] >= without[-1] - 1e-9).all()


def test_of_many_products_those_that_tell_most_are_looked_at():
    draw = np.random.default_rng(4)
    columns = list(draw.integers(0, 2, (5, 5000)))
    both = columns[1] * columns[3]
    z = draw.random(5000) < 1 / (1 + np.exp(1 - 0.5 * columns[0] - 1.2 * both))
    rows = rows_of(columns, z)
    pairs = [Product(a, b, 1, 1) for a in range(5) for b in range(a + 1, 5)]
    layout = additive_layouts(rows, coarse_codes(rows))[0]
    found = most_telling(layout, 0b01011, rows, pairs)
    assert len(found) == 3
    assert pairs[found[0]] == Product(1, 3, 1, 1)
    assert most_telling(layout, 0, rows, pairs[:2]) == [0, 1]


def test_fitted_risks_of_whole_tables_are_shares():
    """With so many records the prior hardly matters."""
    draw = np.random.default_rng(5)
    x = draw.integers(0, 4, 40_000)
    z = draw.random(40_000) < 0.2 + 0.15 * x
    rows = rows_of([x, draw.normal(size=40_000)], z)
    design = additive_layouts(rows, coarse_codes(rows))[0].lay_out()
    risks = fitted_risks(design, 0b01)
    for level in range(4):
        of_level = risks[rows.fine.codes[:, 0] == level]
        assert np.ptp(of_level) < 1e-12
        assert of_level[0] == pytest.approx(z[x == level].mean(), abs=0.005)
