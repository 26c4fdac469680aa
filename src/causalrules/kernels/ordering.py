"""Sorting whole numbers digit by digit, which takes no comparisons (radix sort, least digit first)."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

_BITS = 11
"""Of a digit at most: its counts stay at hand for the processor."""


@kernel
def order_of(numbers, bound):
    """The places of numbers in ascending order, equal ones as they come.

    numbers : int64[n], from 0 up to below `bound`
    returns : uint32[n]
    """
    return _sorted(numbers, bound)[1]


@kernel
def ranks_of(numbers, bound):
    """The rank of each number among the different ones, from 0.

    numbers : int64[n], from 0 up to below `bound`
    returns : int64[n]
    """
    in_order, place = _sorted(numbers, bound)
    ranks, rank = np.empty(numbers.shape[0], np.int64), -1
    for i in range(numbers.shape[0]):
        if i == 0 or in_order[i] != in_order[i - 1]:
            rank += 1
        ranks[place[i]] = rank
    return ranks


@kernel
def _sorted(numbers, bound):
    n, n_bits = numbers.shape[0], 1
    while bound - 1 >> n_bits > 0:
        n_bits += 1
    n_digits = (n_bits + _BITS - 1) // _BITS
    width = (n_bits + n_digits - 1) // n_digits
    last = (1 << width) - 1
    start = np.zeros((n_digits, last + 1), np.int64)
    for i in range(n):
        for digit in range(n_digits):
            start[digit, numbers[i] >> digit * width & last] += 1
    now, place = numbers.copy(), np.arange(n).astype(np.uint32)
    then, place_then = np.empty(n, np.int64), np.empty(n, np.uint32)
    for digit in range(n_digits):
        own, n_before = start[digit], 0
        for value in range(last + 1):
            n_before, own[value] = n_before + own[value], n_before
        for i in range(n):
            value = now[i] >> digit * width & last
            then[own[value]], place_then[own[value]] = now[i], place[i]
            own[value] += 1
        now, then, place, place_then = then, now, place_then, place
    return now, place
