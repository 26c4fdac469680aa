"""A slow and obvious implementation of the method; it imports nothing of ours, so it shares no mistake.

A record is a dict of column → value (None: missing). An item is a pair
(column, value). Sets of records are Python integers, one bit a record; sets
of items likewise.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import exp, floor, fsum, log, log2, sqrt
from statistics import NormalDist


def count_rows_having_all(table, items):
    return sum(all(row[i] for i in items) for row in table)


def odds_ratio(cells, confidence):
    """Cells: pz, p¬z, ¬pz, ¬p¬z."""
    a, b, c, d = (max(cell, 1) for cell in cells)
    value = a * d / (b * c)
    width = normal_quantile(confidence) * sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    return value, exp(log(value) - width), exp(log(value) + width)


def fair_odds_ratio(n12, n21, confidence):
    a, b = max(n12, 1), max(n21, 1)
    width = normal_quantile(confidence) * sqrt(1 / a + 1 / b)
    return a / b, exp(log(a / b) - width), exp(log(a / b) + width)


def normal_quantile(confidence):
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def strata(records, exposed, controls):
    """Four counts of each stratum; `records` is a list of (set of items, has outcome, how many)."""
    counts = {}
    for items, has_outcome, how_many in records:
        stratum = counts.setdefault(items & controls, [0, 0, 0, 0])
        side = 0 if items & exposed == exposed else 2
        stratum[side + (0 if has_outcome else 1)] += how_many
    return [tuple(stratum) for stratum in counts.values()]


def matched_items(records, exposed, controls, n_items, unit):
    """For each item: exposed records with it, those with a partner, and weights in the fair data set."""
    sides = {}
    for items, _, how_many in records:
        side = sides.setdefault(items & controls, [0, 0])
        side[0 if items & exposed == exposed else 1] += how_many
    sums = [[0, 0, 0, 0] for _ in range(n_items)]
    for items, _, how_many in records:
        a, b = sides[items & controls]
        is_exposed = items & exposed == exposed
        weight = how_many * (unit * min(a, b) // (a if is_exposed else b))
        for item in range(n_items):
            if items >> item & 1 and is_exposed:
                sums[item][0] += how_many
                sums[item][1] += how_many if b else 0
                sums[item][2] += weight
            elif items >> item & 1:
                sums[item][3] += weight
    return sums


def expected_pairs(all_strata):
    """n11, n12, n21, n22 averaged over all maximal pairings."""
    totals = [[], [], [], []]
    for a1, a0, b1, b0 in all_strata:
        a, b = a1 + a0, b1 + b0
        if a and b:
            m = min(a, b)
            for total, x, y in zip(totals, (a1, a1, a0, a0), (b1, b0, b1, b0), strict=True):
                total.append(m * x / a * y / b)
    return tuple(map(fsum, totals))


class Mining:
    """Definitions 1 to 11 of the design, for one direction."""

    def __init__(
        self,
        rows,
        columns,
        has_outcome,
        *,
        min_support="0.05",
        confidence=0.95,
        min_odds_ratio=None,
        epsilon=None,
        controls="items",
        max_length=2,
        prune_causal=True,
    ):
        self.share = Fraction(min_support)
        self.confidence, self.min_odds_ratio = confidence, min_odds_ratio
        self.mode, self.max_length, self.prune_causal = controls, max_length, prune_causal
        self.n = len(rows)
        self.items = [(c, v) for c in columns for v in sorted({r[c] for r in rows if r[c] is not None})]
        position = {item: i for i, item in enumerate(self.items)}
        self.cover = [0] * len(self.items)  # for each item the set of its records
        bits = [bytearray(self.n // 8 + 1) for _ in self.items]
        collapsed = Counter()
        z = bytearray(self.n // 8 + 1)
        for number, (row, has) in enumerate(zip(rows, has_outcome, strict=True)):
            mask = 0
            for c in columns:
                if row[c] is not None:
                    i = position[c, row[c]]
                    mask |= 1 << i
                    bits[i][number >> 3] |= 1 << (number & 7)
            if has:
                z[number >> 3] |= 1 << (number & 7)
            collapsed[mask, bool(has)] += 1
        self.cover = [int.from_bytes(b, "little") for b in bits]
        self.z = int.from_bytes(z, "little")
        self.records = [(mask, has, count) for (mask, has), count in collapsed.items()]
        self.n_z = self.z.bit_count()
        self.threshold = self.share * self.n_z
        self.epsilon = self.threshold if epsilon is None else Fraction(epsilon)

    def opposite(self, **changes):
        other = object.__new__(Mining)
        other.__dict__.update(self.__dict__)
        other.z = ((1 << self.n) - 1) & ~self.z
        other.records = [(mask, not has, count) for mask, has, count in self.records]
        other.n_z = self.n - self.n_z
        other.threshold = self.share * other.n_z
        if self.epsilon == self.threshold:
            other.epsilon = other.threshold
        return other

    def having(self, pattern):
        records = (1 << self.n) - 1
        for item in pattern:
            records &= self.cover[item]
        return records

    def cells(self, pattern):
        having = self.having(pattern)
        pz = (having & self.z).bit_count()
        p = having.bit_count()
        return pz, p - pz, self.n_z - pz, self.n - self.n_z - (p - pz)

    def is_frequent(self, pattern):
        return self.cells(pattern)[0] > self.threshold

    def is_association(self, pattern):
        value, low, _ = odds_ratio(self.cells(pattern), self.confidence)
        above = low > 1 if self.min_odds_ratio is None else value > self.min_odds_ratio
        return self.is_frequent(pattern) and above

    def candidate_controls(self):
        if self.mode == "columns":
            other = self.opposite()
            return [
                i for i in range(len(self.items)) if self.is_association([i]) or other.is_association([i])
            ]
        chosen = []
        for i in range(len(self.items)):
            _, low, high = odds_ratio(self.cells([i]), self.confidence)
            if self.is_frequent([i]) and (low > 1 or high < 1):
                chosen.append(i)
        return chosen

    def controls_of(self, pattern, candidates):
        p = self.having(pattern)
        n_p = p.bit_count()
        own = {self.items[i][0] for i in pattern}
        if self.mode == "columns":
            columns = {self.items[i][0] for i in candidates} - own
            for i in candidates:
                pq = (p & self.cover[i]).bit_count()
                not_p_q = self.cover[i].bit_count() - pq
                if (
                    pq < self.share * n_p
                    or n_p - pq < self.share * n_p
                    or not_p_q < self.share * (self.n - n_p)
                ):
                    columns.discard(self.items[i][0])
            return [i for i, item in enumerate(self.items) if item[0] in columns]
        chosen = []
        for i in candidates:
            pq = (p & self.cover[i]).bit_count()
            not_p_q = self.cover[i].bit_count() - pq
            if self.items[i][0] not in own and pq > self.epsilon and not_p_q > self.epsilon:
                chosen.append(i)
        return chosen

    def study(self, pattern, candidates):
        controls = self.controls_of(pattern, candidates)
        mask = sum(1 << i for i in controls)
        exposed = sum(1 << i for i in pattern)
        n11, n12, n21, n22 = expected_pairs(strata(self.records, exposed, mask))
        value, low, high = fair_odds_ratio(n12, n21, self.confidence)
        is_causal = low > 1 if self.min_odds_ratio is None else value > self.min_odds_ratio
        pz, p_not_z, *_ = self.cells(pattern)
        crude = odds_ratio(self.cells(pattern), self.confidence)
        return {
            "causal": is_causal,
            "support": pz,
            "exposed": pz + p_not_z,
            "odds_ratio": crude,
            "controls": {self.items[i] for i in controls},
            "n11": n11,
            "n12": n12,
            "n21": n21,
            "n22": n22,
            "fair": (value, low, high),
        }

    def levels(self):
        """Associations level by level; each answer (which are causal) prunes the next level."""
        alive = {(i,) for i in range(len(self.items)) if self.is_frequent((i,))}
        for length in range(1, self.max_length + 1):
            causal = yield length, {p for p in alive if self.is_association(p)}
            if self.prune_causal:
                alive -= causal or set()
            by_prefix = {}
            for p in sorted(alive):
                by_prefix.setdefault(p[:-1], []).append(p[-1])
            longer = set()
            for prefix, lasts in by_prefix.items():
                for a, b in combinations(lasts, 2):
                    p = (*prefix, a, b)
                    subs = [p[:i] + p[i + 1 :] for i in range(len(p))]
                    if self.items[a][0] == self.items[b][0] or not all(sub in alive for sub in subs):
                        continue
                    support = self.having(p).bit_count()
                    if self.is_frequent(p) and all(self.having(sub).bit_count() != support for sub in subs):
                        longer.add(p)
            alive = longer

    def run(self):
        """All associations with their cohort study: {pattern as items: study}."""
        candidates = self.candidate_controls()
        found = {}
        levels = self.levels()
        answer = None
        while True:
            try:
                _, associations = levels.send(answer)
            except StopIteration:
                return found
            answer = set()
            for p in sorted(associations):
                study = self.study(p, candidates)
                found[tuple(self.items[i] for i in p)] = study
                if study["causal"]:
                    answer.add(p)


def mine(rows, columns, has_outcome, **settings):
    """Both directions: {(direction, pattern): study}."""
    raises = Mining(rows, columns, has_outcome, **settings)
    lowers = raises.opposite()
    found = {("raises", p): study for p, study in raises.run().items()}
    return found | {("lowers", p): study for p, study in lowers.run().items()}


def mdl_cuts(values, outcome):
    """Fayyad and Irani's cut points, straight from the paper: best cut, stopping rule, both halves."""
    pairs = sorted(zip(values, outcome, strict=True))
    n, positive = len(pairs), sum(z for _, z in pairs)
    best, left = None, 0
    for i in range(1, n):
        left += pairs[i - 1][1]
        if pairs[i - 1][0] != pairs[i][0]:
            e = (i * entropy(left, i) + (n - i) * entropy(positive - left, n - i)) / n
            if best is None or e < best[0] - 1e-12:
                best = (e, i, left)
    if best is None:
        return []
    e, i, left = best
    parts = [(positive, n), (left, i), (positive - left, n - i)]
    k, k1, k2 = (1 if ones in (0, size) else 2 for ones, size in parts)
    ent, ent1, ent2 = (entropy(ones, size) for ones, size in parts)
    delta = log2(3**k - 2) - (k * ent - k1 * ent1 - k2 * ent2)
    if ent - e <= (log2(n - 1) + delta) / n:
        return []
    cut = (pairs[i - 1][0] + pairs[i][0]) / 2
    return [*mdl_cuts(*zip(*pairs[:i], strict=True)), cut, *mdl_cuts(*zip(*pairs[i:], strict=True))]


def entropy(ones, size):
    """In bits, of so many ones among so many."""
    shares = [ones / size, 1 - ones / size]
    return -sum(p * log2(p) for p in shares if p > 0)


def largest_count_within(share, n):
    return floor(Fraction(share) * n)
