"""The engine for tables whose distinct records do not fit into memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain.histogram import weights_of_pairs
from causalrules.engines.block_matching import MatchingInBlocks
from causalrules.engines.distinct_sketch import DistinctSketch
from causalrules.engines.growing_records import GrowingRecords
from causalrules.engines.memory import RecordsEngine
from causalrules.engines.partition import spread
from causalrules.engines.questions import CountsByQuestion, RowsQuestion, RuleQuestion, items_in_play
from causalrules.engines.rounds import (
    SAMPLED,
    Round,
    ask_in_rounds,
    matched_in_one_stratum,
    one_stratum,
    plan_rounds,
)
from causalrules.engines.unique_records import WORTH_COLLAPSING, fingerprint_of
from causalrules.files.available_memory import give_back_memory
from causalrules.kernels.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.blocks import Blocks
    from causalrules.engines.contract import Answer, Match, MatchedItems
    from causalrules.engines.partition import Part
    from causalrules.engines.questions import CountQuestion, Sum
    from causalrules.engines.unique_records import Profiles

_MOST_SPLITS = 2
"""How often a part is split again that is still too big."""


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
        self._matching = MatchingInBlocks(blocks, self._workers)
        n_columns = len(blocks.first_item) - 1
        self.column_of_item = np.repeat(np.arange(n_columns), np.diff(blocks.first_item))
        self.n_with, self.n_without = blocks.n_with, blocks.n_without
        self._fitting = np.zeros(len(self.column_of_item), np.bool_)

    def fingerprint(self) -> str:
        """Equal for equal records, in whatever order."""
        everything = np.ones(len(self.column_of_item), np.bool_)
        sums = [block.collapsed_to(everything, WORTH_COLLAPSING).sums() for block in self._blocks]
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
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_], **how: int
    ) -> Iterator[MatchedItems]:
        """Who has each item, by way of strata that fit into memory and give every record its weight."""
        matched = self._matching.nearest_pairs(
            patterns, controls, lambda _, strata: (None, weights_of_pairs(strata.sizes)), **how
        )
        return (items for _, items in matched)

    def _in_rounds(
        self,
        question: RuleQuestion[Sum],
        without_controls: Callable[[NDArray[np.intp]], Iterator[Sum]],
    ) -> Iterator[Sum]:
        """Round after round, since the parts of one take as much of the disk as all records."""

        def study(rounds: list[Round]) -> Iterator[Iterator[tuple[int, Sum]]]:
            return (
                self._part_by_part(question, planned) if planned.is_spread else self._whole(question, planned)
                for planned in rounds
            )

        return ask_in_rounds(
            question, self._sample, self._n_parts, study, without_controls, self._fitting_rules
        )

    def _fitting_rules(self, controls: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Places of rules whose strata fit into memory together, however many records there are.

        A column of which k values are held tells k + 1 kinds of records at most. Strata may be an eighth of
        the records allowed: there is a block in memory beside them, and they are added to its own.
        """
        n_bits = [np.log2(1 + np.bincount(self.column_of_item[held])).sum() for held in controls]
        n_strata = np.exp2(np.minimum(n_bits, 64))
        order = np.argsort(n_strata, kind="stable")
        return order[np.cumsum(n_strata[order]) <= self._blocks.most_records / 8]

    def _whole(self, question: RuleQuestion[Sum], planned: Round) -> Iterator[tuple[int, Sum]]:
        """Answers for rules whose strata fit into memory, from all records where they are."""
        patterns, controls = question.patterns[planned.rules], question.controls[planned.rules]
        answers: Any = (
            self._matching.strata(patterns, controls)
            if question.method == "strata"
            else self._matched_by_weights(patterns, controls, rules_a_pass=len(patterns))
        )
        return zip(planned.rules.tolist(), answers, strict=True)

    def _sample(self) -> NDArray[np.bool_]:
        """The items of some records of every block: in a sorted table, none is like the others."""
        n_blocks = max(self._blocks.n_blocks, 1)
        return np.concatenate([block.items_of_some(-(-SAMPLED // n_blocks)) for block in self._blocks])

    def _part_by_part(self, question: RuleQuestion[Sum], planned: Round) -> Iterator[tuple[int, Sum]]:
        return self._studied(self._blocks, question, planned, self._n_parts, _MOST_SPLITS)

    def _studied(
        self,
        source: Iterable[Profiles],
        question: RuleQuestion[Sum],
        planned: Round,
        n_parts: int,
        n_splits: int,
    ) -> Iterator[tuple[int, Sum]]:
        """Answers for the rules of a round, part by part; a part that is too big is split again."""
        asked = question.only(planned.rules)
        with spread(source, self._blocks.folder, planned.held, asked.in_play, n_parts) as parts:
            for part in parts:
                if part.n_records > self._blocks.most_records and n_splits and len(parts) > 1:
                    yield from self._split(part, question, planned, n_splits - 1)
                    continue
                records = part.read().collapsed_to(asked.in_play, WORTH_COLLAPSING)
                answers = asked.ask(RecordsEngine(records, self._workers))
                yield from zip(planned.rules.tolist(), answers, strict=True)
                del records, answers
                give_back_memory()

    def _split(
        self, part: Part, question: RuleQuestion[Sum], planned: Round, n_splits: int
    ) -> Iterator[tuple[int, Sum]]:
        """Answers for the rules of a round from one part of the records, in rounds of its own.

        What tells all records apart may leave a crowd together, which other controls tell apart.
        """
        n_parts = self._parts_for(part.n_records)
        share = SAMPLED / part.n_records
        sample = np.concatenate([some.items_of_some(1 + int(share * some.n_profiles)) for some in part])
        for finer in plan_rounds(question.controls[planned.rules], sample, n_parts):
            here = Round(planned.rules[finer.rules], finer.held)
            yield from self._studied(part, question, here, n_parts, n_splits)

    def _collapsed_to(self, in_play: NDArray[np.bool_]) -> Profiles | None:
        """All records, those put together that agree on the items in play; None if they do not fit."""
        if self._n_distinct(in_play) > self._blocks.most_records:
            return None
        gathered = GrowingRecords(self._blocks.first_item, in_play)
        for block in self._blocks:
            gathered.add(block)
            if gathered.n_waiting > self._blocks.most_records:
                gathered.merge()
                if gathered.n_waiting > self._blocks.most_records:
                    return None
        self._fitting = in_play
        return gathered.merge()

    def _n_distinct(self, in_play: NDArray[np.bool_]) -> float:
        """About how many records there are that differ in the items in play."""
        sketch = DistinctSketch()
        for block in self._blocks:
            sketch.add(block.keys_of(in_play)[0])
        return sketch.estimate()

    def _fits(self, in_play: NDArray[np.bool_]) -> bool:
        """Whether records collapsed to these items fit; fewer items than once fitted need no pass to tell."""
        return not (in_play & ~self._fitting).any() or self._collapsed_to(in_play) is not None

    @property
    def _n_parts(self) -> int:
        return self._parts_for(self._blocks.n_records)

    def _parts_for(self, n_records: int) -> int:
        """Twice as many as would do if they were even."""
        return max(2, -(-2 * n_records // self._blocks.most_records))

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Answer],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records by a way that is handed in, in order, a few in each pass.

        Partners at a distance may be anywhere, so what is matched, one entry for all
        records that agree on the controls, must fit into memory.
        """
        return self._matching.nearest_pairs(patterns, controls, match)
