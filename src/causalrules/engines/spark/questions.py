"""Questions whose answers add up over any parts of the records, and how a worker answers them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pyarrow as pa

from causalrules.engines.memory import RecordsEngine
from causalrules.engines.spark.rows import records_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from causalrules.engines.contract import OutcomeCounts

ANSWER = "piece int, sums binary"
_NAMES = ("piece", "sums")
_NUMBERS_A_PIECE = 1 << 20


class Question(Protocol):
    """Something to count."""

    def __call__(self, engine: RecordsEngine) -> NDArray[np.int64]:
        """The counts over the engine's records."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the answer."""


@dataclass(frozen=True, slots=True, eq=False)
class AboutItems:
    """Distinct records, and the records with each item, with and without the outcome, and of all."""

    n_items: int

    @property
    def shape(self) -> tuple[int, ...]:
        """Item; with the outcome or without. The last but one are all records, the last distinct ones."""
        return self.n_items + 2, 2

    def __call__(self, engine: RecordsEngine) -> NDArray[np.int64]:
        """Count."""
        everybody = [engine.n_with, engine.n_without]
        distinct = [engine.n_distinct, 0]
        return np.vstack([_side_by_side(engine.item_counts()), everybody, distinct])


@dataclass(frozen=True, slots=True, eq=False)
class AboutSums:
    """The sums that a fingerprint is made of; they may run over, as they do everywhere."""

    @property
    def shape(self) -> tuple[int, ...]:
        """As in `Profiles.sums`."""
        return (2,)

    def __call__(self, engine: RecordsEngine) -> NDArray[np.int64]:
        """Sum up."""
        return engine.sums().view(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class AboutPatterns:
    """Records with each pattern, with and without the outcome."""

    patterns: NDArray[np.intp]

    @property
    def shape(self) -> tuple[int, ...]:
        """Pattern; with the outcome or without."""
        return len(self.patterns), 2

    def __call__(self, engine: RecordsEngine) -> NDArray[np.int64]:
        """Count."""
        return _side_by_side(engine.pattern_counts(self.patterns))


@dataclass(frozen=True, slots=True, eq=False)
class AboutOverlaps:
    """Records that have the pattern and the item, for each pair of them."""

    patterns: NDArray[np.intp]
    items: NDArray[np.intp]

    @property
    def shape(self) -> tuple[int, ...]:
        """Pattern; item."""
        return len(self.patterns), len(self.items)

    def __call__(self, engine: RecordsEngine) -> NDArray[np.int64]:
        """Count."""
        return engine.overlaps(self.patterns, self.items)


@dataclass(frozen=True, slots=True, eq=False)
class AboutExposed:
    """Records that have the pattern and the item, for each pattern and all items, however many there are."""

    patterns: NDArray[np.intp]
    n_items: int

    @property
    def shape(self) -> tuple[int, ...]:
        """Pattern; item."""
        return len(self.patterns), self.n_items

    def __call__(self, engine: RecordsEngine) -> NDArray[np.int64]:
        """Count; who is exposed does not depend on controls."""
        nothing_held = np.zeros(self.shape, np.bool_)
        return np.stack([found.exposed for found in engine.matched_items(self.patterns, nothing_held)])


@dataclass(frozen=True, slots=True, eq=False)
class AboutStrata:
    """Records with each item, in every stratum of the held items."""

    held: NDArray[np.intp]
    items: NDArray[np.intp]

    @property
    def shape(self) -> tuple[int, ...]:
        """As in the contract."""
        return 1 << len(self.held), len(self.items) + 1, 2

    def __call__(self, engine: RecordsEngine) -> NDArray[np.int64]:
        """Count."""
        return engine.within(self.held, self.items)


def _side_by_side(counts: OutcomeCounts) -> NDArray[np.int64]:
    return np.column_stack([counts.with_outcome, counts.without_outcome])


@dataclass(frozen=True, slots=True)
class AskPartition:
    """Runs on a worker: the answer for the records of one partition, in pieces that are not too long."""

    first_item: NDArray[np.intp]
    question: Question

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From batches of rows to batches of rows."""
        records = records_in(batches, self.first_item)
        if records is not None:
            answer = self.question(RecordsEngine(records, threads=1))
            yield from _pieces(np.ascontiguousarray(answer).ravel())


def add_pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs on a worker: the sum of each piece that meets here."""
    sums: dict[int, NDArray[np.int64]] = {}
    for batch in batches:
        _add(batch, sums)
    for piece, numbers in sums.items():
        yield _piece(piece, numbers)


def answer_in(rows: pa.Table, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """The sum of all answers."""
    sums: dict[int, NDArray[np.int64]] = {}
    for batch in rows.to_batches():
        _add(batch, sums)
    numbers = [sums[piece] for piece in sorted(sums)]
    return np.concatenate(numbers).reshape(shape) if numbers else np.zeros(shape, np.int64)


def _pieces(numbers: NDArray[np.int64]) -> Iterator[pa.RecordBatch]:
    for piece, start in enumerate(range(0, len(numbers), _NUMBERS_A_PIECE)):
        yield _piece(piece, numbers[start : start + _NUMBERS_A_PIECE])


def _piece(piece: int, numbers: NDArray[np.int64]) -> pa.RecordBatch:
    arrays = [pa.array([piece], pa.int32()), pa.array([numbers.tobytes()], pa.binary())]
    return pa.RecordBatch.from_arrays(arrays, _NAMES)


def _add(batch: pa.RecordBatch, sums: dict[int, NDArray[np.int64]]) -> None:
    for number, sent in zip(*map(batch.column, _NAMES), strict=True):
        piece, numbers = number.as_py(), np.frombuffer(sent.as_buffer(), np.int64)
        sums[piece] = sums[piece] + numbers if piece in sums else numbers
