"""Grouping records by what they agree on.

A stratum key is the XOR of one random 128-bit word for each control a record
has. Two strata of one rule share a key with a chance of about 10^-28 for 10^5
strata, so keys stand for strata.
"""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

SMALL = 8
"""A stratum whose four counts are all below this is tallied in a dense table instead of a list."""

_BLOCK = 512
"""Records whose keys are computed together, one column after the other: they stay in the L1 cache."""

_FEW = 6
"""Codes of a column up to which records are compared with each of them."""

_TRIED = 1 << 10
"""Profiles that are looked up before it is decided how to look up the others."""

_TAG = np.uint64(0xFFFFFFFF00000000)
_INDEX = np.uint64(0x00000000FFFFFFFF)
"""Also marks an empty slot: no table has so many owners."""
_1, _6, _32, _63 = np.uint64(1), np.uint64(6), np.uint64(32), np.uint64(63)


@kernel
def add_to_keys(codes, columns, first_slot, words, lows, highs):
    """XOR into the keys of all records the words of their codes in the given columns.

    Where few codes of a column count, records are compared with each of them, which the processor does
    for eight at a time: 0.16 ns for a record and a code, where a look-up takes 1.1 ns.

    codes       : uint8 or uint16[n_columns, n_records]
    columns     : intp[k], the columns to visit
    first_slot  : intp[n_columns], slot of each column's code 0
    words       : uint64[n_slots, 2], zero for a slot that does not count
    lows, highs : uint64[n_records], the two halves of the keys, changed
    """
    counting, ends = np.empty(words.shape[0], np.intp), np.zeros(columns.shape[0] + 1, np.intp)
    n_counting = 0
    for c in range(columns.shape[0]):
        first, end = first_slot[columns[c]], words.shape[0]
        if columns[c] + 1 < first_slot.shape[0]:
            end = first_slot[columns[c] + 1]
        for slot in range(first, end):
            if words[slot, 0] != 0 or words[slot, 1] != 0:
                counting[n_counting] = slot
                n_counting += 1
        ends[c + 1] = n_counting
    for start in range(0, lows.shape[0], _BLOCK):
        end = min(start + _BLOCK, lows.shape[0])
        for c in range(columns.shape[0]):
            here, first = codes[columns[c], start:end], first_slot[columns[c]]
            if ends[c + 1] - ends[c] > _FEW:
                _add_looked_up(here, words[first:], lows[start:end], highs[start:end])
                continue
            for i in range(ends[c], ends[c + 1]):
                slot = counting[i]
                _add_one(here, slot - first, words[slot], lows[start:end], highs[start:end])


@kernel
def _add_looked_up(codes, words, lows, highs):
    """The word of each record's code in one column."""
    for record in range(codes.shape[0]):
        code = np.uint64(codes[record])  # unsigned: Numba then needs no test for a negative index
        lows[record] ^= words[code, 0]
        highs[record] ^= words[code, 1]


@kernel
def _add_one(codes, code, word, lows, highs):
    """The word of one code in one column, for the records that have it."""
    own, low, high, nothing = codes.dtype.type(code), word[0], word[1], np.uint64(0)
    for record in range(codes.shape[0]):
        has_it = codes[record] == own
        lows[record] ^= low if has_it else nothing
        highs[record] ^= high if has_it else nothing


@kernel
def _find(low, high, table, owner_highs):
    """Slot of the hash table that holds a key, or the empty one where it belongs.

    A full slot holds the upper half of the key's low word and the index of
    its owner, so that other owners are passed over without looking at them.
    """
    mask = np.uint64(table.shape[0] - 1)
    slot = low & mask
    entry = table[slot]
    while entry != _INDEX:
        if (entry ^ low) & _TAG == 0 and owner_highs[entry & _INDEX] == high:
            return slot
        slot = (slot + _1) & mask
        entry = table[slot]
    return slot


@kernel
def group_by_key(lows, highs, table, owner_highs, group):
    """Number records by key, in order of first appearance; returns the number of groups.

    lows, highs : uint64[n_records], the two halves of the keys
    table       : uint64[2^k], scratch, 2^k >= 2 * n_records
    owner_highs : uint64[n_records], scratch
    group       : int32[n_records], filled: the group of each record
    """
    table[:] = _INDEX
    n_groups = 0
    for record in range(lows.shape[0]):
        slot = _find(lows[record], highs[record], table, owner_highs)
        if table[slot] == _INDEX:
            table[slot] = (lows[record] & _TAG) | np.uint64(n_groups)
            owner_highs[n_groups] = highs[record]
            n_groups += 1
        group[record] = table[slot] & _INDEX
    return n_groups


@kernel
def split_by_pattern(codes, pattern, order):
    """List the records that have a pattern from the front of `order`, the others from its back.

    codes   : uint8 or uint16[n_columns, n_records]
    pattern : intp[length, 2], column and code of each item, at least one
    order   : uint32[n_records], filled

    Returns the number of records that have the pattern.
    """
    # Every record is written to both free ends, and one of them moves: a branch would be guessed wrong
    # in every other record.
    front, back = 0, codes.shape[1]
    first_column, first_code = codes[pattern[0, 0]], pattern[0, 1]
    last_column, last_code = codes[pattern[-1, 0]], pattern[-1, 1]
    for record in range(codes.shape[1]):
        has_all = (first_column[record] == first_code) & (last_column[record] == last_code)
        for i in range(1, pattern.shape[0] - 1):
            has_all &= codes[pattern[i, 0], record] == pattern[i, 1]
        order[front] = record
        order[back - 1] = record
        front += has_all
        back -= not has_all
    return front


@kernel
def _join(profiles, side, lows, highs, n_with, n_without, slots, owner_highs, stratum_of, strata):
    """Add profiles to the strata that are there; the number without one, and that of their records."""
    n_missed = lonely = 0
    for i in range(profiles.shape[0]):
        r = profiles[i]
        slot = _find(lows[r], highs[r], slots, owner_highs)
        if slots[slot] == _INDEX:
            n_missed += 1
            lonely += n_with[r] + n_without[r]
            stratum_of[r] = -1
        else:
            stratum = slots[slot] & _INDEX
            strata[stratum, side] += n_with[r]
            strata[stratum, side + 1] += n_without[r]
            stratum_of[r] = stratum
    return n_missed, lonely


@kernel
def _likely(profiles, lows, n_with, n_without, slots, stratum_of):
    """The profiles that may have a stratum, put first, and the number of records of the others.

    Where most have none, every second look into the hash table is a wrong guess of the processor. A few
    bits for each stratum, chosen by the half of the key that the table's places do not depend on,
    tell most of them without a guess.
    """
    bits = np.zeros(max(1, slots.shape[0] // 8), np.uint64)
    mask = np.uint64(64 * bits.shape[0] - 1)
    for i in range(slots.shape[0]):
        if slots[i] != _INDEX:
            bit = (slots[i] >> _32) & mask
            bits[bit >> _6] |= _1 << (bit & _63)
    n_likely = lonely = 0
    for i in range(profiles.shape[0]):
        r = profiles[i]
        bit = (lows[r] >> _32) & mask
        is_likely = (bits[bit >> _6] >> (bit & _63)) & _1 == _1
        profiles[n_likely] = r
        n_likely += is_likely
        lonely += (not is_likely) * (n_with[r] + n_without[r])
        stratum_of[r] = -1
    return profiles[:n_likely], lonely


@kernel
def count_strata(
    order, n_exposed, lows, highs, n_with, n_without, table, owner_highs, stratum_of, strata, small, rows
):
    """Tally the strata of one rule.

    order       : uint32[n_profiles], exposed profiles first, see `split_by_pattern`; not kept
    n_exposed   : intp, how many are exposed
    lows, highs : uint64[n_profiles], the two halves of the profiles' stratum keys
    n_with      : int64[n_profiles], records of this profile with the outcome
    n_without   : int64[n_profiles], records without it
    table       : uint64[2^k], scratch, 2^k >= 2 * n_profiles
    owner_highs : uint64[n_profiles], scratch
    stratum_of  : int32[n_profiles], filled: row of `strata` for each profile, or -1
    strata      : int64[n_profiles, 4], filled: the four counts of each stratum
    small       : int64[SMALL ** 4], scratch
    rows        : int64[SMALL ** 4 + n_profiles, 5], filled: kinds of strata and how many there are of each;
                  first those with four small counts, in order and distinct, then the others, one by one

    Returns the number of small rows, the number of all rows, and the records on the
    exposed and on the unexposed side that have no partner.
    """
    # The hash table is built from the side with fewer profiles, so that it stays in the cache.
    exposed_build = 2 * n_exposed <= order.shape[0]
    if exposed_build:
        builders, others = order[:n_exposed], order[n_exposed:]
        own, other = 0, 2
    else:
        builders, others = order[n_exposed:], order[:n_exposed]
        own, other = 2, 0
    size = 2
    while size < 2 * builders.shape[0]:
        size *= 2
    slots = table[:size]
    slots[:] = _INDEX
    n_strata = 0
    for i in range(builders.shape[0]):
        r = builders[i]
        slot = _find(lows[r], highs[r], slots, owner_highs)
        if slots[slot] == _INDEX:
            slots[slot] = (lows[r] & _TAG) | np.uint64(n_strata)
            owner_highs[n_strata] = highs[r]
            strata[n_strata, own] = n_with[r]
            strata[n_strata, own + 1] = n_without[r]
            strata[n_strata, other] = 0
            strata[n_strata, other + 1] = 0
            stratum_of[r] = n_strata
            n_strata += 1
        else:
            stratum = slots[slot] & _INDEX
            strata[stratum, own] += n_with[r]
            strata[stratum, own + 1] += n_without[r]
            stratum_of[r] = stratum
    tried, others = others[:_TRIED], others[_TRIED:]
    n_missed, lonely_others = _join(
        tried, other, lows, highs, n_with, n_without, slots, owner_highs, stratum_of, strata
    )
    if 2 * n_missed > tried.shape[0]:
        others, lonely = _likely(others, lows, n_with, n_without, slots, stratum_of)
        lonely_others += lonely
    n_missed, lonely = _join(
        others, other, lows, highs, n_with, n_without, slots, owner_highs, stratum_of, strata
    )
    lonely_others += lonely
    small[:] = 0
    lonely_builders = 0
    n_large = 0
    for s in range(n_strata):
        a1, a0, b1, b0 = strata[s, 0], strata[s, 1], strata[s, 2], strata[s, 3]
        if a1 + a0 == 0 or b1 + b0 == 0:
            lonely_builders += a1 + a0 + b1 + b0
        elif (a1 | a0 | b1 | b0) < SMALL:  # a power of two
            small[((a1 * SMALL + a0) * SMALL + b1) * SMALL + b0] += 1
        else:
            for k in range(4):  # kept aside until the number of small rows is known
                rows[small.shape[0] + n_large, k] = strata[s, k]
            n_large += 1
    n_small = 0
    for kind in range(small.shape[0]):
        if small[kind] > 0:
            rows[n_small, 0] = kind // SMALL**3
            rows[n_small, 1] = kind // SMALL**2 % SMALL
            rows[n_small, 2] = kind // SMALL % SMALL
            rows[n_small, 3] = kind % SMALL
            rows[n_small, 4] = small[kind]
            n_small += 1
    for s in range(n_large):
        for k in range(4):
            rows[n_small + s, k] = rows[small.shape[0] + s, k]
        rows[n_small + s, 4] = 1
    if exposed_build:
        return n_small, n_small + n_large, lonely_builders, lonely_others
    return n_small, n_small + n_large, lonely_others, lonely_builders
