"""Which records are held out to test what the others propose: decided by what a record is, not by its place.

Of the copies of a distinct coded record, with the outcome or without, each has a
number from 0, and is held out if a hash of the record, the number and the seed falls
below the share. So a table's halves are the same however it is ordered, cut or stored, on
every engine; and every copy is held out with the share's probability, whatever the others do.

References
----------
Webb, Discovering significant patterns, Machine Learning 2007; Steele, Lea and Flood, Fast splittable
pseudorandom number generators, OOPSLA 2014 (the hash of the copies of a record is a stream of SplitMix64).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from causalrules.encode.clusters_of_records import chosen_clusters
from causalrules.engines.partition import spread
from causalrules.engines.unique_records import Profiles, mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.domain import Settings
    from causalrules.encode import Vocabulary
    from causalrules.engines.blocks import Blocks

_COPIES_AT_ONCE = 1 << 18
_STEP = np.uint64(0x9E3779B97F4A7C15)
"""Between the numbers of a stream: the golden ratio, as in SplitMix64."""


@dataclass(frozen=True, slots=True, eq=False)
class HoldOut:
    """Divides records in two.

    Parameters
    ----------
    share : float
        Of the records that are held out, on average.
    seed : int
        Another one holds others out.
    cluster_places : intp[k]
        Columns that tell which records belong together and stay together; none if all stand for themselves.
    """

    share: float
    seed: int
    cluster_places: NDArray[np.intp]

    @classmethod
    def asked_for(cls, settings: Settings, vocabulary: Vocabulary) -> HoldOut:
        """As the settings say."""
        return cls(settings.holdout, settings.seed, vocabulary.cluster_places)

    def divided(self, records: Profiles) -> tuple[Profiles, Profiles]:
        """The records that propose, and those held out to judge.

        Parameters
        ----------
        records : Profiles
            Distinct records with all items in play and all their copies.
        """
        if len(self.cluster_places):
            chosen = chosen_clusters(records.codes[self.cluster_places], self.share, self.seed)
            held = chosen * records.n_with, chosen * records.n_without
        else:
            held = (
                self._n_held_out(records, records.n_with, has_outcome=True),
                self._n_held_out(records, records.n_without, has_outcome=False),
            )
        rest = records.n_with - held[0], records.n_without - held[1]
        return _with_counts(records, *rest), _with_counts(records, *held)

    def rows(
        self, first_item: NDArray[np.intp], codes: NDArray[np.unsignedinteger], has_outcome: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """bool[n]: which rows of a coded table are held out; the first of several alike is copy 0.

        Parameters
        ----------
        first_item, codes, has_outcome
            As in `CodedTable`.
        """
        records = Profiles.uncollapsed(first_item, codes, has_outcome.astype(np.int64), 1 - has_outcome)
        if len(self.cluster_places):
            return chosen_clusters(records.codes[self.cluster_places], self.share, self.seed)
        lows, highs = records.keys_of(np.ones(int(first_item[-1]), np.bool_))
        order = np.lexsort((highs, lows, has_outcome))  # stable: rows that are alike stay in their order
        is_other = np.zeros(max(len(order) - 1, 0), np.bool_)
        for one in (lows[order], highs[order], has_outcome[order]):
            is_other |= one[1:] != one[:-1]
        starts = np.flatnonzero(np.append(True, is_other)[: len(order)])
        copy = np.empty(len(order), np.uint64)
        copy[order] = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
        stream = np.where(has_outcome, *(mixed(lows, highs, self._salt(state)) for state in (True, False)))
        return self._is_held_out(stream, copy)

    def _n_held_out(
        self, records: Profiles, n_copies: NDArray[np.int64], *, has_outcome: bool
    ) -> NDArray[np.int64]:
        """int64[n_profiles]: of so many copies of each record, those held out."""
        held = np.zeros(records.n_profiles, np.int64)
        ends = np.cumsum(n_copies)
        salt = self._salt(has_outcome)
        for start in range(0, int(ends[-1]) if len(ends) else 0, _COPIES_AT_ONCE):
            copies = np.arange(start, min(start + _COPIES_AT_ONCE, int(ends[-1])))
            of_record = np.searchsorted(ends, copies, side="right")
            number = (copies - (ends - n_copies)[of_record]).astype(np.uint64)
            stream = mixed(records.lows[of_record], records.highs[of_record], salt)
            held += np.bincount(of_record[self._is_held_out(stream, number)], minlength=len(held))
        return held

    def _salt(self, has_outcome: bool) -> np.uint64:
        words = f"holdout {self.seed} {has_outcome}".encode()
        return np.uint64(int.from_bytes(blake2b(words, digest_size=8).digest(), "little"))

    def _is_held_out(self, stream: NDArray[np.uint64], copy: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Whether each copy is, by the number of it in the stream of its record."""
        words = stream + (copy + np.uint64(1)) * _STEP
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        words ^= words >> np.uint64(31)
        is_held_out: NDArray[np.bool_] = words < np.uint64(int(self.share * 2**64))
        return is_held_out


def _with_counts(records: Profiles, n_with: NDArray[np.int64], n_without: NDArray[np.int64]) -> Profiles:
    """The records that are left where each occurs so often."""
    return replace(records, n_with=n_with, n_without=n_without).some(np.flatnonzero(n_with + n_without))


def whole_records(blocks: Blocks) -> Iterator[Profiles]:
    """All records, some at a time, every distinct one with all its copies."""
    everything = np.ones(int(blocks.first_item[-1]), np.bool_)
    in_memory = blocks.in_memory()
    if in_memory is not None:
        yield in_memory
        return
    n_parts = max(2, -(-4 * blocks.n_records // blocks.most_records))
    with spread(blocks, blocks.folder, everything, everything, n_parts) as parts:
        for part in parts:
            yield part.read().collapsed_to(everything)
