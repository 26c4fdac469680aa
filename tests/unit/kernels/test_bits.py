import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from causalrules.engines.packed import Sections
from causalrules.kernels import bits
from strategies import WORD_EDGES


@given(st.integers(0, 2**64 - 1))
def test_set_bits_are_counted(word):
    assert bits.count_set_bits(np.uint64(word)) == word.bit_count()


@st.composite
def tables_and_patterns(draw):
    n_rows = draw(st.sampled_from(WORD_EDGES))
    n_items = draw(st.integers(1, 4))
    table = draw(
        st.lists(
            st.lists(st.booleans(), min_size=n_items, max_size=n_items), min_size=n_rows, max_size=n_rows
        )
    )
    outcome = draw(st.lists(st.booleans(), min_size=n_rows, max_size=n_rows))
    pattern = draw(
        st.lists(st.integers(0, n_items - 1), min_size=1, max_size=n_items, unique=True).map(sorted)
    )
    return table, outcome, pattern


def packed(table, outcome):
    """Pack one column an item: its code is 1 where the record has the item."""
    codes = np.array(table, dtype=np.uint16).T.copy()
    n_items = len(codes)
    has = np.array(outcome, np.int64)
    sections = Sections.of(has, 1 - has)
    words = np.zeros((n_items, sections.n_words), np.uint64)
    first_slot = 2 * np.arange(n_items)
    row_of_slot = np.full(2 * n_items, -1)
    row_of_slot[1::2] = np.arange(n_items)
    bits.pack_codes(
        codes, np.arange(n_items), sections.members, sections.starts, row_of_slot, first_slot, words
    )
    return words, sections.table


@given(tables_and_patterns())
def test_patterns_are_counted_like_the_oracle(case):
    table, outcome, pattern = case
    words, sections = packed(table, outcome)
    counts = np.zeros((2, 2), np.int64)
    bits.count_patterns(words, sections, np.array([pattern, pattern]), counts)
    with_outcome = [row for row, has in zip(table, outcome, strict=True) if has]
    without = [row for row, has in zip(table, outcome, strict=True) if not has]
    expected = [
        naive.count_rows_having_all(with_outcome, pattern),
        naive.count_rows_having_all(without, pattern),
    ]
    assert counts.tolist() == [expected, expected]


def test_blocks_of_words_add_up():
    n_rows = 64 * 1024 * 2 + 70  # more than two blocks of words, and a part of one
    column = np.arange(n_rows) % 3 == 0
    other = np.arange(n_rows) % 5 == 0
    words, sections = packed(np.column_stack([column, other]), np.ones(n_rows, bool))
    counts = np.zeros((1, 2), np.int64)
    bits.count_patterns(words, sections, np.array([[0, 1]]), counts)
    assert counts.tolist() == [[(column & other).sum(), 0]]
