"""Numbers of which no cut became an item: no hypotheses, but they may confound.

A number may show nothing by itself and much beside another column: height beside weight, where the body mass
index is a cause, or age where it does good to some and harm to others. It has no items that pairs could be
counted of, so its bins are looked at here.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from causalrules.cohort.neighbours.interactions import FAMILY_LEVEL
from causalrules.cohort.neighbours.screen import course_p_value, trend_p_value
from causalrules.kernels.special_functions import chdtrc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.neighbours.window_rows import Columns, UniqueRows
    from causalrules.engines.contract import Counts
    from causalrules.find.window_rows import Levels

MOST_QUESTIONS = 200
"""Pairs of columns that are asked about: each costs a pass over the records."""

LEAST_RECORDS = 10
"""Records of a value, without and with the outcome, that take part."""

LEAST_SPREAD = log(1.1)
"""Of log odds for a standard deviation of a number, by which its trends differ enough to confound: the usual
limit of a change in an odds ratio that counts (Maldonado and Greenland 1993)."""

_N_PARTS = 4
_NOTHING_LEFT = 1e-6
"""Share of the records that levels may differ in, once others are known, to say nothing new."""


def numbers_without_items(
    engine: Counts, unique_rows: UniqueRows, columns: Columns
) -> list[tuple[float, int]]:
    """The p-value of each such number's own association with the outcome, and its column; smallest first."""
    has_items = np.zeros(len(columns), np.bool_)
    has_items[engine.column_of_item] = True
    found = []
    for column in np.flatnonzero(columns.is_number & ~has_items):
        codes, counts = unique_rows(np.array([column], np.intp))
        p_value = min(trend_p_value(codes[0], counts), course_p_value(codes[0], counts))
        found.append((p_value, int(column)))
    return sorted(found)


class TrendsCompared(NamedTuple):
    """The trends of a number in several groups of records.

    `p_value` is that of one trend in all of them, `spread` by how much log odds for a standard deviation
    differ from their mean, chance taken off.
    """

    p_value: float
    spread: float


class OtherTrends(NamedTuple):
    """A number, a column within whose values its trends differ, and by how much (`TrendsCompared`)."""

    number: int
    other: int
    spread: float


def pairs_with_other_trends(
    unique_rows: UniqueRows, columns: Columns, uncut: Sequence[int]
) -> list[OtherTrends]:
    """Such numbers and columns within whose values their trends differ, beyond Bonferroni's limit."""
    if not uncut:
        return []
    asked = uncut[: max(1, MOST_QUESTIONS // max(1, len(columns) - 1))]
    found = []
    for number in asked:
        for other in range(len(columns)):
            if other == number or (other in asked and other < number):
                continue
            codes, counts = unique_rows(np.array(sorted((number, other)), np.intp))
            own, given = codes if number < other else codes[::-1]
            if columns.is_number[other]:
                given = _parts(given, counts)
            p_value, spread = difference_of_trends(own, given, counts)
            found.append((p_value, OtherTrends(number, other, spread)))
    limit = FAMILY_LEVEL / max(1, len(found))
    return [pair for p_value, pair in sorted(found) if p_value <= limit]


def difference_of_trends(
    codes: NDArray[np.integer], given: NDArray[np.integer], counts: NDArray[np.int64]
) -> TrendsCompared:
    """Test whether the outcome's trend along a number's bins is the same within all values of a column.

    Cochran and Armitage's excess of ranks, with its variance, within every value; the
    weighted squares of their differences from the common slope are chi-squared.

    Parameters
    ----------
    codes, given : integer[n_rows]
        The number's bins, and the column's values; 0 is missing and left out.
    counts : int64[n_rows, 2]
        Records without and with the outcome.

    Examples
    --------
    What rises in one group and falls in the other, and what rises in both:

    >>> bins, group = np.array([1, 2, 1, 2]), np.array([1, 1, 2, 2])
    >>> turned = difference_of_trends(bins, group, np.array([[40, 10], [10, 40], [10, 40], [40, 10]]))
    >>> same = difference_of_trends(bins, group, np.array([[40, 10], [10, 40], [40, 10], [10, 40]]))
    >>> turned.p_value < 1e-9, same
    (True, TrendsCompared(p_value=1.0, spread=0.0))
    """
    is_known = (codes > 0) & (given > 0)
    codes, given, counts = codes[is_known], given[is_known], counts[is_known]
    n_records = counts.sum(axis=1).astype(np.float64)
    size = np.bincount(codes, n_records)
    rank = (np.cumsum(size) - size / 2)[codes] / max(n_records.sum(), 1.0)

    def by_value(weights: NDArray[Any]) -> NDArray[np.float64]:
        return np.bincount(given, weights).astype(np.float64)

    n, n_with = by_value(n_records), by_value(counts[:, 1])
    takes_part = np.minimum(n_with, n - n_with) >= LEAST_RECORDS
    n, n_with = np.maximum(n, 2), np.where(takes_part, n_with, 0)
    share = n_with / n
    excess = by_value(rank * counts[:, 1]) - share * by_value(rank * n_records)
    spread = by_value(rank**2 * n_records) - by_value(rank * n_records) ** 2 / n
    variance = share * (1 - share) * spread * n / (n - 1)
    takes_part &= variance > 1e-9
    excess, variance = excess[takes_part], variance[takes_part]
    if len(excess) < 2:
        return TrendsCompared(1.0, 0.0)
    # To nine digits: what differs less is rounding.
    statistic = max(round(float((excess**2 / variance).sum() - excess.sum() ** 2 / variance.sum()), 9), 0.0)
    by_chance = len(excess) - 1
    # Ranks run from 0 to 1, so that their standard deviation is √(1/12).
    apart = sqrt(max(statistic - by_chance, 0.0) / 12 / float(variance.sum()))
    return TrendsCompared(float(chdtrc(by_chance, statistic)), apart)


def p_value_beside(levels: Levels) -> float:
    """Test whether a window's last column goes with the outcome beside all of its others.

    By least squares on the levels of all columns, numbers by ten of them: enough to tell whether a column
    is worth a look, for which a logistic model would have to be fitted. What the others say of
    the last one's levels is taken off, and the rest is a score test.
    """
    codes, counts, n_levels = levels
    n_records, n_with = counts.sum(axis=1).astype(np.float64), counts[:, 1].astype(np.float64)
    first = np.cumsum([0, *n_levels])
    design = np.empty((first[-1], first[-1]))
    for i in range(len(n_levels)):
        for j in range(len(n_levels)):
            cell = codes[:, i].astype(np.int64) * n_levels[j] + codes[:, j]
            block = np.bincount(cell, n_records, n_levels[i] * n_levels[j])
            design[first[i] : first[i + 1], first[j] : first[j + 1]] = block.reshape(n_levels[i], n_levels[j])
    share = n_with.sum() / n_records.sum()
    with_outcome = np.concatenate(
        [np.bincount(codes[:, j], n_with - share * n_records, n) for j, n in enumerate(n_levels)]
    )
    known, last = slice(0, first[-2]), slice(first[-2], first[-1])
    solved = np.linalg.pinv(design[known, known], rcond=_NOTHING_LEFT, hermitian=True)
    excess = with_outcome[last] - design[last, known] @ solved @ with_outcome[known]
    left = design[last, last] - design[last, known] @ solved @ design[known, last]
    explained = float(with_outcome[known] @ solved @ with_outcome[known])
    variance = (float(n_records.sum()) * share * (1 - share) - explained) / float(n_records.sum())
    spread, direction = np.linalg.eigh(left)
    is_left = spread > _NOTHING_LEFT * float(n_records.sum())
    if not is_left.any() or variance <= 0:
        return 1.0
    statistic = float(((direction.T @ excess)[is_left] ** 2 / spread[is_left]).sum()) / variance
    return float(chdtrc(np.count_nonzero(is_left), round(statistic, 9)))


def _parts(codes: NDArray[np.integer], counts: NDArray[np.int64]) -> NDArray[np.integer]:
    """The quarter of the records that each bin of a number belongs to, from 1; missing stays 0."""
    size = np.bincount(codes, counts.sum(axis=1)).astype(np.float64)
    size[0] = 0
    middle = (np.cumsum(size) - size / 2) / max(size.sum(), 1.0)
    part = 1 + np.minimum((_N_PARTS * middle).astype(np.int64), _N_PARTS - 1)
    part[0] = 0
    return np.asarray(part[codes])
