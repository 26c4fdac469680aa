"""The engine for tables that fit into memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from causalrules.engines.cohorts import CohortRecords
from causalrules.engines.packed import PackedRecords
from causalrules.engines.row_counts import RowCounts
from causalrules.engines.unique_records import Profiles, fingerprint_of
from causalrules.kernels.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.encode import CodedTable
    from causalrules.engines.contract import Match, MatchedItems, OutcomeCounts

Answer = TypeVar("Answer")


class RecordsEngine:
    """Counts distinct records held in memory: bit-packed for supports, collapsed further for strata.

    Parameters
    ----------
    records : Profiles
        Distinct records.
    threads : int or Workers, optional
        All cores by default; never changes an answer.
    """

    def __init__(self, records: Profiles, threads: int | Workers | None = None) -> None:
        workers = threads if isinstance(threads, Workers) else Workers(threads)
        self._records = records
        self._packed = PackedRecords(records, workers)
        self._cohorts = CohortRecords(records, self._packed, workers)
        self._rows = RowCounts(records)
        self.workers: Workers | None = workers
        self.column_of_item: NDArray[np.intp] = records.column_of_item
        self.n_with = int(records.n_with.sum())
        self.n_without = int(records.n_without.sum())
        self.n_distinct = records.n_profiles

    def fingerprint(self) -> str:
        """Equal for equal records, in whatever order."""
        return fingerprint_of(self.sums())

    def sums(self) -> NDArray[np.uint64]:
        """What the fingerprint is made of; it adds up over parts of the records."""
        return self._records.sums()

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        return self._packed.item_counts()

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        return self._packed.pattern_counts(patterns)

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, for each pair of them."""
        return self._packed.overlaps(patterns, items)

    def within(
        self, held: NDArray[np.intp], items: NDArray[np.intp], among: NDArray[np.intp] | None = None
    ) -> NDArray[np.int64]:
        """Records with each item, in every stratum of the held items."""
        return self._packed.within(held, items, among)

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns with their counts."""
        return self._rows.unique_rows(columns)

    def item_sums(self, rows: UniqueRows, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each item the sum of its records' weights, known by their rows."""
        return self._rows.item_sums(rows, weights)

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, as they become ready."""
        return self._cohorts.strata(patterns, controls)

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""
        return self._cohorts.matched_items(patterns, controls)

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Answer],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records by a way that is handed in, in order, as they become ready."""
        return self._cohorts.nearest_pairs(patterns, controls, match)


class MemoryEngine(RecordsEngine):
    """Counts the records of a coded table in memory; identical ones are put together first."""

    def __init__(self, table: CodedTable, threads: int | None = None) -> None:
        super().__init__(Profiles.of_table(table), threads)
