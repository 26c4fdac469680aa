"""Every question answered for the opposite outcome: what lowers z is what raises not-z."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.engines.engine_wrapper import EngineWrapper

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.contract import Answer, Engine, Match, MatchedItems, OutcomeCounts


class OppositeOutcome(EngineWrapper):
    """An engine over the records of another one, with and without the outcome exchanged.

    The search and the studies know one direction only; rules that lower the
    outcome come from asking this engine. The other engine counts, so a
    checkpoint around it serves both directions. What counts records whatever
    their outcome (`overlaps`, `item_sums`, `matched_items`) is passed on as it is.
    """

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.n_with, self.n_without = engine.n_without, engine.n_with

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        return super().item_counts().flipped()

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        return super().pattern_counts(patterns).flipped()

    def within(
        self, held: NDArray[np.intp], items: NDArray[np.intp], among: NDArray[np.intp] | None = None
    ) -> NDArray[np.int64]:
        """Records with each item in every stratum of the held items, the outcome's last index exchanged."""
        return super().within(held, items, among)[..., ::-1]

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns, their counts exchanged."""
        return super().unique_rows(columns).flipped()

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern; the order of its rows is the other engine's."""
        return (strata.flipped() for strata in super().strata(patterns, controls))

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Answer],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records, then exchange the outcome in the answer."""
        matched = super().nearest_pairs(patterns, controls, match)
        return ((answer.flipped(), items) for answer, items in matched)
