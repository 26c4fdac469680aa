"""The information of a logistic regression: the second derivatives of its likelihood, sign turned.

All of it follows from one kind of sum: the weight of the rows that have two given values. So a pass over the
rows only adds weights, whatever a value stands for, and lines and squares are worked out once for every two
values. See `kernels.logistic` for how rows and the design are told.

Rows are read like the leaves of a tree: weights of rows that share their leading controls are added once for
all of them. So sorted rows with the controls of few values first are read sooner.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from causalrules.kernels.compiled import kernel

_MOST_SUMS = 1 << 22
"""That are kept at a time, 32 MiB; more take another pass over the rows."""


@kernel
def room_for(n_slots):
    """Room for sums over pairs of values: float64[...]."""
    return np.empty(min(max(_MOST_SUMS, n_slots + 2), (n_slots + 2) * (n_slots + 2)))


@kernel
def shared_with_previous(slots):
    """Leading controls in which each row has the values of the row before: int64[n + 1], 0 at both ends."""
    n, k = slots.shape
    shared = np.zeros(n + 1, np.int64)
    for i in range(1, n):
        j = 0
        while j < k and slots[i, j] == slots[i - 1, j]:
            j += 1
        shared[i] = j
    return shared


# Sums may be taken in any order here: the information says where to look, not what is found.
@partial(kernel, sums_in_any_order=True)
def fill_information(
    slots,
    shared,
    first_slot,
    level_of_slot,
    value_of_slot,
    term_of_column,
    weights,
    penalty,
    room,
    information,
):
    """Fill the upper triangle of `information` float64[p, p].

    shared  : int64[n + 1], leading controls in which a row is like the one before
    weights : float64[n], variance of each row's successes
    penalty : float64[p], added to the diagonal
    room    : float64[...], what `room_for` gives
    """
    k, p = slots.shape[1], penalty.shape[0]
    # A value takes part if it is in the design. Number 0 is what all rows have, for the intercept; the last
    # number is of all values that do not take part: to leave them out would take longer.
    n_values, first = 1, np.ones(k + 1, np.int64)
    number_of_slot, slot_of = np.full(len(level_of_slot), -1), np.zeros(len(level_of_slot) + 1, np.int64)
    for j in range(k):
        for slot in range(first_slot[j], first_slot[j + 1]):
            if level_of_slot[slot] > 0 or term_of_column[j, 0] > 0 or term_of_column[j, 1] > 0:
                number_of_slot[slot], slot_of[n_values] = n_values, slot
                n_values += 1
        first[j + 1] = n_values
    for slot in range(len(level_of_slot)):
        if number_of_slot[slot] < 0:
            number_of_slot[slot] = n_values
    n_values += 1
    for a in range(p):
        for b in range(p):
            information[a, b] = 0.0
        information[a, a] = penalty[a]
    n_at_a_time = min(len(room) // n_values, n_values)
    sums = room[: n_at_a_time * n_values].reshape(n_at_a_time, n_values)
    of_value = np.empty(p)
    start = 0
    while start < n_values:
        end = min(start + len(sums), n_values)
        _add_weights(slots, shared, number_of_slot, weights, start, end, sums)
        if start == 0:
            information[0, 0] += sums[0, 0]
        for j in range(k):
            for number in range(max(first[j], start), min(first[j + 1], end)):
                own = sums[number - start]
                if own[0] != 0.0:
                    _gather(own, j, first, slot_of, level_of_slot, value_of_slot, term_of_column, of_value)
                    slot = slot_of[number]
                    _spread(
                        own[0],
                        of_value,
                        level_of_slot[slot],
                        value_of_slot[slot],
                        term_of_column[j],
                        information,
                    )
        start = end
    for a in range(p):  # a product was summed on the side of the control that comes later
        for b in range(a + 1, p):
            information[a, b] += information[b, a]


@partial(kernel, sums_in_any_order=True)
def _add_weights(slots, shared, number_of_slot, weights, start, end, sums):
    """Fill sums[a - start, b]: the weight of the rows with value a and value b, b of an earlier control.

    Weights of rows that share their leading controls are added once for all of them.
    """
    n, k = slots.shape
    for number in range(start, end):
        sums[number - start, :number] = 0.0  # the rest is of values that do not take part
    weight_of, values = np.zeros(k + 1), np.zeros(k + 1, np.int64)
    for row in range(n):
        for j in range(shared[row], k):
            values[j + 1] = number_of_slot[slots[row, j]]
        weight_of[k] += weights[row]
        for j in range(k, shared[row + 1], -1):
            weight = weight_of[j]
            if start <= values[j] < end:
                own = sums[values[j] - start]
                for i in range(j):
                    own[values[i]] += weight
            weight_of[j - 1] += weight
            weight_of[j] = 0.0
    if start == 0:
        sums[0, 0] = weight_of[0]


@partial(kernel, sums_in_any_order=True)
def _gather(own, j, first, slot_of, level_of_slot, value_of_slot, term_of_column, of_value):
    """From sums over values of earlier controls to sums over the design's columns: `of_value` float64[p]."""
    of_value[:] = 0.0
    of_value[0] = own[0]
    for i in range(j):
        line, square = term_of_column[i]
        if line < 0 and square < 0:
            for number in range(first[i], first[i + 1]):
                of_value[level_of_slot[slot_of[number]]] += own[number]
            continue
        sum_of_line, sum_of_square = 0.0, 0.0
        for number in range(first[i], first[i + 1]):
            weight, slot = own[number], slot_of[number]
            if level_of_slot[slot] > 0:
                of_value[level_of_slot[slot]] += weight
            sum_of_line += weight * value_of_slot[slot, 0]
            sum_of_square += weight * value_of_slot[slot, 1]
        if line > 0:
            of_value[line] = sum_of_line
        if square > 0:
            of_value[square] = sum_of_square


@partial(kernel, sums_in_any_order=True)
def _spread(weight, of_value, level, value, terms, information):
    """Add what the rows with one value have to the design's columns that the value enters."""
    line, square = terms
    if level > 0:
        for a in range(of_value.shape[0]):
            information[level, a] += of_value[a]
        information[level, level] += weight
        if line > 0:
            information[level, line] += weight * value[0]
        if square > 0:
            information[level, square] += weight * value[1]
    if line > 0:
        for a in range(of_value.shape[0]):
            information[line, a] += value[0] * of_value[a]
        information[line, line] += weight * value[0] * value[0]
        if square > 0:
            information[line, square] += weight * value[0] * value[1]
    if square > 0:
        for a in range(of_value.shape[0]):
            information[square, a] += value[1] * of_value[a]
        information[square, square] += weight * value[1] * value[1]
