"""Columns that are copies of each other: they enter everything as one unit.

The table cannot tell which of them acts, whatever is asked of it: income in two currencies, a text beside its
code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.look.sketches import N_BUCKETS, N_FEATURES, NEARLY, centred_ranks, entropy, sums_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.look.sketches import Sketch
    from causalrules.words.records import Column

NUMBERS_ALIKE = 0.995
"""Rank correlation of two numbers that are copies: an age in months and in years, a rounded weight."""

_FAR_APART, _ALIKE_IN_BUCKETS = 0.6, 0.9
"""Only those columns are compared whose features differ by less than the first (mean square; by 1.4 without
any relation), or numbers whose profiles have a cosine above the second. Of 2,000 pairs without relation one
is compared for nothing; a copy at the very limit may be missed."""

_CELLS = 0.01
"""Where few columns make up the buckets, features are large, and may differ by this share of their excess."""


def copies(sketches: Sequence[Sketch], count: NDArray[np.float64]) -> tuple[tuple[str, ...], ...]:
    """Groups of columns that are copies, in the order of the sketches.

    Parameters
    ----------
    sketches : sequence of Sketch
        In the order of their content.
    count : float64[n_rows]
        Records of each row.
    """
    group = list(range(len(sketches)))
    for x, y in _pairs_that_may_be(sketches):
        if group[x] != group[y] and are_copies(sketches[x].column, sketches[y].column, count):
            low, high = sorted((group[x], group[y]))
            group = [low if one == high else one for one in group]
    members: dict[int, list[str]] = {}
    for sketch, first in zip(sketches, group, strict=True):
        members.setdefault(first, []).append(sketch.name)
    return tuple(tuple(names) for names in members.values() if len(names) > 1)


def _pairs_that_may_be(sketches: Sequence[Sketch]) -> Iterator[tuple[int, int]]:
    """Pairs of about equal entropy whose records are spread alike over the buckets."""
    entropies = np.array([sketch.entropy for sketch in sketches])
    order = np.argsort(entropies, kind="stable")
    order = order[entropies[order] > 0]
    features = np.array([sketches[place].features for place in order]).reshape(-1, N_FEATURES)
    profiles = np.array([sketches[place].profile for place in order]).reshape(-1, N_BUCKETS)
    features /= np.sqrt(N_FEATURES)
    size, n_levels = (features**2).sum(axis=1), np.array([sketches[place].n_levels for place in order])
    most = _FAR_APART + _CELLS * np.maximum(0, size - 2 * (n_levels - 1))
    ends = np.searchsorted(entropies[order], entropies[order] / (1 - 2 * NEARLY), "right")
    for i, x in enumerate(order):
        window = slice(i + 1, ends[i])
        distance = size[i] + size[window] - 2 * (features[window] @ features[i])
        near = i + 1 + np.flatnonzero(distance < most[i])
        if sketches[x].column.is_number:
            cosine = np.abs(profiles[i + 1 :] @ profiles[i])
            near = np.union1d(near, i + 1 + np.flatnonzero(cosine > _ALIKE_IN_BUCKETS))
        yield from ((int(x), int(order[j])) for j in near)


def are_copies(x: Column, y: Column, count: NDArray[np.float64]) -> bool:
    """Whether each of two columns is nearly a function of the other, and known where the other is.

    Examples
    --------
    >>> from causalrules.words.records import Column
    >>> def column(name, *codes):
    ...     return Column(name=name, kind="category", levels=("a", "b", "c"), codes=np.array(codes * 20))
    >>> x, y, z = column("x", 1, 2, 3, 1), column("y", 3, 1, 2, 3), column("z", 1, 1, 3, 2)
    >>> are_copies(x, y, np.ones(80)), are_copies(x, z, np.ones(80))
    (True, False)
    """
    known_x, known_y = x.codes > 0, y.codes > 0
    both = known_x & known_y
    if count[both].sum() < (1 - NEARLY) * count[known_x | known_y].sum():
        return False
    a, b, n = x.codes[both], y.codes[both], count[both]
    if x.is_number and y.is_number and _rank_correlation(a, b, n) >= NUMBERS_ALIKE:
        return True
    left = left_within(a, b, n), left_within(b, a, n)
    return max(left) < NEARLY


def left_within(given: NDArray[np.integer], codes: NDArray[np.integer], count: NDArray[np.float64]) -> float:
    """Share of a column's entropy that is left where another one is known; 1 for a constant.

    Examples
    --------
    >>> age, is_old = np.array([50, 55, 65, 70] * 10), np.array([0, 0, 1, 1] * 10)
    >>> round(left_within(age, is_old, np.ones(40)), 2), round(left_within(is_old, age, np.ones(40)), 2)
    (0.0, 0.5)
    """
    of_codes, of_given = sums_by(codes, count), sums_by(given, count)
    whole = entropy(of_codes)
    if whole <= 0:
        return 1.0
    joint = given.astype(np.intp) * len(of_codes) + codes
    if len(of_codes) * len(of_given) > 4 * len(joint):  # thousands of levels: only the cells that there are
        joint = np.unique(joint, return_inverse=True)[1]
    return (entropy(sums_by(joint, count)) - entropy(of_given)) / whole


def _rank_correlation(a: NDArray[np.integer], b: NDArray[np.integer], n: NDArray[np.float64]) -> float:
    """Absolute value of Spearman's."""
    u, v = (centred_ranks(sums_by(one, n))[one] for one in (a, b))
    scale = np.sqrt((n * u * u).sum() * (n * v * v).sum())
    return float(abs((n * u * v).sum()) / scale) if scale > 0 else 0.0
