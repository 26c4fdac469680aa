"""Who is held out: the same records on every engine, as many as the share says, and of no kind too many."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from causalrules.domain import Settings
from causalrules.domain.progress import ignore_remark
from causalrules.domain.stopwatch import Stopwatch
from causalrules.engines import load
from causalrules.engines.holdout import HoldOut
from causalrules.engines.unique_records import Profiles
from causalrules.read import source
from spark_sessions import frame_of, require_spark

NONE = np.empty(0, np.intp)
UNLIKELY = 1e-7
"""Of a count beyond its bounds, if every record were held out by a fair draw."""


def holdout(share=0.5, seed=0):
    return HoldOut(share, seed, NONE)


def profiles(codes, n_with, n_without, sizes):
    first_item = np.cumsum([0, *sizes])
    counts = np.asarray(n_with, np.int64), np.asarray(n_without, np.int64)
    return Profiles.of_records(first_item, np.asarray(codes, np.uint8), *counts)


def assert_drawn(n_held, n_records, share):
    """As many as draws with this share may give, by the exact binomial distribution."""
    low, high = binom.ppf([UNLIKELY, 1 - UNLIKELY], n_records, share)
    assert low <= n_held <= high, f"{n_held} of {n_records} are held out, of {share:.0%}"


tables = st.integers(1, 60).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=n, max_size=n),
        st.lists(st.booleans(), min_size=n, max_size=n),
    )
)


@given(tables, st.integers(0, 5), st.randoms(use_true_random=False))
def test_rows_and_distinct_records_are_divided_alike_in_any_order(table, seed, chance):
    """One by one, with copies numbered as they come, and by counts of each distinct record."""
    rows, has_outcome = table
    codes, has_outcome = np.array(rows, np.uint8).T, np.array(has_outcome)
    first_item = np.array([0, 2, 5])
    records = profiles(codes, has_outcome, ~has_outcome, (2, 3))
    expected = [counts_of(part) for part in holdout(0.4, seed).divided(records)]
    order = list(range(len(rows)))
    chance.shuffle(order)
    held = holdout(0.4, seed).rows(first_item, codes[:, order], has_outcome[order])
    found = [counts_of_rows(codes[:, order][:, is_in], has_outcome[order][is_in]) for is_in in (~held, held)]
    assert found == expected


def counts_of(records):
    columns = (records.codes.T.tolist(), records.n_with.tolist(), records.n_without.tolist())
    found = {tuple(code): counts for code, *counts in zip(*columns, strict=True)}
    assert all(map(any, found.values()))  # who is in the other half is not in this one
    return found


def counts_of_rows(codes, has_outcome):
    found = {}
    for code, has_it in zip(codes.T.tolist(), has_outcome.tolist(), strict=True):
        found.setdefault(tuple(code), [0, 0])[not has_it] += 1
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_the_share_is_met_whether_records_are_alike_or_not(share, seed):
    grid = np.stack(np.unravel_index(np.arange(40_000), (200, 200))) + 1
    every_one_other = profiles(grid, np.arange(40_000) % 3 == 0, np.arange(40_000) % 3 != 0, (200, 200))
    few = profiles([[1, 2, 3]], [30_000, 0, 2], [10_000, 999, 1], (3,))
    for records in (every_one_other, few):
        rest, held = holdout(share, seed).divided(records)
        for state in ("n_with", "n_without"):
            n_all, n_rest, n_held = (int(getattr(one, state).sum()) for one in (records, rest, held))
            assert n_rest + n_held == n_all
            assert_drawn(n_held, n_all, share)


def test_no_kind_of_record_is_held_out_more_often_than_others():
    """Columns that count up, as numbers do, are where a poor hash would show: each value, and each pair."""
    sizes = (16, 16, 16, 8)
    grid = np.stack(np.unravel_index(np.arange(np.prod(sizes)), sizes)) + 1
    has_outcome = (grid.sum(axis=0) % 2).astype(bool)  # by the parity of all codes
    records = profiles(grid, has_outcome, ~has_outcome, sizes)
    held = holdout(0.5, seed=11).rows(np.cumsum([0, *sizes]), records.codes, has_outcome)
    for column in range(4):
        for value in range(1, sizes[column] + 1):
            has_value = grid[column] == value
            assert_drawn(held[has_value].sum(), has_value.sum(), 0.5)
            for state in (True, False):
                chosen = has_value & (has_outcome == state)
                assert_drawn(held[chosen].sum(), chosen.sum(), 0.5)
    for one, other in ((0, 1), (1, 2), (2, 3), (0, 3)):
        for first in range(1, sizes[one] + 1):
            for second in range(1, sizes[other] + 1):
                chosen = (grid[one] == first) & (grid[other] == second)
                assert_drawn(held[chosen].sum(), chosen.sum(), 0.5)


def test_what_becomes_of_a_record_tells_nothing_about_its_neighbours_copies_or_other_seeds():
    n = 1 << 15
    codes = np.stack(np.unravel_index(np.arange(n), (1 << 8, 1 << 7))) + 1
    first_item = np.array([0, 256, 384])
    has_outcome = np.zeros(n, bool)
    held = holdout(0.5).rows(first_item, codes, has_outcome)
    for apart in (1, 2, 64, 128, 256):  # they differ in one code
        assert_drawn((held[apart:] == held[:-apart]).sum(), n - apart, 0.5)
    assert_drawn((held == holdout(0.5, seed=1).rows(first_item, codes, has_outcome)).sum(), n, 0.5)
    assert_drawn((held == holdout(0.5).rows(first_item, codes, ~has_outcome)).sum(), n, 0.5)
    copies = holdout(0.5).rows(first_item, np.repeat(codes[:, :1], n, axis=1), has_outcome)
    for apart in (1, 2, 3, 64):
        assert_drawn((copies[apart:] == copies[:-apart]).sum(), n - apart, 0.5)


def test_one_more_copy_leaves_the_others_where_they_are():
    before = 0
    for n_copies in range(1, 60):
        _, held = holdout(0.3).divided(profiles([[1]], [n_copies], [0], (1,)))
        n_held = int(held.n_with.sum())
        assert n_held - before in (0, 1)
        before = n_held
    assert before


PEOPLE = pa.table(
    {
        "a": pa.array(np.random.default_rng(1).choice(["x", "y", None], 900)),
        "b": pa.array(np.random.default_rng(2).choice(list("pqrs"), 900)),
        "n": pa.array(np.random.default_rng(3).normal(size=900).round(1)),
        "person": pa.array([f"p{i // 4}" for i in range(900)]),
        "z": pa.array(np.random.default_rng(4).choice(["yes", "no", None], 900)),
    }
)
CASES = {
    "records": {"drop": ["person"]},
    "few kinds of records": {"only": ["a", "b"]},
    "clusters": {"cluster": "person"},
    "items": {"controls": "items", "drop": ["person"]},
}


def halves(table, engine, settings):
    """What the two engines count, and fingerprints of their records."""
    chosen = Settings(holdout=0.3, seed=5, engine=engine, **settings)
    with load.load(table, "z=yes", chosen, watch=Stopwatch(), remark=ignore_remark) as opened:
        assert opened.engine is not opened.judge_engine
        return [
            (one.n_with, one.n_without, one.fingerprint(), one.item_counts().to_array().tolist())
            for one in (opened.engine, opened.judge_engine)
        ]


@pytest.mark.parametrize("case", CASES)
def test_engines_hold_the_same_records_out_in_whatever_order(case, monkeypatch):
    expected = halves(PEOPLE, "memory", CASES[case])
    shuffled = PEOPLE.take(np.random.default_rng(9).permutation(900))
    assert halves(shuffled, "memory", CASES[case]) == expected
    monkeypatch.setattr(load, "records_within", lambda *_: 25)
    monkeypatch.setattr(source, "ROWS_A_BATCH", 70)
    assert halves(PEOPLE, "streaming", CASES[case]) == expected
    assert halves(shuffled, "streaming", CASES[case]) == expected


@pytest.mark.parametrize("n_partitions", [1, 5])
@pytest.mark.parametrize("case", CASES)
def test_spark_holds_the_same_records_out(case, n_partitions):
    require_spark()
    expected = halves(PEOPLE, "memory", CASES[case])
    shuffled = PEOPLE.take(np.random.default_rng(9).permutation(900))
    assert halves(frame_of(shuffled, n_partitions), "spark", CASES[case]) == expected
