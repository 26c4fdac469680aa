"""The noncentral hypergeometric distribution: how a 2 x 2 table varies when its margins are fixed."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

_NEGLIGIBLE = 1e-17


@kernel
def central_moments(strata, odds_ratio, moments):
    """Mean and second to fourth central moments of the first cell of each table, given all margins.

    The probabilities are summed outwards from the most likely value, each
    from its neighbour, until they no longer matter; so large tables cost
    little and nothing overflows.

    strata     : int64[n, >= 4], cells: exposed with and without, unexposed with and without
    odds_ratio : float64, common to all tables, above 0
    moments    : float64[n, 4], filled
    """
    for s in range(strata.shape[0]):
        exposed = strata[s, 0] + strata[s, 1]
        cases = strata[s, 0] + strata[s, 2]
        n = exposed + strata[s, 2] + strata[s, 3]
        low, high = max(0, exposed + cases - n), min(exposed, cases)
        mode = _most_likely(exposed, cases, n, odds_ratio, low, high)
        total, first, second, third, fourth = 1.0, 0.0, 0.0, 0.0, 0.0
        for step in (1, -1):
            x, weight = mode, 1.0
            while low <= x + step <= high:
                if step > 0:
                    weight *= (
                        odds_ratio
                        * (exposed - x)
                        * (cases - x)
                        / ((x + 1.0) * (n - exposed - cases + x + 1.0))
                    )
                else:
                    weight *= (
                        x
                        * (n - exposed - cases + x + 0.0)
                        / (odds_ratio * (exposed - x + 1.0) * (cases - x + 1.0))
                    )
                x += step
                if weight < _NEGLIGIBLE:
                    break
                away = np.float64(x - mode)
                total += weight
                first += weight * away
                second += weight * away * away
                third += weight * away * away * away
                fourth += weight * away * away * away * away
        m1, m2, m3, m4 = first / total, second / total, third / total, fourth / total
        moments[s, 0] = mode + m1
        moments[s, 1] = m2 - m1 * m1
        moments[s, 2] = m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1
        moments[s, 3] = m4 - 4.0 * m1 * m3 + 6.0 * m1 * m1 * m2 - 3.0 * m1 * m1 * m1 * m1


@kernel
def _most_likely(exposed, cases, n, odds_ratio, low, high):
    """The mode: the largest x whose probability is not below its left neighbour's."""
    a = odds_ratio - 1.0
    b = -(odds_ratio * (exposed + cases + 2.0) + n - exposed - cases)
    c = odds_ratio * (exposed + 1.0) * (cases + 1.0)
    root = 2.0 * c / (-b + np.sqrt(b * b - 4.0 * a * c))
    return min(max(np.int64(np.floor(root)), low), high)
