"""Matching by distance, slow and obvious; it imports nothing of ours, so it shares no mistake.

A signature is a frozenset of controls; groups are numbered.
"""

from __future__ import annotations

from math import isfinite, sqrt


def hamming(a, b):
    return float(len(a ^ b))


def jaccard(a, b):
    return len(a ^ b) / len(a | b) if a | b else 0.0


def euclidean(a, b):
    return sqrt(len(a ^ b))


DISTANCES = {"hamming": hamming, "jaccard": jaccard, "euclidean": euclidean}


def closest_first(need, free, distance, caliper, seeker_rank, partner_rank):
    """All pairs of groups from the closest to the farthest; each is taken as often as it can be.

    Returns a list of (seeker, partner, records, distance).
    """
    need, free = list(need), list(free)
    edges = sorted(
        (distance(s, p), seeker_rank[s], partner_rank[p], s, p)
        for s in range(len(need))
        for p in range(len(free))
        if need[s] and free[p] and distance(s, p) <= caliper
    )
    takes = []
    for length, _, _, s, p in edges:
        count = min(need[s], free[p])
        if count:
            takes.append((s, p, count, length))
            need[s] -= count
            free[p] -= count
    return takes


def almost_exact(signatures, sizes, importance, kept, most_given_up):
    """Sets of groups that become strata, with the number of controls given up; FLAME's way."""
    total = sum(one for one in importance if isfinite(one))
    given_up, lost = [], 0.0
    left = [g for g in range(len(signatures)) if sum(sizes[g])]
    strata = []
    controls = range(len(importance))
    order = [c for c in sorted(controls, key=lambda c: (importance[c], c)) if c not in kept]
    while True:
        groups = {}
        for g in left:
            groups.setdefault(signatures[g] - set(given_up), []).append(g)
        for members in groups.values():
            if any(sizes[g][0] for g in members) and any(sizes[g][1] for g in members):
                strata.append((frozenset(members), len(given_up)))
                left = [g for g in left if g not in members]
        if len(given_up) == len(order):
            return strata
        lost += importance[order[len(given_up)]]
        if lost > 0 and lost / max(total, 1e-300) > most_given_up + 1e-12:
            return strata
        given_up.append(order[len(given_up)])
