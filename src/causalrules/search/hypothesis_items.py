"""The engine as the search around the outcome sees it: hypotheses only, and one number for each column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.neighbours.window_rows import Columns
from causalrules.engines.contract import OutcomeCounts

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine


class HypothesisItems:
    """Items that may be hypotheses, of columns that are numbered as studies hold them.

    A number has two coded columns: its items, by cut points, and the fine
    bins by which it is held. Here it is one column, with its items and its
    fine rows; a number without a cut has no items.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    vocabulary : Vocabulary
        Which items and columns there are.
    but : collection of str
        Columns that are not looked at.
    """

    def __init__(self, engine: Engine, vocabulary: Vocabulary, but: Collection[str]) -> None:
        self._engine = engine
        held = [column for column in vocabulary.held_columns if column.name not in but]
        self._places = np.array([column.place for column in held], np.intp)
        number_of = {column.name: number for number, column in enumerate(held)}
        self.columns = Columns(
            names=tuple(column.name for column in held),
            is_number=np.array([column.is_number for column in held], np.bool_),
        )
        own = [number_of.get(item.column, -1) for item in vocabulary.hypotheses]
        by_column = np.argsort(own, kind="stable").astype(np.intp)
        self._order = by_column[own.count(-1) :]
        self.column_of_item: NDArray[np.intp] = np.array(own, np.intp)[self._order]
        self.n_with, self.n_without = engine.n_with, engine.n_without

    def item_of(self, number: int) -> int:
        """The vocabulary's number of an item."""
        return int(self._order[number])

    def item_counts(self) -> OutcomeCounts:
        """Counts for every hypothesis."""
        return self._engine.item_counts()[self._order]

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        return self._engine.pattern_counts(np.sort(self._order[patterns], axis=1))

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, for each pair of them."""
        return self._engine.overlaps(np.sort(self._order[patterns], axis=1), self._order[items])

    def within(
        self, held: NDArray[np.intp], items: NDArray[np.intp], among: NDArray[np.intp] | None = None
    ) -> NDArray[np.int64]:
        """Records with each item, in every stratum of the held items."""
        known = None if among is None else self._order[among]
        return self._engine.within(self._order[held], self._order[items], known)

    def unique_rows(self, columns: NDArray[np.intp]) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """The different rows of some columns: codes and counts."""
        rows = self._engine.unique_rows(self._places[columns])
        return rows.codes, rows.counts
