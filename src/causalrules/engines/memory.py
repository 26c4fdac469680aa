"""The engine for tables that fit into memory."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from causalrules.engines.contract import MatchedItems, OutcomeCounts
from causalrules.engines.profiles import Profiles, RecordSlots, Scratch, ScratchPool, slots_of
from causalrules.kernels import bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.encode import CodedTable
    from causalrules.matching import Signatures

Answer = TypeVar("Answer")
_RULES_A_TASK = 16
_ITEMS_TOO_MANY = 2
_WORDS_WORTH_A_THREAD = 1 << 20


class MemoryEngine:
    """Counts in memory: bit-packed columns for supports, collapsed records for strata.

    Kernels release the interpreter lock and run on a thread pool; tasks are
    cut by patterns and answers put together in order, so the number of
    threads changes nothing but the time.

    Parameters
    ----------
    table : CodedTable
        The records.
    threads : int, optional
        All cores by default.
    """

    def __init__(self, table: CodedTable, threads: int | None = None) -> None:
        self._table = table
        self._threads = threads or os.cpu_count() or 1
        self._first_slot, self._slot_of_item = slots_of(table.first_item)
        self.column_of_item: NDArray[np.intp] = table.column_of_item
        self.n_with = int(table.has_outcome.sum())
        self.n_without = len(table.has_outcome) - self.n_with
        self._collapsed: list[Profiles] = []
        self._row_of_item = np.full(len(table.items), -1, np.intp)
        self._n_words_with = -(-self.n_with // 64)
        self._packed = np.zeros((0, self._n_words_with - (-self.n_without // 64)), np.uint64)

    def fingerprint(self) -> str:
        """The same for the same records, in whatever order."""
        return self._records.sums().astype(">u8").tobytes().hex()

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        return self._item_counts

    @cached_property
    def _item_counts(self) -> OutcomeCounts:
        table = self._table
        n_slots = len(table.items) + len(self._first_slot)

        def count(columns: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            with_outcome, without_outcome = np.zeros(n_slots, np.int64), np.zeros(n_slots, np.int64)
            bits.count_codes(
                table.codes, columns, table.has_outcome, self._first_slot, with_outcome, without_outcome
            )
            return with_outcome, without_outcome

        answers = list(
            self._in_threads(count, np.array_split(np.arange(len(self._first_slot)), self._threads))
        )
        with_outcome, without_outcome = np.sum(answers, axis=0)
        return OutcomeCounts(with_outcome[self._slot_of_item], without_outcome[self._slot_of_item])

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        counts = self._count(patterns)
        return OutcomeCounts(counts[:, 0], counts[:, 1])

    def _count(self, patterns: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records with all items of a row, with and without the outcome."""
        self._pack(np.unique(patterns))
        rows = self._row_of_item[patterns]

        def count(part: NDArray[np.intp]) -> NDArray[np.int64]:
            counts = np.zeros((len(part), 2), np.int64)
            bits.count_patterns(self._packed, self._n_words_with, part, counts)
            return counts

        parts = list(self._in_threads(count, np.array_split(rows, self._threads)))
        return np.concatenate(parts) if parts else np.empty((0, 2), np.int64)

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, for each pair of them."""
        n_patterns, n_items = len(patterns), len(items)
        with_item = np.column_stack([np.repeat(patterns, n_items, axis=0), np.tile(items, n_patterns)])
        overlaps: NDArray[np.int64] = self._count(with_item).sum(axis=1)
        return overlaps.reshape(n_patterns, n_items)

    def within(self, held: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records with each item, in every stratum of the held items."""
        self._pack(np.unique(np.concatenate([held, items])))
        rows = self._row_of_item[held]
        parts = np.array_split(self._row_of_item[items], self._threads)
        # Everybody is counted once, with the last part.
        tasks = [(part, number == len(parts) - 1) for number, part in enumerate(parts)]

        def count(task: tuple[NDArray[np.intp], bool]) -> NDArray[np.int64]:
            part, with_total = task
            counts = np.zeros((1 << len(rows), len(part) + 1, 2), np.int64)
            bits.count_within(
                self._packed, self._n_words_with, self.n_with, self.n_without, rows, part, counts
            )
            return counts if with_total else counts[:, :-1]

        is_small = self._packed.shape[1] * len(items) << len(held) < _WORDS_WORTH_A_THREAD
        answers = map(count, tasks) if is_small or self._threads == 1 else self._pool.map(count, tasks)
        return np.concatenate(list(answers), axis=1)

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, as they become ready.

        Records that agree on every item in play are collapsed first. Patterns
        made of control items need no other items in play; only the others
        are counted on a finer collapse.
        """

        def count(profiles: Profiles, rule: int, scratch: Scratch) -> StrataHistogram:
            return profiles.histogram(patterns[rule], controls[rule], scratch)

        return self._for_each_rule(patterns, controls, count)

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""

        def matched(profiles: Profiles, rule: int, scratch: Scratch) -> MatchedItems:
            weights = profiles.exact_weights(patterns[rule], controls[rule], scratch)
            return profiles.matched_items(patterns[rule], weights, scratch, self._record_slots)

        return self._for_each_rule(patterns, controls, matched)

    def _for_each_rule(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        ask: Callable[[Profiles, int, Scratch], Answer],
    ) -> Iterator[Answer]:
        """Start asking for every rule; answers come in order as they become ready."""
        base: NDArray[np.bool_] = np.any(controls, axis=0)
        is_plain: NDArray[np.bool_] = np.all(base[patterns], axis=1)
        fine = self._profiles_for(_with_items(base, patterns))
        coarse = fine if not is_plain.any() else self._profiles_for(base)
        scratch = ScratchPool(max(coarse.n_profiles, fine.n_profiles))

        def study(part: NDArray[np.intp]) -> list[Answer]:
            with scratch.borrowed() as own:
                return [ask(coarse if is_plain[i] else fine, int(i), own) for i in part]

        tasks = [
            np.arange(i, min(i + _RULES_A_TASK, len(patterns)))
            for i in range(0, len(patterns), _RULES_A_TASK)
        ]
        return chain.from_iterable(self._in_threads(study, tasks))

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Callable[[int, Signatures], tuple[Answer, NDArray[np.int64]]],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records by a way that is handed in, in order, as they become ready."""

        def matched(profiles: Profiles, rule: int, scratch: Scratch) -> tuple[Answer, MatchedItems]:
            signatures, group = profiles.signatures(patterns[rule], controls[rule], scratch)
            answer, weights = match(rule, signatures)
            items = profiles.matched_items(patterns[rule], weights[group], scratch, self._record_slots)
            return answer, items

        return self._for_each_rule(patterns, controls, matched)

    @cached_property
    def _records(self) -> Profiles:
        """All records with identical ones collapsed."""
        return Profiles.of_table(self._table)

    @cached_property
    def _record_slots(self) -> RecordSlots:
        return RecordSlots.of(self._records)

    def _profiles_for(self, items: NDArray[np.bool_]) -> Profiles:
        """Records collapsed to at least these items, from the smallest collapse at hand.

        A collapse that keeps a few items more than needed is taken as it is;
        only the last few are remembered, since later levels ask for similar items.
        """
        usable = [profiles for profiles in self._collapsed if not (items & ~profiles.base).any()]
        smallest = min(usable, key=lambda profiles: profiles.n_profiles, default=self._records)
        if (smallest.base & ~items).sum() <= _ITEMS_TOO_MANY:
            return smallest
        collapsed = smallest.collapsed_to(items)
        self._collapsed = [*self._collapsed[-3:], collapsed]
        return collapsed

    def _pack(self, items: NDArray[np.intp]) -> None:
        """Pack the columns of items that are asked for the first time."""
        new = items[self._row_of_item[items] < 0]
        if len(new) == 0:
            return
        first_row = len(self._packed)
        self._row_of_item[new] = np.arange(first_row, first_row + len(new))
        row_of_slot = np.full(len(self._table.items) + len(self._first_slot), -1, np.intp)
        row_of_slot[self._slot_of_item[new]] = np.arange(len(new))
        packed = np.zeros((len(new), self._packed.shape[1]), np.uint64)

        def pack(columns: NDArray[np.intp]) -> None:
            bits.pack_codes(
                self._table.codes,
                columns,
                self._table.has_outcome,
                self._n_words_with,
                row_of_slot,
                self._first_slot,
                packed,
            )

        columns = np.unique(self.column_of_item[new])
        list(self._in_threads(pack, np.array_split(columns, self._threads)))
        self._packed = np.concatenate([self._packed, packed]) if first_row else packed

    def _in_threads(
        self, task: Callable[[NDArray[np.intp]], Answer], parts: list[NDArray[np.intp]]
    ) -> Iterator[Answer]:
        parts = [part for part in parts if len(part)]
        if len(parts) <= 1 or self._threads == 1:
            return map(task, parts)
        return self._pool.map(task, parts)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads, thread_name_prefix="causalrules")


def _with_items(base: NDArray[np.bool_], patterns: NDArray[np.intp]) -> NDArray[np.bool_]:
    in_play = base.copy()
    in_play[patterns] = True
    return in_play
