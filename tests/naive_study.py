"""The new study in plain Python, record by record; imports nothing of ours.

A record is a dict of column to value, None for missing, with its outcome under ``"z"``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import exp, log, sqrt


def arm_of(record, pattern):
    """True for exposed, False for unexposed, None where it cannot be told."""
    if all(record[column] == value for column, value in pattern.items()):
        return True
    if any(record[column] not in (None, value) for column, value in pattern.items()):
        return False
    return None


def complete(records, controls):
    return [record for record in records if all(record[column] is not None for column in controls)]


def kept_for_missing(records, pattern, controls, policy):
    """The records that a study keeps, and what it does about missing values."""
    known = [record for record in records if arm_of(record, pattern) is not None]
    whole = complete(known, controls)
    if len(whole) == len(known):
        return known, "none"
    arms = Counter(arm_of(record, pattern) for record in known)
    smaller = arms[True] <= arms[False]
    n_smaller = arms[smaller]
    n_whole = sum(arm_of(record, pattern) == smaller for record in whole)
    is_enough = n_whole >= 0.95 * n_smaller or (n_whole >= 0.2 * n_smaller and n_whole >= 50)
    if policy == "drop" or (policy == "auto" and is_enough):
        return whole, "drop"
    return known, "value"


def strata(records, pattern, controls):
    """How many strata look like (exposed with z, without; unexposed with z, without), and the unmatched."""
    cells = defaultdict(lambda: [0, 0, 0, 0])
    for record in records:
        arm = arm_of(record, pattern)
        place = (0 if arm else 2) + (0 if record["z"] else 1)
        cells[tuple(record[column] for column in controls)][place] += 1
    matched = Counter(tuple(c) for c in cells.values() if c[0] + c[1] and c[2] + c[3])
    lonely = [c for c in cells.values() if not (c[0] + c[1] and c[2] + c[3])]
    return matched, sum(c[0] + c[1] for c in lonely), sum(c[2] + c[3] for c in lonely)


def standardised_differences(records, pattern, controls, column):
    """Of one category: the largest over its values, before matching and after it."""
    known = [record for record in records if arm_of(record, pattern) is not None]
    groups = defaultdict(lambda: ([], []))
    for record in known:
        groups[tuple(record[c] for c in controls)][0 if arm_of(record, pattern) else 1].append(record)
    weights = []
    for exposed, unexposed in groups.values():
        if exposed and unexposed:
            n = len(exposed) + len(unexposed)
            weights += [(record, True, len(unexposed) / n) for record in exposed]
            weights += [(record, False, len(exposed) / n) for record in unexposed]
    before = [(record, arm_of(record, pattern), 1.0) for record in known]
    values = {record[column] for record in known} - {None}
    found = {"before": 0.0, "after": 0.0}
    for value in values:
        shares = {
            name: [_share(weighted, arm, column, value) for arm in (True, False)]
            for name, weighted in (("before", before), ("after", weights))
        }
        variance = sum(share * (1 - share) for share in shares["before"]) / 2
        if variance > 0:
            for name in found:
                gap = abs(shares[name][0] - shares[name][1]) / sqrt(variance)
                found[name] = max(found[name], gap)
    return found


def _share(weighted, arm, column, value):
    of_arm = [(record, weight) for record, is_exposed, weight in weighted if is_exposed == arm]
    known = sum(weight for record, weight in of_arm if record[column] is not None)
    return sum(weight for record, weight in of_arm if record[column] == value) / known if known else 0.0


def adjusted_risks(records, pattern, controls):
    """The risk of each combination of parts, standardised to the records with all parts.

    Only strata in which every combination occurs take part, and only records
    of which all parts and controls are known. Gives, for each tuple of
    (has the part, ...): records, cases, risk, variance.
    """
    strata = defaultdict(lambda: defaultdict(list))
    for record in records:
        if all(record[column] is not None for column in (*pattern, *controls)):
            parts = tuple(record[column] == value for column, value in pattern.items())
            strata[tuple(record[column] for column in controls)][parts].append(record["z"])
    everything = (True,) * len(pattern)
    whole = [stratum for stratum in strata.values() if len(stratum) == 2 ** len(pattern)]
    n_exposed = sum(len(stratum[everything]) for stratum in whole)
    found = {}
    for parts in whole[0]:
        outcomes = [stratum[parts] for stratum in whole]
        weights = [len(stratum[everything]) / n_exposed for stratum in whole]
        shares = [sum(one) / len(one) for one in outcomes]
        risk = sum(weight * share for weight, share in zip(weights, shares, strict=True))
        variance = 0.0
        for weight, share, one in zip(weights, shares, outcomes, strict=True):
            n = len(one)
            of_one = share * (1 - share) * n / (n - 1) if n > 1 else risk * (1 - risk)
            variance += weight**2 * of_one / n
        found[parts] = sum(map(len, outcomes)), sum(map(sum, outcomes)), risk, variance
    return found


def clustered_odds_ratio(records, pattern, controls, cluster):
    """Mantel and Haenszel's odds ratio, the variance of its logarithm from sums over clusters, and the
    fewest clusters that have exposed records, unexposed ones, the outcome, or not the outcome: as many of
    equal size as have the same chance that two records share one.

    A record's influence is the slope of the logarithm when a little more of the record is added, scaled up by
    √(n/(n - 1)) in a stratum of n. None where either sum of products is 0.
    """
    groups = defaultdict(list)
    for record in records:
        if arm_of(record, pattern) is not None:
            groups[tuple(record[column] for column in controls)].append(record)
    strata_with_both = [
        group for group in groups.values() if len({arm_of(record, pattern) for record in group}) == 2
    ]

    def log_odds(extra, more):
        above = below = 0.0
        for group in strata_with_both:
            cells = Counter()
            for record in group:
                weight = 1 + (more if record is extra else 0)
                cells[arm_of(record, pattern), record["z"]] += weight
            n = sum(cells.values())
            above += cells[True, True] * cells[False, False] / n
            below += cells[True, False] * cells[False, True] / n
        return None if not above or not below else log(above / below)

    value = log_odds(None, 0)
    if value is None:
        return None
    sums, kinds = defaultdict(float), defaultdict(Counter)
    for group in strata_with_both:
        for record in group:
            slope = (log_odds(record, 1e-4) - log_odds(record, -1e-4)) / 2e-4
            sums[record[cluster]] += slope * sqrt(len(group) / (len(group) - 1))
            kinds["exposed" if arm_of(record, pattern) else "unexposed"][record[cluster]] += 1
            kinds["with" if record["z"] else "without"][record[cluster]] += 1
    n_clusters = len(sums)
    squares = sum(one * one for one in sums.values())
    equal = [sum(sizes.values()) ** 2 / sum(n * n for n in sizes.values()) for sizes in kinds.values()]
    return exp(value), squares * n_clusters / max(n_clusters - 1, 1), min(equal)
