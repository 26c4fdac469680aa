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
