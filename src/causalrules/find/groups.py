"""Columns that cannot be told apart: one finding, not several."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from causalrules.find.average import average
from causalrules.words import constants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.find.average import Arrows
    from causalrules.find.window_rows import WindowRows

LEAST, MOST = 0.1, 0.9
"""Probabilities between these may be shares of one neighbour's place (asked by the default only)."""

LEAST_CORRELATION = 0.3
"""Maximal correlation of columns that may stand for each other (likewise). Without it, "off treatment" and
"homosexual" shared a place in an HIV trial: both were parts of one of two families of causes."""


def find_groups(rows: WindowRows, scores: NDArray[np.float64], arrows: Arrows) -> tuple[tuple[int, ...], ...]:
    """Columns that share a place next to the outcome.

    Two columns belong together if one is nearly a function of the other, or if
    they are correlated and each takes over when the other is kept from the outcome: then the
    data say "one of them" and not which (as credible sets do, Wang et al. 2020).

    Parameters
    ----------
    rows : WindowRows
    scores : float64[d, 2^d]
        Weights of the window's families.
    arrows : Arrows
        Their average.

    Returns
    -------
    tuple of tuple of int
        Groups of two or more columns, the most probable member first; groups with the largest sum first.
    """
    p_next = arrows.p_next
    group = {place: {place} for place in range(len(rows.columns))}
    for x, y in (*_taking_over(rows, scores, p_next), *_near_functions(rows, p_next)):
        together = group[x] | group[y]
        for member in together:
            group[member] = together
    found = {tuple(sorted(members, key=lambda x: (-p_next[x], x))) for members in group.values()}
    several = sorted((g for g in found if len(g) > 1), key=lambda g: (-p_next[list(g)].sum(), g))
    return tuple(tuple(rows.columns[x] for x in g) for g in several)


def _taking_over(
    rows: WindowRows, scores: NDArray[np.float64], p_next: NDArray[np.float64]
) -> Iterator[tuple[int, int]]:
    """Pairs of correlated columns, each of which takes over when the other is kept from the outcome."""
    shared = [place for place, p in enumerate(p_next) if LEAST <= p <= MOST]
    rise = {x: average(kept_away(scores, x)).p_next - p_next for x in shared}
    for y, x in combinations(shared, 2):
        does_each = rise[x][y] >= constants.LIKELY * p_next[x] and rise[y][x] >= constants.LIKELY * p_next[y]
        if does_each and maximal_correlation(joint_counts(rows, x, y)) >= LEAST_CORRELATION:
            yield x, y


def _near_functions(rows: WindowRows, p_next: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Pairs of columns of which one is nearly a function of the other, and one may be a neighbour."""
    for y, x in combinations(range(len(rows.columns)), 2):
        if max(p_next[x], p_next[y]) >= LEAST and is_near_function(rows, x, y):
            yield x, y


def kept_away(scores: NDArray[np.float64], variable: int) -> NDArray[np.float64]:
    """The same families without any arrow between a variable and the outcome, which is the last."""
    d = len(scores)
    sets = np.arange(scores.shape[1])
    without = scores.copy()
    without[d - 1, sets >> variable & 1 == 1] = -np.inf
    without[variable, sets >> (d - 1) & 1 == 1] = -np.inf
    return without


def is_near_function(rows: WindowRows, x: int, y: int) -> bool:
    """Whether one of two columns is nearly known from the other, among records that have both."""
    return is_near_function_table(joint_counts(rows, x, y))


def is_near_function_table(table: NDArray[np.int64]) -> bool:
    """Whether rows nearly tell the column, or columns the row.

    Examples
    --------
    >>> is_near_function_table(np.array([[500, 2], [1, 497]]))
    True
    >>> is_near_function_table(np.array([[50, 20], [30, 40]]))
    False
    """
    both, of_x, of_y = (_entropy(counts) for counts in (table, table.sum(axis=1), table.sum(axis=0)))
    # H(x | y) = H(x, y) - H(y); a constant column is a function of everything, and says nothing.
    return min(of_x, of_y) > 0 and (
        both - of_y < constants.NEARLY * of_x or both - of_x < constants.NEARLY * of_y
    )


def joint_counts(rows: WindowRows, x: int, y: int) -> NDArray[np.int64]:
    """Records by the levels of two columns; a number's missing values do not count.

    That a number is missing may be another column's very meaning, and says nothing about its values.
    """
    table = np.zeros((int(rows.levels.n_levels[x]), int(rows.levels.n_levels[y])), np.int64)
    np.add.at(table, (rows.levels.codes[:, x], rows.levels.codes[:, y]), rows.levels.counts.sum(axis=1))
    ends = [size - rows.has_missing_level[place] for size, place in zip(table.shape, (x, y), strict=True)]
    return table[: ends[0], : ends[1]]


def maximal_correlation(table: NDArray[np.int64]) -> float:
    """The largest correlation that scores of two columns' levels can have (Hirschfeld 1935; Rényi 1959).

    Examples
    --------
    >>> round(maximal_correlation(np.array([[40, 10], [10, 40]])), 3)
    0.6
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(
        np.linalg.svd((table - expected) / np.sqrt(expected), compute_uv=False)[0] / np.sqrt(table.sum())
    )


def _entropy(counts: NDArray[np.int64]) -> float:
    share = counts[counts > 0] / max(counts.sum(), 1)
    return float(-(share * np.log(share)).sum())
