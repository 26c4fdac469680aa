"""The information of a regression against the product of dense matrices."""

import numpy as np
import pytest

from causalrules.kernels.information import fill_information, room_for, shared_with_previous


@pytest.fixture
def design():
    """Three categories and two numbers, one of them without a square, and an arm; some values not in it."""
    draw = np.random.default_rng(4)
    sizes = [3, 2, 5, 7, 6, 2]
    first_slot = np.cumsum([0, *sizes])
    slots = np.column_stack([draw.integers(0, size, 400) for size in sizes])
    slots = slots[np.lexsort(slots.T[::-1])] + first_slot[:-1]
    level_of_slot = np.full(first_slot[-1], -1, np.int32)
    in_design = [1, 2, 4, 6, 8, 9, 11, 13, 15, 19]
    level_of_slot[in_design] = 1 + np.arange(len(in_design))
    terms = np.full((6, 2), -1, np.int64)
    terms[3], terms[4, 0], terms[5, 0] = (11, 13), 12, 14
    values = draw.normal(size=(first_slot[-1], 2))
    return slots.astype(np.uint16), first_slot, level_of_slot, values, terms


def dense(slots, first_slot, level_of_slot, value_of_slot, terms, p):
    matrix = np.zeros((len(slots), p))
    matrix[:, 0] = 1
    for row, values in zip(matrix, slots, strict=True):
        for column, slot in enumerate(values):
            if level_of_slot[slot] > 0:
                row[level_of_slot[slot]] = 1
            for which in (0, 1):
                if terms[column, which] > 0:
                    row[terms[column, which]] = value_of_slot[slot, which]
    return matrix


@pytest.mark.parametrize("n_at_a_time", [1, 4, 10, None])
def test_it_is_the_weighted_product_of_the_design(design, n_at_a_time):
    slots, n_slots = design[0], design[1][-1]
    draw = np.random.default_rng(5)
    weights, penalty = draw.random(len(slots)), draw.random(15)
    # Room for all sums at once, or for those of a few values at a time.
    room = room_for(n_slots) if n_at_a_time is None else np.full(n_at_a_time * n_slots, np.nan)
    found = np.empty((15, 15))
    fill_information(slots, shared_with_previous(slots), *design[1:], weights, penalty, room, found)
    matrix = dense(*design, 15)
    wanted = matrix.T @ (weights[:, None] * matrix) + np.diag(penalty)
    assert np.triu(found) == pytest.approx(np.triu(wanted))


def test_room_is_bounded():
    assert len(room_for(10)) == 12 * 12
    assert len(room_for(100_000)) == 1 << 22
    assert len(room_for(10_000_000)) >= 10_000_000
