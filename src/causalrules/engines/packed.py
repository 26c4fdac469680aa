"""Supports: how many records have an item or a pattern, from bit-packed columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from causalrules.engines.contract import OutcomeCounts
from causalrules.kernels import bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.unique_records import Profiles
    from causalrules.kernels.workers import Workers

_WORDS_WORTH_A_THREAD = 1 << 20
_PAIRS_AT_ONCE = 1 << 20
"""Patterns with an item each that are counted at a time: their places take 24 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Sections:
    """Where the records stand in a packed row, see `kernels.bits`.

    Parameters
    ----------
    members : uint32[n]
        Records of the sections, one section after the other.
    starts : int64[n_sections, 2]
        Where a section starts in `members`, and its first word.
    table : int64[n_sections, 5]
        First word, end, records, whether they are without the outcome, how often each of them counts.
    """

    members: NDArray[np.uint32]
    starts: NDArray[np.int64]
    table: NDArray[np.int64]

    @classmethod
    def of(cls, n_with: NDArray[np.int64], n_without: NDArray[np.int64]) -> Sections:
        """One section for each binary digit of the counts with the outcome, then without."""
        members, starts, table = [], [], []
        n_members = n_words = 0
        for side, counts in enumerate((n_with, n_without)):
            for digit in range(int(counts.max(initial=0)).bit_length()):
                here = np.flatnonzero(counts >> digit & 1).astype(np.uint32)
                end = n_words - (-len(here) // 64)
                members.append(here)
                starts.append((n_members, n_words))
                table.append((n_words, end, len(here), side, 1 << digit))
                n_members, n_words = n_members + len(here), end
        return cls(
            np.concatenate([np.empty(0, np.uint32), *members]),
            np.array(starts, np.int64).reshape(-1, 2),
            np.array(table, np.int64).reshape(-1, 5),
        )

    @property
    def n_words(self) -> int:
        """Words of a row."""
        return int(self.table[-1, 1]) if len(self.table) else 0


class PackedRecords:
    """Counts distinct records, each as often as it occurs.

    Items are packed when they are asked for the first time. Work is cut by
    patterns, so threads need not wait for each other.

    Parameters
    ----------
    records : Profiles
        Distinct records.
    workers : Workers
        Threads to count with.
    """

    def __init__(self, records: Profiles, workers: Workers) -> None:
        self._records = records
        self._workers = workers
        self._row_of_item = np.full(len(records.slot_of_item), -1, np.intp)
        self._packing = Lock()
        self._packed = np.zeros((0, 0), np.uint64)

    @cached_property
    def _sections(self) -> Sections:
        return Sections.of(self._records.n_with, self._records.n_without)

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        return self._item_counts

    @cached_property
    def _item_counts(self) -> OutcomeCounts:
        records = self._records
        n_slots = len(records.words)

        def count(columns: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            with_outcome, without_outcome = np.zeros(n_slots, np.int64), np.zeros(n_slots, np.int64)
            bits.count_codes(
                records.codes,
                columns,
                records.n_with,
                records.n_without,
                records.first_slot,
                with_outcome,
                without_outcome,
            )
            return with_outcome, without_outcome

        answers = list(self._workers.map(count, self._cut(np.arange(len(records.first_slot)))))
        with_outcome, without_outcome = np.sum(answers, axis=0)
        return OutcomeCounts(with_outcome[records.slot_of_item], without_outcome[records.slot_of_item])

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        self._pack(np.unique(patterns))
        rows = self._row_of_item[patterns]

        def count(part: NDArray[np.intp]) -> NDArray[np.int64]:
            counts = np.zeros((len(part), 2), np.int64)
            bits.count_patterns(self._packed, self._sections.table, part, counts)
            return counts

        parts = list(self._workers.map(count, self._cut(rows)))
        return OutcomeCounts(*(np.concatenate(parts).T if parts else np.empty((2, 0), np.int64)))

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, for each pair of them."""
        n_items = len(items)
        found = np.empty((len(patterns), n_items), np.int64)
        at_once = max(1, _PAIRS_AT_ONCE // max(n_items, 1))
        for start in range(0, len(patterns), at_once):
            some = patterns[start : start + at_once]
            with_item = np.column_stack([np.repeat(some, n_items, axis=0), np.tile(items, len(some))])
            found[start : start + at_once] = self.pattern_counts(with_item).support.reshape(
                len(some), n_items
            )
        return found

    def within(
        self, held: NDArray[np.intp], items: NDArray[np.intp], among: NDArray[np.intp] | None = None
    ) -> NDArray[np.int64]:
        """Records with each item, in every stratum of the held items."""
        among = np.empty(0, np.intp) if among is None else among
        self._pack(np.unique(np.concatenate([held, items, among])))
        rows, known = self._row_of_item[held], self._row_of_item[among]
        is_small = self._packed.shape[1] * len(items) << len(held) < _WORDS_WORTH_A_THREAD
        wanted = self._row_of_item[items]
        parts = [wanted] if is_small else np.array_split(wanted, self._workers.n_threads)
        # Everybody is counted once, with the last part.
        tasks = [(part, number == len(parts) - 1) for number, part in enumerate(parts)]

        def count(task: tuple[NDArray[np.intp], bool]) -> NDArray[np.int64]:
            part, with_total = task
            counts = np.zeros((1 << len(rows), len(part) + 1, 2), np.int64)
            bits.count_within(self._packed, self._sections.table, known, rows, part, counts)
            return counts if with_total else counts[:, :-1]

        return np.concatenate(list(self._workers.map(count, tasks)), axis=1)

    def _pack(self, items: NDArray[np.intp]) -> None:
        """Pack the columns of items that are asked for the first time, by one thread at a time."""
        with self._packing:
            new = items[self._row_of_item[items] < 0]
            if len(new):
                self._pack_new(new)

    def _pack_new(self, new: NDArray[np.intp]) -> None:
        records, sections = self._records, self._sections
        first_row = len(self._packed)
        self._row_of_item[new] = np.arange(first_row, first_row + len(new))
        row_of_slot = np.full(len(records.words), -1, np.intp)
        row_of_slot[records.slot_of_item[new]] = np.arange(len(new))
        packed = np.zeros((len(new), sections.n_words), np.uint64)

        def pack(columns: NDArray[np.intp]) -> None:
            bits.pack_codes(
                records.codes,
                columns,
                sections.members,
                sections.starts,
                row_of_slot,
                records.first_slot,
                packed,
            )

        list(self._workers.map(pack, self._cut(np.unique(records.column_of_item[new]))))
        self._packed = np.concatenate([self._packed, packed]) if first_row else packed

    def _cut(self, whole: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        return [part for part in np.array_split(whole, self._workers.n_threads) if len(part)]
