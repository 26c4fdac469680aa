"""Strata are what grouping by a dictionary gives."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.kernels import strata

records = st.lists(
    st.tuples(  # codes of three columns, records with the outcome and without
        st.integers(0, 2), st.integers(0, 2), st.integers(0, 1), st.integers(0, 12), st.integers(0, 3)
    ).filter(lambda record: record[3] + record[4] > 0),
    min_size=1,
    max_size=60,
)


class Counted:
    """One rule, its pattern a code of the first column, with strata by the two other columns."""

    def __init__(self, rows):
        table = np.array(rows)
        n = len(rows)
        self.codes = np.ascontiguousarray(table[:, :3].T.astype(np.uint16))
        n_with, n_without = table[:, 3].copy(), table[:, 4].copy()
        n_codes = max(3, int(table[:, :3].max()) + 1)
        words = np.random.default_rng(0).integers(0, 2**64, (3 * n_codes, 2), dtype=np.uint64)
        words[::n_codes] = 0  # code 0 is a missing value: it has no item
        lows, highs = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
        columns, first_slot = np.array([1, 2]), n_codes * np.arange(3)
        strata.add_to_keys(self.codes, columns, first_slot, words, lows, highs)
        self.keys = list(zip(lows.tolist(), highs.tolist(), strict=True))
        size = 1 << (2 * n).bit_length()
        table, owners = np.empty(size, np.uint64), np.empty(n, np.uint64)
        self.group = np.empty(n, np.int32)
        self.n_groups = strata.group_by_key(lows, highs, table, owners, self.group)
        self.order = np.empty(n, np.uint32)
        self.n_exposed = strata.split_by_pattern(self.codes, np.array([[0, 1]]), self.order)
        self.stratum_of, self.strata = np.empty(n, np.int32), np.empty((n, 4), np.int64)
        small = np.empty(strata.SMALL**4, np.int64)
        self.rows = np.empty((strata.SMALL**4 + n, 5), np.int64)
        self.n_small, self.n_rows, *self.lonely = strata.count_strata(
            self.order,
            self.n_exposed,
            lows,
            highs,
            n_with,
            n_without,
            table,
            owners,
            self.stratum_of,
            self.strata,
            small,
            self.rows,
        )


def strata_of(rows):
    """The four counts of each stratum."""
    found = defaultdict(lambda: [0, 0, 0, 0])
    for a, b, c, n_with, n_without in rows:
        side = 0 if a == 1 else 2
        found[b, c][side] += n_with
        found[b, c][side + 1] += n_without
    return found


@given(records)
def test_records_are_grouped_by_what_they_have(rows):
    counted = Counted(rows)
    kinds = [(b, c) for _, b, c, *_ in rows]
    assert [kinds.index(kind) for kind in kinds] == [counted.keys.index(key) for key in counted.keys]
    in_order = list(dict.fromkeys(kinds))
    assert counted.n_groups == len(in_order)
    assert counted.group.tolist() == [in_order.index(kind) for kind in kinds]


@given(records)
def test_the_exposed_come_first(rows):
    counted = Counted(rows)
    assert sorted(counted.order.tolist()) == list(range(len(rows)))
    exposed = [place for place, row in enumerate(rows) if row[0] == 1]
    assert counted.order[: counted.n_exposed].tolist() == exposed


@given(records)
def test_strata_are_tallied_and_the_small_ones_come_out_in_order(rows):
    check_strata(rows)


@pytest.mark.parametrize("n_values", [4, 9, 3000], ids=["all meet", "more codes", "hardly any meet"])
@pytest.mark.parametrize("share_exposed", [0.05, 0.95])
def test_strata_of_many_records_are_tallied(n_values, share_exposed):
    draw, n = np.random.default_rng(n_values), 5000
    is_exposed = draw.random(n) < share_exposed
    rows = np.column_stack(
        [is_exposed, draw.integers(0, n_values, (n, 2)) // [1, 2], draw.integers(1, 13, (n, 2))]
    )
    check_strata(rows.tolist())


def check_strata(rows):
    counted = Counted(rows)
    expected = defaultdict(int)
    lonely = [0, 0]
    for a1, a0, b1, b0 in strata_of(rows).values():
        if a1 + a0 and b1 + b0:
            expected[a1, a0, b1, b0] += 1
        else:
            lonely = [lonely[0] + a1 + a0, lonely[1] + b1 + b0]
    found = [tuple(row) for row in counted.rows[: counted.n_rows].tolist()]
    small = [row for row in found if max(row[:4]) < strata.SMALL]
    assert found[: counted.n_small] == small == sorted(small)
    merged = defaultdict(int)
    for *counts, how_many in found:
        merged[tuple(counts)] += how_many
    assert merged == expected
    assert counted.lonely == lonely
