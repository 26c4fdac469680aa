"""Cohort studies over parts: workers send whole strata to one part, study it, and add up what they found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np
import pyarrow as pa

from causalrules.domain.histogram import StrataHistogram
from causalrules.engines.contract import MatchedItems
from causalrules.engines.memory import RecordsEngine
from causalrules.engines.spark.rows import records_by_group, records_in, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.engines.unique_records import Profiles

Sum = TypeVar("Sum", StrataHistogram, MatchedItems)
FINDING = "rule int, numbers binary"
_NAMES = ("rule", "numbers")
_BYTES_A_BATCH = 1 << 22


class Study(Protocol[Sum]):
    """What is asked about each rule, and how the answer travels."""

    def ask(self, engine: RecordsEngine) -> Iterator[Sum]:
        """The answers over the engine's records, in the order of the rules."""

    def in_play(self) -> NDArray[np.bool_]:
        """bool[n_items]: the items that the answers depend on."""

    def to_numbers(self, answer: Sum) -> NDArray[np.int64]:
        """An answer as integers."""

    def from_numbers(self, numbers: NDArray[np.int64]) -> Sum:
        """An answer from its integers."""


@dataclass(frozen=True, slots=True, eq=False)
class StrataOfRules:
    """The strata histogram of each rule."""

    patterns: NDArray[np.intp]
    controls: NDArray[np.bool_]

    def ask(self, engine: RecordsEngine) -> Iterator[StrataHistogram]:
        """Count."""
        return engine.strata(self.patterns, self.controls)

    def in_play(self) -> NDArray[np.bool_]:
        """Controls, and the items of patterns."""
        in_play: NDArray[np.bool_] = np.any(self.controls, axis=0)
        in_play[self.patterns] = True
        return in_play

    def to_numbers(self, answer: StrataHistogram) -> NDArray[np.int64]:
        """Records without a partner, then the rows."""
        lonely = [answer.lonely_exposed, answer.lonely_unexposed]
        return np.concatenate([lonely, answer.rows.ravel()])

    def from_numbers(self, numbers: NDArray[np.int64]) -> StrataHistogram:
        """The histogram that was sent."""
        return StrataHistogram(numbers[2:].reshape(-1, 5), int(numbers[0]), int(numbers[1]))


@dataclass(frozen=True, slots=True, eq=False)
class MatchedItemsOfRules:
    """Who has each item before and after matching, for each rule."""

    patterns: NDArray[np.intp]
    controls: NDArray[np.bool_]

    def ask(self, engine: RecordsEngine) -> Iterator[MatchedItems]:
        """Count."""
        return engine.matched_items(self.patterns, self.controls)

    def in_play(self) -> NDArray[np.bool_]:
        """Every item is counted."""
        return np.ones(self.controls.shape[1], np.bool_)

    def to_numbers(self, answer: MatchedItems) -> NDArray[np.int64]:
        """The four counts of all items."""
        sides = answer.weight_exposed, answer.weight_unexposed
        return np.concatenate([answer.exposed, answer.matched_exposed, *sides])

    def from_numbers(self, numbers: NDArray[np.int64]) -> MatchedItems:
        """The counts that were sent."""
        return MatchedItems(*numbers.reshape(4, -1))


@dataclass(frozen=True, slots=True, eq=False)
class StudyRound(Generic[Sum]):
    """Rules that are studied together, see `engines.rounds`.

    Parameters
    ----------
    rules : intp[n]
        Their numbers.
    held : bool[n_items]
        Items that all of them hold fixed; they decide on the part of a record.
    study : Study
        What is asked about them.
    """

    rules: NDArray[np.intp]
    held: NDArray[np.bool_]
    study: Study[Sum]


@dataclass(frozen=True, slots=True)
class SpreadPartition:
    """Runs on a worker: sends each record, in every round, to the part that its held items say.

    Only items in play travel, and records that agree on them travel as one.
    Round 0 has the first `n_parts` parts, round 1 the next, and so on.
    """

    first_item: NDArray[np.intp]
    rounds: Sequence[tuple[NDArray[np.bool_], NDArray[np.bool_]]]
    n_parts: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of rows to batches of rows."""
        records = records_in(batches, self.first_item)
        if records is None:
            return
        for number, (in_play, held) in enumerate(self.rounds):
            sent = records if in_play.all() else _only(records, in_play)
            columns = np.unique(records.column_of_item[in_play])
            parts = sent.parts(held, self.n_parts) + number * self.n_parts
            yield from rows_of(sent, columns, parts)


def _only(records: Profiles, in_play: NDArray[np.bool_]) -> Profiles:
    """Records that agree on the items in play put together, all other values taken to be missing."""
    collapsed = records.collapsed_to(in_play)
    counts = np.zeros(len(records.words), np.uint16)
    counts[records.slot_of_item[in_play]] = 1
    slots = records.first_slot[:, None] + collapsed.codes
    return replace(collapsed, codes=collapsed.codes * counts[slots])


@dataclass(frozen=True, slots=True)
class StudyParts(Generic[Sum]):
    """Runs on a worker: what is found in the parts that meet here, for the rules of each round."""

    first_item: NDArray[np.intp]
    rounds: Sequence[StudyRound[Sum]]
    n_parts: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of rows to batches of rows."""
        by_round = records_by_group(batches, self.first_item, self.n_parts)
        for number, records in by_round.items():
            planned = self.rounds[number]
            answers = planned.study.ask(RecordsEngine(records, threads=1))
            yield from _sent(zip(planned.rules.tolist(), map(planned.study.to_numbers, answers), strict=True))


@dataclass(frozen=True, slots=True)
class AddFindings(Generic[Sum]):
    """Runs on a worker: the sum of what was found for each rule that meets here."""

    study: Study[Sum]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of rows to batches of rows."""
        sums: dict[int, Sum] = {}
        for batch in batches:
            _add(batch, self.study, sums)
        yield from _sent((rule, self.study.to_numbers(answer)) for rule, answer in sums.items())


def findings_in(rows: pa.Table, study: Study[Sum]) -> dict[int, Sum]:
    """The sum of all that was found for each rule."""
    sums: dict[int, Sum] = {}
    for batch in rows.to_batches():
        _add(batch, study, sums)
    return sums


def _add(batch: pa.RecordBatch, study: Study[Sum], sums: dict[int, Sum]) -> None:
    for number, sent in zip(*map(batch.column, _NAMES), strict=True):
        rule, answer = number.as_py(), study.from_numbers(np.frombuffer(sent.as_buffer(), np.int64))
        sums[rule] = sums[rule] + answer if rule in sums else answer


def _sent(findings: Iterable[tuple[int, NDArray[np.int64]]]) -> Iterator[pa.RecordBatch]:
    """Rules and their numbers, a few megabytes at a time."""
    rules: list[int] = []
    numbers: list[bytes] = []
    n_bytes = 0
    for rule, found in findings:
        rules.append(rule)
        numbers.append(found.tobytes())
        n_bytes += len(numbers[-1])
        if n_bytes > _BYTES_A_BATCH:
            yield _batch(rules, numbers)
            rules, numbers, n_bytes = [], [], 0
    if rules:
        yield _batch(rules, numbers)


def _batch(rules: list[int], numbers: list[bytes]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array(rules, pa.int32()), pa.array(numbers, pa.binary())], _NAMES)
