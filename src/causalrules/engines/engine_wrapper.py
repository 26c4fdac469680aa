"""An engine that passes its questions on to another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.engines.questions import CountsByQuestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.contract import Answer, Engine, Match, MatchedItems
    from causalrules.engines.questions import CountQuestion


class EngineWrapper(CountsByQuestion):
    """Passes every question on to another engine; subclasses say what they do in another way.

    Parameters
    ----------
    engine : Engine
        The one that is asked.
    """

    _engine: Engine

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.n_with, self.n_without = engine.n_with, engine.n_without
        self.column_of_item = engine.column_of_item
        self.workers = engine.workers

    def fingerprint(self) -> str:
        """The fingerprint of the records, which are the other engine's."""
        return self._engine.fingerprint()

    def answer(self, question: CountQuestion) -> NDArray[np.int64]:
        """The array that answers the question."""
        return question.ask(self._engine)

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns with their counts."""
        return self._engine.unique_rows(columns)

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, as they become ready."""
        return self._engine.strata(patterns, controls)

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""
        return self._engine.matched_items(patterns, controls)

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Answer],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records by a way that is handed in, in order, as they become ready."""
        return self._engine.nearest_pairs(patterns, controls, match)
