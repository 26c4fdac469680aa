"""Answers asked for together and given out one by one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine, OutcomeCounts


class Known:
    """What an engine says of some patterns, asked in one job when the first of them comes up.

    Parameters
    ----------
    engine : Engine
        Whom to ask.
    patterns : intp[n_patterns, length]
        What will be asked for.
    exposed : callable
        Asks how many records have each of the patterns and each item.
    """

    def __init__(
        self, engine: Engine, patterns: NDArray[np.intp], exposed: Callable[[], NDArray[np.int64]]
    ) -> None:
        self._engine = engine
        self._exposed = exposed
        self._patterns = patterns
        self._place = {tuple(pattern): place for place, pattern in enumerate(patterns.tolist())}
        self.n_with, self.n_without = engine.n_with, engine.n_without
        self.column_of_item = engine.column_of_item

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        return self._engine.item_counts()

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each of the patterns that were announced."""
        return self._counts[self._places_of(patterns)]

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item."""
        return self._overlaps[self._places_of(patterns)][:, items]

    def _places_of(self, patterns: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.array([self._place[tuple(pattern)] for pattern in patterns.tolist()], np.intp)

    @cached_property
    def _counts(self) -> OutcomeCounts:
        return self._engine.pattern_counts(self._patterns)

    @cached_property
    def _overlaps(self) -> NDArray[np.int64]:
        return self._exposed()
