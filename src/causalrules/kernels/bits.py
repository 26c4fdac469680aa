"""Counting records with bit-packed columns.

Records with the outcome fill the first words of every row, records without it
the remaining ones, so one pass over a row gives both counts.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.extending import intrinsic, overload

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_1 = np.uint64(1)  # typed: beside a bare Python int, Numba turns a uint64 into an int64

_BLOCK_WORDS = 1024
"""Words of a prefix kept at hand while its extensions are counted: 8 KiB, a quarter of the L1 cache."""


def count_set_bits(word):
    """Number of ones in one uint64; within kernels the processor's own instruction."""
    return np.uint64(np.bitwise_count(word))


@intrinsic
def _population_count(_typing, _word):
    def generate(_context, builder, _signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@overload(count_set_bits)
def _count_set_bits(word):  # noqa: ARG001 - Numba compares the names of parameters
    return lambda word: _population_count(word)  # type: ignore[call-arg]  # Numba adds the first argument


@njit(cache=True, nogil=True)
def count_codes(codes, columns, has_outcome, first_slot, with_outcome, without_outcome):
    """Count, for every slot (a column's code), the records with and without the outcome.

    codes           : uint16[n_columns, n_records]
    columns         : intp[k], the columns to visit
    has_outcome     : bool[n_records]
    first_slot      : intp[n_columns], slot of each column's code 0
    with_outcome    : int64[n_slots], added to
    without_outcome : int64[n_slots], added to
    """
    for c in range(columns.shape[0]):
        column = columns[c]
        first = first_slot[column]
        for record in range(codes.shape[1]):
            slot = first + codes[column, record]
            if has_outcome[record]:
                with_outcome[slot] += 1
            else:
                without_outcome[slot] += 1


@njit(cache=True, nogil=True)
def pack_codes(codes, columns, has_outcome, n_words_with, row_of_slot, first_slot, packed):
    """Set a bit for every record that has an item.

    codes        : uint16[n_columns, n_records]
    columns      : intp[k], the columns to visit
    has_outcome  : bool[n_records]
    n_words_with : intp, words that hold the records with the outcome
    row_of_slot  : intp[n_slots], row of `packed` for a slot, or -1
    first_slot   : intp[n_columns]
    packed       : uint64[n_rows, n_words], all zero on entry
    """
    for c in range(columns.shape[0]):
        column = columns[c]
        first = first_slot[column]
        next_with = 0
        next_without = 64 * n_words_with
        for record in range(codes.shape[1]):
            if has_outcome[record]:
                position = next_with
                next_with += 1
            else:
                position = next_without
                next_without += 1
            row = row_of_slot[first + codes[column, record]]
            if row >= 0:
                packed[row, position >> 6] |= _1 << np.uint64(position & 63)


@njit(cache=True, nogil=True)
def count_patterns(packed, n_words_with, patterns, counts):
    """Count the records that have all rows of a pattern, with and without the outcome.

    Patterns with the same prefix should stand side by side: the prefix is
    then intersected once for all of them.

    packed       : uint64[n_rows, n_words]
    n_words_with : intp, words that hold the records with the outcome
    patterns     : intp[n_patterns, length], length >= 1, rows of `packed`
    counts       : int64[n_patterns, 2], added to: with, without the outcome
    """
    n_patterns, length = patterns.shape
    prefix = np.empty(_BLOCK_WORDS, np.uint64)
    for part in range(2):
        part_end = n_words_with if part == 0 else packed.shape[1]
        start = 0 if part == 0 else n_words_with
        while start < part_end:
            width = min(_BLOCK_WORDS, part_end - start)
            for p in range(n_patterns):
                is_new = p == 0
                for i in range(length - 1):
                    if not is_new and patterns[p, i] != patterns[p - 1, i]:
                        is_new = True
                if is_new:
                    prefix[:] = _ALL
                    for i in range(length - 1):
                        for w in range(width):
                            prefix[w] &= packed[patterns[p, i], start + w]
                last = patterns[p, length - 1]
                total = np.uint64(0)
                for w in range(width):
                    total += count_set_bits(prefix[w] & packed[last, start + w])
                counts[p, part] += np.int64(total)
            start += width


_STRATA_WORDS = 32
"""Words for which all strata are kept at hand: with seven held items 32 KiB, which the cache holds."""


@njit(cache=True, nogil=True)
def count_within(packed, n_words_with, n_with, n_without, held, items, counts):
    """Count the records that have each row, in every stratum of some held rows.

    packed       : uint64[n_rows, n_words]
    n_words_with : intp, words that hold the records with the outcome
    n_with       : intp, records with the outcome
    n_without    : intp, records without it
    held         : intp[k], rows
    items        : intp[n_items], rows
    counts       : int64[2^k, n_items + 1, 2], added to; bit j of the first index: whether the record has
                   held[j]; last of the second: all records of the stratum; the third: with the outcome
    """
    n_strata = counts.shape[0]
    strata = np.empty((n_strata, _STRATA_WORDS), np.uint64)
    for part in range(2):
        first = n_words_with if part == 0 else 0
        end = packed.shape[1] if part == 0 else n_words_with
        n_records = n_without if part == 0 else n_with
        for start in range(first, end, _STRATA_WORDS):
            width = min(_STRATA_WORDS, end - start)
            for w in range(width):
                n_before = (start + w - first) * 64
                n_here = min(64, n_records - n_before)
                strata[0, w] = _ALL if n_here == 64 else (_1 << np.uint64(n_here)) - _1
            for j in range(held.shape[0]):
                half = 1 << j
                for s in range(half):
                    for w in range(width):
                        having = strata[s, w] & packed[held[j], start + w]
                        strata[s + half, w] = having
                        strata[s, w] ^= having
            for s in range(n_strata):
                everybody = np.uint64(0)
                for w in range(width):
                    everybody += count_set_bits(strata[s, w])
                if everybody == 0:
                    continue
                counts[s, items.shape[0], part] += np.int64(everybody)
                for i in range(items.shape[0]):
                    total = np.uint64(0)
                    for w in range(width):
                        total += count_set_bits(strata[s, w] & packed[items[i], start + w])
                    counts[s, i, part] += np.int64(total)
