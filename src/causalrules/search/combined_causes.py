"""Combined causes: pairs of columns whose effects depend on each other, also beside other causes."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.neighbours.interactions import FAMILY_LEVEL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine

LEAST_CELL = 5
"""Records of each combination in a stratum, below which the stratum tells nothing."""

MOST_AT_HAND = 200
"""Sets of three columns whose unique rows are kept."""


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
        self._column_of_item = vocabulary.column_of_item
        coded = {
            vocabulary.items[first].column: place for place, first in enumerate(vocabulary.first_item[:-1])
        }
        with_items = {
            vocabulary.items[first].column: place
            for place, first in enumerate(vocabulary.first_item[: vocabulary.n_item_columns])
        }
        self._places = coded | with_items
        self._rows: dict[tuple[int, ...], UniqueRows] = {}

    def stays(self, pair: tuple[int, int], accepted: Collection[str]) -> bool:
        """Whether the interaction is beyond the limit, alone and within the strata of each accepted column.

        One column's effect is compared between the *levels* of the other, each
        by itself: "has the item or not" would mix levels of a confounder and
        take that for an interaction. And an interaction with a copy, or a
        consequence, of an accepted cause is gone where that cause is held.
        """
        own = {self._vocabulary.items[item].column for item in pair}
        others = [None, *(self._places[name] for name in accepted if name not in own)]
        return all(self._p_value(pair, other) <= self._limit for other in others)

    def _p_value(self, pair: tuple[int, int], other: int | None) -> float:
        """The larger p-value of both ways to see the interaction, within the strata of another column."""
        first = self._vocabulary.first_item
        columns = [int(self._column_of_item[item]) for item in pair]
        codes = [item - int(first[column]) + 1 for item, column in zip(pair, columns, strict=True)]
        rows = self._rows_of(tuple(columns) if other is None else (*columns, other))
        stratum = rows.codes[2] if other is not None else np.zeros(rows.n_rows, np.uint16)
        both = [
            _p_of_levels(rows.codes[one] == codes[one], rows.codes[two], codes[two], stratum, rows.counts)
            for one, two in ((0, 1), (1, 0))
        ]
        return max(both)

    def _rows_of(self, columns: tuple[int, ...]) -> UniqueRows:
        """Unique rows of these columns; other items of the same columns ask for them again."""
        if columns not in self._rows:
            if len(self._rows) >= MOST_AT_HAND:
                self._rows.pop(next(iter(self._rows)))
            self._rows[columns] = self._engine.unique_rows(np.array(columns, np.intp))
        return self._rows[columns]

    def patterns_of(self, pair: tuple[int, int]) -> Iterator[tuple[int, ...]]:
        """The combinations of a pair: of two-valued columns all four, of others the pair itself."""
        sides = [self._sides(item) for item in pair]
        for chosen in product(*sides):
            yield tuple(sorted(chosen))

    def _sides(self, item: int) -> list[int]:
        column = int(self._column_of_item[item])
        first, end = (int(one) for one in self._vocabulary.first_item[column : column + 2])
        return list(range(first, end)) if end - first == 2 else [item]


def _p_of_levels(
    is_exposed: NDArray[np.bool_],
    levels: NDArray[np.uint16],
    level: int,
    stratum: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> float:
    """Two-sided p-value of the log odds ratio of an exposure being the same in one level as in the others.

    Log odds ratios with Woolf's variances, the other levels pooled by their
    weights, strata pooled likewise; missing levels and thin ones tell nothing.

    Examples
    --------
    A confounder of three levels and an exposure without effect in any of them:

    >>> is_exposed = np.array([True, False] * 3)
    >>> levels = np.repeat(np.array([1, 2, 3], np.uint16), 2)
    >>> counts = np.array([[90, 10], [900, 100], [100, 100], [100, 100], [100, 900], [10, 90]])
    >>> _p_of_levels(is_exposed, levels, 1, np.zeros(6, np.uint16), counts) > 0.8
    True
    """
    from scipy.special import erfc

    n_strata, n_levels = int(stratum.max(initial=0)) + 1, int(levels.max(initial=level)) + 1
    place = (stratum.astype(np.intp) * n_levels + levels) * 2 + is_exposed
    cells = np.stack(
        [np.bincount(place, side, 2 * n_strata * n_levels).reshape(-1, n_levels, 2) for side in counts.T]
    )
    is_thick = cells.sum(axis=0).min(axis=2) >= LEAST_CELL
    odds = np.log((cells[1] + 0.5) / (cells[0] + 0.5))
    log_ratio = odds[:, :, 1] - odds[:, :, 0]
    variance = (1 / (cells + 0.5)).sum(axis=(0, 3))
    share = np.where(is_thick, 1 / variance, 0.0)  # of each level in a stratum
    share[:, 0] = 0.0
    own = share[:, level].copy()
    share[:, level] = 0.0
    pooled = share.sum(axis=1)
    tells = (own > 0) & (pooled > 0)
    if not tells.any():
        return 1.0
    mean = (share * log_ratio).sum(axis=1)[tells] / pooled[tells]
    weight = 1 / (1 / own[tells] + 1 / pooled[tells])
    total = float(((log_ratio[tells, level] - mean) * weight).sum())
    return float(erfc(abs(total) / np.sqrt(2 * weight.sum())))
