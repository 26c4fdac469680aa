"""Sums over records that lie side by side, several columns packed into one number."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

_BLOCK = 512
"""Records that are looked at together: their data stay in the L1 cache."""


@kernel
def write_lines(codes, places, factors, lines):
    """Write each record's numbers side by side.

    codes   : uint8 or uint16[n_columns, n], 0 for missing
    places  : intp[n_columns], which number of the line a column is part of
    factors : intp[n_columns], what its code is multiplied with there
    lines   : uint8 or uint16[n, n_numbers], zero on entry
    """
    for start in range(0, codes.shape[1], _BLOCK):
        end = min(start + _BLOCK, codes.shape[1])
        for column in range(codes.shape[0]):
            place, factor = places[column], factors[column]
            for record in range(start, end):
                lines[record, place] += factor * codes[column, record]


@kernel
def weigh_lines(lines, first, n_with, n_without, member, group, weights, is_exposed, exposed, unexposed):
    """Add up, for every number that lines have, records and weights of those that have it.

    A record's numbers lie side by side: additions to one sum are then a whole record apart and need
    not wait for each other. Weights are looked up for some records at a time, so that these
    look-ups do not wait for each other either, and records listed by what is to be added.

    lines             : uint8 or uint16[n, n_numbers]
    first             : intp[n_numbers], the first sum of each place in a line
    n_with, n_without : int64[n], how often each record occurs
    member            : int32[n], profile of each record
    group             : int32[n_profiles], group of each profile; -1 stands for the last
    weights           : int64[n_groups, 2], of a record of each group if it is exposed, and if it is not
    is_exposed        : bool[n_profiles]
    exposed           : int64[n_sums, 3], added to: exposed records without a partner, those with one,
                        their weight
    unexposed         : int64[n_sums], added to: the weight of those not exposed
    """
    starts = first.astype(np.uint64)  # unsigned: Numba then needs no test for a negative index
    own, side = np.empty(_BLOCK, np.int64), np.empty(_BLOCK, np.int64)
    others, matched, alone = np.empty(_BLOCK, np.intp), np.empty(_BLOCK, np.intp), np.empty(_BLOCK, np.intp)
    for start in range(0, lines.shape[0], _BLOCK):
        size = min(_BLOCK, lines.shape[0] - start)
        for i in range(size):
            profile = member[start + i]
            side[i] = 0 if is_exposed[profile] else 1
            own[i] = weights[group[profile], side[i]]
        n_others = n_matched = n_alone = 0
        for i in range(size):
            weighs = np.int64(own[i] > 0)
            others[n_others] = matched[n_matched] = alone[n_alone] = start + i
            n_others += side[i] & weighs
            n_matched += (1 - side[i]) & weighs
            n_alone += (1 - side[i]) & (1 - weighs)
        for i in range(n_others):
            record = others[i]
            weight = (n_with[record] + n_without[record]) * own[record - start]
            for place in range(lines.shape[1]):
                unexposed[starts[place] + np.uint64(lines[record, place])] += weight
        for i in range(n_matched):
            record = matched[i]
            how_many = n_with[record] + n_without[record]
            weight = how_many * own[record - start]
            for place in range(lines.shape[1]):
                at = starts[place] + np.uint64(lines[record, place])
                exposed[at, 1] += how_many
                exposed[at, 2] += weight
        for i in range(n_alone):
            record = alone[i]
            how_many = n_with[record] + n_without[record]
            for place in range(lines.shape[1]):
                exposed[starts[place] + np.uint64(lines[record, place]), 0] += how_many
