"""Weighted estimates and their linearised variances, slow and obvious; nothing of the package is used.

A variance needs the derivative of an estimate by the weight of every record.
It is taken by a complex step, which has no rounding error to speak of, from the
estimate's plain definition.
"""

from cmath import log

import numpy as np

STEP = 1e-30


def strata_of(strata, exposed):
    """The records of each stratum that has both arms."""
    for one in sorted(set(strata)):
        own = np.flatnonzero(strata == one)
        if 0 < exposed[own].sum() < len(own):
            yield own


def equal_clusters(cluster):
    """How many of equal size tell as much as these: one over the chance that two records share a cluster."""
    shares = [(cluster == one).mean() for one in set(cluster)]
    return 1 / sum(share**2 for share in shares)


def mean_difference(strata, exposed, value, weight):
    """The exposed mean minus what the unexposed of each stratum say it would be, over the exposed."""
    total = exposed_sum = unexposed_sum = 0
    for own in strata_of(strata, exposed):
        a, b = own[exposed[own]], own[~exposed[own]]
        share = weight[a].sum()
        total += share
        exposed_sum += (weight[a] * value[a]).sum()
        unexposed_sum += share * (weight[b] * value[b]).sum() / weight[b].sum()
    return (exposed_sum - unexposed_sum) / total


def log_odds_ratio(strata, exposed, value, weight):
    """Of Mantel and Haenszel, with sums of weights in the place of counts."""
    r = s = 0
    for own in strata_of(strata, exposed):
        a1, a0 = (weight[own[exposed[own] & (value[own] == side)]].sum() for side in (1, 0))
        b1, b0 = (weight[own[~exposed[own] & (value[own] == side)]].sum() for side in (1, 0))
        n = weight[own].sum()
        r += a1 * b0 / n
        s += a0 * b1 / n
    return log(r / s)


def log_risk_ratio(strata, exposed, value, weight):
    """Of the exposed as they are, to what their unexposed partners say."""
    exposed_sum = unexposed_sum = 0
    for own in strata_of(strata, exposed):
        a, b = own[exposed[own]], own[~exposed[own]]
        exposed_sum += (weight[a] * value[a]).sum()
        unexposed_sum += weight[a].sum() * (weight[b] * value[b]).sum() / weight[b].sum()
    return log(exposed_sum / unexposed_sum)


def derivatives(estimate, strata, exposed, value, weight):
    """How the estimate changes with the weight of each record."""
    found = np.zeros(len(weight))
    for i in range(len(weight)):
        moved = weight.astype(complex)
        moved[i] += STEP * 1j
        found[i] = np.imag(estimate(strata, exposed, value, moved)) / STEP
    return found


def linearised_variance(estimate, strata, exposed, value, weight, cluster=None):
    """Of the estimate: squared sums of weight times derivative over clusters, or records, G/(G - 1) times.

    As the package does, derivatives are scaled up for what a mean over few records hides: for the odds
    ratio by √(n/(n - 1)) in a stratum of n records, for the others by √(b/(b - 1)) for its b unexposed ones.
    """
    parts = weight * derivatives(estimate, strata, exposed, value, weight)
    compared = np.concatenate(list(strata_of(strata, exposed)))
    for own in strata_of(strata, exposed):
        scaled = own if estimate is log_odds_ratio else own[~exposed[own]]
        parts[scaled] *= np.sqrt(len(scaled) / (len(scaled) - 1))
    units = compared if cluster is None else cluster[compared]
    sums = [parts[compared][units == one].sum() for one in sorted(set(units))]
    return float(np.square(sums).sum() * len(sums) / (len(sums) - 1))
