"""Families of a window: what every variable costs to encode, given every set of causes."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from causalrules.find.additive import additive_layouts, additive_searches
from causalrules.find.coarse import coarse_codes
from causalrules.find.family_tables import FullTables, coarse_scores
from causalrules.find.products import most_telling, product_prices, search_products, shares_of_products
from causalrules.kernels.workers import ONE_AFTER_THE_OTHER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.find.products import Product
    from causalrules.find.window_rows import WindowRows
    from causalrules.kernels.workers import Workers

MOST_CAUSES = 4
"""Causes of one variable, in full tables; the additive family takes all."""

ENTRANCE = log(2)
"""Price, in nats, of having any cause at all."""

LEAST_PRICE = log(9)
"""Of every further cause, in nats: one column in ten beforehand, whatever else is a cause.

At 1.5 nats, one in five or six, 4.4 % of 360 tables with 3-6 real causes and 6-15 noise columns had a false
rule (2,000 records), at ln 9 2.2 %; an odds ratio of 1.5 beside three confounders was found in 75 % instead
of 80 %, at 2.5 nats in 74 % with 1.9 % false, at 3 nats in 67 %.
"""


def prices(n_columns: int, most: int) -> NDArray[np.float64]:
    """What it costs to name a number of causes among the columns: ln of the number of such sets.

    The first cause costs ln(number of columns), which keeps noise out, and
    half of everything beforehand is that there is none; further ones cost
    less, since where there are three causes a fourth is no surprise (all numbers
    of causes about equally likely: Scott and Berger 2010; Friedman and Koller
    2003). No cause is cheaper than `LEAST_PRICE`: in
    a table of few columns, all of them would be the cheapest set.

    Examples
    --------
    >>> prices(20, 4).round(1)
    array([ 0. ,  3.7,  5.9,  8.1, 10.3])
    >>> prices(2, 2).round(1)
    array([0. , 2.9, 5.1])
    """
    named = np.arange(most)
    each = np.log(np.maximum(n_columns - named, 1) / (named + 1))
    price: NDArray[np.float64] = np.append(0.0, ENTRANCE + np.cumsum(np.maximum(each, LEAST_PRICE)))
    return price


class Families(NamedTuple):
    """The families of a window, weighed.

    Parameters
    ----------
    scores : float64[n_variables, 2^n_variables]
        Logarithm of the weight of each family; the outcome is the last variable. Minus infinity: not allowed.
    shares : float64[n_products, 2^(n_variables - 1)]
        Given that a set of columns causes the outcome: the probability that a product of two of them does,
        among the models in which the set's columns add up, with products and without.
    products : sequence of int
        Which of the products were looked at: those that say most beside columns that add up.
    """

    scores: NDArray[np.float64]
    shares: NDArray[np.float64]
    products: Sequence[int]


def family_scores(
    rows: WindowRows,
    n_columns: int,
    forbidden: NDArray[np.int64] | None = None,
    required: NDArray[np.int64] | None = None,
    *,
    additive: bool = True,
    workers: Workers = ONE_AFTER_THE_OTHER,
) -> NDArray[np.float64]:
    """Logarithm of the weight of every family of the window, without products: see `weigh_families`."""
    return weigh_families(rows, n_columns, forbidden, required, additive=additive, workers=workers).scores


def weigh_families(
    rows: WindowRows,
    n_columns: int,
    forbidden: NDArray[np.int64] | None = None,
    required: NDArray[np.int64] | None = None,
    products: Sequence[Product] = (),
    *,
    additive: bool = True,
    sketchy: bool = False,
    workers: Workers = ONE_AFTER_THE_OTHER,
) -> Families:
    """Weigh every family of the window.

    Parameters
    ----------
    rows : WindowRows
        The records.
    n_columns : int
        Columns of the whole table, from which causes are named.
    forbidden : int64[n_variables], optional
        For each variable the bits of those that cannot be its causes.
    required : int64[n_variables], optional
        For each variable the bits of those that are its causes.
    sketchy : bool
        Whether additive causes are smooth only, which is faster.
    products : sequence of Product
        Pairs of the window's columns that may act together on the outcome.
    additive : bool
        Whether the outcome's causes may also act additively.
    workers : Workers
        Threads that share the work.

    Notes
    -----
    Every variable is encoded with all its levels in every stratum of its causes;
    a cause in full or by one or two of its values, whichever is shorter. (A
    confounder encoded by one value only made 27 % of null exposures look causal;
    in full only, causes with many values were missed.) The additive family
    starts from one cause: from two up, it made 9 of 10 null exposures beside a
    confounder with 25 values look causal.
    """
    d = rows.n_variables
    most, price = min(MOST_CAUSES, d - 1), prices(n_columns, d)
    forbidden = np.zeros(d, np.int64) if forbidden is None else forbidden
    coarse = coarse_codes(rows)
    allowed = ~int(forbidden[-1]) & ((1 << (d - 1)) - 1)
    in_full = FullTables(rows, coarse, most)
    layouts = additive_layouts(rows, coarse)[: 1 if sketchy else None] if additive and d > 1 else []
    adding_up = additive_searches(layouts, price, allowed)
    counting, shorter = in_full.tasks(), coarse_scores(rows, coarse, most)
    tasks: list[Callable[[], Any]] = [*counting, *adding_up, *shorter]
    done = list(workers.map(lambda task: task(), tasks))
    scores = in_full.scores()
    of_additive = done[len(counting) : len(counting) + len(adding_up)]
    for variable, found in done[len(counting) + len(adding_up) :]:
        scores[variable] = np.maximum(scores[variable], found)
    # Strata of few records are encoded nearly as if all levels were equally likely, at no cost of learning
    # it. Of a variable whose levels are so (a number's bins), any three causes would seem to save
    # that cost, ½ (levels - 1) ln n: 9 of 80 tables of 100 noise numbers had a false neighbour. So no
    # cause at all may have it too.
    scores[:, 0] = np.maximum(scores[:, 0], -rows.levels.counts.sum() * np.log(rows.n_levels_with_outcome))
    scores -= price[np.bitwise_count(np.arange(1 << d))]
    shares, chosen = np.zeros((0, 1 << (d - 1))), list[int]()
    if of_additive:
        found = np.maximum.reduce(of_additive)
        # Jeffreys' and Laplace's constant are two codes of the same thing: neither may decide.
        shift = scores[-1, 0] - found[0]
        found += shift
        own = scores[-1, : 1 << (d - 1)]
        own[:] = np.maximum(own, found)
        if products:
            best = max(range(len(layouts)), key=lambda place: of_additive[place].max())
            each = product_prices(d, LEAST_PRICE)
            chosen = most_telling(layouts[best], int(of_additive[best].argmax()), rows, products)
            asked = [products[place] for place in chosen]
            further = search_products(layouts[best], rows, asked, price, each, allowed)
            together, shares = shares_of_products(further[1:] + shift, np.maximum(found, further[0] + shift))
            own[:] = np.logaddexp(own, together)
    for variable in range(d):
        scores[variable, (np.arange(1 << d) & forbidden[variable]) != 0] = -np.inf
    if required is not None:
        _require(scores, required)
    return Families(scores, shares, chosen)


def _require(scores: NDArray[np.float64], required: NDArray[np.int64]) -> None:
    """Allow only sets with all required causes; where none of them was scored, leave things as they are."""
    sets = np.arange(scores.shape[1])
    for variable, causes in enumerate(required):
        lacks_one = (sets & causes) != causes
        if np.isfinite(scores[variable, ~lacks_one]).any():
            scores[variable, lacks_one] = -np.inf
