"""What runs on Spark's workers when the engine is asked: count, send records to parts, add up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.engines.memory import RecordsEngine
from causalrules.engines.questions import CountQuestion, RowsQuestion, from_bytes, summed, to_bytes
from causalrules.engines.spark.records import (
    ROW,
    bytes_a_record,
    keys_in,
    records_by_group,
    records_in,
    rows_of,
    with_keys,
)
from causalrules.engines.spark.session import mapped
from causalrules.engines.unique_records import Profiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from causalrules.encode import Vocabulary
    from causalrules.engines.holdout import HoldOut
    from causalrules.engines.questions import RuleQuestion
    from causalrules.engines.spark.nearest import SignaturesQuestion, WeighedQuestion
    from causalrules.engines.spark.session import Session

    PartitionQuestion = CountQuestion | RowsQuestion | SignaturesQuestion | WeighedQuestion
    Question = PartitionQuestion | RuleQuestion[Any]
    Addable = CountQuestion | SignaturesQuestion | WeighedQuestion | RuleQuestion[Any]

ANSWER = "number int, answer binary"
"""Answers with the same number add up: of an array it is the piece, of rules the rule."""

_NAMES = ("number", "answer")
_NUMBERS_A_PIECE = 1 << 20
_BYTES_A_BATCH = 1 << 22

_BYTES_A_TASK = 1 << 27
"""Of records at most that a task divides, all of which it holds."""

_FINER = 8
"""Numbers for each task: Spark deals them out by a hash, which is even only if there are many."""


class WorkerEngine(RecordsEngine):
    """Counts the records of one task, and answers what only the driver asks."""

    def __init__(self, records: Profiles) -> None:
        super().__init__(records, threads=1)
        self.records = records

    def overview(self) -> NDArray[np.int64]:
        """int64[2, n_items + 2]: with the outcome and without, records that have each item, then all records;
        the last number of all is how many of them are distinct.
        """  # noqa: D205
        everybody_and_distinct = [[self.n_with, 0], [self.n_without, self.n_distinct]]
        return np.hstack([self.item_counts().to_array(), everybody_and_distinct])

    def fingerprint_sums(self) -> NDArray[np.int64]:
        """The sums that a fingerprint is made of; they may run over, as they do everywhere."""
        return self.sums().view(np.int64)

    def with_every_item(self, patterns: NDArray[np.intp]) -> NDArray[np.int64]:
        """int64[n_patterns, n_items]: records that have the pattern and the item.

        Made for all items at once, of which there may be thousands. Who is exposed
        does not depend on controls, so none are held.
        """
        nothing_held = np.zeros((len(patterns), len(self.column_of_item)), np.bool_)
        return np.stack([found.exposed for found in self.matched_items(patterns, nothing_held)])


@dataclass(frozen=True, slots=True)
class AskPartition:
    """The answer for the records of one partition."""

    first_item: NDArray[np.intp]
    question: PartitionQuestion

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of records to batches of answers."""
        records = records_in(batches, self.first_item)
        if records is None:
            return
        yield from _sent(self.question, enumerate(_pieces(self.question, WorkerEngine(records))))


def _pieces(question: PartitionQuestion, engine: WorkerEngine) -> Iterable[Any]:
    """An answer as it is sent: an array in pieces, rows as they are, of rules one after the other."""
    if isinstance(question, RowsQuestion):
        return [question.ask(engine)]
    if not isinstance(question, CountQuestion):
        return question.ask(engine)
    numbers = np.ascontiguousarray(question.ask(engine)).ravel()
    return [numbers[i : i + _NUMBERS_A_PIECE] for i in range(0, len(numbers), _NUMBERS_A_PIECE)]


@dataclass(frozen=True, slots=True)
class SpreadPartition:
    """Sends each record, in every round, to the part that its held items say.

    Only items in play travel, and records that agree on them travel as one.
    Round 0 has the first `n_parts` parts, round 1 the next, and so on.

    Parameters
    ----------
    rounds : sequence of pairs of bool[n_items]
        The items in play, and those that are held.
    """

    first_item: NDArray[np.intp]
    rounds: Sequence[tuple[NDArray[np.bool_], NDArray[np.bool_]]]
    n_parts: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of records to batches of records."""
        records = records_in(batches, self.first_item)
        if records is None:
            return
        for number, (in_play, held) in enumerate(self.rounds):
            sent = records if in_play.all() else _only(records, in_play)
            columns = np.unique(records.column_of_item[in_play])
            parts = sent.parts(held, self.n_parts) + number * self.n_parts
            yield from rows_of(sent, columns, parts)


@dataclass(frozen=True, slots=True)
class DividePartition:
    """One half of the records of a task in which all copies of a row meet, or all of a cluster are held out.

    Parameters
    ----------
    first_item : intp[n_columns + 1]
        As in `Vocabulary`; where keys are needed, records have these besides.
    number : int
        0 for the records that propose, 1 for those held out.
    """

    first_item: NDArray[np.intp]
    holdout: HoldOut
    number: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of records to batches of records without keys."""
        by_clusters, n_columns = self.holdout.by_clusters, len(self.first_item) - 1
        records = records_in(batches, self.first_item if by_clusters else with_keys(self.first_item))
        if records is None:
            return
        counts = records.n_with, records.n_without
        if by_clusters:
            is_held_out = self.holdout.clusters(records.codes)
            held = [is_held_out * n for n in counts]
        else:
            keys = keys_in(records.codes)
            held = [self.holdout.n_copies(keys, n) for n in counts]
        here = held if self.number else [n - n_held for n, n_held in zip(counts, held, strict=True)]
        chosen = np.flatnonzero(here[0] + here[1])
        codes = np.take(records.codes[:n_columns], chosen, axis=1)
        half = Profiles.of_records(self.first_item, codes, *(n[chosen] for n in here))
        yield from rows_of(half, np.arange(n_columns))


def copies_together(records: DataFrame, session: Session, vocabulary: Vocabulary) -> DataFrame:
    """Records with keys dealt out anew, so that all with the same key are in the same task."""
    keyed = with_keys(vocabulary.first_item)
    n_bytes = vocabulary.summary.outcome.n_records * bytes_a_record(len(keyed) - 1)
    n_tasks = max(session.n_tasks, -(-n_bytes // _BYTES_A_TASK))
    of_keys = np.arange(int(keyed[-1])) >= vocabulary.first_item[-1]
    spread = SpreadPartition(keyed, [(np.ones_like(of_keys), of_keys)], _FINER * n_tasks)
    return mapped(records, spread, ROW).repartition(n_tasks, "part")


def _only(records: Profiles, in_play: NDArray[np.bool_]) -> Profiles:
    """Records that agree on the items in play put together, all other values taken to be missing."""
    collapsed = records.collapsed_to(in_play)
    counts = np.zeros(len(records.words), np.uint16)
    counts[records.slot_of_item[in_play]] = 1
    slots = records.first_slot[:, None] + collapsed.codes
    return replace(collapsed, codes=collapsed.codes * counts[slots])


@dataclass(frozen=True, slots=True)
class StudyParts:
    """The answers for the rules of each round, from the parts that meet in this task.

    Several parts of a round may be put together: strata are whole in each.

    Parameters
    ----------
    rules : sequence of intp[n]
        Those of each round.
    """

    first_item: NDArray[np.intp]
    question: RuleQuestion[Any]
    rules: Sequence[NDArray[np.intp]]
    n_parts: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of records to batches of answers."""
        for number, records in records_by_group(batches, self.first_item, self.n_parts).items():
            rules = self.rules[number]
            answers = self.question.only(rules).ask(WorkerEngine(records))
            yield from _sent(self.question, zip(rules.tolist(), answers, strict=True))


@dataclass(frozen=True, slots=True)
class AddUp:
    """The sums of the answers whose numbers meet in this task; of the question no words are needed."""

    question: Question

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of answers to batches of answers."""
        yield from _sent(self.question, answers_in(batches, self.question).items())


def answers_in(batches: Iterable[pa.RecordBatch], question: Question) -> dict[int, Any]:
    """The sum of the answers with each number."""
    return summed(
        (number.as_py(), question.unpack(from_bytes(sent.as_py())))
        for batch in batches
        for number, sent in zip(*map(batch.column, _NAMES), strict=True)
    )


def array_in(batches: Iterable[pa.RecordBatch], question: CountQuestion) -> NDArray[np.int64]:
    """The sum of the arrays that came in pieces."""
    pieces = answers_in(batches, question)
    numbers = [pieces[number] for number in sorted(pieces)]
    return np.concatenate(numbers).reshape(question.shape) if numbers else np.zeros(question.shape, np.int64)


def last_pieces(batches: Iterable[pa.RecordBatch], question: CountQuestion) -> list[NDArray[np.int64]]:
    """The last piece of each partition's array."""
    last = -(-int(np.prod(question.shape)) // _NUMBERS_A_PIECE) - 1
    return [
        question.unpack(from_bytes(sent.as_py()))
        for batch in batches
        for number, sent in zip(*map(batch.column, _NAMES), strict=True)
        if number.as_py() == last
    ]


def _sent(question: Question, answers: Iterable[tuple[int, Any]]) -> Iterator[pa.RecordBatch]:
    """Numbers and answers, a few megabytes at a time."""
    numbers: list[int] = []
    sent: list[bytes] = []
    n_bytes = 0
    for number, answer in answers:
        numbers.append(number)
        sent.append(to_bytes(question.pack(answer)))
        n_bytes += len(sent[-1])
        if n_bytes > _BYTES_A_BATCH:
            yield _batch(numbers, sent)
            numbers, sent, n_bytes = [], [], 0
    if numbers:
        yield _batch(numbers, sent)


def _batch(numbers: list[int], sent: list[bytes]) -> pa.RecordBatch:
    arrays = [pa.array(numbers, pa.int32()), pa.array(sent, pa.binary())]
    return pa.RecordBatch.from_arrays(arrays, _NAMES)
