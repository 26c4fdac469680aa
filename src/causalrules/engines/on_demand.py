"""An engine whose records are not loaded before they are asked about."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from causalrules.engines.questions import CountsByQuestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.signatures import Signatures
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.contract import Answer, Engine, MatchedItems
    from causalrules.engines.questions import CountQuestion


class EngineOnDemand(CountsByQuestion):
    """Knows how many records there are, and opens the engine that counts them when it must.

    Parameters
    ----------
    n_with, n_without : int
        Records with the outcome and without.
    column_of_item : intp[n_items]
        As in `Vocabulary`.
    fingerprint : str
        Of the records, see `Engine.fingerprint`.
    open_engine : callable
        Gives the engine, over these very records.
    """

    def __init__(
        self,
        n_with: int,
        n_without: int,
        column_of_item: NDArray[np.intp],
        fingerprint: str,
        open_engine: Callable[[], Engine],
    ) -> None:
        self.n_with, self.n_without = n_with, n_without
        self.column_of_item = column_of_item
        self._fingerprint = fingerprint
        self._open = open_engine

    @cached_property
    def _engine(self) -> Engine:
        return self._open()

    def fingerprint(self) -> str:
        """That of the records, which need not be loaded for it."""
        return self._fingerprint

    def answer(self, question: CountQuestion) -> NDArray[np.int64]:
        """The array that the engine finds."""
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
        match: Callable[[int, Signatures], tuple[Answer, NDArray[np.int64]]],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records by a way that is handed in."""
        return self._engine.nearest_pairs(patterns, controls, match)
