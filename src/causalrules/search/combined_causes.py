"""Combined causes: pairs of columns whose effects depend on each other, also beside other causes."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.neighbours.interactions import FAMILY_LEVEL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine

LEAST_CELL = 5
"""Records of each combination in a stratum, below which the stratum tells nothing."""


class CombinedCauses:
    """Decides which interacting pairs are findings of their own.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    vocabulary : Vocabulary
        Items and columns.
    n_items : int
        Items that pairs were made of: Bonferroni counts all their pairs.
    """

    def __init__(self, engine: Engine, vocabulary: Vocabulary, n_items: int) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._limit = FAMILY_LEVEL / max(1, n_items * (n_items - 1) / 2)
        self._places = {column.name: column.place for column in vocabulary.held_columns}
        self._column_of_item = vocabulary.column_of_item

    def stays(self, pair: tuple[int, int], accepted: Collection[str]) -> bool:
        """Whether the interaction is still beyond the limit within the strata of each accepted column.

        An interaction with a copy, or a consequence, of an accepted cause is
        gone where that cause is held.
        """
        own = {self._vocabulary.items[item].column for item in pair}
        return all(self._p_within(pair, name) <= self._limit for name in accepted if name not in own)

    def _p_within(self, pair: tuple[int, int], name: str) -> float:
        """Two-sided p-value of the interaction contrast, pooled over the values of a column (Woolf)."""
        from scipy.special import erfc

        first = self._vocabulary.first_item
        columns = [int(self._column_of_item[item]) for item in pair]
        codes = [item - int(first[column]) + 1 for item, column in zip(pair, columns, strict=True)]
        rows = self._engine.unique_rows(np.array([*columns, self._places[name]], np.intp))
        has = [rows.codes[place] == code for place, code in enumerate(codes)]
        weight = total = 0.0
        for value in np.unique(rows.codes[2]):
            here = rows.codes[2] == value
            cells = [
                rows.counts[here & (has[0] == a) & (has[1] == b)].sum(axis=0)
                for a, b in product((True, False), repeat=2)
            ]
            if min(int(cell.sum()) for cell in cells) >= LEAST_CELL:
                contrast, variance = _contrast(np.array(cells) + 0.5)
                weight += 1 / variance
                total += contrast / variance
        return float(erfc(abs(total) / np.sqrt(2 * weight))) if weight else 1.0

    def patterns_of(self, pair: tuple[int, int]) -> Iterator[tuple[int, ...]]:
        """The combinations of a pair: of two-valued columns all four, of others the pair itself."""
        sides = [self._sides(item) for item in pair]
        for chosen in product(*sides):
            yield tuple(sorted(chosen))

    def _sides(self, item: int) -> list[int]:
        column = int(self._column_of_item[item])
        first, end = (int(one) for one in self._vocabulary.first_item[column : column + 2])
        return list(range(first, end)) if end - first == 2 else [item]


def _contrast(cells: NDArray[np.float64]) -> tuple[float, float]:
    """Ln OR(a | b) - ln OR(a | not b) and its variance, from the four combinations' counts.

    Examples
    --------
    >>> contrast, variance = _contrast(np.array([[10.0, 40.0], [40.0, 10.0], [40.0, 10.0], [10.0, 40.0]]))
    >>> round(contrast, 2), round(variance, 2)
    (5.55, 0.5)
    """
    odds = np.log(cells[:, 1] / cells[:, 0])
    return float(odds[0] - odds[1] - odds[2] + odds[3]), float((1 / cells).sum())
