"""The engine for tables whose distinct records do not fit into memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from causalrules.domain.histogram import WEIGHT_UNIT
from causalrules.engines.memory import RecordsEngine
from causalrules.engines.partition import spread
from causalrules.engines.questions import CountsByQuestion, RowsQuestion, RuleQuestion, items_in_play
from causalrules.engines.rounds import SAMPLED, ask_in_rounds, matched_in_one_stratum, one_stratum
from causalrules.engines.unique_records import GrowingRecords, RecordSlots, Scratch, fingerprint_of
from causalrules.errors import EngineError, Setting
from causalrules.kernels.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.signatures import Signatures
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.blocks import Blocks
    from causalrules.engines.contract import Answer, Engine, MatchedItems
    from causalrules.engines.questions import CountQuestion, Sum
    from causalrules.engines.rounds import Round
    from causalrules.engines.unique_records import Profiles

Kept = TypeVar("Kept")
_RULES_A_PASS = 16
"""More would save passes, but all their signatures are in memory at a time."""


def engine_over(blocks: Blocks, threads: int | None = None) -> Engine:
    """The engine for the records that have gathered: in memory if all of them are."""
    records = blocks.in_memory()
    return StreamingEngine(blocks, threads) if records is None else RecordsEngine(records, threads)


class StreamingEngine(CountsByQuestion):
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
        self._fitting = np.zeros(len(self.column_of_item), np.bool_)

    def fingerprint(self) -> str:
        """Equal for equal records, in whatever order."""
        everything = np.ones(len(self.column_of_item), np.bool_)
        sums = [block.collapsed_to(everything).sums() for block in self._blocks]
        return fingerprint_of(np.sum(sums, axis=0, dtype=np.uint64))

    def answer(self, question: CountQuestion) -> NDArray[np.int64]:
        """One pass over the blocks that adds their arrays up."""
        total = np.zeros(question.shape, np.int64)
        for block in self._blocks:
            total += question.ask(RecordsEngine(block, self._workers))
        return total

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns with their counts; they must fit into memory."""
        question = RowsQuestion(columns)
        total: UniqueRows | None = None
        for block in self._blocks:
            rows = question.ask(RecordsEngine(block, self._workers))
            total = rows if total is None else total + rows
        assert total is not None, "a table that does not fit has blocks"
        return total

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, as they become ready.

        Records that agree on the items in play are put together first; if
        they fit into memory then, nothing has to be spread.
        """
        question: RuleQuestion[StrataHistogram] = RuleQuestion("strata", patterns, controls)
        records = self._collapsed_to(question.in_play)
        if records is not None:
            return question.ask(RecordsEngine(records, self._workers))
        return self._in_rounds(question, lambda alone: one_stratum(self, alone))

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order.

        Rules without controls have one stratum, of all records: what each shares with every item tells
        all, and one pass asks about all of them.
        """
        has_controls: NDArray[np.bool_] = np.any(controls, axis=1)
        if not self._fits(items_in_play(patterns, controls)):
            question: RuleQuestion[MatchedItems] = RuleQuestion("matched_items", patterns, controls)
            return self._in_rounds(question, self._matched_without_controls)
        held = self._matched_by_weights(patterns[has_controls], controls[has_controls])
        alone = self._matched_without_controls(patterns[~has_controls])
        return (next(held if has_any else alone) for has_any in has_controls.tolist())

    def _matched_without_controls(self, patterns: NDArray[np.intp]) -> Iterator[MatchedItems]:
        if len(patterns):
            with_item = self.overlaps(patterns, np.arange(len(self.column_of_item)))
            yield from matched_in_one_stratum(self, patterns, with_item)

    def _matched_by_weights(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item, by way of strata that fit into memory and give every record its weight."""
        matched = self._nearest_pairs(patterns, controls, lambda _, strata: (None, _exact_weights(strata)))
        return (items for _, items in matched)

    def _in_rounds(
        self,
        question: RuleQuestion[Sum],
        without_controls: Callable[[NDArray[np.intp]], Iterator[Sum]],
    ) -> Iterator[Sum]:
        """Round after round, since the parts of one take as much of the disk as all records."""

        def study(rounds: list[Round]) -> Iterator[Iterator[tuple[int, Sum]]]:
            return (self._part_by_part(question.only(planned.rules), planned) for planned in rounds)

        return ask_in_rounds(question, self._sample, self._n_parts, study, without_controls)

    def _sample(self) -> NDArray[np.bool_]:
        """The items of some records of every block: in a sorted table, none is like the others."""
        n_blocks = max(self._blocks.n_blocks, 1)
        return np.concatenate([block.items_of_some(-(-SAMPLED // n_blocks)) for block in self._blocks])

    def _part_by_part(self, question: RuleQuestion[Sum], planned: Round) -> Iterator[tuple[int, Sum]]:
        for records in spread(self._blocks, planned.held, question.in_play, self._n_parts):
            answers = question.ask(RecordsEngine(records, self._workers))
            yield from zip(planned.rules.tolist(), answers, strict=True)

    def _collapsed_to(self, in_play: NDArray[np.bool_]) -> Profiles | None:
        """All records, those put together that agree on the items in play; None if they do not fit."""
        gathered = GrowingRecords(self._blocks.first_item, in_play)
        for block in self._blocks:
            gathered.add(block)
            if gathered.n_waiting > self._blocks.most_records:
                gathered.merge()
                if gathered.n_waiting > self._blocks.most_records:
                    return None
        self._fitting = in_play
        return gathered.merge()

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
        return self._nearest_pairs(patterns, controls, match)

    def _nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Callable[[int, Signatures], tuple[Kept, NDArray[np.int64]]],
    ) -> Iterator[tuple[Kept, MatchedItems]]:
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
                    f"{self._blocks.most_records:,}. Allow more with ",
                    Setting("memory"),
                    ", or use ",
                    Setting("matching", "exact"),
                    ".",
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
        everything = np.ones(len(self.column_of_item), np.bool_)
        for block in self._blocks:
            records = block.collapsed_to(everything)
            yield records, Scratch.for_profiles(records.n_profiles)


def _exact_weights(strata: Signatures) -> NDArray[np.int64]:
    """The weight of each stratum's exposed and unexposed records when partners agree on every control."""
    sizes = strata.sizes
    n_pairs = sizes.min(axis=1, keepdims=True)
    weights: NDArray[np.int64] = WEIGHT_UNIT * n_pairs // np.maximum(sizes, 1)
    return weights
