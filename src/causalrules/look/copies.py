"""Columns that are copies of each other: they enter everything as one unit.

The table cannot tell which of them acts, whatever is asked of it: income in two currencies, a text beside its
code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.look.sketches import FEWEST, centred_ranks, sums_by
from causalrules.words import constants

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.look.sketches import Sketch
    from causalrules.words.records import Column

_ALIKE, _ALIKE_IN_RANKS = 0.5, 0.9
"""Only columns are compared whose features, or of numbers whose profiles, have a cosine of at least these: of
300,000 unrelated pairs at most four. Of 3,400 copies as different as they may be 23 have not, all of rare
values that are exchanged among each other; of 1,200 copies of numbers none."""

_BLOCK = 256
"""Columns whose cosines with all others are held at once: 30 MB with 30,000 columns."""


def copies(sketches: Sequence[Sketch], count: NDArray[np.float64]) -> tuple[tuple[str, ...], ...]:
    """Groups of columns that are copies, in the order of the sketches.

    Parameters
    ----------
    sketches : sequence of Sketch
        In the order of their content.
    count : float64[n_rows]
        Records of each row.
    """
    columns = [sketch.column for sketch in sketches]
    group = _equal_ones(sketches, count)
    first = [place for place, one in enumerate(group) if place == one]
    for x, y in pairs_that_may_be([sketches[place] for place in first]):
        low, high = sorted((group[first[x]], group[first[y]]))
        if low != high and are_copies(columns[first[x]], columns[first[y]], count):
            group = [low if one == high else one for one in group]
    members: dict[int, list[str]] = {}
    for column, one in zip(columns, group, strict=True):
        members.setdefault(one, []).append(column.name)
    return tuple(tuple(names) for names in members.values() if len(names) > 1)


def _equal_ones(sketches: Sequence[Sketch], count: NDArray[np.float64]) -> list[int]:
    """For each column the first whose levels are the same records, whatever they are called."""
    seen: dict[bytes, list[int]] = {}
    group = []
    for place, sketch in enumerate(sketches):
        order = slice(None) if sketch.n_levels == sketch.n_known else np.argsort(sketch.digests[1:])
        firsts = seen.setdefault(np.append(sketch.digests[0], sketch.digests[1:][order]).tobytes(), [])
        equal = (one for one in firsts if are_copies(sketches[one].column, sketch.column, count))
        group.append(next(equal, place))
        if group[place] == place:
            firsts.append(place)
    return group


def pairs_that_may_be(sketches: Sequence[Sketch]) -> Iterator[tuple[int, int]]:
    """Pairs that put the same records together, or in the same order."""
    apart = [sketch.n_known - sketch.counts[1:].max(initial=0) for sketch in sketches]
    varied = [place for place, n in enumerate(apart) if n >= FEWEST]
    shared = [place for place in varied if sketches[place].n_known - sketches[place].n_levels >= FEWEST]
    numbers = [place for place in varied if sketches[place].column.is_number]
    yield from _alike(shared, [sketches[place].features for place in shared], _ALIKE)
    yield from _alike(numbers, [sketches[place].profile for place in numbers], _ALIKE_IN_RANKS)


def _alike(places: list[int], vectors: list[NDArray[np.float32]], least: float) -> Iterator[tuple[int, int]]:
    """Pairs of places whose vectors have at least this cosine, or its negative."""
    stacked = np.array(vectors)
    for start in range(0, len(places), _BLOCK):
        cosine = np.abs(stacked[start : start + _BLOCK] @ stacked[start:].T)
        for i, j in np.argwhere(np.triu(cosine, 1) >= least).tolist():
            yield places[start + i], places[start + j]


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
    if count[both].sum() < (1 - constants.NEARLY) * count[known_x | known_y].sum():
        return False
    a, b, n = x.codes[both], y.codes[both], count[both]
    if x.is_number and y.is_number and _rank_correlation(a, b, n) >= np.sqrt(1 - constants.NEARLY**2):
        return True
    left = left_within(a, b, n), left_within(b, a, n)
    return max(left) < constants.NEARLY


def left_within(given: NDArray[np.integer], codes: NDArray[np.integer], count: NDArray[np.float64]) -> float:
    """Share of a column's variance that is left where another one is known, less what chance would take.

    One less Goodman and Kruskal's tau: the chance that two records differ, within levels and at all. A share
    of the entropy would allow two values half as many errors as ten. It is 1 for a constant, and where each
    record has a given level of its own: everything is a function of that.

    Examples
    --------
    >>> age, is_old = np.array([50, 55, 65, 70] * 10), np.array([0, 0, 1, 1] * 10)
    >>> round(left_within(age, is_old, np.ones(40)), 2), round(left_within(is_old, age, np.ones(40)), 2)
    (0.0, 0.68)
    """
    of_codes, of_given = sums_by(codes, count), sums_by(given, count)
    n, n_given = float(of_codes.sum()), np.count_nonzero(of_given)
    whole = (n - float(of_codes @ of_codes) / max(n, 1.0)) / max(n - 1, 1.0)
    if whole <= 0 or n <= n_given:
        return 1.0
    joint = given.astype(np.intp) * len(of_codes) + codes
    if len(of_codes) * len(of_given) > 4 * len(joint):  # thousands of levels: only the cells that there are
        joint = np.unique(joint, return_inverse=True)[1]
    within = n - float(count @ (sums_by(joint, count)[joint] / of_given[given]))
    # To nine digits: the rest is rounding, and must not decide.
    return round(float(within / (n - n_given) / whole), 9)


def _rank_correlation(a: NDArray[np.integer], b: NDArray[np.integer], n: NDArray[np.float64]) -> float:
    """Absolute value of Spearman's."""
    u, v = (centred_ranks(sums_by(one, n))[one] for one in (a, b))
    scale = np.sqrt((n * u * u).sum() * (n * v * v).sum())
    return float(abs((n * u * v).sum()) / scale) if scale > 0 else 0.0
