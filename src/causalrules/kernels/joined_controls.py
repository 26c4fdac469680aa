"""Values of several controls that are looked up together.

Rows that have a few controls of few values have few different combinations of them: what these add to a
predictor is summed once for each combination, and a row looks up three or four sums instead of ten effects.
"""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

_MOST_CODES = 4096
"""Combinations of a group of controls: a number for each of them stays at hand for the processor."""

_MOST_KEYS = 1 << 18
"""Combinations that might occur, which are ticked off in a list."""

_FEWEST_GROUPS = 3
"""That a pass over rows looks up one after another, without a loop; missing ones add nothing."""


@kernel
def join_controls(slots, first_slot):
    """Put neighbouring controls into groups, and number the combinations of values that occur.

    slots      : integer[n, k], the value of every control, numbered over all controls
    first_slot : int64[...], where the values of each control begin
    returns    : int32[n, n_groups], the combination of each row and group, numbered over all groups; and
                 int32[n_codes, widest], the slots of each combination, -1 where there are fewer
    """
    n, k = slots.shape
    widest = 1
    for j in range(k):
        widest = max(widest, first_slot[j + 1] - first_slot[j])
    number_of = np.empty(max(widest, _MOST_KEYS), np.int32)
    so_far, with_next = np.zeros(n, np.int32), np.empty(n, np.int32)
    columns = np.zeros((max(k, _FEWEST_GROUPS), n), np.int32)
    group_of, place_of = np.zeros(k, np.int64), np.zeros(k, np.int64)
    n_groups, n_codes, size, place, most = 0, 0, 1, 0, 1
    for j in range(k):
        width = first_slot[j + 1] - first_slot[j]
        count = _MOST_CODES + 1
        if size * width <= len(number_of):
            count = _number(so_far, size, slots[:, j], first_slot[j], width, number_of, with_next)
        if count > _MOST_CODES and place > 0:  # it begins a group of its own
            _put_behind(so_far, n_codes, columns[n_groups])
            n_codes += size
            n_groups += 1
            so_far[:] = 0
            size, place = 1, 0
            count = _number(so_far, size, slots[:, j], first_slot[j], width, number_of, with_next)
        so_far, with_next, size = with_next, so_far, count
        group_of[j], place_of[j] = n_groups, place
        place += 1
        most = max(most, place)
    _put_behind(so_far, n_codes, columns[n_groups])
    n_codes += size
    n_groups += 1
    while n_groups < _FEWEST_GROUPS:
        columns[n_groups] = n_codes
        n_codes += 1
        n_groups += 1
    slots_of_code = np.full((n_codes, most), -1, np.int32)
    for j in range(k):
        for row in range(n):
            slots_of_code[columns[group_of[j], row], place_of[j]] = slots[row, j]
    return columns[:n_groups].T.copy(), slots_of_code


@kernel
def _put_behind(numbers, n_before, column):
    """Fill a column with numbers that follow those of the groups before."""
    for row in range(numbers.shape[0]):
        column[row] = n_before + numbers[row]


@kernel
def _number(so_far, size, slots, first, width, number_of, numbers):
    """Number combinations with one more control in order of appearance; stops where there are too many."""
    number_of[: size * width] = -1
    count = 0
    for row in range(slots.shape[0]):
        key = so_far[row] * width + slots[row] - first
        if number_of[key] < 0:
            if count == _MOST_CODES and size > 1:
                return count + 1
            number_of[key] = count
            count += 1
        numbers[row] = number_of[key]
    return count
