"""Arms counted by stratum, against plain dictionaries."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from causalrules.kernels.arms_in_strata import compared_strata, count_cells

rows = st.lists(
    st.tuples(st.integers(-1, 5), st.booleans(), st.integers(0, 9), st.integers(0, 9)), max_size=30
)


def columns_of(rows):
    numbers = np.array([row[0] for row in rows], np.int64)
    exposed = np.array([row[1] for row in rows], np.bool_)
    return numbers, exposed, np.array([row[2:] for row in rows], np.int64).reshape(-1, 2)


@given(rows)
def test_only_strata_with_both_arms_keep_a_number(rows):
    numbers, exposed, _ = columns_of(rows)
    arms = {
        stratum: {is_exposed for other, is_exposed, *_ in rows if other == stratum} for stratum, *_ in rows
    }
    compared = sorted(stratum for stratum, both in arms.items() if stratum >= 0 and len(both) == 2)
    wanted = [compared.index(stratum) if stratum in compared else -1 for stratum, *_ in rows]
    assert compared_strata(numbers, exposed, 6).tolist() == wanted
    assert compared_strata(numbers.astype(np.int32), exposed, 6).tolist() == wanted


@given(rows)
def test_cells_are_the_records_of_arm_and_outcome(rows):
    numbers, exposed, counts = columns_of(rows)
    wanted = Counter()
    for stratum, is_exposed, without, with_it in rows:
        wanted[stratum, is_exposed, True] += with_it
        wanted[stratum, is_exposed, False] += without
    cells = np.zeros((6, 4), np.int64)
    count_cells(numbers, exposed, counts, cells)
    kinds = [(True, True), (True, False), (False, True), (False, False)]
    assert cells.tolist() == [[wanted[stratum, *kind] for kind in kinds] for stratum in range(6)]
