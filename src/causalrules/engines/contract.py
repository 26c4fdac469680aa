"""What every engine answers: integers that add up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from causalrules.domain.column_labels import LabelledColumns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.signatures import Signatures
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.encode import Vocabulary
    from causalrules.engines.blocks import Blocks
    from causalrules.kernels.workers import Workers

    Packed = tuple[list[NDArray[np.int64]], str]
    """An answer as arrays of whole numbers and a text."""

    Matched = TypeVar("Matched")
    Match = Callable[[int, Signatures], tuple[Matched, NDArray[np.int64]]]
    """A way of matching: from a rule's number and the signatures of its records to an answer, which is passed
    on, and the weights of the exposed and unexposed records of each group, int64[n_groups, 2]."""


class CanFlip(Protocol):
    """What can be exchanged for its counterpart under the opposite outcome."""

    def flipped(self) -> Self:
        """Exchange records with and without the outcome."""


Answer = TypeVar("Answer", bound=CanFlip)


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeCounts:
    """For each pattern: records that have it and have, or have not, the outcome."""

    with_outcome: NDArray[np.int64]
    without_outcome: NDArray[np.int64]

    @property
    def support(self) -> NDArray[np.int64]:
        """Records that have the pattern."""
        return self.with_outcome + self.without_outcome

    def __getitem__(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> OutcomeCounts:
        return OutcomeCounts(self.with_outcome[chosen], self.without_outcome[chosen])

    def to_array(self) -> NDArray[np.int64]:
        """int64[2, n_patterns]: with the outcome, then without."""
        return np.stack([self.with_outcome, self.without_outcome])

    def flipped(self) -> OutcomeCounts:
        """Counts for the opposite outcome."""
        return OutcomeCounts(self.without_outcome, self.with_outcome)


@dataclass(frozen=True, slots=True, eq=False)
class MatchedItems:
    """For one rule and every item: who has it, before and after matching.

    Parameters
    ----------
    exposed : int64[n_items]
        Exposed records with the item.
    matched_exposed : int64[n_items]
        Those of them whose stratum has unexposed records too.
    weight_exposed, weight_unexposed : int64[n_items]
        Weight of the records with the item in the fair data set, in parts of `domain.histogram.WEIGHT_UNIT`.
    """

    exposed: NDArray[np.int64]
    matched_exposed: NDArray[np.int64]
    weight_exposed: NDArray[np.int64]
    weight_unexposed: NDArray[np.int64]

    def to_arrays(self) -> list[NDArray[np.int64]]:
        """The four counts of all items as one array."""
        sides = self.weight_exposed, self.weight_unexposed
        return [np.stack([self.exposed, self.matched_exposed, *sides])]

    @classmethod
    def from_arrays(cls, arrays: Sequence[NDArray[np.int64]]) -> MatchedItems:
        """Read back what `to_arrays` gave."""
        return cls(*arrays[0])

    def __add__(self, other: MatchedItems) -> MatchedItems:
        """The counts over two parts of the records, where no stratum is in both."""
        return MatchedItems(
            self.exposed + other.exposed,
            self.matched_exposed + other.matched_exposed,
            self.weight_exposed + other.weight_exposed,
            self.weight_unexposed + other.weight_unexposed,
        )


@runtime_checkable
class SavableMatch(Protocol[Answer]):
    """A way of matching, see `Engine.nearest_pairs`, whose answers can be kept for another run."""

    def __call__(self, rule: int, signatures: Signatures) -> tuple[Answer, NDArray[np.int64]]:
        """Match the records of one rule."""

    def name_of(self, rule: int) -> str:
        """What the answer depends on besides the records, the pattern, its controls and the settings."""

    def pack(self, answer: Answer) -> Packed:
        """The answer in a form that can be saved."""

    def unpack(self, packed: Packed) -> Answer:
        """Read back what `pack` made."""


class PatternCounts(Protocol):
    """How many records have items and patterns.

    A pattern is a row of item numbers in ascending order, of different columns; all
    patterns of one call have one length.
    """

    @property
    def n_with(self) -> int:
        """Records with the outcome."""

    @property
    def n_without(self) -> int:
        """Records without the outcome."""

    @property
    def column_of_item(self) -> NDArray[np.intp]:
        """For each item the number of its column; a record has one item of a column at most."""

    def item_counts(self) -> OutcomeCounts:
        """Counts for every item."""

    def pattern_counts(self, patterns: NDArray[np.intp]) -> OutcomeCounts:
        """Counts for each pattern.

        Parameters
        ----------
        patterns : intp[n_patterns, length]
        """


class Counts(PatternCounts, Protocol):
    """What a search needs to know of items and patterns before it studies anything."""

    def overlaps(self, patterns: NDArray[np.intp], items: NDArray[np.intp]) -> NDArray[np.int64]:
        """Records that have the pattern and the item, for each pair of them.

        Parameters
        ----------
        patterns : intp[n_patterns, length]
        items : intp[n_items]

        Returns
        -------
        int64[n_patterns, n_items]
        """

    def within(
        self, held: NDArray[np.intp], items: NDArray[np.intp], among: NDArray[np.intp] | None = None
    ) -> NDArray[np.int64]:
        """Records with each item, in every stratum of the held items.

        Parameters
        ----------
        held : intp[k]
            Different items, few: there are 2^k strata.
        items : intp[n_items]
        among : intp[n], optional
            At least one; only records that have one of these count. Of all items of a column: those whose
            value is known.

        Returns
        -------
        int64[2^k, n_items + 1, 2]
            Bit j of the first index: whether the record has ``held[j]``. The
            second index: the item; the last entry counts all records of the
            stratum. The third: whether the record has the outcome.
        """


class Engine(Counts, Protocol):
    """Counts of records, the only thing the method needs to know of them.

    Items are numbered as in the coded table.
    """

    @property
    def workers(self) -> Workers | None:
        """Threads that may ask it side by side; None where one question comes after the other."""

    def fingerprint(self) -> str:
        """A digest of the records that depends neither on their order nor on the engine that counts them.

        Hexadecimal digits of sums over the records, see `Profiles.sums`. Items
        are told apart by their numbers; their names are not in it.
        """

    def unique_rows(self, columns: NDArray[np.intp]) -> UniqueRows:
        """The distinct combinations of some columns, in ascending order, with their counts."""

    def item_sums(self, rows: UniqueRows, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each item the sum of the weights of the records that have it.

        Parameters
        ----------
        rows : UniqueRows
            An answer to `unique_rows`; a record's weights are those of its row.
        weights : int64[rows.n_rows, m]

        Returns
        -------
        int64[n_items, m]
        """

    def strata(self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]) -> Iterator[StrataHistogram]:
        """One strata histogram for each pattern, in order, as they become ready.

        Parameters
        ----------
        patterns : intp[n_patterns, length]
        controls : bool[n_patterns, number of items]
            The items that records of one stratum agree on, present or absent.
        """

    def matched_items(
        self, patterns: NDArray[np.intp], controls: NDArray[np.bool_]
    ) -> Iterator[MatchedItems]:
        """Who has each item before and after exact matching, for each pattern in order."""

    def nearest_pairs(
        self,
        patterns: NDArray[np.intp],
        controls: NDArray[np.bool_],
        match: Match[Answer],
    ) -> Iterator[tuple[Answer, MatchedItems]]:
        """Match each pattern's records by a way that is handed in, in order, as they become ready.

        An engine that cannot gather signatures raises `EngineError`.

        Parameters
        ----------
        match : callable
            The way, see `Match`.
        """


@dataclass(frozen=True, slots=True)
class Opened:
    """A table ready to be counted: its items, the engine that proposes hypotheses and the one that tests.

    `records` are those of each engine, if they were gathered on this machine.
    """

    vocabulary: Vocabulary
    engine: Engine
    judge_engine: Engine
    labelled: LabelledColumns = field(default_factory=LabelledColumns)
    records: Sequence[Blocks] = ()

    def with_records(self, rows: UniqueRows, threads: int | None) -> Opened:
        """The same items over other records, given as distinct rows of all coded columns."""
        from causalrules.engines.memory import RecordsEngine
        from causalrules.engines.unique_records import Profiles

        n_without, n_with = np.ascontiguousarray(rows.counts.T)
        codes = np.ascontiguousarray(rows.codes)
        engine = RecordsEngine(
            Profiles.of_records(self.vocabulary.first_item, codes, n_with, n_without), threads
        )
        return Opened(self.vocabulary, engine, engine, self.labelled)
