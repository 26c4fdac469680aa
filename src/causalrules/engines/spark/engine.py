"""The engine for tables that live on Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from causalrules.engines.contract import OutcomeCounts
from causalrules.engines.rounds import matched_in_one_stratum, one_stratum, plan_rounds
from causalrules.engines.spark.coding import CodePartition
from causalrules.engines.spark.known import Known
from causalrules.engines.spark.questions import (
    ANSWER,
    AboutExposed,
    AboutItems,
    AboutOverlaps,
    AboutPatterns,
    AboutStrata,
    AboutSums,
    AskPartition,
    Question,
    add_pieces,
    answer_in,
)
from causalrules.engines.spark.rows import ROW
from causalrules.engines.spark.session import mapped
from causalrules.engines.spark.studies import (
    FINDING,
    AddFindings,
    MatchedItemsOfRules,
    SpreadPartition,
    StrataOfRules,
    Study,
    StudyParts,
    StudyRound,
    Sum,
    findings_in,
)
from causalrules.engines.unique_records import fingerprint_of
from causalrules.errors import EngineError, Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.signatures import Signatures
    from causalrules.encode import RecordCoder, Vocabulary
    from causalrules.engines.contract import Engine, MatchedItems
    from causalrules.engines.spark.session import Session

Answer = TypeVar("Answer")

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


class SparkEngine:
    """Counts where the records are.

    Coded records, identical ones put together, are kept in Spark's own
    memory, or on its disks. Workers run the kernels of the memory engine on
    them; for strata, Spark first sends all records of a stratum to one task.
    Only counts come back.

    Parameters
    ----------
    packed : pyspark.sql.DataFrame
        The records, see `SparkTable.packed`; they are not needed any more once the engine is made.
    session : Session
        Where it runs.
    vocabulary : Vocabulary
        Their items.
    coder : RecordCoder
        Writes records in codes.
    n_parts : int, optional
        Tasks that strata are divided among; by default it follows from the records. Never changes an answer.
    """

    def __init__(
        self,
        packed: DataFrame,
        session: Session,
        vocabulary: Vocabulary,
        coder: RecordCoder,
        n_parts: int | None = None,
    ) -> None:
        self._session = session
        self._first_item = vocabulary.first_item
        self.column_of_item: NDArray[np.intp] = vocabulary.column_of_item
        self._is_closed = False
        coded = mapped(packed, CodePartition(coder, self._first_item), ROW)
        n_bytes = vocabulary.summary.outcome.n_records * self._bytes_a_record
        self._records = session.kept(session.in_few_partitions(coded, -(-n_bytes // _MOST_BYTES_A_PARTITION)))
        try:
            self._count_items(vocabulary)
        except BaseException:
            self.close()
            raise
        self._n_parts = n_parts or self._parts_worth_it()

    def _count_items(self, vocabulary: Vocabulary) -> None:
        """The first question; it also reads, codes and keeps the records."""
        question = AboutItems(len(vocabulary.items))
        rows = self._session.gather(self._asked(question), "coding records, counting items")
        *counts, everybody, distinct = answer_in(rows, question.shape)
        self._item_counts = OutcomeCounts(*np.array(counts).T)
        self.n_with, self.n_without = map(int, everybody)
        self._n_partitions: int = rows.num_rows
        self._n_distinct = int(distinct[0])
        outcome = vocabulary.summary.outcome
        if (self.n_with, self.n_without) != (outcome.n_with, outcome.n_without):
            raise EngineError(
                f"the table changed while it was read: {outcome.n_with:,} records with the outcome and "
                f"{outcome.n_without:,} without at first, then {self.n_with:,} and {self.n_without:,}. "
                "Mine a copy that stays as it is, or a cached data frame."
            )

    @property
    def _bytes_a_record(self) -> int:
        """Of a distinct record at most: its codes and two counts."""
        return 2 * len(self._first_item) + 16

    def _parts_worth_it(self) -> int:
        worth_it = -(-self._n_distinct // _RECORDS_A_PART)
        needed = -(-self._n_distinct * self._bytes_a_record // _MOST_BYTES_A_PART)
        return max(1, needed, min(worth_it, self._n_partitions, self._session.n_tasks))

    def fingerprint(self) -> str:
        """The same for the same records, in whatever order."""
        return fingerprint_of(self._ask(AboutSums(), "a fingerprint of the records").view(np.uint64))

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        return self._item_counts

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        if len(patterns) == 0:
            return OutcomeCounts(np.empty(0, np.int64), np.empty(0, np.int64))
        return OutcomeCounts(*self._ask(AboutPatterns(patterns), _patterns(patterns)).T)

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, for each pair of them."""
        if len(patterns) == 0 or len(items) == 0:
            return np.zeros((len(patterns), len(items)), np.int64)
        what = f"{_patterns(patterns)} with each of {len(items):,} items"
        return self._ask(AboutOverlaps(patterns, items), what)

    def within(self, held: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records with each item, in every stratum of the held items."""
        return self._ask(AboutStrata(held, items), f"{len(items):,} items by {len(held)} others")

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order."""
        what = f"strata of {_patterns(patterns)}"
        return self._study(patterns, controls, StrataOfRules, one_stratum, what)

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""
        what = f"items of the matched records of {_patterns(patterns)}"
        return self._study(patterns, controls, MatchedItemsOfRules, matched_in_one_stratum, what)

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Callable[[int, Signatures], tuple[Answer, NDArray[np.int64]]],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Refused: the records would have to come to one place."""
        raise no_distances()

    def close(self) -> None:
        """Give back what Spark keeps for us, and stop the session if it is ours."""
        if not self._is_closed:
            self._is_closed = True
            self._records.unpersist()
            self._session.stop()

    def __enter__(self) -> SparkEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _asked(self, question: Question) -> DataFrame:
        return mapped(self._records, AskPartition(self._first_item, question), ANSWER)

    def _ask(self, question: Question, what: str) -> NDArray[np.int64]:
        answers = self._asked(question)
        n_bytes = 8 * int(np.prod(question.shape)) * self._n_partitions
        if n_bytes > _BYTES_FOR_THE_DRIVER:
            answers = mapped(answers.repartition(self._n_partitions, "piece"), add_pieces, ANSWER)
        return answer_in(self._session.gather(answers, what), question.shape)

    def _study(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        study_of: Callable[[NDArray[np.intp], NDArray[np.bool_]], Study[Sum]],
        without_controls: Callable[[Engine, NDArray[np.intp]], Sum],
        what: str,
    ) -> Iterator[Sum]:
        """What studies find, added up over the parts: all rounds in one job."""
        has_controls = controls.any(axis=1)
        known = cast("Engine", self._known(patterns[~has_controls]))
        found = {int(rule): without_controls(known, patterns[rule]) for rule in np.flatnonzero(~has_controls)}
        asked = np.flatnonzero(has_controls)
        if len(asked):
            rounds = [
                StudyRound(rules, held, study_of(patterns[rules], controls[rules]))
                for rules, held in self._planned(asked, controls)
            ]
            several = f", in {len(rounds)} rounds" if len(rounds) > 1 else ""
            found |= findings_in(
                self._session.gather(self._findings(rounds), what + several), rounds[0].study
            )
        return (found[rule] for rule in range(len(patterns)))

    def _known(self, patterns: NDArray[np.intp]) -> Known:
        """What is asked about rules that hold nothing fixed: no need to bring their records together."""
        question = AboutExposed(patterns, len(self.column_of_item))
        what = f"items of the records of {_patterns(patterns)}"
        return Known(self, patterns, lambda: self._ask(question, what))

    def _planned(
        self, asked: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.bool_]]]:
        """Rules of each round, and the items that divide records among parts."""
        if self._n_parts == 1:
            yield asked, np.zeros(controls.shape[1], np.bool_)
            return
        n_records = self.n_with + self.n_without
        for planned in plan_rounds(controls[asked], self._item_counts.support, n_records, self._n_parts):
            yield asked[planned.rules], planned.held

    def _findings(self, rounds: list[StudyRound[Sum]]) -> DataFrame:
        numbers = _FINER * self._n_parts
        held = [(planned.study.in_play(), planned.held) for planned in rounds]
        n_worth_it = -(-len(rounds) * self._n_distinct // _RECORDS_A_TASK)
        n_tasks = max(self._n_parts, min(len(rounds) * self._n_parts, n_worth_it))
        spread = mapped(self._records, SpreadPartition(self._first_item, held, numbers), ROW)
        study = StudyParts(self._first_item, rounds, numbers)
        findings = mapped(spread.repartition(n_tasks, "part"), study, FINDING)
        if self._n_parts <= _PARTS_FOR_THE_DRIVER:
            return findings
        return mapped(findings.repartition(self._n_parts, "rule"), AddFindings(rounds[0].study), FINDING)


def no_distances() -> EngineError:
    """What is said to those who ask for matching by distance."""
    return EngineError(
        "the Spark engine matches records that agree on every control (",
        Setting("matching", "exact"),
        ") only. Choose that, or draw a sample and use ",
        Setting("engine", "memory"),
        ".",
    )


def _patterns(patterns: NDArray[np.intp]) -> str:
    return f"{len(patterns):,} patterns of length {patterns.shape[1]}"


_FINER = 8
"""Numbers for each part: Spark deals them out by a hash, which is even only if there are many."""
