"""Combined causes: pairs of columns whose effects depend on each other, also beside other causes."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.neighbours.groups import is_near_function_table
from causalrules.cohort.neighbours.interactions import FAMILY_LEVEL
from causalrules.domain.unique_rows import number_combinations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine
    from causalrules.search.contrast_study import ContrastStudy

LEAST_CELL = 5
"""Records of each combination in a stratum, below which the stratum tells nothing."""

NAMED_LEVEL = 0.001
"""P-value up to which a combination is shown for being the one that people would name."""


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
    exposure_of_two : callable
        Of the two items of a column the one that people would call the exposure.
    """

    def __init__(
        self,
        engine: Engine,
        vocabulary: Vocabulary,
        n_items: int,
        exposure_of_two: Callable[[range], int],
    ) -> None:
        self._exposure_of_two = exposure_of_two
        self._engine = engine
        self._vocabulary = vocabulary
        # Also for three items: they grow from accepted pairs, so fewer are asked about than there are pairs.
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

    def columns_of(self, items: Iterable[int]) -> frozenset[str]:
        """Names of the columns that items belong to."""
        return frozenset(self._vocabulary.items[item].column for item in items)

    def interacts(self, items: tuple[int, ...], within: Collection[str] = ()) -> bool:
        """Whether two or three items interact beyond the limit, within the strata of some columns.

        One column's effect is compared between the *levels* of the other, each
        by itself: "has the item or not" would mix levels of a confounder and
        take that for an interaction. And an interaction with a copy, or a
        consequence, of a cause is gone where that cause is held.
        """
        if not within and any(map(self._are_one_thing, combinations(items, 2))):
            return False
        return self._p_value(items, tuple(self._places[name] for name in sorted(within))) <= self._limit

    def interacts_either_way(self, pair: tuple[int, ...], item: int) -> bool:
        """Whether two items interact among records that have a third, and also among those that do not."""
        rows, codes = self._rows_of((*pair, item))
        third = rows.codes[2]
        return all(
            _p_of_levels(
                rows.codes[one][side] == codes[one],
                rows.codes[two][side],
                codes[two],
                third[side],
                rows.counts[side],
            )
            <= self._limit
            for side in (third == codes[2], (third != codes[2]) & (third != 0))
            for one, two in ((0, 1), (1, 0))
        )

    def _are_one_thing(self, pair: tuple[int, ...]) -> bool:
        """Whether one column nearly tells the other: then they are two names for it, not two causes."""
        columns = np.array([int(self._column_of_item[item]) for item in pair], np.intp)
        rows = self._engine.unique_rows(columns)
        table = np.zeros(rows.codes.max(axis=1).astype(np.intp) + 1, np.int64)
        np.add.at(table, tuple(rows.codes.astype(np.intp)), rows.counts.sum(axis=1))
        return is_near_function_table(table)

    def _rows_of(self, items: tuple[int, ...], others: tuple[int, ...] = ()) -> tuple[UniqueRows, list[int]]:
        """Unique rows of the items' columns, and of others behind them; and each item's code."""
        columns = [int(self._column_of_item[item]) for item in items]
        first = self._vocabulary.first_item
        codes = [item - int(first[column]) + 1 for item, column in zip(items, columns, strict=True)]
        return self._engine.unique_rows(np.array([*columns, *others], np.intp)), codes

    def _p_value(self, items: tuple[int, ...], others: tuple[int, ...]) -> float:
        """The largest p-value of all ways to see the interaction, within the strata of other columns."""
        rows, codes = self._rows_of(items, others)
        stratum = number_combinations(rows.codes[len(items) :], rows.n_rows)
        p_values = []
        for one, two, *third in permutations(range(len(items))):
            is_exposed = rows.codes[one] == codes[one]
            seen = (is_exposed, rows.codes[two], codes[two], stratum, rows.counts)
            between = (rows.codes[third[0]], codes[third[0]]) if third else None
            p_values.append(_p_of_levels(*seen, between=between))
        return max(p_values)

    def patterns_of(self, items: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """All combinations of two-valued columns' items; first the one that people would name."""
        sides = [self._sides(item) for item in items]
        for chosen in product(*sides):
            yield tuple(sorted(chosen))

    def _sides(self, item: int) -> list[int]:
        column = int(self._column_of_item[item])
        first, end = (int(one) for one in self._vocabulary.first_item[column : column + 2])
        if end - first != 2:
            return [item]
        named = self._exposure_of_two(range(first, end))
        return [named, 2 * first + 1 - named]


def clearest(studies: Sequence[ContrastStudy]) -> ContrastStudy:
    """The study to show of a pair's combinations; the first is the one that people would name.

    The table of adjusted risks tells of all of them. Where both parts raise
    the risk about as much as neither does, each combination tells the same,
    and which has the smallest p-value is luck: the first is shown unless its
    log odds ratio is less than half of the clearest one's.
    """
    best = min(studies, key=lambda study: (bool(study.untestable), study.compared.odds_ratio.p_value))
    first = studies[0]
    if first.untestable or first.compared.odds_ratio.p_value > NAMED_LEVEL:
        return best
    return first if _size_of(first) >= _size_of(best) / 2 else best


def _size_of(study: ContrastStudy) -> float:
    ratio = study.compared.odds_ratio.odds_ratio.value
    return abs(float(np.log(ratio))) if 0 < ratio < np.inf else np.inf


def _p_of_levels(
    is_exposed: NDArray[np.bool_],
    levels: NDArray[np.uint16],
    level: int,
    stratum: NDArray[np.integer],
    counts: NDArray[np.int64],
    between: tuple[NDArray[np.uint16], int] | None = None,
) -> float:
    """Two-sided p-value of the log odds ratio of an exposure being the same in one level as in the others.

    Log odds ratios with Woolf's variances, the other levels pooled by their
    weights, strata pooled likewise; missing levels and thin ones tell nothing.
    Of three items it is that contrast which is compared `between` one level of
    a third column and the others.

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

    third, third_level = between or (np.zeros_like(levels), 0)
    shape = (_n_codes(stratum), _n_codes(third, third_level), _n_codes(levels, level), 2)
    place = np.ravel_multi_index((stratum, third, levels, is_exposed.astype(np.intp)), shape)
    sides = [np.bincount(place, side, prod(shape)).astype(np.float64).reshape(shape) for side in counts.T]
    value, weight = _against_others(*_log_odds(sides[0], sides[1]), level)
    if between is None:
        value, weight = value[:, 0], weight[:, 0]
    else:
        value, weight = _against_others(value, weight, third_level)
    total = float(weight.sum())
    return float(erfc(abs(float(value @ weight)) / np.sqrt(2 * total))) if total else 1.0


def _n_codes(codes: NDArray[np.integer], least: int = 0) -> int:
    return max(int(codes.max(initial=0)), least) + 1


def _log_odds(
    without: NDArray[np.float64], with_outcome: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log odds ratios of tables of (…, unexposed or exposed), and 1/variance: 0 where an arm is too small."""
    is_told = (without + with_outcome).min(axis=-1) >= LEAST_CELL
    odds = np.log((with_outcome + 0.5) / (without + 0.5))
    variance = (1 / (without + 0.5) + 1 / (with_outcome + 0.5)).sum(axis=-1)
    return odds[..., 1] - odds[..., 0], is_told / variance


def _against_others(
    value: NDArray[np.float64], weight: NDArray[np.float64], level: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A value at one level of the last axis less the others' mean, and 1/variance: 0 where it cannot be had.

    Level 0 is missing, and tells nothing.

    Examples
    --------
    >>> _against_others(np.array([9.0, 2.0, 1.0, 0.0]), np.array([1.0, 4.0, 2.0, 2.0]), 1)
    (np.float64(1.5), np.float64(2.0))
    """
    others = weight.copy()
    others[..., [0, level]] = 0
    pooled = others.sum(axis=-1)
    mean = (others * value).sum(axis=-1) / np.where(pooled > 0, pooled, 1)
    own = weight[..., level]
    both = own + pooled
    return value[..., level] - mean, own * pooled / np.where(both > 0, both, 1)
