"""Products: two causes of the outcome that act together, beside what each does alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.find.additive import EFFECT_VARIANCE, Design, fitted_risks, number_basis, search_additive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.find.additive import Layout
    from causalrules.find.window_rows import Levels, WindowRows

MOST_PRODUCTS = 3
"""Looked at in one window: with them the outcome has 2^15 sets of causes."""

MOST_VALUES = 30
"""Different values of a product; those of two numbers are put together, as levels of a category are."""


class Product(NamedTuple):
    """Two columns of a window that may act together, each by one score: the product of both has one effect.

    Parameters
    ----------
    first, second : int
        Their places in the window.
    first_level, second_level : int
        The level of a category that acts in company, against the others; a number acts by its normal score.
    """

    first: int
    second: int
    first_level: int
    second_level: int


def product_prices(most: int, least: float) -> NDArray[np.float64]:
    """What it costs, in nats, to name a product beside each number of causes: a pair among theirs.

    That it is these columns of all was paid for when they were named as causes. Named among all pairs once
    more, two of 32 that act as one but not both had probabilities of 0.1 to 0.4, instead of 0.85 to 0.97.

    Examples
    --------
    >>> product_prices(6, 2.2).round(1)
    array([2.2, 2.2, 2.2, 2.2, 2.2, 2.3, 2.7])
    """
    pairs = np.arange(most + 1) * np.arange(-1, most) / 2
    price: NDArray[np.float64] = np.maximum(np.log(np.maximum(pairs, 1.0)), least)
    return price


def most_telling(layout: Layout, causes: int, rows: WindowRows, products: Sequence[Product]) -> list[int]:
    """Places of the products that say most of the outcome beside causes that add up; a score test each.

    Parameters
    ----------
    layout : Layout
        How the causes act.
    causes : int
        Bits of the columns that are in the model.
    """
    if len(products) <= MOST_PRODUCTS:
        return list(range(len(products)))
    mean, size = fitted_risks(layout.lay_out(), causes), layout.levels.counts.sum(axis=1)
    rest, weight = layout.levels.counts[:, 1] - size * mean, size * mean * (1 - mean)
    gains = []
    for product in products:
        values = _values(layout.levels, rows, product)
        values = values - np.average(values, weights=weight)
        gains.append(
            float((values * rest).sum()) ** 2 / (float((values**2 * weight).sum()) + 1 / EFFECT_VARIANCE)
        )
    return sorted(range(len(products)), key=lambda place: (-round(gains[place], 9), place))[:MOST_PRODUCTS]


def search_products(
    layout: Layout,
    rows: WindowRows,
    products: Sequence[Product],
    price: NDArray[np.float64],
    each: NDArray[np.float64],
    allowed: int,
) -> NDArray[np.float64]:
    """Logarithm of the weight of additive families of the outcome, with products of columns and without.

    Parameters
    ----------
    layout : Layout
        How the columns act: the best without products, or else a product would do what the layout cannot.
    price : float64[n_variables + 1]
        Of each number of causes.
    each : float64[n_variables + 1]
        Price of a product, beside each number of causes.
    allowed : int
        Bits of the columns that may be causes.

    Returns
    -------
    float64[2^n_products, 2^n_columns]
        For each set of products and each set of columns; a product stands beside both of its columns only.
        See `additive.additive_searches`.
    """
    d = len(rows.columns)
    price_of = _prices(products, price, each, d)
    design = _with_products(layout, rows, products)
    bits = allowed
    for place, product in enumerate(products):
        both = 1 << product.first | 1 << product.second
        bits |= (allowed & both == both) << (d + place)
    scores = np.maximum(search_additive(design, 0, price_of), search_additive(design, bits, price_of))
    return scores.reshape(1 << len(products), 1 << d)


def shares_of_products(
    with_products: NDArray[np.float64], without: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What models with products weigh together, and the share of those that have each product.

    Parameters
    ----------
    with_products : float64[2^n_products - 1, 2^n_columns]
        Logarithms of weights by set of products, as of `search_products` but for the set without any.
    without : float64[2^n_columns]
        Logarithm of the best weight without products.

    Returns
    -------
    together : float64[2^n_columns]
        Logarithm of the sum over all sets of products but the empty one.
    shares : float64[n_products, 2^n_columns]
        0 where no model of the set was fitted.

    Examples
    --------
    One set of columns; with the product it weighs three times as much as without:

    >>> together, shares = shares_of_products(np.log([[3.0]]), np.array([0.0]))
    >>> shares.round(2)
    array([[0.75]])
    """
    n_products = len(with_products).bit_length()
    together = np.logaddexp.reduce(with_products, axis=0)
    total = np.logaddexp(together, without)
    sets = np.arange(1, len(with_products) + 1)
    shares = np.zeros((n_products, len(without)))
    is_fitted = np.isfinite(total)
    for place in range(n_products):
        own = np.logaddexp.reduce(with_products[sets >> place & 1 == 1], axis=0)
        shares[place, is_fitted] = np.exp(own[is_fitted] - total[is_fitted])
    return together, shares


def _prices(
    products: Sequence[Product], price: NDArray[np.float64], each: NDArray[np.float64], d: int
) -> NDArray[np.float64]:
    """float64[2^(n_products + d)]: of columns and products; infinite for a product without its columns."""
    sets = np.arange(1 << (d + len(products)))
    columns = sets & ((1 << d) - 1)
    n_causes, n_products = np.bitwise_count(columns), np.bitwise_count(sets >> d)
    found: NDArray[np.float64] = price[n_causes] + each[n_causes] * n_products
    for place, product in enumerate(products):
        both = 1 << product.first | 1 << product.second
        found[(sets >> (d + place) & 1 == 1) & (columns & both != both)] = np.inf
    return found


def _with_products(layout: Layout, rows: WindowRows, products: Sequence[Product]) -> Design:
    """The design with the products as further columns, each with one effect on its values."""
    design = layout.lay_out()
    codes, counts, n_levels = design.levels
    d, m, most = len(n_levels), len(products), max(int(n_levels.max()), MOST_VALUES)
    basis = np.zeros((d + m, most, design.basis.shape[2]))
    basis[:d, : design.basis.shape[1]] = design.basis
    both, n_both = [codes], n_levels.tolist()
    for place, product in enumerate(products):
        code, means = _few_values(_values(layout.levels, rows, product), counts.sum(axis=1))
        basis[d + place, : len(means), 0] = means
        both.append(code[:, None])
        n_both.append(len(means))
    return Design(
        design.levels._replace(codes=np.hstack(both), n_levels=np.array(n_both, np.int64)),
        np.append(design.widths, np.full(m, -1)),
        basis,
        np.append(design.spread, np.full(m, EFFECT_VARIANCE)),
        np.append(design.extra, np.zeros(m)),
    )


def _values(levels: Levels, rows: WindowRows, product: Product) -> NDArray[np.float64]:
    """The product of both scores, of every row."""
    first = _score(levels, rows, product.first, product.first_level)
    return first * _score(levels, rows, product.second, product.second_level)


def _score(levels: Levels, rows: WindowRows, column: int, level: int) -> NDArray[np.float64]:
    """One score of each row, of mean 0 and variance 1: so a product says little that each says alone."""
    codes, n_levels = levels.codes[:, column], int(levels.n_levels[column])
    size = np.bincount(codes, levels.counts.sum(axis=1), n_levels).astype(np.float64)
    score: NDArray[np.float64]
    if rows.is_number[column]:
        score = number_basis(size, bool(rows.has_missing_level[column]))[codes, 0]
    else:
        share = float(size[level] / size.sum()) if level < n_levels else 0.0
        score = ((codes == level) - share) / np.sqrt(max(share * (1 - share), 1e-9))
    return score


def _few_values(
    values: NDArray[np.float64], size: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Which of a few values each row has, and their means; values that differ by rounding are one."""
    distinct, code = np.unique(values.round(9), return_inverse=True)
    weight = np.bincount(code, size)
    if len(distinct) > MOST_VALUES:
        middle = (np.cumsum(weight) - weight / 2) / weight.sum()
        _, part = np.unique(np.floor(MOST_VALUES * middle), return_inverse=True)
        total, weight = np.bincount(part, weight * distinct), np.bincount(part, weight)
        distinct, code = total / weight, part[code]
    return code.astype(np.int64), distinct
