"""Slow and obvious versions of the baselines; they import nothing of ours, tests come from SciPy.

A record is a dict of column → value (None: missing) with a boolean ``z``. An
item is a pair (column, value). Items of one column stand side by side, in
the order given.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import combinations, product
from math import exp, floor, log, sqrt
from statistics import NormalDist

from scipy.stats import chi2, chi2_contingency


def has(row, item):
    return row[item[0]] == item[1]


def odds_ratio(rows, pattern, wanted, confidence):
    cells = dict.fromkeys(product((True, False), repeat=2), 0)
    for row in rows:
        cells[all(has(row, item) for item in pattern), row["z"] == wanted] += 1
    a, b = max(cells[True, True], 1), max(cells[True, False], 1)
    c, d = max(cells[False, True], 1), max(cells[False, False], 1)
    width = NormalDist().inv_cdf(0.5 + confidence / 2) * sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    value = a * d / (b * c)
    return value, exp(log(value) - width), cells[True, True], cells[True, True] + cells[True, False]


def rules(rows, items, *, wanted, min_support, confidence, min_odds_ratio, max_length, kind):
    """Patterns of the association rules of one direction, all, non-redundant or optimal ones."""
    n_z = sum(row["z"] == wanted for row in rows)
    least = floor(Fraction(repr(min_support)) * n_z)
    patterns = [
        pattern
        for length in range(1, max_length + 1)
        for pattern in combinations(items, length)
        if len({column for column, _ in pattern}) == length
    ]
    facts = {pattern: odds_ratio(rows, pattern, wanted, confidence) for pattern in patterns}
    found = set()
    for pattern, (value, low, support_with_z, support) in facts.items():
        is_above = low > 1 if min_odds_ratio is None else value > min_odds_ratio
        parts = [facts[part] for size in range(1, len(pattern)) for part in combinations(pattern, size)]
        is_redundant = any(part[3] == support for part in parts)
        is_beaten = any(part[0] >= value for part in parts)
        share = Fraction(support_with_z, support) if support else 0
        is_less_sure = any(part[3] and Fraction(part[2], part[3]) >= share for part in parts)
        if support_with_z > least and is_above:
            if kind == "non-redundant" and is_redundant:
                continue
            if kind == "optimal" and is_beaten:
                continue
            if kind == "optimal by confidence" and is_less_sure:
                continue
            found.add(pattern)
    return found


def variables(rows, items):
    """Items that vary; of a column with two values and nothing missing only the second."""
    chosen = []
    for item in items:
        n = sum(has(row, item) for row in rows)
        same = [other for other in items if other[0] == item[0]]
        is_complement = len(same) == 2 and item == same[0] and all(row[item[0]] is not None for row in rows)
        if 0 < n < len(rows) and not is_complement:
            chosen.append(item)
    return chosen


def outcome(row):
    return row["z"]


def presence(item):
    return lambda row: has(row, item)


def test(rows, one, other, given, kind):
    """Statistic and p-value of independence of two predicates within strata of others."""
    strata = {}
    for row in rows:
        key = tuple(predicate(row) for predicate in given)
        table = strata.setdefault(key, [[0, 0], [0, 0]])
        table[one(row)][other(row)] += 1
    statistic, degrees = 0.0, 0
    for table in strata.values():
        (a, b), (c, d) = table
        if min(a + b, c + d, a + c, b + d) == 0:
            continue
        way = "log-likelihood" if kind == "g2" else "pearson"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            statistic += chi2_contingency(table, correction=False, lambda_=way).statistic
        degrees += 1
    return statistic, float(chi2.sf(statistic, degrees)) if degrees else 1.0


def p(rows, one, other, given, kind):
    return test(rows, one, other, given, kind)[1]


def ccc(rows, items, alpha, kind):
    """Y such that some X goes with Y and with the outcome, but not with the outcome given Y."""
    found = {}
    for x, y in product(variables(rows, items), repeat=2):
        if x == y:
            continue
        pairs = [(presence(x), outcome), (presence(y), outcome), (presence(x), presence(y))]
        if all(p(rows, one, other, [], kind) <= alpha for one, other in pairs) and (
            p(rows, presence(x), outcome, [presence(y)], kind) > alpha
        ):
            found.setdefault(y, set()).add(x)
    return found


def ccc_with_outcome_anywhere(rows, items, alpha, kind):
    """What CCC finds, and both of any two that go together, but not given the outcome, with which both go."""
    found = ccc(rows, items, alpha, kind)
    for x, y in product(variables(rows, items), repeat=2):
        if (
            x != y
            and p(rows, presence(x), outcome, [], kind) <= alpha
            and p(rows, presence(y), outcome, [], kind) <= alpha
            and p(rows, presence(x), presence(y), [], kind) <= alpha
            and p(rows, presence(x), presence(y), [outcome], kind) > alpha
        ):
            found.setdefault(x, set()).add(y)
    return found


def ccu(rows, items, alpha, kind):
    """X such that some Y is independent of X, both go with the outcome, and given it with each other."""
    found = {}
    for x, y in product(variables(rows, items), repeat=2):
        if (
            x != y
            and p(rows, presence(x), outcome, [], kind) <= alpha
            and p(rows, presence(y), outcome, [], kind) <= alpha
            and p(rows, presence(x), presence(y), [], kind) > alpha
            and p(rows, presence(x), presence(y), [outcome], kind) <= alpha
        ):
            found.setdefault(x, set()).add(y)
    return found


def separating_sets(rows, x, others, size, alpha, kind):
    return [
        given
        for given in combinations([other for other in others if other != x], size)
        if p(rows, presence(x), outcome, [presence(item) for item in given], kind) > alpha
    ]


def pc_select(rows, items, alpha, kind, max_conditioning):
    """What is kept, and for each variable dropped the sets that separate it at the size where it was."""
    kept = [x for x in variables(rows, items) if p(rows, presence(x), outcome, [], kind) <= alpha]
    dropped = {}
    size = 1
    while size < len(kept) and size <= max_conditioning and len(rows) >= 10 * 2**size:
        now = {}
        for x in kept:
            sets = separating_sets(rows, x, kept, size, alpha, kind)
            if sets:
                now[x] = sets
        kept = [x for x in kept if x not in now]
        dropped |= now
        size += 1
    return set(kept), dropped


def hiton_pc(rows, items, alpha, kind, max_conditioning):
    tests = {x: test(rows, presence(x), outcome, [], kind) for x in variables(rows, items)}
    clearest_first = sorted(
        (x for x in tests if tests[x][1] <= alpha), key=lambda x: (-round(tests[x][0], 9), items.index(x))
    )
    kept = []

    def is_separated(x):
        sizes = [size for size in range(1, max_conditioning + 1) if len(rows) >= 20 * 2**size]
        return any(separating_sets(rows, x, kept, size, alpha, kind) for size in sizes)

    for x in clearest_first:
        kept.append(x)
        if is_separated(x):
            kept.remove(x)
    for x in list(kept):
        if is_separated(x):
            kept.remove(x)
    return set(kept)


def mantel_haenszel(rows, exposed, given):
    """Excess, continuity-corrected statistic and p-value of one predicate and the outcome within strata."""
    strata = {}
    for row in rows:
        cells = strata.setdefault(tuple(predicate(row) for predicate in given), [[0, 0], [0, 0]])
        cells[not exposed(row)][not row["z"]] += 1
    excess, variance = Fraction(0), Fraction(0)
    for (a, b), (c, d) in strata.values():
        n = a + b + c + d
        if n > 1:
            excess += a - Fraction((a + b) * (a + c), n)
            variance += Fraction((a + b) * (c + d) * (a + c) * (b + d), n * n * (n - 1))
    if variance == 0:
        return 0.0, 0.0, 1.0
    statistic = float(max(abs(excess) - Fraction(1, 2), 0) ** 2 / variance)
    return float(excess), statistic, float(chi2.sf(statistic, 1))


def cr_pa(rows, items, alpha, min_support, confidence, max_length):
    """Causal patterns and the direction of each, and those that were tested."""
    relevant = [x for x in variables(rows, items) if p(rows, presence(x), outcome, [], "chi2") <= alpha]
    causal, tested = set(), set()
    for wanted, direction in ((True, "raises"), (False, "lowers")):
        seen = [{**row, "z": row["z"] == wanted} for row in rows]
        least = floor(Fraction(repr(min_support)) * sum(row["z"] for row in seen))
        support = {(): (None, len(seen))}
        alive = {()}
        for length in range(1, max_length + 1):
            level = set()
            for pattern in combinations(items, length):
                parts = list(combinations(pattern, length - 1))
                if len({column for column, _ in pattern}) < length or not set(parts) <= alive:
                    continue
                value, low, with_z, n = odds_ratio(seen, pattern, True, confidence)
                support[pattern] = value, n
                if with_z <= least or (length > 1 and any(support[part][1] == n for part in parts)):
                    continue
                level.add(pattern)
                if low <= 1:
                    continue

                def exposed(row, pattern=pattern):
                    return all(has(row, item) for item in pattern)

                held = []
                for item in relevant:
                    both = sum(exposed(row) and has(row, item) for row in seen)
                    alone = sum(has(row, item) for row in seen) - both
                    own = {column for column, _ in pattern}
                    if item[0] not in own and min(both, alone) > least:
                        held.append(presence(item))
                excess, _, p_value = mantel_haenszel(seen, exposed, held)
                tested.add((pattern, direction))
                if p_value <= alpha and excess > 0:
                    causal.add((pattern, direction))
                    level.discard(pattern)
            alive = level
    return causal, tested


def causal_tree(rows, items, alpha, max_depth):
    """Nodes as (path, variable): the path is what was asked on the way, with the answers."""
    nodes = set()

    def grow(part, left, path):
        if len(path) == max_depth:
            return
        relevant = [x for x in left if part and p(part, presence(x), outcome, [], "chi2") <= alpha]
        tests = {
            x: mantel_haenszel(part, presence(x), [presence(y) for y in relevant if y[0] != x[0]])
            for x in relevant
        }
        if not tests:
            return
        best = max(tests, key=lambda x: (round(tests[x][1], 9), -items.index(x)))
        if tests[best][2] > alpha:
            return
        nodes.add((path, best))
        rest = [x for x in left if x != best]
        for answer in (True, False):
            grow([row for row in part if has(row, best) == answer], rest, (*path, (best, answer)))

    grow(rows, variables(rows, items), ())
    return nodes


def ml_hiton_pc(rows, items, alpha, kind, max_conditioning, min_support, max_length):
    """Neighbours as patterns: HITON-PC among single variables, then combinations of what is none."""
    kept = []

    def all_of(pattern):
        return lambda row: all(has(row, item) for item in pattern)

    def is_separated(x):
        for size in range(1, max_conditioning + 1):
            if len(rows) < 20 * 2**size:
                return False
            for given in combinations([other for other in kept if other != x], size):
                if p(rows, all_of(x), outcome, [all_of(one) for one in given], kind) > alpha:
                    return True
        return False

    def let_in(candidates):
        tests = {x: test(rows, all_of(x), outcome, [], kind) for x in candidates}
        place = {x: number for number, x in enumerate(candidates)}
        clearest = sorted(
            (x for x in tests if tests[x][1] <= alpha), key=lambda x: (-round(tests[x][0], 9), place[x])
        )
        before = len(kept)
        for x in clearest:
            kept.append(x)
            if is_separated(x):
                kept.remove(x)
        for x in kept[before:]:
            if is_separated(x):
                kept.remove(x)

    let_in([(x,) for x in variables(rows, items)])

    def is_frequent(pattern):
        having = [row["z"] for row in rows if all_of(pattern)(row)]
        least = [
            floor(Fraction(repr(min_support)) * sum(row["z"] == z for row in rows)) for z in (True, False)
        ]
        return having.count(True) > least[0] or having.count(False) > least[1]

    def support(pattern):
        return sum(all_of(pattern)(row) for row in rows)

    singles = variables(rows, items)
    found = {x for (x,) in kept}
    alive = set()
    for item in items:
        same = [other for other in items if other[0] == item[0]]
        is_complement = len(same) == 2 and all(row[item[0]] is not None for row in rows)
        said = {item, *same} if is_complement and item not in singles else {item}
        if not said & found and is_frequent((item,)):
            alive.add((item,))
    for length in range(2, max_length + 1):
        level = []
        for pattern in combinations(items, length):
            parts = list(combinations(pattern, length - 1))
            if len({column for column, _ in pattern}) < length or not set(parts) <= alive:
                continue
            if is_frequent(pattern) and all(support(pattern) < support(part) for part in parts):
                level.append(pattern)
        let_in(level)
        alive = set(level) - set(kept)
    return set(kept)
