"""Combined causes: pairs of columns whose effects depend on each other, also beside other causes."""

from __future__ import annotations

from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.interaction_measures import is_every_part_needed
from causalrules.cohort.neighbours.interactions import FAMILY_LEVEL
from causalrules.domain.unique_rows import number_combinations
from causalrules.find.groups import is_near_function_table
from causalrules.search.interaction_test import interaction_p

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine
    from causalrules.search.contrast_study import ContrastStudy

NAMED_LEVEL = 0.001
"""P-value up to which a combination is shown for being the one that people would name."""

MOST_AT_HAND = 200
"""Sets of columns whose unique rows are kept."""


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
        # A number is told by its items where it has some, else by its fine bins.
        bins = {column.name: column.place for column in vocabulary.held_columns}
        self._places = bins | {
            name: vocabulary.column_and_code(items[0])[0]
            for name, items in vocabulary.items_of_column.items()
        }
        self._rows: dict[tuple[int, ...], UniqueRows] = {}

    def columns_of(self, items: Iterable[int]) -> frozenset[str]:
        """Names of the columns that items belong to."""
        return frozenset(self._vocabulary.columns_of(items))

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
        rows, codes, cluster = self._rows_of((*pair, item))
        third = rows.codes[2]
        return all(
            interaction_p(
                rows.codes[one][side] == codes[one],
                rows.codes[two][side],
                codes[two],
                third[side],
                rows.counts[side],
                cluster=None if cluster is None else cluster[side],
            )
            <= self._limit
            for side in (third == codes[2], (third != codes[2]) & (third != 0))
            for one, two in ((0, 1), (1, 0))
        )

    def _are_one_thing(self, pair: tuple[int, ...]) -> bool:
        """Whether one column nearly tells the other: then they are two names for it, not two causes."""
        rows = self._unique_rows(tuple(int(self._column_of_item[item]) for item in pair))
        table = np.zeros(rows.codes.max(axis=1).astype(np.intp) + 1, np.int64)
        np.add.at(table, tuple(rows.codes.astype(np.intp)), rows.counts.sum(axis=1))
        return is_near_function_table(table)

    def _rows_of(
        self, items: tuple[int, ...], others: tuple[int, ...] = ()
    ) -> tuple[UniqueRows, list[int], NDArray[np.int64] | None]:
        """Unique rows of the items' columns and of others; each item's code; each row's cluster."""
        columns, codes = zip(*map(self._vocabulary.column_and_code, items), strict=True)
        asked = [*columns, *others]
        rows = self._unique_rows((*asked, *map(int, self._vocabulary.cluster_places)))
        cluster = None
        if self._vocabulary.n_cluster_digits:
            cluster = number_combinations(rows.codes[len(asked) :], rows.n_rows)
        return rows, list(codes), cluster

    def _unique_rows(self, columns: tuple[int, ...]) -> UniqueRows:
        """Unique rows of some columns in this order; the same few are asked for by many pairs."""
        if columns not in self._rows:
            if len(self._rows) >= MOST_AT_HAND:
                self._rows.pop(next(iter(self._rows)))
            self._rows[columns] = self._engine.unique_rows(np.array(columns, np.intp))
        return self._rows[columns]

    def _p_value(self, items: tuple[int, ...], others: tuple[int, ...]) -> float:
        """The largest p-value of all ways to see the interaction, within the strata of other columns."""
        rows, codes, cluster = self._rows_of(items, others)
        n_items = len(items)
        stratum = number_combinations(rows.codes[n_items : n_items + len(others)], rows.n_rows)
        p_values = []
        for one, two, *third in permutations(range(n_items)):
            seen = (rows.codes[one] == codes[one], rows.codes[two], codes[two], stratum, rows.counts)
            between = (rows.codes[third[0]], codes[third[0]]) if third else None
            p_values.append(interaction_p(*seen, between=between, cluster=cluster))
        return max(p_values)

    def patterns_of(self, items: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """All combinations of two-valued columns' items; first the one that people would name."""
        sides = [self._sides(item) for item in items]
        for chosen in product(*sides):
            yield tuple(sorted(chosen))

    def _sides(self, item: int) -> list[int]:
        both = self._vocabulary.items_in(int(self._column_of_item[item]))
        if len(both) != 2:
            return [item]
        named = self._exposure_of_two(both)
        return [named, both[0] + both[1] - named]


def clearest(studies: Sequence[ContrastStudy]) -> ContrastStudy:
    """The study to show of a pair's combinations; the first is the one that people would name.

    The table of adjusted risks tells of all of them. Every part must be needed: compared with everybody
    else, the severe who take a drug that helps them still die more often. Of the others, where both parts
    raise the risk about as much as neither does, each combination tells the same,
    and which has the smallest p-value is luck: the first is shown unless its
    log odds ratio is less than half of the clearest one's.
    """
    shown = [study for study in studies if _needs_every_part(study)] or studies
    best = min(shown, key=lambda study: (bool(study.untestable), study.compared.odds_ratio.p_value))
    first = studies[0]
    if first is not shown[0] or first.untestable or first.compared.odds_ratio.p_value > NAMED_LEVEL:
        return best
    return first if _size_of(first) >= _size_of(best) / 2 else best


def _needs_every_part(study: ContrastStudy) -> bool:
    cells = study.combinations
    if study.untestable or cells is None or not len(cells):
        return False
    return is_every_part_needed(cells, "raises" if study.compared.raises else "lowers")


def _size_of(study: ContrastStudy) -> float:
    ratio = study.compared.odds_ratio.odds_ratio.value
    return abs(float(np.log(ratio))) if 0 < ratio < np.inf else np.inf
