"""Sums over all networks of a few variables, in logarithms.

A network weighs the product of its families' weights, once for every order of
the variables that it agrees with (Koivisto and Sood, JMLR 2004). Sums over
sets take the place of sums over networks: 2^d numbers instead of all networks.
"""

from __future__ import annotations

import math

import numpy as np

from causalrules.kernels.compiled import kernel

_NEGLIGIBLE = 37.0
"""exp(-37) is below the last digit of a double."""


@kernel
def add_logs(a, b):
    """ln(exp(a) + exp(b)), for minus infinity too."""
    if a < b:
        a, b = b, a
    if b == -np.inf or a - b > _NEGLIGIBLE:
        return a
    return a + math.log1p(math.exp(b - a))


@kernel
def sum_subsets(values, n_bits):
    """Replace the value of every set by the sum over its subsets (a zeta transform).

    values : float64[2^n_bits], logarithms, changed
    """
    for bit in range(n_bits):
        step = 1 << bit
        for mask in range(1 << n_bits):
            if mask & step:
                values[mask] = add_logs(values[mask], values[mask ^ step])


@kernel
def sum_supersets(values, n_bits):
    """Replace the value of every set by the sum over the sets that contain it.

    values : float64[2^n_bits], logarithms, changed
    """
    for bit in range(n_bits):
        step = 1 << bit
        for mask in range(1 << n_bits):
            if not mask & step:
                values[mask] = add_logs(values[mask], values[mask | step])


@kernel
def average_arrows(scores, of_last):
    """Probability of every arrow, over all networks.

    scores  : float64[d, 2^d], logarithm of the weight of each family: a variable and the set of its
              causes; minus infinity where the set is not allowed or has the variable in it
    of_last : float64[2^d], zero, filled: probability of each set of causes of the last variable

    Returns float64[d, d]: probability of the arrow from the first variable to the second.
    """
    d, n_sets = scores.shape
    after = scores.copy()  # of a variable that comes after the set: all its families within the set
    for v in range(d):
        sum_subsets(after[v], d)
    first = np.full(n_sets, -np.inf)  # all networks of the set's variables, in all orders
    first[0] = 0.0
    for mask in range(1, n_sets):
        total = -np.inf
        for v in range(d):
            if mask >> v & 1:
                rest = mask ^ (1 << v)
                total = add_logs(total, first[rest] + after[v, rest])
        first[mask] = total
    last = np.full(n_sets, -np.inf)  # all ways to go on when the set's variables came first
    last[n_sets - 1] = 0.0
    for mask in range(n_sets - 2, -1, -1):
        total = -np.inf
        for v in range(d):
            if not mask >> v & 1:
                total = add_logs(total, last[mask | (1 << v)] + after[v, mask])
        last[mask] = total
    # Koivisto (UAI 2006): for one variable, the weight of all orders around a
    # set of causes comes from one sum over supersets and serves all arrows.
    arrows = np.zeros((d, d))
    around = np.empty(n_sets)
    total = first[n_sets - 1]
    for v in range(d):
        for mask in range(n_sets):
            around[mask] = -np.inf if mask >> v & 1 else first[mask] + last[mask | (1 << v)]
        sum_supersets(around, d)
        for mask in range(n_sets):
            if scores[v, mask] == -np.inf or around[mask] == -np.inf:
                continue
            share = math.exp(scores[v, mask] + around[mask] - total)
            if v == d - 1:
                of_last[mask] = share
            for cause in range(d):
                if mask >> cause & 1:
                    arrows[cause, v] += share
    return arrows
