"""The engine for tables that live on Spark."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.engines.contract import OutcomeCounts
from causalrules.engines.questions import CountQuestion, CountsByQuestion, RowsQuestion, RuleQuestion
from causalrules.engines.rounds import SAMPLED, ask_in_rounds, matched_in_one_stratum, one_stratum
from causalrules.engines.spark.driver_engine import SessionEngine
from causalrules.engines.spark.jobs import (
    ANSWER,
    AddUp,
    AskPartition,
    SpreadPartition,
    StudyParts,
    answers_in,
    array_in,
    last_pieces,
)
from causalrules.engines.spark.nearest import SignaturesQuestion, WeighedQuestion, check_groups, rules_at_once
from causalrules.engines.spark.records import ROW, bytes_a_record, records_a_row, records_in
from causalrules.engines.spark.session import mapped
from causalrules.engines.unique_records import fingerprint_of
from causalrules.kernels.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Answer, Match, MatchedItems
    from causalrules.engines.questions import Sum
    from causalrules.engines.rounds import Round
    from causalrules.engines.spark.jobs import Addable, PartitionQuestion
    from causalrules.engines.spark.session import Session

_RECORDS_A_PART = 1 << 16
"""Distinct records that are worth a part of their own."""

_RECORDS_A_TASK = 1 << 18
"""Distinct records of all rounds together that are worth a task of their own."""

_MOST_BYTES_A_PART = 1 << 27
"""Of a part's distinct records at most, all of which a task holds."""

_MOST_BYTES_A_PARTITION = 1 << 28
"""Of a partition's coded records at most: Spark hands them to a worker in one batch, which has its limits."""

_BYTES_FOR_THE_DRIVER = 32 << 20
_PARTS_FOR_THE_DRIVER = 4
"""Answers of more tasks than this are added up by Spark before the driver gets them."""

_ROWS_SAMPLED = 8
"""Rows of records, of which each partition has some, that rounds are planned with."""

_UNEVEN = 4
"""Tasks that one partition keeps waiting, from which on records are dealt out anew: twice a core's share."""

_FINER = 8
"""Numbers for each part: Spark deals them out by a hash, which is even only if there are many."""


class SparkEngine(CountsByQuestion, SessionEngine):
    """Counts where the records are.

    Coded records, identical ones put together, are kept in Spark's own
    memory, or on its disks. Workers run the kernels of the memory engine on
    them; for strata, Spark first sends all records of a stratum to one task.
    Only counts come back.

    Parameters
    ----------
    coded : pyspark.sql.DataFrame
        The records, see `records.ROW`; what they came from is not needed any more once the engine is made.
    session : Session
        Where it runs.
    vocabulary : Vocabulary
        Their items.
    n_parts : int, optional
        Tasks that strata are divided among; by default it follows from the records. Never changes an answer.

    Attributes
    ----------
    records : pyspark.sql.DataFrame
        As they are kept.
    n_distinct : int
        Records in them.
    """

    def __init__(
        self, coded: DataFrame, session: Session, vocabulary: Vocabulary, n_parts: int | None = None
    ) -> None:
        SessionEngine.__init__(self, session)
        self._first_item = vocabulary.first_item
        self.column_of_item: NDArray[np.intp] = vocabulary.column_of_item
        self._workers = Workers()
        n_bytes = vocabulary.summary.outcome.n_records * self._bytes_a_record
        in_few = session.in_few_partitions(coded, -(-n_bytes // _MOST_BYTES_A_PARTITION))
        self._kept = session.kept(in_few, "coding records")
        try:
            self._count_items(vocabulary)
        except BaseException:
            self._kept.let_go()
            raise
        self._n_parts = n_parts or self._parts_worth_it()

    def _count_items(self, vocabulary: Vocabulary) -> None:
        """The first question; it also reads, codes and keeps the records."""
        question = CountQuestion("overview", (), (2, len(vocabulary.items) + 2))
        rows = self._session.gather(self._asked(question), "coding records, counting items")
        overview = array_in(rows.to_batches(), question)
        self._item_counts = OutcomeCounts(*overview[:, :-2].copy())
        self.n_with, self.n_without = overview[:, -2].tolist()
        sizes = [int(piece[-1]) for piece in last_pieces(rows.to_batches(), question)]
        self.n_distinct, self._n_partitions = sum(sizes), len(sizes)
        if self.n_distinct > _RECORDS_A_PART and max(sizes) * self._session.n_tasks >= _UNEVEN * sum(sizes):
            self._deal_out()

    def _deal_out(self) -> None:
        """Give every core some of the records: from a file that cannot be split they are all in one place."""
        before, what = self._kept, "dealing records out to all cores"
        self._n_partitions = self._session.n_tasks
        try:
            self._kept = self._session.kept(before.frame.repartition(self._n_partitions), what)
            self._session.gather(self.records.groupBy().count(), what)
        finally:
            before.let_go()

    @property
    def records(self) -> DataFrame:
        """The coded records, as they are kept."""
        return self._kept.frame

    @property
    def _bytes_a_record(self) -> int:
        return bytes_a_record(len(self._first_item) - 1)

    def _parts_worth_it(self) -> int:
        worth_it = -(-self.n_distinct // _RECORDS_A_PART)
        needed = -(-self.n_distinct * self._bytes_a_record // _MOST_BYTES_A_PART)
        return max(1, needed, min(worth_it, self._n_partitions, self._session.n_tasks))

    def fingerprint(self) -> str:
        """Equal for equal records, in whatever order."""
        return fingerprint_of(self.answer(CountQuestion("fingerprint_sums", (), (2,))).view(np.uint64))

    def answer(self, question: CountQuestion) -> NDArray[np.int64]:
        """Workers count their partitions; long arrays are added up by Spark, short ones here."""
        n_numbers = int(np.prod(question.shape))
        if n_numbers == 0:
            return np.zeros(question.shape, np.int64)
        answers = self._asked(question)
        if 8 * n_numbers * self._n_partitions > _BYTES_FOR_THE_DRIVER:
            answers = self._added_up(answers, question, self._n_partitions)
        return array_in(self._session.gather(answers, _in_words(question)).to_batches(), question)

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns with their counts; they must fit the driver's memory."""
        question = RowsQuestion(columns)
        rows = self._session.gather(self._asked(question), f"unique rows of {len(columns)} columns")
        found: UniqueRows = answers_in(rows.to_batches(), question)[0]
        return found

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order."""
        question: RuleQuestion[StrataHistogram] = RuleQuestion("strata", patterns, controls)
        return self._in_rounds(question, "strata", lambda alone: one_stratum(self, alone))

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""

        def without_controls(alone: NDArray[np.intp]) -> Iterator[MatchedItems]:
            shape = len(alone), len(self.column_of_item)
            with_item = self.answer(CountQuestion("with_every_item", (alone,), shape))
            return matched_in_one_stratum(self, alone, with_item)

        question: RuleQuestion[MatchedItems] = RuleQuestion("matched_items", patterns, controls)
        return self._in_rounds(question, "items of the matched records", without_controls)

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Answer],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records by a way that is handed in, in order, as many in two jobs as fit.

        Partners at a distance may be anywhere, so what is matched, one entry for all
        records that agree on the controls, comes to the driver.
        """
        at_once = rules_at_once(self.n_distinct, controls)
        for start in range(0, len(patterns), at_once):
            some = slice(start, start + at_once)
            yield from self._nearest_of_some(patterns[some], controls[some], match, start)

    def _nearest_of_some(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Answer],
        first: int,
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        what = f"of {_patterns(patterns)}"
        gathered = self._of_rules(SignaturesQuestion(patterns, controls), f"kinds of records {what}")
        check_groups(gathered.values())
        matched = list(
            self._workers.map(lambda rule: match(first + rule, gathered[rule]), range(len(patterns)))
        )
        weighed = [
            (replace(gathered[rule], counts=gathered[rule].counts[:0]), weights)
            for rule, (_, weights) in enumerate(matched)
        ]
        items = self._of_rules(WeighedQuestion(patterns, weighed), f"items of the matched records {what}")
        return ((answer, items[rule]) for rule, (answer, _) in enumerate(matched))

    def _of_rules(self, question: SignaturesQuestion | WeighedQuestion, what: str) -> dict[int, Any]:
        """The answer about each rule; Spark adds up those of the partitions if they are many."""
        answers = self._asked(question)
        if self._n_partitions > _PARTS_FOR_THE_DRIVER:
            answers = self._added_up(answers, question, self._n_partitions)
        return answers_in(self._session.gather(answers, what).to_batches(), question)

    def let_go(self) -> None:
        """Give back the records that Spark keeps."""
        self._kept.let_go()

    def _asked(self, question: PartitionQuestion) -> DataFrame:
        return mapped(self.records, AskPartition(self._first_item, question), ANSWER)

    def _in_rounds(
        self,
        question: RuleQuestion[Sum],
        what: str,
        without_controls: Callable[[NDArray[np.intp]], Iterable[Sum]],
    ) -> Iterator[Sum]:
        """All rounds in one job: starting a job takes longer than a round, and tasks wait for nobody."""

        def study(rounds: list[Round]) -> Iterator[Iterable[tuple[int, Sum]]]:
            several = f", in {len(rounds)} rounds" if len(rounds) > 1 else ""
            said = f"{what} of {_patterns(question.patterns)}{several}"
            rows = self._session.gather(self._studied(question, rounds), said)
            yield answers_in(rows.to_batches(), question).items()

        # A list: the job runs when it is asked for, not when the first answer is looked at.
        return iter(
            list(ask_in_rounds(question, lambda: self._sample, self._n_parts, study, without_controls))
        )

    @cached_property
    def _sample(self) -> NDArray[np.bool_]:
        """The items of some records, from rows of thousands that may be anywhere in the table."""
        n_rows = max(1, self.n_distinct // records_a_row(len(self._first_item) - 1))
        some = self.records.sample(fraction=min(1.0, _ROWS_SAMPLED / n_rows), seed=0)
        for chosen in (some, self.records.limit(1)):
            rows = self._session.gather(chosen, "a sample of the records")
            records = records_in(rows.to_batches(), self._first_item)
            if records is not None:
                return records.items_of_some(SAMPLED)
        return np.empty((0, len(self.column_of_item)), np.bool_)

    def _studied(self, question: RuleQuestion[Sum], rounds: list[Round]) -> DataFrame:
        """The records of each round spread over parts, and the parts studied where they meet."""
        numbers = _FINER * self._n_parts
        held = [(question.only(planned.rules).in_play, planned.held) for planned in rounds]
        n_worth_it = -(-len(rounds) * self.n_distinct // _RECORDS_A_TASK)
        n_tasks = max(self._n_parts, min(len(rounds) * self._n_parts, n_worth_it))
        spread = mapped(self.records, SpreadPartition(self._first_item, held, numbers), ROW)
        study = StudyParts(self._first_item, question, [planned.rules for planned in rounds], numbers)
        answers = mapped(spread.repartition(n_tasks, "part"), study, ANSWER)
        if self._n_parts <= _PARTS_FOR_THE_DRIVER:
            return answers
        return self._added_up(answers, question, self._n_parts)

    def _added_up(self, answers: DataFrame, question: Addable, n_tasks: int) -> DataFrame:
        return mapped(answers.repartition(n_tasks, "number"), AddUp(question.without_words()), ANSWER)


def _in_words(question: CountQuestion) -> str:
    """What a job is for, as Spark's own pages show it."""
    words = question.words
    match question.method:
        case "pattern_counts":
            return _patterns(words[0])
        case "overlaps":
            return f"{_patterns(words[0])} with each of {question.shape[1]:,} items"
        case "with_every_item":
            return f"items of the records of {_patterns(words[0])}"
        case "within":
            return f"{question.shape[1] - 1:,} items by {question.shape[0].bit_length() - 1} others"
        case "item_sums":
            return "sums of weights by item"
        case "fingerprint_sums":
            return "a fingerprint of the records"
    return question.method.replace("_", " ")


def _patterns(patterns: Any) -> str:
    return f"{len(patterns):,} patterns of length {patterns.shape[1]}"
