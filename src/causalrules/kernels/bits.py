"""Counting records with bit-packed columns.

A row has a bit for every record that has an item, in sections of whole words.
All records of a section count the same: there is one section for each binary
digit of the numbers of records with the outcome, and one for each digit of
those without it; a record that occurs 5 times with the outcome stands in the
sections that count 1 and 4. One pass over a row gives both counts.
"""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel
from causalrules.kernels.set_bits import count_set_bits

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_1 = np.uint64(1)  # typed: beside a bare Python int, Numba turns a uint64 into an int64

# Loops over words run over slices: an index that is added up might be negative for all the compiler knows,
# and it then counts one word at a time.
_BLOCK_WORDS = 1024
"""Words of a prefix kept at hand while its extensions are counted: 8 KiB, a quarter of the L1 cache."""


@kernel
def count_codes(codes, columns, n_with, n_without, first_slot, with_outcome, without_outcome):
    """Count, for every slot (a column's code), the records with and without the outcome.

    codes             : uint8 or uint16[n_columns, n_records]
    columns           : intp[k], the columns to visit
    n_with, n_without : int64[n_records], how often each record occurs
    first_slot        : intp[n_columns], slot of each column's code 0
    with_outcome      : int64[n_slots], added to
    without_outcome   : int64[n_slots], added to
    """
    for c in range(columns.shape[0]):
        column = columns[c]
        first = first_slot[column]
        for record in range(codes.shape[1]):
            slot = first + codes[column, record]
            with_outcome[slot] += n_with[record]
            without_outcome[slot] += n_without[record]


@kernel
def pack_codes(codes, columns, members, starts, row_of_slot, first_slot, packed):
    """Set a bit for every record of a section that has an item.

    codes       : uint8 or uint16[n_columns, n_records]
    columns     : intp[k], the columns to visit
    members     : uint32[n], the records of the sections, one section after the other
    starts      : int64[n_sections, 2], where a section starts: in `members`, and its first word
    row_of_slot : intp[n_slots], row of `packed` for a slot, or -1
    first_slot  : intp[n_columns]
    packed      : uint64[n_rows, n_words], all zero on entry
    """
    n_sections = starts.shape[0]
    for c in range(columns.shape[0]):
        column = columns[c]
        first = first_slot[column]
        for section in range(n_sections):
            start = starts[section, 0]
            end = starts[section + 1, 0] if section + 1 < n_sections else members.shape[0]
            position = 64 * starts[section, 1]
            for i in range(start, end):
                row = row_of_slot[first + codes[column, members[i]]]
                if row >= 0:
                    packed[row, position >> 6] |= _1 << np.uint64(position & 63)
                position += 1


@kernel
def count_patterns(packed, sections, patterns, counts):
    """Count the records that have all rows of a pattern, with and without the outcome.

    Patterns with the same prefix should stand side by side: the prefix is
    then intersected once for all of them.

    packed   : uint64[n_rows, n_words]
    sections : int64[n_sections, 5], first word, end, records, 0 (with the outcome) or 1, times each counts
    patterns : intp[n_patterns, length], length >= 1, rows of `packed`
    counts   : int64[n_patterns, 2], added to: with, without the outcome
    """
    n_patterns, length = patterns.shape
    prefix = np.empty(_BLOCK_WORDS, np.uint64)
    for section in range(sections.shape[0]):
        start, section_end = sections[section, 0], sections[section, 1]
        side, times = sections[section, 3], sections[section, 4]
        while start < section_end:
            width = min(_BLOCK_WORDS, section_end - start)
            for p in range(n_patterns):
                is_new = p == 0
                for i in range(length - 1):
                    if not is_new and patterns[p, i] != patterns[p - 1, i]:
                        is_new = True
                if is_new:
                    prefix[:] = _ALL
                    for i in range(length - 1):
                        row = packed[patterns[p, i], start : start + width]
                        for w in range(width):
                            prefix[w] &= row[w]
                last = packed[patterns[p, length - 1], start : start + width]
                total = np.uint64(0)
                for w in range(width):
                    total += count_set_bits(prefix[w] & last[w])
                counts[p, side] += times * np.int64(total)
            start += width


_STRATA_WORDS = 2048
_FEWEST_WORDS = 32
"""Words of all strata that are kept at hand, 16 KiB, and of one stratum: long rows are counted faster."""


@kernel
def count_within(packed, sections, among, held, items, counts):
    """Count the records that have each row, in every stratum of some held rows.

    packed   : uint64[n_rows, n_words]
    sections : int64[n_sections, 5], see `count_patterns`
    among    : intp[m], rows; only records that have one of them count, or all records if there are none
    held     : intp[k], rows
    items    : intp[n_items], rows
    counts   : int64[2^k, n_items + 1, 2], added to; bit j of the first index: whether the record has
               held[j]; last of the second: all records of the stratum; the third: with the outcome
    """
    n_strata = counts.shape[0]
    n_words = max(_FEWEST_WORDS, _STRATA_WORDS // n_strata)
    strata = np.empty((n_strata, n_words), np.uint64)
    for section in range(sections.shape[0]):
        first, end, n_records = sections[section, 0], sections[section, 1], sections[section, 2]
        part, times = 1 - sections[section, 3], sections[section, 4]
        for start in range(first, end, n_words):
            width = min(n_words, end - start)
            for w in range(width):
                n_before = (start + w - first) * 64
                n_here = min(64, n_records - n_before)
                strata[0, w] = _ALL if n_here == 64 else (_1 << np.uint64(n_here)) - _1
            if among.shape[0]:
                strata[0, :width] = packed[among[0], start : start + width]
                for i in range(1, among.shape[0]):
                    row = packed[among[i], start : start + width]
                    for w in range(width):
                        strata[0, w] |= row[w]
            for j in range(held.shape[0]):
                half = 1 << j
                row = packed[held[j], start : start + width]
                for s in range(half):
                    for w in range(width):
                        having = strata[s, w] & row[w]
                        strata[s + half, w] = having
                        strata[s, w] ^= having
            for s in range(n_strata):
                stratum = strata[s, :width]
                everybody = np.uint64(0)
                for w in range(width):
                    everybody += count_set_bits(stratum[w])
                if everybody == 0:
                    continue
                counts[s, items.shape[0], part] += times * np.int64(everybody)
                for i in range(items.shape[0]):
                    row = packed[items[i], start : start + width]
                    total = np.uint64(0)
                    for w in range(width):
                        total += count_set_bits(stratum[w] & row[w])
                    counts[s, i, part] += times * np.int64(total)
