"""Products of two controls that a model is asked to hold: where residuals differ between their cells.

Two categories may act by their cells, a number within one category only, two numbers by their product. None
of that shows in a sum of columns, and all of it confounds.
"""

from __future__ import annotations

from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.estimate.terms import Term, normal_scores
from causalrules.kernels.special_functions import chdtrc
from causalrules.kernels.term_sums import fill_cell_tables
from causalrules.words import constants

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from causalrules.words.records import Column

MOST_PRODUCTS = 12

MOST_CELLS = 300
"""Of one product, and of all products of a study together."""

MOST_OF_THREE = 12
"""Columns whose triples are looked at: 220 tables."""

_NOTHING = 1e-10


class Residuals(NamedTuple):
    """What a model leaves: residuals of one or several outcomes, and their variances, by row."""

    left: NDArray[np.float64]
    variance: NDArray[np.float64]


class Part(NamedTuple):
    """A column as products see it: few codes, and a function or several of them."""

    name: str
    codes: NDArray[np.int64]
    basis: NDArray[np.float64]
    is_number: bool


def part_of(column: Column, mass: NDArray[np.float64]) -> Part:
    """A number by ten parts and three polynomials, a category by all its levels."""
    size = column.sizes(mass)
    if not column.is_number:
        level = joined_levels(size)
        return Part(column.name, level[column.codes], np.eye(int(level.max()) + 1), False)
    known = size[1:]
    middle = (np.cumsum(known) - known / 2) / max(float(known.sum()), 1e-300)
    _, tenth = np.unique(
        np.minimum((constants.BINS * middle).astype(np.int64), constants.BINS - 1), return_inverse=True
    )
    bins = np.append(0, tenth + 1)
    in_bin = np.bincount(bins, size).astype(np.float64)
    scores = normal_scores(in_bin[1:])
    powers = np.vander(scores, min(constants.DEGREE, len(scores) - 1) + 1, increasing=True)
    share = np.sqrt(np.maximum(in_bin[1:], 1e-9) / max(float(in_bin[1:].sum()), 1e-300))
    orthogonal = np.linalg.qr(powers * share[:, None])[0] / share[:, None]
    basis = np.vstack([np.zeros(orthogonal.shape[1] - 1), orthogonal[:, 1:]])
    return Part(column.name, bins[column.codes], basis, True)


def joined_levels(size: NDArray[np.float64]) -> NDArray[np.int64]:
    """The level of each code, of which all rare ones are one, the last.

    Examples
    --------
    >>> joined_levels(np.array([0.0, 600.0, 395.0, 5.0])).tolist()
    [2, 0, 1, 2]
    """
    is_frequent = size >= constants.RARE * size.sum()
    level = np.full(len(size), int(is_frequent.sum()), np.int64)
    level[is_frequent] = np.arange(int(is_frequent.sum()))
    return level


def products_named(
    parts: Sequence[Part], names: Collection[tuple[str, ...]], mass: NDArray[np.float64]
) -> list[Term]:
    """The products of these names whose columns are all there; of three columns, numbers are coarse."""
    by_name = {part.name: part for part in parts}
    there = [one for one in names if all(name in by_name for name in one)]
    return [product_term(offered([by_name[name] for name in one], len(one)), mass) for one in there]


def product_term(parts: Sequence[Part], mass: NDArray[np.float64]) -> Term:
    """The cells of some columns as a term of a model."""
    codes, basis = _cells(parts)
    size = np.bincount(codes, mass, len(basis))
    used = basis[:, (np.abs(basis[size > 0]) > 0).any(axis=0)]
    used = used - (size @ used) / max(float(size.sum()), 1e-300)
    return Term(tuple(part.name for part in parts), codes.astype(np.int32), used, 0)


def _cells(parts: Sequence[Part]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The cell of every row, and the basis of every cell."""
    codes, basis = parts[0].codes, parts[0].basis
    for part in parts[1:]:
        codes = codes * len(part.basis) + part.codes
        basis = np.kron(basis, part.basis).astype(np.float64)
    return codes, basis


def wanted_products(parts: Sequence[Part], residuals: Residuals, size: int) -> list[tuple[str, ...]]:
    """Sets of two columns, or of three, between whose cells some residuals differ, the clearest first.

    Beyond doubt: each pays for all sets that are looked at.
    """
    among = offered(parts if size == 2 else parts[:MOST_OF_THREE], size)
    n_cells_of = [len(part.basis) for part in among]
    sets = [
        places
        for places in combinations(range(len(among)), size)
        if prod(n_cells_of[place] for place in places) <= MOST_CELLS
    ]
    found = []
    for places, sums in zip(sets, _cell_sums(among, sets, residuals), strict=True):
        several = tuple(among[place] for place in places)
        p = lack_of_fit(several, *np.split(sums, 2, axis=1))
        if p * len(sets) <= constants.BEYOND_DOUBT:
            found.append((p, places, several))
    found.sort(key=lambda one: one[:2])
    chosen, n_cells = [], 0
    for _, _, several in found[:MOST_PRODUCTS]:
        n_cells += prod(part.basis.shape[1] for part in several)
        if n_cells <= MOST_CELLS:
            chosen.append(tuple(part.name for part in several))
    return chosen


def _cell_sums(
    parts: Sequence[Part], sets: Sequence[tuple[int, ...]], residuals: Residuals
) -> list[NDArray[np.float64]]:
    """Of each set of columns, float64[n_cells, 2 k]: residuals and variances by cell, in one pass."""
    if not sets:
        return []
    n_codes = np.array([len(part.basis) for part in parts], np.int64)
    places = np.array(sets, np.int64)
    ends = np.cumsum(n_codes[places].prod(axis=1))
    values = np.column_stack([residuals.left, residuals.variance])
    tables = np.zeros((int(ends[-1]), values.shape[1]))
    codes = np.stack([part.codes for part in parts]).astype(np.int32)
    fill_cell_tables(codes, n_codes, values, places, np.append(0, ends[:-1]), tables)
    return np.split(tables, ends[:-1])


def offered(parts: Sequence[Part], size: int) -> tuple[Part, ...]:
    """The parts as products of so many columns hold them: of three, numbers are coarse."""
    return tuple(parts) if size == 2 else tuple(_coarse(part) for part in parts)


def _coarse(part: Part) -> Part:
    """A number by a few parts, each a level of its own."""
    if not part.is_number:
        return part
    n_bins = len(part.basis) - 1
    joined = np.append(0, 1 + np.arange(n_bins) * constants.QUARTERS // max(n_bins, 1))
    return Part(part.name, joined[part.codes], np.eye(int(joined.max()) + 1), False)


def lack_of_fit(parts: Sequence[Part], u: NDArray[np.float64], v: NDArray[np.float64]) -> float:
    """p-value that cells of some columns tell nothing that the columns do not tell by themselves.

    For categories that is Pearson's statistic over the cells; of numbers, a score test of the products of
    their polynomials, freed of what each column says.

    Parameters
    ----------
    u, v : float64[n_cells, k]
        Sums of the residuals of k outcomes by cell, and their variances.
    """
    test = _score_test if any(part.is_number for part in parts) else _pearson
    statistic, freedom = test(parts, u, v)
    k = u.shape[1]
    if k > 1:  # residuals of all levels add up to nothing
        freedom *= (k - 1) / k
    return float(chdtrc(freedom, statistic)) if freedom > 0 else 1.0


def _pearson(parts: Sequence[Part], u: NDArray[np.float64], v: NDArray[np.float64]) -> tuple[float, float]:
    """Pearson's statistic over the cells that can tell, and its degrees of freedom.

    Where less than one record is expected either way, one that is there would count as ten.
    """
    statistic, freedom = 0.0, 0.0
    for residual, variance in zip(u.T, v.T, strict=True):
        occurs = variance >= 1
        statistic += float((residual[occurs] ** 2 / variance[occurs]).sum())
        cells = np.unravel_index(np.flatnonzero(occurs), [len(part.basis) for part in parts])
        freedom += float(occurs.sum() - 1 - sum(len(np.unique(one)) - 1 for one in cells))
    return statistic, freedom


def _score_test(parts: Sequence[Part], u: NDArray[np.float64], v: NDArray[np.float64]) -> tuple[float, float]:
    """Score statistic of products, given anything that either column does, and its degrees of freedom."""
    first, second = parts
    a, b = len(first.basis), len(second.basis)
    own = np.hstack([np.repeat(np.eye(a), b, axis=0), np.tile(np.eye(b), (a, 1))])
    basis = np.kron(first.basis, second.basis)
    variance = v.T[:, :, None]
    weighted = own * variance
    sums = own.T @ weighted
    # Both columns know the constant, and codes may be empty: a ridge of nothing makes it solvable.
    ridge = _NOTHING * np.maximum(sums.max(axis=(1, 2)), 1e-300)[:, None, None] * np.eye(a + b)
    left = basis - own @ np.linalg.solve(sums + ridge, weighted.transpose(0, 2, 1) @ basis)
    values, vectors = np.linalg.eigh(left.transpose(0, 2, 1) @ (variance * left))
    is_used = values > 1e-8 * np.maximum(values.max(axis=1, initial=0.0), 1e-300)[:, None]
    slope = (left * u.T[:, :, None]).sum(axis=1)
    along = (vectors * slope[:, :, None]).sum(axis=1)
    statistic = np.where(is_used, along**2 / np.where(is_used, values, 1.0), 0.0).sum()
    return float(statistic), float(is_used.sum())
