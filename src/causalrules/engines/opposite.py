"""Every question answered for the opposite outcome: what lowers z is what raises not-z."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.signatures import Signatures
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.contract import Answer, Engine, MatchedItems, OutcomeCounts
    from causalrules.kernels.workers import Workers


class OppositeOutcome:
    """An engine over the records of another one, with and without the outcome exchanged.

    The search and the studies know one direction only; rules that lower the
    outcome come from asking this engine. The other engine counts, so a
    checkpoint around it serves both directions.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def n_with(self) -> int:
        """Records without the original outcome."""
        return self._engine.n_without

    @property
    def n_without(self) -> int:
        """Records with the original outcome."""
        return self._engine.n_with

    @property
    def column_of_item(self) -> NDArray[np.intp]:
        """For each item the number of its column."""
        return self._engine.column_of_item

    @property
    def workers(self) -> Workers | None:
        """Those that may ask the other engine."""
        return self._engine.workers

    def fingerprint(self) -> str:
        """The records' fingerprint, which knows no direction."""
        return self._engine.fingerprint()

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        return self._engine.item_counts().flipped()

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        return self._engine.pattern_counts(patterns).flipped()

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, whatever their outcome."""
        return self._engine.overlaps(patterns, items)

    def within(self, held: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records with each item in every stratum of the held items, the outcome's last index exchanged."""
        return self._engine.within(held, items)[..., ::-1]

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns, their counts exchanged."""
        return self._engine.unique_rows(columns).flipped()

    def item_sums(self, rows: UniqueRows, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sums of weights over the records of each item, whatever their outcome."""
        return self._engine.item_sums(rows, weights)

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern; the order of its rows is the other engine's."""
        return (strata.flipped() for strata in self._engine.strata(patterns, controls))

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, whatever their outcome."""
        return self._engine.matched_items(patterns, controls)

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Callable[[int, Signatures], tuple[Answer, NDArray[np.int64]]],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records, then exchange the outcome in the answer."""
        matched = self._engine.nearest_pairs(patterns, controls, match)
        return ((answer.flipped(), items) for answer, items in matched)
