"""The engine for tables whose distinct records do not fit into memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from causalrules.engines.cohorts import CohortRecords
from causalrules.engines.contract import MatchedItems, OutcomeCounts
from causalrules.engines.memory import RecordsEngine
from causalrules.engines.packed import PackedRecords
from causalrules.engines.profiles import fingerprint_of
from causalrules.engines.rounds import Sum, ask_in_rounds, matched_in_one_stratum, one_stratum
from causalrules.engines.spreading import spread
from causalrules.engines.workers import Workers
from causalrules.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.engines.blocks import Blocks
    from causalrules.engines.contract import Engine
    from causalrules.matching import Signatures

Answer = TypeVar("Answer")


def engine_over(blocks: Blocks, threads: int | None = None) -> Engine:
    """The engine for the records that have gathered: in memory if all of them are."""
    records = blocks.in_memory()
    return StreamingEngine(blocks, threads) if records is None else RecordsEngine(records, threads)


class StreamingEngine:
    """Counts block after block; each question is one pass that adds integers up.

    For strata the records are spread anew over parts in which no stratum is
    torn apart, a few times for all rules of a question (see `rounds`).

    Parameters
    ----------
    blocks : Blocks
        The records.
    threads : int, optional
        All cores by default; never changes an answer.
    """

    def __init__(self, blocks: Blocks, threads: int | None = None) -> None:
        self._blocks = blocks
        self._workers = Workers(threads)
        n_columns = len(blocks.first_item) - 1
        self.column_of_item = np.repeat(np.arange(n_columns), np.diff(blocks.first_item))
        self.n_with, self.n_without = blocks.n_with, blocks.n_without
        self._item_counts: OutcomeCounts | None = None

    def fingerprint(self) -> str:
        """The same for the same records, in whatever order."""
        everything = np.ones(len(self.column_of_item), np.bool_)
        sums = [block.collapsed_to(everything).sums() for block in self._blocks]
        return fingerprint_of(np.sum(sums, axis=0, dtype=np.uint64))

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        if self._item_counts is None:

            def count(records: PackedRecords) -> NDArray[np.int64]:
                counts = records.item_counts
                return np.stack([counts.with_outcome, counts.without_outcome])

            self._item_counts = OutcomeCounts(*self._sum(count))
        return self._item_counts

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        return OutcomeCounts(*self._sum(lambda records: records.counts(patterns)).T)

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, for each pair of them."""
        return self._sum(lambda records: records.overlaps(patterns, items))

    def within(self, held: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records with each item, in every stratum of the held items."""
        return self._sum(lambda records: records.within(held, items))

    def _sum(self, ask: Callable[[PackedRecords], NDArray[np.int64]]) -> NDArray[np.int64]:
        """One pass over the blocks."""
        total = None
        for block in self._blocks:
            answer = ask(PackedRecords(block, self._workers))
            total = answer if total is None else total + answer
        assert total is not None, "a table that does not fit has blocks"
        return total

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, as they become ready."""
        return ask_in_rounds(
            self, patterns, controls, self._n_parts, partial(self._study, CohortRecords.strata), one_stratum
        )

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""
        study = partial(self._study, CohortRecords.matched_items)
        return ask_in_rounds(self, patterns, controls, self._n_parts, study, matched_in_one_stratum)

    def _study(
        self,
        ask: Callable[[CohortRecords, NDArray[np.intp], NDArray[np.bool_]], Iterator[Sum]],
        held: NDArray[np.bool_],
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
    ) -> Iterator[Iterator[Sum]]:
        """The answers for all rules of a round, part after part."""
        for records in spread(self._blocks, held, self._n_parts, self._workers.n_threads):
            yield ask(CohortRecords(records, self._workers), patterns, controls)

    @property
    def _n_parts(self) -> int:
        """Twice as many as would do if they were even."""
        return max(2, -(-2 * self._blocks.n_records // self._blocks.most_records))

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Callable[[int, Signatures], tuple[Answer, NDArray[np.int64]]],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Partners at a distance may be anywhere: this engine cannot look for them."""
        raise EngineError(
            f"matching by distance needs all distinct records in memory; there are "
            f"{self._blocks.n_records:,}, and the memory allowed holds {self._blocks.most_records:,}. "
            "Allow more with --memory, or match with --matching exact."
        )
