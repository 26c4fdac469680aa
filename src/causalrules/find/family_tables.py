"""What a variable of a window costs to encode, from the tables of all small sets of variables."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from causalrules.find.window_rows import put_together
from causalrules.kernels.family_lengths import Codings, log_gammas, score_tables, score_variable
from causalrules.kernels.projections import empty_rows, start_walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from causalrules.find.coarse import CoarseCodes
    from causalrules.find.window_rows import WindowRows

MOST_CELLS = 1 << 17
"""Of a table; larger ones are not counted."""


class FullTables:
    """Scores of variables with causes in full; of the outcome also with some of them in coarse codes.

    Parameters
    ----------
    rows : WindowRows
        The records.
    coarse : CoarseCodes
        Of the columns.
    most : int
        Causes of a variable.
    """

    def __init__(self, rows: WindowRows, coarse: CoarseCodes, most: int) -> None:
        codes, counts, n_levels = rows.levels
        d = rows.n_variables
        self._coarse, self._most = coarse, most
        self._order = _plainest_first(codes, counts, n_levels)
        self._n_levels = n_levels[self._order]
        distinct = put_together(codes[:, self._order], counts)
        self._codes, self._counts = distinct.codes.T.astype(np.uint8), distinct.counts
        self._shift = np.zeros((d - 1, int(n_levels.max(initial=1))), np.int32)
        for place, column in enumerate(self._order):
            level = codes[:, column]
            self._shift[place, level] = coarse.codes[:, column] - level
        self._levels_of = rows.n_levels_with_outcome
        self._halves = np.unique(np.concatenate([[1, 2], self._levels_of]))
        self._cells = np.full(1 << d, -np.inf)
        self._strata = np.full((1 << d, len(self._halves)), -np.inf)
        self._codings_of_outcome = np.full(1 << d, -np.inf)

    def tasks(self) -> list[Callable[[], None]]:
        """What counts the tables; may be called side by side. Half of the sets have the last column."""
        n = len(self._order)
        return [partial(self._count, tops) for tops in ((n - 1, n), (0, n - 1)) if tops[1] > 0]

    def scores(self) -> NDArray[np.float64]:
        """float64[d, 2^d]: the score of every variable given every set, once all tables are counted."""
        sets = np.arange(len(self._cells))
        found = np.full((len(self._levels_of), len(sets)), -np.inf)
        half_of = np.searchsorted(self._halves, self._levels_of)
        for variable, half in enumerate(half_of):
            causes = sets[(sets >> variable & 1) == 0]
            found[variable, causes] = self._strata[causes, half] + self._cells[causes | 1 << variable]
        found[-1] = np.maximum(found[-1], self._codings_of_outcome)
        return found

    def _count(self, tops: tuple[int, int]) -> None:
        walk = start_walk(self._codes, self._counts, self._n_levels, self._most + 1, tops=tops)
        codings = Codings(
            self._shift,
            np.where(self._coarse.extra > 0, self._coarse.n_levels, 0)[self._order],
            self._coarse.extra[self._order],
            MOST_CELLS // 2,
            empty_rows(self._most + 1, len(self._counts)),
            self._codings_of_outcome,
        )
        score_tables(
            walk,
            1 << np.append(self._order, len(self._order)),
            self._halves,
            log_gammas(self._halves),
            MOST_CELLS,
            codings,
            self._cells,
            self._strata,
        )


def coarse_scores(
    rows: WindowRows, coarse: CoarseCodes, most: int
) -> list[Callable[[], tuple[int, NDArray[np.float64]]]]:
    """What gives the scores of a column's sets when all causes are coarse; may be called side by side.

    For the outcome every cause may be coarse or not, which `FullTables` sees to; for the columns all are or
    none, which keeps the number of tables low.
    """
    codes, counts, n_levels = rows.levels
    order = _plainest_first(coarse.codes, counts, coarse.n_levels)

    def of_column(child: int) -> tuple[int, NDArray[np.float64]]:
        others = order[order != child]
        distinct = put_together(np.column_stack([coarse.codes[:, others], codes[:, child]]), counts)
        of_causes = distinct.codes.T.astype(np.uint8)
        walk = start_walk(
            of_causes[:-1],
            distinct.counts,
            coarse.n_levels[others],
            most,
            variable=of_causes[-1],
            n_values=int(n_levels[child]),
        )
        best = np.full(2 << len(n_levels), -np.inf)
        halves = np.array([1, n_levels[child]])
        score_variable(
            walk,
            empty_rows(1, len(distinct.counts)),
            1 << np.append(others, len(n_levels)),
            halves,
            log_gammas(halves),
            coarse.extra[others],
            MOST_CELLS // int(n_levels[child]),
            best,
        )
        return child, best

    return [partial(of_column, child) for child in range(len(n_levels))] if coarse.extra.any() else []


def _plainest_first(
    codes: NDArray[np.int64], counts: NDArray[np.int64], n_levels: NDArray[np.int64]
) -> NDArray[np.intp]:
    """The columns by rising entropy: the sooner rows that differ in the others can be put together."""
    entropy, n_records = [], counts.sum(axis=1)
    for column, k in enumerate(n_levels):
        size = np.bincount(codes[:, column], n_records, k)
        share = size[size > 0] / max(size.sum(), 1)
        entropy.append(-float((share * np.log(share)).sum()))
    return np.argsort(entropy, kind="stable")
