"""Distinct records and how often each occurs: the form in which everything is counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.unique_rows import first_of_each
from causalrules.engines.contract import MatchedItems
from causalrules.engines.stratum_scratch import table_size
from causalrules.kernels import strata

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.encode import CodedTable
    from causalrules.engines.record_lines import RecordLines

WORTH_COLLAPSING = 0.8
"""Share of the records up to which a smaller copy of them is made."""

_WORD_SEED = 20150315
"""Fixes the random words of the stratum keys; results do not depend on it."""

_SALTS = np.random.default_rng(_WORD_SEED + 1).integers(0, 2**64, size=(2, 2), dtype=np.uint64)
"""For each lane of the sums a number for records with the outcome and one for those without."""


def code_type(first_item: NDArray[np.intp]) -> type[np.unsignedinteger]:
    """One byte for each code where that is enough for every column, else two.

    Examples
    --------
    >>> code_type(np.array([0, 2, 257])), code_type(np.array([0, 2, 258]))
    (<class 'numpy.uint8'>, <class 'numpy.uint16'>)
    """
    is_narrow = np.diff(first_item).max(initial=0) <= np.iinfo(np.uint8).max
    return np.uint8 if is_narrow else np.uint16


def slots_of(first_item: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Slot of each column's code 0, and slot of each item: one slot a code, missing included.

    Examples
    --------
    >>> slots_of(np.array([0, 2, 5]))
    (array([0, 3]), array([1, 2, 4, 5, 6]))
    """
    n_values = np.diff(first_item)
    first_slot = first_item[:-1] + np.arange(len(n_values))
    slot_of_item = np.arange(first_item[-1]) + 1 + np.repeat(np.arange(len(n_values)), n_values)
    return first_slot, slot_of_item


@dataclass(frozen=True, slots=True, eq=False)
class Profiles:
    """Records that agree on the items in play, collapsed.

    Parameters
    ----------
    codes : uint8 or uint16[n_columns, n_profiles]
        Codes of one record of each profile, see `code_type`.
    n_with, n_without : int64[n_profiles]
        Records of the profile with and without the outcome.
    base : bool[n_items]
        The items in play.
    lows, highs : uint64[n_profiles] or uint64[0]
        The two halves of the stratum keys for the items in play, if they are kept.
    first_slot : intp[n_columns]
        Slot of each column's code 0, see `slots_of`.
    slot_of_item, column_of_item : intp[n_items]
        Slot and column of each item.
    words : uint64[n_slots, 2]
        A random word for every item's slot, zero for missing values.
    member : int32[number of distinct records]
        The profile of each distinct record of the table.
    """

    codes: NDArray[np.unsignedinteger]
    n_with: NDArray[np.int64]
    n_without: NDArray[np.int64]
    base: NDArray[np.bool_]
    lows: NDArray[np.uint64]
    highs: NDArray[np.uint64]
    first_slot: NDArray[np.intp]
    slot_of_item: NDArray[np.intp]
    column_of_item: NDArray[np.intp]
    words: NDArray[np.uint64]
    member: NDArray[np.int32]

    @classmethod
    def of_table(cls, table: CodedTable) -> Profiles:
        """The distinct records of a table."""
        has_outcome = table.has_outcome.astype(np.int64)
        return cls.of_records(table.first_item, table.codes, has_outcome, 1 - has_outcome)

    @classmethod
    def of_records(
        cls,
        first_item: NDArray[np.intp],
        codes: NDArray[np.unsignedinteger],
        n_with: NDArray[np.int64],
        n_without: NDArray[np.int64],
    ) -> Profiles:
        """Put identical records together; parameters as in `uncollapsed`."""
        everything = cls.uncollapsed(first_item, codes, n_with, n_without)
        return everything.collapsed_to(np.ones(int(first_item[-1]), np.bool_))

    @classmethod
    def uncollapsed(
        cls,
        first_item: NDArray[np.intp],
        codes: NDArray[np.unsignedinteger],
        n_with: NDArray[np.int64],
        n_without: NDArray[np.int64],
    ) -> Profiles:
        """Records as they are, with no item in play yet.

        Parameters
        ----------
        first_item : intp[n_columns + 1]
            As in `Vocabulary`.
        codes : uint8 or uint16[n_columns, n]
            Records, distinct or not.
        n_with, n_without : int64[n]
            How often each occurs with and without the outcome.
        """
        n_items = int(first_item[-1])
        first_slot, slot_of_item = slots_of(first_item)
        words = np.zeros((n_items + len(first_slot), 2), np.uint64)
        words[slot_of_item] = np.random.default_rng(_WORD_SEED).integers(
            0, 2**64, size=(n_items, 2), dtype=np.uint64
        )
        return cls(
            codes=codes.astype(code_type(first_item), copy=False),
            n_with=n_with,
            n_without=n_without,
            base=np.zeros(n_items, np.bool_),
            lows=np.empty(0, np.uint64),
            highs=np.empty(0, np.uint64),
            first_slot=first_slot,
            slot_of_item=slot_of_item,
            column_of_item=np.repeat(np.arange(len(first_slot)), np.diff(first_item)),
            words=words,
            member=np.empty(0, np.int32),
        )

    @property
    def n_profiles(self) -> int:
        """Number of distinct records."""
        return len(self.n_with)

    def collapsed_to(self, items: NDArray[np.bool_], worth_it: float = 1.0) -> Profiles:
        """Collapse profiles that agree on these items.

        Parameters
        ----------
        worth_it : float
            Share of the profiles: if more would be left, they stay apart as they are. Counts do not depend
            on it.
        """
        lows, highs = self.keys_of(items)
        if worth_it < 1.0 and share_of_distinct(lows, highs) > worth_it:
            return self.kept_apart(items)
        group, n_groups = _groups_of(lows, highs)
        if n_groups == self.n_profiles or n_groups > worth_it * self.n_profiles:
            return self.kept_apart(items)
        representative = first_of_each(group, n_groups)
        return replace(
            self,
            codes=np.take(self.codes, representative, axis=1),  # C order: kernels are compiled for one layout
            n_with=np.bincount(group, self.n_with, n_groups).astype(np.int64),
            n_without=np.bincount(group, self.n_without, n_groups).astype(np.int64),
            base=items,
            lows=lows[representative],
            highs=highs[representative],
            member=np.arange(n_groups, dtype=np.int32) if items.all() else group[self.member],
        )

    def kept_apart(self, items: NDArray[np.bool_]) -> Profiles:
        """These profiles, with the items in play.

        What is known of each is not written anew, and keys are not kept: they are most of the memory where
        millions of records are distinct, and a rule's keys are soon made from nothing.
        """
        if not (items & ~self.base).any():
            return self
        return replace(
            self,
            codes=np.require(self.codes, requirements=["C", "W"]),  # kernels are compiled for one layout
            n_with=np.require(self.n_with, requirements="W"),
            n_without=np.require(self.n_without, requirements="W"),
            base=items,
            lows=np.empty(0, np.uint64),
            highs=np.empty(0, np.uint64),
            member=np.arange(self.n_profiles, dtype=np.int32) if items.all() else self.member,
        )

    def some(self, chosen: slice | NDArray[np.intp]) -> Profiles:
        """Some of the records, with no item in play yet."""
        none = np.empty(0, np.uint64)
        return replace(
            self,
            codes=self.codes[:, chosen] if isinstance(chosen, slice) else np.take(self.codes, chosen, axis=1),
            n_with=self.n_with[chosen],
            n_without=self.n_without[chosen],
            base=np.zeros_like(self.base),
            lows=none,
            highs=none,
            member=np.empty(0, np.int32),
        )

    def keys_of(self, items: NDArray[np.bool_]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """The two halves of each profile's key: equal for those that agree on these items."""
        words, columns = self.words_of(items)
        lows, highs = np.zeros(self.n_profiles, np.uint64), np.zeros(self.n_profiles, np.uint64)
        codes = np.require(self.codes, requirements=["C", "W"])  # kernels are compiled for one layout
        strata.add_to_keys(codes, columns, self.first_slot, words, lows, highs)
        return lows, highs

    def parts(self, held: NDArray[np.bool_], n_parts: int) -> NDArray[np.int64]:
        """The part of each profile; those that agree on the held items are in the same."""
        lows, _ = self.keys_of(held)
        return (lows % np.uint64(n_parts)).astype(np.int64)

    def items_of_some(self, n_sampled: int) -> NDArray[np.bool_]:
        """bool[n, n_items]: the items of some profiles, at most so many, evenly spaced."""
        places = np.arange(0, self.n_profiles, -(-self.n_profiles // n_sampled) or 1)
        slots = self.codes[:, places] + self.first_slot[:, None]
        has_slot = np.zeros((len(places), len(self.words)), np.bool_)
        has_slot[np.arange(len(places))[None, :], slots] = True
        return has_slot[:, self.slot_of_item]

    def sums(self) -> NDArray[np.uint64]:
        """uint64[2]: numbers that tell other records, whatever the order of records.

        They add up modulo 2^64 over parts of the records, so every engine
        finds the same.
        """
        n_with, n_without = self.n_with.astype(np.uint64), self.n_without.astype(np.uint64)
        lows, highs = self.keys_of(np.ones_like(self.base))
        lanes = [
            n_with * _mixed(lows, highs, with_it) + n_without * _mixed(lows, highs, not_it)
            for with_it, not_it in _SALTS
        ]
        return np.array([lane.sum(dtype=np.uint64) for lane in lanes], np.uint64)

    def has_pattern(self, pattern: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[n_profiles]: whose records have all items of a pattern."""
        columns = self.column_of_item[pattern]
        wanted = (self.slot_of_item[pattern] - self.first_slot[columns]).astype(self.codes.dtype)
        has_all = np.ones(self.n_profiles, np.bool_)
        for column, code in zip(columns.tolist(), wanted, strict=True):
            has_all &= self.codes[column] == code
        return has_all

    def matched_items(
        self,
        is_exposed: NDArray[np.bool_],
        group: NDArray[np.int32],
        weights: NDArray[np.int64],
        lines: RecordLines,
    ) -> MatchedItems:
        """Who has each item before and after matching; parameters as in `RecordLines.sums`."""
        return MatchedItems(*lines.sums(self.member, is_exposed, group, weights).T)

    def words_of(self, items: NDArray[np.bool_]) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
        """Words with all but these items blanked, and the columns that have any of these."""
        words = np.zeros_like(self.words)
        chosen = self.slot_of_item[items]
        words[chosen] = self.words[chosen]
        has_any = np.zeros(len(self.first_slot), np.bool_)
        has_any[self.column_of_item[items]] = True
        return words, np.flatnonzero(has_any)


def fingerprint_of(sums: NDArray[np.uint64]) -> str:
    """The sums over all records as hexadecimal digits."""
    return sums.astype(">u8").tobytes().hex()


def _mixed(lows: NDArray[np.uint64], highs: NDArray[np.uint64], salt: np.uint64) -> NDArray[np.uint64]:
    """Well-mixed words of 128-bit keys: every bit of a key changes half the bits (Stafford's mix 13)."""
    words = lows ^ salt
    for more in (highs, salt):
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        words = (words ^ (words >> np.uint64(31))) + more
    return words


_SAMPLED = 1 << 16
"""Keys from which on a share of them tells how many are distinct."""


def share_of_distinct(lows: NDArray[np.uint64], highs: NDArray[np.uint64]) -> float:
    """About how many distinct keys there are for each; 0 for few keys, which are soon counted.

    A key is looked at or not by its own bits, so all that are equal are.
    """
    if len(lows) < 2 * _SAMPLED:
        return 0.0
    is_chosen = lows >> np.uint64(48) < np.uint64((_SAMPLED << 16) // len(lows))
    some_lows, some_highs = lows[is_chosen], highs[is_chosen]
    return _groups_of(some_lows, some_highs)[1] / max(len(some_lows), 1)


def _groups_of(lows: NDArray[np.uint64], highs: NDArray[np.uint64]) -> tuple[NDArray[np.int32], int]:
    """Numbers of the distinct keys, and how many there are."""
    group = np.empty(len(lows), np.int32)
    table, owner_highs = np.empty(table_size(len(lows)), np.uint64), np.empty_like(highs)
    return group, int(strata.group_by_key(lows, highs, table, owner_highs, group))
