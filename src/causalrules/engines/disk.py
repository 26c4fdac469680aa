"""The engine for tables whose distinct records do not fit into memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from causalrules.domain.histogram import WEIGHT_UNIT
from causalrules.engines.blocks import joined, merged
from causalrules.engines.cohorts import CohortRecords, items_in_play
from causalrules.engines.contract import MatchedItems, OutcomeCounts
from causalrules.engines.memory import RecordsEngine
from causalrules.engines.packed import PackedRecords
from causalrules.engines.partition import spread
from causalrules.engines.rounds import Sum, ask_in_rounds, one_stratum
from causalrules.engines.unique_records import RecordSlots, Scratch, fingerprint_of
from causalrules.engines.workers import Workers
from causalrules.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.signatures import Signatures
    from causalrules.engines.blocks import Blocks
    from causalrules.engines.contract import Engine
    from causalrules.engines.unique_records import Profiles

Answer = TypeVar("Answer")
_RULES_A_PASS = 16
"""More would save passes, but all their signatures are in memory at a time."""


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
        self._fitting = np.zeros(len(self.column_of_item), np.bool_)

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
        """One strata histogram for each pattern, in order, as they become ready.

        Records that agree on the items in play are put together first; if
        they fit into memory then, nothing has to be spread.
        """
        in_play = items_in_play(patterns, controls)
        records = self._collapsed_to(in_play)
        if records is not None:
            return CohortRecords(records, self._workers).strata(patterns, controls)
        return ask_in_rounds(
            self, patterns, controls, self._n_parts, partial(self._study, CohortRecords.strata), one_stratum
        )

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""
        if self._fits(items_in_play(patterns, controls)):
            return self._matched_by_weights(patterns, controls)
        study = partial(self._study, CohortRecords.matched_items, all_items=True)

        def without_controls(_: Engine, pattern: NDArray[np.intp]) -> MatchedItems:
            return next(self._matched_by_weights(pattern[None], np.zeros_like(controls[:1])))

        return ask_in_rounds(self, patterns, controls, self._n_parts, study, without_controls)

    def _matched_by_weights(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """The same by way of strata that fit into memory, which give every record its weight."""
        matched = self.nearest_pairs(patterns, controls, lambda _, strata: (None, _exact_weights(strata)))
        return (items for _, items in matched)

    def _study(
        self,
        ask: Callable[[CohortRecords, NDArray[np.intp], NDArray[np.bool_]], Iterator[Sum]],
        held: NDArray[np.bool_],
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        *,
        all_items: bool = False,
    ) -> Iterator[Iterator[Sum]]:
        """The answers for all rules of a round, part after part."""
        in_play = np.ones_like(held) if all_items else items_in_play(patterns, controls)
        for records in spread(self._blocks, held, in_play, self._n_parts):
            yield ask(CohortRecords(records, self._workers), patterns, controls)

    def _collapsed_to(self, in_play: NDArray[np.bool_]) -> Profiles | None:
        """All records, those put together that agree on the items in play; None if they do not fit."""
        gathered: list[Profiles] = []
        for block in self._blocks:
            gathered.append(block.collapsed_to(in_play))
            if len(gathered) > 1:
                gathered = [joined(gathered, self._blocks.first_item).collapsed_to(in_play)]
            if gathered[0].n_profiles > self._blocks.most_records:
                return None
        self._fitting = in_play
        return gathered[0]

    def _fits(self, in_play: NDArray[np.bool_]) -> bool:
        """Whether records collapsed to these items fit; fewer items than once fitted need no pass to tell."""
        return not (in_play & ~self._fitting).any() or self._collapsed_to(in_play) is not None

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
        """Match each pattern's records by a way that is handed in, in order, a few in each pass.

        Partners at a distance may be anywhere, so what is matched, one entry for all
        records that agree on the controls, must fit into memory.
        """
        for start in range(0, len(patterns), _RULES_A_PASS):
            rules = range(start, min(start + _RULES_A_PASS, len(patterns)))
            gathered = self._gather_signatures(patterns, controls, rules)
            found = self._workers.map(lambda rule: match(rule, gathered[rule]), rules)  # noqa: B023
            matched = dict(zip(rules, found, strict=True))
            weights = {rule: weights for rule, (_, weights) in matched.items()}
            items = self._items_by_weights(patterns, controls, gathered, weights)
            yield from zip((answer for answer, _ in matched.values()), items, strict=True)

    def _gather_signatures(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_], rules: range
    ) -> dict[int, Signatures]:
        """One pass that adds up the signatures of some rules."""
        gathered: dict[int, Signatures] = {}
        for block, scratch in self._blocks_with_keys():
            for rule in rules:
                here, _ = block.signatures(patterns[rule], controls[rule], scratch)
                gathered[rule] = gathered[rule] + here if rule in gathered else here
            n_groups = sum(len(one.words) for one in gathered.values())
            if n_groups > self._blocks.most_records * len(rules):
                raise EngineError(
                    f"matching by distance needs all kinds of records in memory: there are more than "
                    f"{self._blocks.most_records:,}. Allow more with --memory, or use --matching exact."
                )
        return gathered

    def _items_by_weights(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        gathered: dict[int, Signatures],
        weights: dict[int, NDArray[np.int64]],
    ) -> list[MatchedItems]:
        """One pass that adds up who has each item, by the weights that matching gave."""
        totals: dict[int, MatchedItems] = {}
        for block, scratch in self._blocks_with_keys():
            slots = RecordSlots.of(block)
            for rule, signatures in gathered.items():
                here, group = block.signatures(patterns[rule], controls[rule], scratch)
                of_profile = weights[rule][signatures.places_of(here)[group]]
                items = block.matched_items(patterns[rule], of_profile, scratch, slots)
                totals[rule] = totals[rule] + items if rule in totals else items
        return list(totals.values())

    def _blocks_with_keys(self) -> Iterator[tuple[Profiles, Scratch]]:
        """Blocks ready to be grouped, each with work space."""
        for block in self._blocks:
            records = merged([block], self._blocks.first_item)
            yield records, Scratch.for_profiles(records.n_profiles)


def _exact_weights(strata: Signatures) -> NDArray[np.int64]:
    """The weight of each stratum's exposed and unexposed records when partners agree on every control."""
    sizes = strata.sizes
    n_pairs = sizes.min(axis=1, keepdims=True)
    weights: NDArray[np.int64] = WEIGHT_UNIT * n_pairs // np.maximum(sizes, 1)
    return weights
