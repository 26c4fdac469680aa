"""What an engine is asked, and how questions are named and answers written down.

One form for all who pass questions on: a checkpoint keeps answers under the
keys of questions, Spark carries questions to workers and bytes back, blocks
on disk are asked one after the other. There are three kinds:

- `CountQuestion`, one array, and `RowsQuestion`, unique rows: both add up
  over any parts of the records;
- `RuleQuestion`: an answer for each rule, which adds up over parts only if
  these tear no stratum apart (see `rounds`).
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import prod
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from causalrules.domain.histogram import StrataHistogram
from causalrules.domain.unique_rows import UniqueRows
from causalrules.engines.contract import MatchedItems, OutcomeCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.engines.contract import Packed
    from causalrules.kernels.workers import Workers

Sum = TypeVar("Sum", StrataHistogram, MatchedItems)

_KINDS: dict[str, Any] = {"strata": StrataHistogram, "matched_items": MatchedItems}


@dataclass(frozen=True, slots=True, eq=False)
class CountQuestion:
    """A question of the contract that one array answers.

    Parameters
    ----------
    method : str
        Its name in the contract.
    words : tuple of arrays, or of an array and `UniqueRows`
        What it is asked with.
    shape : tuple of int
        Of the answer, known before it is: whoever passes it on can make room.
    """

    method: str
    words: tuple[NDArray[np.int64] | UniqueRows, ...]
    shape: tuple[int, ...]

    def ask(self, engine: Any) -> NDArray[np.int64]:
        """The answer of an engine, or of anything else that has the method."""
        answer = getattr(engine, self.method)(*self.words)
        counts: NDArray[np.int64] = answer.to_array() if isinstance(answer, OutcomeCounts) else answer
        return counts

    def key(self, part: str) -> bytes:
        """A digest of the question, put to the engine that counts this part of the records."""
        # Of unique rows the columns say all there is to know: the records are the same.
        words = [word.columns if isinstance(word, UniqueRows) else word for word in self.words]
        return _key(part, self.method, words)

    def pack(self, answer: NDArray[np.int64]) -> Packed:
        """The answer, or a piece of it, in a form that travels."""
        return [answer], ""

    def unpack(self, packed: Packed) -> NDArray[np.int64]:
        """Read back what `pack` made."""
        return packed[0][0]

    def without_words(self) -> CountQuestion:
        """Enough of the question to read and add up answers."""
        return CountQuestion(self.method, (), self.shape)


@dataclass(frozen=True, slots=True, eq=False)
class RowsQuestion:
    """The contract's question for the unique rows of some columns."""

    columns: NDArray[np.intp]

    def ask(self, engine: Any) -> UniqueRows:
        """The answer of an engine."""
        rows: UniqueRows = engine.unique_rows(self.columns)
        return rows

    def key(self, part: str) -> bytes:
        """A digest of the question, put to the engine that counts this part of the records."""
        return _key(part, "unique_rows", [self.columns])

    def pack(self, answer: UniqueRows) -> Packed:
        """The answer in a form that travels."""
        return [answer.codes.astype(np.int64), answer.counts], ""

    def unpack(self, packed: Packed) -> UniqueRows:
        """Read back what `pack` made."""
        codes, counts = packed[0]
        return UniqueRows(self.columns, codes.astype(np.uint16), counts)


class CountsByQuestion(ABC):
    """The counts of the contract, for engines that treat all these questions alike."""

    column_of_item: NDArray[np.intp]
    workers: Workers | None = None

    @abstractmethod
    def answer(self, question: CountQuestion) -> NDArray[np.int64]:
        """The array that answers the question."""

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""
        return self._item_counts

    @cached_property
    def _item_counts(self) -> OutcomeCounts:
        shape = 2, len(self.column_of_item)
        return OutcomeCounts(*self.answer(CountQuestion("item_counts", (), shape)))

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern."""
        shape = 2, len(patterns)
        return OutcomeCounts(*self.answer(CountQuestion("pattern_counts", (patterns,), shape)))

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, for each pair of them."""
        shape = len(patterns), len(items)
        return self.answer(CountQuestion("overlaps", (patterns, items), shape))

    def within(
        self, held: NDArray[np.intp], items: NDArray[np.intp], among: NDArray[np.intp] | None = None
    ) -> NDArray[np.int64]:
        """Records with each item, in every stratum of the held items."""
        shape = 1 << len(held), len(items) + 1, 2
        words = (held, items) if among is None else (held, items, among)
        return self.answer(CountQuestion("within", words, shape))

    def item_sums(self, rows: UniqueRows, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each item the sum of its records' weights, known by their rows."""
        shape = len(self.column_of_item), weights.shape[1]
        return self.answer(CountQuestion("item_sums", (rows, weights), shape))


@dataclass(frozen=True, slots=True, eq=False)
class RuleQuestion(Generic[Sum]):
    """A question of the contract about rules, answered one rule after the other.

    Parameters
    ----------
    method : str
        ``strata`` or ``matched_items``.
    patterns, controls
        As in the contract.
    """

    method: str
    patterns: NDArray[np.intp]
    controls: NDArray[np.bool_]

    def ask(self, engine: Any) -> Iterator[Sum]:
        """The answers of an engine, or of anything else that has the method, in the order of the rules."""
        answers: Iterator[Sum] = getattr(engine, self.method)(self.patterns, self.controls)
        return answers

    def only(self, rules: NDArray[np.intp]) -> RuleQuestion[Sum]:
        """What is asked about some of the rules."""
        return RuleQuestion(self.method, self.patterns[rules], self.controls[rules])

    def without_words(self) -> RuleQuestion[Sum]:
        """Enough of the question to read and add up answers."""
        return self.only(np.empty(0, np.intp))

    def __reduce__(self) -> tuple[Any, ...]:
        """Controls travel in bits: 1 MB, not 100, for 10⁴ rules over 10⁴ items of which 1,000 are held."""
        return _unpickled, (self.method, self.patterns, PackedControls.of(self.controls))

    @property
    def in_play(self) -> NDArray[np.bool_]:
        """bool[n_items]: the items that answers depend on; matched items are counted for all of them."""
        if self.method == "matched_items":
            return np.ones(self.controls.shape[1], np.bool_)
        return items_in_play(self.patterns, self.controls)

    def pack(self, answer: Sum) -> Packed:
        """The answer about one rule as arrays."""
        return answer.to_arrays(), ""

    def unpack(self, packed: Packed) -> Sum:
        """Read back what `pack` made."""
        answer: Sum = _KINDS[self.method].from_arrays(packed[0])
        return answer


@dataclass(frozen=True, slots=True, eq=False)
class PackedControls:
    """What rules hold fixed, on its way: a bit for each rule and each item that any of them holds.

    Examples
    --------
    >>> controls = np.array([[False, True, False, True], [False, True, False, False]])
    >>> packed = PackedControls.of(controls)
    >>> packed.bits.tolist(), packed.held.tolist()
    ([[192], [128]], [1, 3])
    >>> np.array_equal(packed.controls, controls)
    True
    """

    bits: NDArray[np.uint8]
    held: NDArray[np.int32]
    n_items: int

    @classmethod
    def of(cls, controls: NDArray[np.bool_]) -> PackedControls:
        """Pack bool[n_rules, n_items]."""
        held = np.flatnonzero(controls.any(axis=0)).astype(np.int32)
        return cls(np.packbits(controls[:, held], axis=1), held, controls.shape[1])

    @property
    def controls(self) -> NDArray[np.bool_]:
        """bool[n_rules, n_items], as it was."""
        controls = np.zeros((len(self.bits), self.n_items), np.bool_)
        controls[:, self.held] = np.unpackbits(self.bits, axis=1, count=len(self.held))
        return controls


def _unpickled(method: str, patterns: NDArray[np.intp], packed: PackedControls) -> RuleQuestion[Any]:
    return RuleQuestion(method, patterns, packed.controls)


def items_in_play(patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[n_items]: the items that strata depend on, controls and those of the patterns."""
    in_play: NDArray[np.bool_] = np.any(controls, axis=0)
    in_play[patterns] = True
    return in_play


def keys_of_rules(
    part: str,
    method: str,
    patterns: NDArray[np.intp],
    controls: NDArray[np.bool_],
    names: Sequence[str] | None = None,
) -> list[bytes]:
    """A digest for each rule of a question; `names` are what else its answer depends on."""
    start = _digest(part, method, patterns.shape[1:], controls.shape[1:])
    keys = []
    rows = zip(patterns.astype("<i8"), np.packbits(controls, axis=1), strict=True)
    for rule, (pattern, held) in enumerate(rows):
        digest = start.copy()
        digest.update(pattern.tobytes() + held.tobytes())
        if names is not None:
            digest.update(names[rule].encode())
        keys.append(digest.digest())
    return keys


def _key(part: str, method: str, words: Sequence[NDArray[np.int64]]) -> bytes:
    digest = _digest(part, method, *(array.shape for array in words))
    for array in words:
        digest.update(array.astype("<i8").tobytes())
    return digest.digest()


def _digest(part: str, method: str, *shapes: tuple[int, ...]) -> blake2b:
    return blake2b(repr((part, method, shapes)).encode(), digest_size=16)


def to_bytes(packed: Packed) -> bytes:
    """An answer as a line of JSON, its shapes and its text, and after that the numbers.

    Examples
    --------
    >>> to_bytes(([np.array([[1, 2]])], "by lot")).partition(b"[[[1, 2]]")[2][:11]
    b', "by lot"]'
    """
    arrays, text = packed
    head = json.dumps([[array.shape for array in arrays], text]).encode()
    return b"\n".join([head, b"".join(np.asarray(array, "<i8").tobytes() for array in arrays)])


def from_bytes(data: bytes) -> Packed:
    """Read back what `to_bytes` made; the arrays are the caller's own."""
    end_of_head = data.index(b"\n")
    shapes, text = json.loads(data[:end_of_head])
    numbers = np.frombuffer(data, "<i8", offset=end_of_head + 1).astype(np.int64)
    ends = np.cumsum([prod(shape) for shape in shapes], dtype=np.intp)
    parts = np.split(numbers, ends[:-1]) if len(shapes) else []
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)], text


def summed(answers: Iterable[tuple[int, Any]]) -> dict[int, Any]:
    """The sum of the answers that have the same number.

    Examples
    --------
    >>> summed([(2, 10), (0, 1), (2, 5)])
    {2: 15, 0: 1}
    """
    sums: dict[int, Any] = {}
    for number, answer in answers:
        sums[number] = sums[number] + answer if number in sums else answer
    return sums
