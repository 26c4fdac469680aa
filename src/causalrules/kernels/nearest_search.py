"""Matching groups of identical records with their nearest neighbours.

Two records that differ in at most r controls agree on at least one of r + 1
blocks of controls, so a search within a caliper looks only at partners that
agree on a block. Where there are no blocks, partners stand in the order of a
sort key that bounds the distance from below (how many controls a record has,
or one of its coordinates): a search begins at the seeker's own key, goes
outwards and stops where nothing nearer can follow. Seekers stand in the same
order, so one search reads what the last one left in the cache.
"""

from __future__ import annotations

import heapq

import numpy as np

from causalrules.kernels.compiled import kernel
from causalrules.kernels.set_bits import count_set_bits

HAMMING, JACCARD, POINTS = 0, 1, 2
"""Controls that differ; their share of the controls that either has; straight distance between points."""

LANES = 4
"""Coordinates that are compared at a time; points have a multiple of these."""

CANDIDATES = 16
"""Nearest partners remembered for each seeker: a new search is needed only when all of them are taken."""

_GRID = float(1 << 30)
"""Distances between points are whole multiples of 1/2^30, so that rounding cannot break a tie."""
_SLACK = 1e-8


@kernel
def _least_distance(metric, key, other):
    """A bound from below for the distance of two records with these sort keys."""
    if metric == JACCARD:
        larger = max(key, other)
        return 1.0 - min(key, other) / larger if larger > 0 else 0.0
    return abs(key - other)


@kernel
def _distance(metric, words, points, key, other_words, other_points, other_key, limit):
    """Distance of two records; infinite once it is known to exceed the limit."""
    if metric == POINTS:
        most = (limit + _SLACK) * (limit + _SLACK)
        total = 0.0
        for k in range(0, points.shape[0], LANES):
            a = points[k] - other_points[k]
            b = points[k + 1] - other_points[k + 1]
            c = points[k + 2] - other_points[k + 2]
            d = points[k + 3] - other_points[k + 3]
            total += (a * a + b * b) + (c * c + d * d)
            if total > most:
                return np.inf
        return np.floor(np.sqrt(total) * _GRID + 0.5) / _GRID
    n_both = np.uint64(0)
    for w in range(words.shape[0]):
        n_both += count_set_bits(words[w] & other_words[w])
    both = float(n_both)
    either = key + other_key - both
    if metric == HAMMING:
        return either - both
    return (either - both) / either if either > 0 else 0.0


@kernel
def _insert(distance, candidate, rank, n_found, near_distance, near):
    """Put a candidate into the list of the nearest, in order of distance and rank; returns their number."""
    position = n_found
    while position > 0 and (
        near_distance[position - 1] > distance
        or (near_distance[position - 1] == distance and rank[near[position - 1]] > rank[candidate])
    ):
        position -= 1
    if position == near.shape[0]:
        return n_found
    if n_found < near.shape[0]:
        n_found += 1
    for p in range(n_found - 1, position, -1):
        near_distance[p] = near_distance[p - 1]
        near[p] = near[p - 1]
    near_distance[position] = distance
    near[position] = candidate
    return n_found


@kernel
def _search_by_key(
    metric, words, points, key, other_words, other_points, other_keys, other_rank, free,
    start, end, caliper, near_distance, near
):  # fmt: skip
    """Find the nearest free partners in a range, from the seeker's own key outwards."""
    n_found = 0
    right = start + np.searchsorted(other_keys[start:end], key)
    left = right - 1
    while left >= start or right < end:
        bound_left = _least_distance(metric, key, other_keys[left]) if left >= start else np.inf
        bound_right = _least_distance(metric, key, other_keys[right]) if right < end else np.inf
        if bound_left <= bound_right:
            candidate, bound = left, bound_left
            left -= 1
        else:
            candidate, bound = right, bound_right
            right += 1
        limit = near_distance[-1] if n_found == near.shape[0] else caliper
        if bound > limit + _SLACK:
            break
        if free[candidate] == 0:
            continue
        distance = _distance(
            metric, words, points, key,
            other_words[candidate], other_points[candidate], other_keys[candidate], limit,
        )  # fmt: skip
        if distance <= limit:
            n_found = _insert(distance, candidate, other_rank, n_found, near_distance, near)
    return n_found


@kernel
def _search_by_block(
    metric, words, points, key, other_words, other_points, other_keys, other_rank, free,
    masks, order, starts, ends, caliper, near_distance, near
):  # fmt: skip
    """Find the nearest free partners among those that agree on at least one block of controls."""
    n_found = 0
    for block in range(masks.shape[0]):
        for i in range(starts[block], ends[block]):
            candidate = order[block, i]
            if free[candidate] == 0:
                continue
            limit = near_distance[-1] if n_found == near.shape[0] else caliper
            if _least_distance(metric, key, other_keys[candidate]) > limit:
                continue
            is_new = True
            for earlier in range(block):
                agrees = True
                for w in range(words.shape[0]):
                    agrees &= (words[w] ^ other_words[candidate, w]) & masks[earlier, w] == 0
                is_new &= not agrees
            if not is_new:
                continue
            distance = _distance(
                metric, words, points, key,
                other_words[candidate], other_points[candidate], other_keys[candidate], limit,
            )  # fmt: skip
            if distance <= limit:
                n_found = _insert(distance, candidate, other_rank, n_found, near_distance, near)
    return n_found


@kernel
def match_closest(
    metric, words, points, keys, rank, need,
    other_words, other_points, other_keys, other_rank, free,
    masks, order, starts, ends, caliper, keep_free, takes, distances
):  # fmt: skip
    """Match the closest pairs first.

    Pairs are visited in order of (distance, rank of the seeker, rank of the
    partner); a pair is taken as often as the seeker needs and the partner is
    free.

    metric       : HAMMING, JACCARD or POINTS
    words        : uint64[n, n_words], the seekers' controls, one bit each
    points       : float64[n, n_dimensions], or their coordinates, in whole LANES
    keys         : float64[n], their sort keys
    rank         : int64[n], all different
    need         : int64[n], records of each seeker without a partner; changed
    other_...    : the same for partners
    free         : int64[m], records of each partner that are free; changed
    masks        : uint64[n_blocks, n_words], the bits of each block: partners within the caliper agree on
                   at least one; without blocks, partners stand in ascending order of keys
    order        : int64[max(1, n_blocks), m], the partners as they stand in each block
    starts, ends : int64[n, max(1, n_blocks)], the range in it that a seeker may take from
    caliper      : float64, the largest distance allowed
    keep_free    : bool, a partner stays free for others
    takes        : int64[n + m, 3], filled: seeker, partner, records
    distances    : float64[n + m], filled

    Returns the number of takes.
    """
    n = words.shape[0]
    near_distance = np.empty((n, CANDIDATES), np.float64)
    near = np.empty((n, CANDIDATES), np.int64)
    n_near = np.zeros(n, np.int64)
    position = np.full(n, CANDIDATES, np.int64)  # a list that is used up asks for a new search
    queue = [(-np.inf, np.int64(rank[seeker]), seeker) for seeker in range(n)]
    n_takes = 0
    while len(queue) > 0:
        distance, _, seeker = heapq.heappop(queue)
        if position[seeker] < CANDIDATES:
            partner = near[seeker, position[seeker]]
            if free[partner] > 0:
                count = need[seeker] if keep_free else min(need[seeker], free[partner])
                takes[n_takes, 0], takes[n_takes, 1], takes[n_takes, 2] = seeker, partner, count
                distances[n_takes] = distance
                n_takes += 1
                need[seeker] -= count
                if not keep_free:
                    free[partner] -= count
            if need[seeker] == 0:
                continue
            while position[seeker] < n_near[seeker] and free[near[seeker, position[seeker]]] == 0:
                position[seeker] += 1
        if position[seeker] == CANDIDATES:
            if masks.shape[0] > 0:
                n_near[seeker] = _search_by_block(
                    metric, words[seeker], points[seeker], keys[seeker],
                    other_words, other_points, other_keys, other_rank, free,
                    masks, order, starts[seeker], ends[seeker], caliper, near_distance[seeker], near[seeker],
                )  # fmt: skip
            else:
                n_near[seeker] = _search_by_key(
                    metric, words[seeker], points[seeker], keys[seeker],
                    other_words, other_points, other_keys, other_rank, free,
                    starts[seeker, 0], ends[seeker, 0], caliper, near_distance[seeker], near[seeker],
                )  # fmt: skip
            position[seeker] = 0
        if position[seeker] < n_near[seeker]:
            nearest = near_distance[seeker, position[seeker]]
            heapq.heappush(queue, (nearest, np.int64(rank[seeker]), seeker))
    return n_takes


@kernel
def list_pairs(
    metric, words, points, keys, other_words, other_points, other_keys,
    starts, ends, caliper, pairs, distances
):  # fmt: skip
    """List all pairs within the caliper; arguments as for `match_closest` without blocks.

    pairs     : int64[most, 2], filled: seeker, partner
    distances : float64[most], filled

    Returns the number of pairs, or `most` + 1 if there are more.
    """
    n_pairs = 0
    for seeker in range(words.shape[0]):
        for partner in range(starts[seeker, 0], ends[seeker, 0]):
            if _least_distance(metric, keys[seeker], other_keys[partner]) > caliper + _SLACK:
                continue
            distance = _distance(
                metric, words[seeker], points[seeker], keys[seeker],
                other_words[partner], other_points[partner], other_keys[partner], caliper,
            )  # fmt: skip
            if distance > caliper:
                continue
            if n_pairs == pairs.shape[0]:
                return n_pairs + 1
            pairs[n_pairs, 0], pairs[n_pairs, 1] = seeker, partner
            distances[n_pairs] = distance
            n_pairs += 1
    return n_pairs


@kernel
def pack_signatures(codes, records, columns, first_slot, bit_of_slot, words):
    """Set a bit for each control that a record has.

    codes       : uint8 or uint16[n_columns, n_records]
    records     : intp[n]
    columns     : intp[k], the columns of the controls
    first_slot  : intp[n_columns], slot of each column's code 0
    bit_of_slot : intp[n_slots], the bit of a control, or -1
    words       : uint64[n, n_words], all zero on entry
    """
    for c in range(columns.shape[0]):
        column_codes = codes[columns[c]]
        first = first_slot[columns[c]]
        for i in range(records.shape[0]):
            bit = bit_of_slot[first + column_codes[records[i]]]
            if bit >= 0:
                words[i, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@kernel
def count_groups(group, order, n_exposed, n_with, n_without, counts):
    """Add up the records of each group.

    group     : int32[n_profiles]
    order     : uint32[n_profiles], exposed profiles first
    n_exposed : intp, how many are exposed
    n_with    : int64[n_profiles], records with the outcome
    n_without : int64[n_profiles], records without it
    counts    : int64[n_groups, 4], added to: exposed with the outcome, without, unexposed with, without
    """
    for i in range(order.shape[0]):
        profile = order[i]
        side = 0 if i < n_exposed else 2
        counts[group[profile], side] += n_with[profile]
        counts[group[profile], side + 1] += n_without[profile]
