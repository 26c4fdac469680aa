"""Sums over lines of records are what adding up item by item gives, however columns share numbers."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from causalrules.engines.record_lines import RecordLines
from causalrules.engines.unique_records import Profiles


@st.composite
def tables(draw):
    """Columns of few and of many values, and records with their counts, sides, groups and weights."""
    n_values = draw(st.lists(st.sampled_from([1, 2, 3, 8, 15, 254, 255, 256, 300]), min_size=1, max_size=7))
    row = st.tuples(
        st.tuples(*(st.integers(0, n) for n in n_values)),
        st.integers(0, 3),
        st.integers(1, 2),
        st.booleans(),
        st.integers(-1, 3),
    )
    rows = draw(st.lists(row, min_size=1, max_size=30, unique_by=lambda row: row[0]))
    weights = draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=4))
    return n_values, rows, weights


@given(tables())
def test_sums_are_those_of_a_dictionary(table):
    n_values, rows, weights = table
    first_item = np.cumsum([0, *n_values])
    codes, n_with, n_without, is_exposed, group = zip(*rows, strict=True)
    expected = defaultdict(lambda: [0, 0, 0, 0])
    for own, with_it, without, exposed, stratum in rows:
        how_many = with_it + without
        weight = how_many * weights[stratum][0 if exposed else 1] if stratum >= 0 else 0
        for column, code in enumerate(own):
            if code:
                sums = expected[int(first_item[column]) + code - 1]
                sums[0] += how_many if exposed else 0
                sums[1] += how_many if exposed and weight else 0
                sums[2 if exposed else 3] += weight
    records = Profiles.of_records(
        first_item, np.array(codes, np.uint16).T.copy(), np.array(n_with), np.array(n_without)
    )
    lines = RecordLines.of(records)
    words = np.array(is_exposed), np.array(group, np.int32), np.array(weights)
    found = lines.sums(records.member, *words)
    assert found.tolist() == [expected[item] for item in range(int(first_item[-1]))]
    assert lines.counts(records.member, words[0]).tolist() == found[:, 0].tolist()


@pytest.mark.parametrize(
    ("n_values", "n_numbers", "size"),
    [
        ([8] * 30, 15, np.uint8),
        ([2] * 30, 6, np.uint8),
        ([2] * 5 + [300], 2, np.uint16),
        ([255, 255], 2, np.uint8),
    ],
)
def test_columns_share_numbers_of_a_byte(n_values, n_numbers, size):
    codes = np.ones((len(n_values), 3), np.uint16)
    lines = RecordLines.of(
        Profiles.of_records(np.cumsum([0, *n_values]), codes, np.ones(3, int), np.zeros(3, int))
    ).lines
    assert lines.shape[1] == n_numbers
    assert lines.dtype == size
