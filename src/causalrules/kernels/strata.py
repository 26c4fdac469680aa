"""Grouping records by what they agree on.

A stratum key is the XOR of one random 128-bit word for each control a record
has. Two strata of one rule share a key with a chance of about 10^-28 for 10^5
strata, so keys stand for strata.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_BLOCK = 512
"""Records whose keys are computed together, one column after the other: they stay in the L1 cache."""

SMALL = 8
"""A stratum whose four counts are all below this is tallied in a dense table instead of a list."""


@njit(cache=True, nogil=True)
def keys_of_records(codes, columns, first_slot, words, keys):
    """XOR into every record's key the words of its codes in the given columns.

    codes      : uint16[n_columns, n_records]
    columns    : intp[k], the columns to visit
    first_slot : intp[n_columns], slot of each column's code 0
    words      : uint64[n_slots, 2], zero for a slot that does not count
    keys       : uint64[n_records, 2], changed in place
    """
    n_records = codes.shape[1]
    for start in range(0, n_records, _BLOCK):
        end = min(start + _BLOCK, n_records)
        for c in range(columns.shape[0]):
            column = columns[c]
            first = first_slot[column]
            for record in range(start, end):
                slot = first + codes[column, record]
                keys[record, 0] ^= words[slot, 0]
                keys[record, 1] ^= words[slot, 1]


@njit(cache=True, nogil=True, inline="always")
def _find(keys, record, table, mask, owner_keys):
    """Slot of the hash table that holds this record's key, or the empty one where it belongs."""
    slot = np.int64(keys[record, 0] & mask)
    while table[slot] >= 0:
        owner = table[slot]
        if owner_keys[owner, 0] == keys[record, 0] and owner_keys[owner, 1] == keys[record, 1]:
            return slot
        slot = (slot + 1) & np.int64(mask)
    return slot


@njit(cache=True, nogil=True)
def group_by_key(keys, table, group):
    """Number records by key, in order of first appearance; returns the number of groups.

    keys  : uint64[n_records, 2]
    table : int32[2^k], scratch, 2^k >= 2 * number of distinct keys
    group : int32[n_records], filled: the group of each record
    """
    mask = np.uint64(table.shape[0] - 1)
    table[:] = -1
    owner_keys = np.empty_like(keys)
    n_groups = 0
    for record in range(keys.shape[0]):
        slot = _find(keys, record, table, mask, owner_keys)
        if table[slot] < 0:
            table[slot] = n_groups
            owner_keys[n_groups, 0] = keys[record, 0]
            owner_keys[n_groups, 1] = keys[record, 1]
            n_groups += 1
        group[record] = table[slot]
    return n_groups


@njit(cache=True, nogil=True)
def count_strata(
    codes, first_slot, n_with, n_without, base_keys, words, changed, patterns, table, owner_keys, strata, small, large
):
    """Tally the strata of one rule.

    codes      : uint16[n_columns, n_profiles], distinct records
    first_slot : intp[n_columns]
    n_with     : int64[n_profiles], records of this profile with the outcome
    n_without  : int64[n_profiles], records without it
    base_keys  : uint64[n_profiles, 2], keys for some base set of controls
    words      : uint64[n_slots, 2], words of the controls that the rule adds to or leaves out of the base
    changed    : intp[k], columns in which `words` is not all zero
    patterns   : intp[length, 2], column and code of each item of the pattern
    table      : int32[2^k], scratch, 2^k >= n_profiles + 1
    owner_keys : uint64[n_profiles, 2], scratch
    strata     : int64[n_profiles, 4], scratch
    small      : int64[SMALL, SMALL, SMALL, SMALL], filled: number of strata by their four counts, if all small
    large      : int64[n_profiles, 4], filled: the other strata, in any order

    Returns the number of rows filled in `large`, and the records on the exposed and on
    the unexposed side that have no partner.
    """
    n_profiles = codes.shape[1]
    keys = base_keys.copy()
    keys_of_records(codes, changed, first_slot, words, keys)
    exposed = np.ones(n_profiles, np.bool_)
    for i in range(patterns.shape[0]):
        column, code = patterns[i, 0], patterns[i, 1]
        for r in range(n_profiles):
            exposed[r] &= codes[column, r] == code
    # The hash table is built from the side with fewer profiles, so that it stays in the cache.
    builder = 2 * exposed.sum() <= n_profiles
    n_builders = 0
    for r in range(n_profiles):
        n_builders += exposed[r] == builder
    size = 2
    while size < 2 * n_builders:
        size *= 2
    slots = table[:size]
    slots[:] = -1
    mask = np.uint64(size - 1)
    n_strata = 0
    build_offset = 0 if builder else 2
    for r in range(n_profiles):
        if exposed[r] == builder:
            slot = _find(keys, r, slots, mask, owner_keys)
            stratum = slots[slot]
            if stratum < 0:
                stratum = n_strata
                slots[slot] = stratum
                owner_keys[stratum, 0] = keys[r, 0]
                owner_keys[stratum, 1] = keys[r, 1]
                for k in range(4):
                    strata[stratum, k] = 0
                n_strata += 1
            strata[stratum, build_offset] += n_with[r]
            strata[stratum, build_offset + 1] += n_without[r]
    lonely_probes = 0
    for r in range(n_profiles):
        if exposed[r] != builder:
            stratum = slots[_find(keys, r, slots, mask, owner_keys)]
            if stratum < 0:
                lonely_probes += n_with[r] + n_without[r]
            else:
                strata[stratum, 2 - build_offset] += n_with[r]
                strata[stratum, 3 - build_offset] += n_without[r]
    small[:] = 0
    lonely_builders = 0
    n_large = 0
    for s in range(n_strata):
        a1, a0, b1, b0 = strata[s, 0], strata[s, 1], strata[s, 2], strata[s, 3]
        if a1 + a0 == 0 or b1 + b0 == 0:
            lonely_builders += a1 + a0 + b1 + b0
        elif a1 < SMALL and a0 < SMALL and b1 < SMALL and b0 < SMALL:
            small[a1, a0, b1, b0] += 1
        else:
            for k in range(4):
                large[n_large, k] = strata[s, k]
            n_large += 1
    if builder:
        return n_large, lonely_builders, lonely_probes
    return n_large, lonely_probes, lonely_builders
