"""Products: two causes of the outcome that act together, beside what each does alone."""

from __future__ import annotations

from functools import partial
from math import comb, log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.find.additive import EFFECT_VARIANCE, Design, number_basis, search_additive, smooth_design

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.find.window_rows import WindowRows

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


def product_price(n_columns: int, least: float) -> float:
    """What it costs, in nats, to name a product: a pair among all pairs of columns.

    Examples
    --------
    >>> round(product_price(32, log(9)), 1), round(product_price(3, log(9)), 1)
    (6.2, 2.2)
    """
    return max(log(max(comb(n_columns, 2), 1)), least)


def product_searches(
    rows: WindowRows, products: Sequence[Product], price: NDArray[np.float64], each: float, allowed: int
) -> list[Callable[[], NDArray[np.float64]]]:
    """The search for additive families of the outcome with products, if there are any.

    Parameters
    ----------
    price : float64[n_variables + 1]
        Of each number of causes.
    each : float
        Price of a product.
    allowed : int
        Bits of the columns that may be causes.

    Returns
    -------
    list of one callable or none
        It gives float64[2^n_products, 2^n_columns]: for each set of products and each set of columns; a
        product stands beside both of its columns only. See `additive.additive_searches`.
    """
    if not products:
        return []
    d = len(rows.columns)
    price_of = _prices(products, price, each, d)

    def search() -> NDArray[np.float64]:
        design = _with_products(smooth_design(rows), rows, products)
        bits = allowed
        for place, product in enumerate(products):
            both = 1 << product.first | 1 << product.second
            bits |= (allowed & both == both) << (d + place)
        scores = np.maximum(search_additive(design, 0, price_of), search_additive(design, bits, price_of))
        return scores.reshape(1 << len(products), 1 << d)

    return [partial(search)]


def shares_of_products(
    with_products: NDArray[np.float64], without: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What models with products weigh together, and the share of those that have each product.

    Parameters
    ----------
    with_products : float64[2^n_products, 2^n_columns]
        Logarithms of weights by set of products, from `product_searches`; the first without any.
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

    >>> together, shares = shares_of_products(np.log([[1.0], [3.0]]), np.array([0.0]))
    >>> shares.round(2)
    array([[0.75]])
    """
    n_products = len(with_products).bit_length() - 1
    together = np.logaddexp.reduce(with_products[1:], axis=0)
    total = np.logaddexp(together, np.maximum(without, with_products[0]))
    sets = np.arange(len(with_products))
    shares = np.zeros((n_products, len(without)))
    is_fitted = np.isfinite(total)
    for place in range(n_products):
        own = np.logaddexp.reduce(with_products[sets >> place & 1 == 1], axis=0)
        shares[place, is_fitted] = np.exp(own[is_fitted] - total[is_fitted])
    return together, shares


def _prices(
    products: Sequence[Product], price: NDArray[np.float64], each: float, d: int
) -> NDArray[np.float64]:
    """float64[2^(n_products + d)]: of columns and products; infinite for a product without its columns."""
    sets = np.arange(1 << (d + len(products)))
    columns = sets & ((1 << d) - 1)
    found: NDArray[np.float64] = price[np.bitwise_count(columns)] + each * np.bitwise_count(sets >> d)
    for place, product in enumerate(products):
        both = 1 << product.first | 1 << product.second
        found[(sets >> (d + place) & 1 == 1) & (columns & both != both)] = np.inf
    return found


def _with_products(design: Design, rows: WindowRows, products: Sequence[Product]) -> Design:
    """The design with the products as further columns, each with one effect on its values."""
    codes, counts, n_levels = design.levels
    d, m, most = len(n_levels), len(products), max(int(n_levels.max()), MOST_VALUES)
    basis = np.zeros((d + m, most, design.basis.shape[2]))
    basis[:d, : design.basis.shape[1]] = design.basis
    both, n_both = [codes], n_levels.tolist()
    for place, product in enumerate(products):
        values = _score(rows, product.first, product.first_level)
        values = values * _score(rows, product.second, product.second_level)
        code, means = _few_values(values, counts.sum(axis=1))
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


def _score(rows: WindowRows, column: int, level: int) -> NDArray[np.float64]:
    """One score of each row, of mean 0 and variance 1: so a product says little that each says alone."""
    codes = rows.fine.codes[:, column]
    size = np.bincount(codes, rows.fine.counts.sum(axis=1), int(rows.fine.n_levels[column]))
    if rows.is_number[column]:
        return number_basis(size, bool(rows.has_missing_level[column]))[codes, 0]
    share = float(size[level] / size.sum()) if level < len(size) else 0.0
    has: NDArray[np.float64] = ((codes == level) - share) / np.sqrt(max(share * (1 - share), 1e-9))
    return has


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
