"""Combined causes: pairs of columns whose effects depend on each other, also beside other causes."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.clusters import ClusterVariance, cluster_variance, clustered_p
from causalrules.cohort.neighbours.interactions import FAMILY_LEVEL
from causalrules.domain.unique_rows import number_combinations

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
        self._column_of_item = vocabulary.column_of_item
        coded = {
            vocabulary.items[first].column: place for place, first in enumerate(vocabulary.first_item[:-1])
        }
        with_items = {
            vocabulary.items[first].column: place
            for place, first in enumerate(vocabulary.first_item[: vocabulary.n_item_columns])
        }
        self._places = coded | with_items

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
        asked = columns if other is None else [*columns, other]
        rows = self._engine.unique_rows(np.append(asked, self._vocabulary.cluster_places).astype(np.intp))
        cluster = None
        if self._vocabulary.n_cluster_digits:
            cluster = number_combinations(rows.codes[len(asked) :], rows.n_rows)
        stratum = rows.codes[2] if other is not None else np.zeros(rows.n_rows, np.uint16)
        both = [
            _p_of_levels(
                rows.codes[one] == codes[one], rows.codes[two], codes[two], stratum, rows.counts, cluster
            )
            for one, two in ((0, 1), (1, 0))
        ]
        return max(both)

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
    cluster: NDArray[np.int64] | None = None,
) -> float:
    """Two-sided p-value of the log odds ratio of an exposure being the same in one level as in the others.

    Log odds ratios with Woolf's variances, the other levels pooled by their
    weights, strata pooled likewise; missing levels and thin ones tell nothing.
    Where rows come in clusters, the variance is that of sums over clusters, and
    Student's t has as many degrees of freedom as the rarer level's arm has clusters, less one.

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

    total = weight = 0.0
    influence = np.zeros(counts.shape[0])
    for here in np.unique(stratum):
        inside = stratum == here
        is_own = inside & (levels == level)
        own = _log_odds(is_exposed, is_own, counts)
        others = [
            (rows, found)
            for other in np.unique(levels[inside])
            if other not in (0, level)
            and (found := _log_odds(is_exposed, rows := inside & (levels == other), counts))
        ]
        if own is None or not others:
            continue
        pooled = sum(1 / variance for _, (_, variance) in others)
        mean = sum(value / variance for _, (value, variance) in others) / pooled
        variance = own[1] + 1 / pooled
        total += (own[0] - mean) / variance
        weight += 1 / variance
        if cluster is not None:
            influence += _log_odds_influence(is_exposed, is_own, counts) / variance
            for rows, (_, part) in others:
                influence -= _log_odds_influence(is_exposed, rows, counts) / (part * pooled * variance)
    if not weight:
        return 1.0
    if cluster is None:
        return float(erfc(abs(total) / np.sqrt(2 * weight)))
    n_clusters = min(
        len(np.unique(cluster[(levels == level) & arm & (influence != 0)]))
        for arm in (is_exposed, ~is_exposed)
    )
    robust = cluster_variance(influence, cluster.astype(np.intp)).variance
    return clustered_p(total, ClusterVariance(robust, n_clusters)) if n_clusters > 1 else 1.0


def _log_odds_influence(
    is_exposed: NDArray[np.bool_], rows: NDArray[np.bool_], counts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """What the records of each row add to the log odds ratio among some rows."""
    influence = np.zeros(len(counts))
    for arm, sign in ((is_exposed, 1.0), (~is_exposed, -1.0)):
        here = rows & arm
        without, with_it = counts[here].sum(axis=0) + 0.5
        influence[here] = sign * (counts[here, 1] / with_it - counts[here, 0] / without)
    return influence


def _log_odds(
    is_exposed: NDArray[np.bool_], rows: NDArray[np.bool_], counts: NDArray[np.int64]
) -> tuple[float, float] | None:
    """Log odds ratio of the exposure among some rows, and its variance; None where an arm is too small."""
    cells = np.array([counts[rows & is_exposed].sum(axis=0), counts[rows & ~is_exposed].sum(axis=0)])
    if cells.sum(axis=1).min() < LEAST_CELL:
        return None
    cells = cells + 0.5
    odds = np.log(cells[:, 1] / cells[:, 0])
    return float(odds[0] - odds[1]), float((1 / cells).sum())
