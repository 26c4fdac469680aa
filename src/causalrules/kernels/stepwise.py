"""Matching groups of identical records that give up one control after the other."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel
from causalrules.kernels.strata import group_by_key

_1 = np.uint64(1)


@kernel
def _toggle_control(control, words, groups, key_words, lows, highs):
    """Put a control into the keys of the groups that have it, or take it out; says whether any has it.

    words       : uint64[n_groups, n_words], the controls of each group, one bit each
    groups      : int64[n], the groups that keys are of
    key_words   : uint64[n_controls, 2], a random word for each control
    lows, highs : uint64[n], the two halves of each key, changed
    """
    any_has_it = False
    for i in range(groups.shape[0]):
        if words[groups[i], control >> 6] >> np.uint64(control & 63) & _1:
            lows[i] ^= key_words[control, 0]
            highs[i] ^= key_words[control, 1]
            any_has_it = True
    return any_has_it


@kernel
def match_stepwise(words, sizes, order, key_words, stratum, step):
    """Gather groups that agree on the controls that are left, until both sides are among them.

    words     : uint64[n_groups, n_words], the controls of each group, one bit each
    sizes     : int64[n_groups, 2], exposed and unexposed records
    order     : intp[n_steps], the controls in the order they are given up
    key_words : uint64[n_controls, 2], a random word for each control
    stratum   : int64[n_groups], filled: the stratum of each group, or -1
    step      : int64[n_groups], filled for each stratum: how many controls its records gave up

    Returns the number of strata and the number of steps that were needed.

    A group's key is the exclusive or of the words of its controls, so that giving a control up is one more
    exclusive or. Each step groups only what has found no partner yet, in a table that shrinks with it.
    """
    n_groups = sizes.shape[0]
    left = np.empty(n_groups, np.int64)
    n_left, n_strata = 0, 0
    n_side = np.zeros(2, np.int64)
    for g in range(n_groups):
        stratum[g] = -1
        if sizes[g, 0] > 0 and sizes[g, 1] > 0:
            stratum[g] = n_strata
            step[n_strata] = 0
            n_strata += 1
        elif sizes[g, 0] + sizes[g, 1] > 0:
            left[n_left] = g
            n_left += 1
            n_side[0 if sizes[g, 0] > 0 else 1] += 1
    lows, highs = np.zeros(n_left, np.uint64), np.zeros(n_left, np.uint64)
    for c in range(key_words.shape[0]):
        _toggle_control(c, words, left[:n_left], key_words, lows, highs)
    size = 2
    while size < 2 * n_left:
        size *= 2
    table, owners = np.empty(size, np.uint64), np.empty(n_left, np.uint64)
    member = np.empty(n_left, np.int32)
    sides, new = np.empty(n_left, np.int64), np.empty(n_left, np.int64)
    for s in range(order.shape[0]):
        if n_side[0] == 0 or n_side[1] == 0:
            return n_strata, s
        if not _toggle_control(order[s], words, left[:n_left], key_words, lows, highs):
            continue  # nobody who is left has it: the groups are the same as before
        while size >= 4 * n_left and size > 2:
            size //= 2
        n_members = group_by_key(lows[:n_left], highs[:n_left], table[:size], owners, member)
        sides[:n_members] = 0
        for i in range(n_left):
            sides[member[i]] |= 1 if sizes[left[i], 0] > 0 else 2
        for m in range(n_members):
            if sides[m] == 3:
                new[m] = n_strata
                step[n_strata] = s + 1
                n_strata += 1
        kept = 0
        for i in range(n_left):
            if sides[member[i]] == 3:
                stratum[left[i]] = new[member[i]]
                n_side[0 if sizes[left[i], 0] > 0 else 1] -= 1
            else:
                left[kept], lows[kept], highs[kept] = left[i], lows[i], highs[i]
                kept += 1
        n_left = kept
    return n_strata, order.shape[0]


@kernel
def count_controls(words, counts, sums):
    """Add up the counts of the groups that have each control.

    words  : uint64[n_groups, n_words], one bit a control
    counts : int64[n_groups, 4]
    sums   : int64[n_controls, 4], added to
    """
    for g in range(words.shape[0]):
        for c in range(sums.shape[0]):
            if words[g, c >> 6] >> np.uint64(c & 63) & _1:
                for k in range(4):
                    sums[c, k] += counts[g, k]
