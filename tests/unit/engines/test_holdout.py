"""Who is held out: the same records on every engine, as many as the share says, and of no kind too many."""

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from causalrules.asked_settings import asked_settings
from causalrules.domain.progress import Stopwatch, ignore_remark
from causalrules.encode.record_keys import record_keys
from causalrules.engines import load
from causalrules.engines.holdout import CopyNumbers, HoldOut
from causalrules.read import source
from spark_sessions import frame_of, require_spark

NONE = np.empty(0, np.intp)
UNLIKELY = 1e-7
"""Of a count beyond its bounds, if every record were held out by a fair draw."""


def held_out(table, share=0.5, seed=0):
    """bool[n]: which rows of a table are held out."""
    keys = record_keys(table)
    return HoldOut(share, seed, NONE).copies(keys, CopyNumbers([keys]).of(keys))


@cache
def bounds(n_records, share):
    return binom.ppf([UNLIKELY, 1 - UNLIKELY], n_records, share)


def assert_drawn(n_held, n_records, share):
    """As many as draws with this share may give, by the exact binomial distribution."""
    low, high = bounds(int(n_records), share)
    assert low <= n_held <= high, f"{n_held} of {n_records} are held out, of {share:.0%}"


def grid(*sizes):
    """A table of all combinations of values that count up, as identifiers and numbers do."""
    values = np.unravel_index(np.arange(np.prod(sizes)), sizes)
    return pa.table({f"c{number}": one for number, one in enumerate(values)})


tables = st.lists(
    st.tuples(st.sampled_from([None, "a", "b"]), st.integers(0, 3), st.booleans()), min_size=1, max_size=60
)


@given(tables, st.integers(0, 5), st.integers(1, 60), st.randoms(use_true_random=False))
def test_rows_are_divided_alike_in_any_order_and_batches_and_by_counts(rows, seed, size, chance):
    holdout, names = HoldOut(0.4, seed, NONE), ["x", "n", "z"]
    n_rows = Counter(rows)
    keys = record_keys(pa.table(list(zip(*n_rows, strict=True)), names=names))
    expected = holdout.n_copies(keys, np.array(list(n_rows.values())))
    chance.shuffle(rows)
    batches = [
        record_keys(pa.table(list(zip(*rows[start : start + size], strict=True)), names=names))
        for start in range(0, len(rows), size)
    ]
    numbers = CopyNumbers(batches)
    held = np.concatenate([holdout.copies(batch, numbers.of(batch)) for batch in batches])
    found = Counter(row for row, is_held in zip(rows, held, strict=True) if is_held)
    assert [found[row] for row in n_rows] == expected.tolist()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_the_share_is_met_whether_rows_are_the_same_or_not(share, seed):
    assert_drawn(held_out(grid(200, 200), share, seed).sum(), 40_000, share)
    copies = pa.table({"x": ["a"] * 30_000 + ["b"] * 9_990 + ["c"] * 10})
    held = held_out(copies, share, seed)
    assert_drawn(held[:30_000].sum(), 30_000, share)
    assert_drawn(held[30_000:39_990].sum(), 9_990, share)


def test_no_kind_of_record_is_held_out_more_often_than_others():
    """Columns that count up are where a poor hash would show: in a value, a pair of values, or a parity."""
    sizes = (16, 16, 16, 8)
    table = grid(*sizes)
    codes = np.stack([table[name].to_numpy() for name in table.column_names])
    parity = codes.sum(axis=0) % 2  # stands for an outcome that all columns decide
    held = held_out(table.append_column("z", pa.array(np.where(parity, "yes", "no"))))
    for state in range(2):
        assert_drawn(held[parity == state].sum(), (parity == state).sum(), 0.5)
    for one, other in combinations(range(4), 2):
        for first in range(sizes[one]):
            for second in range(sizes[other]):
                chosen = (codes[one] == first) & (codes[other] == second)
                assert_drawn(held[chosen].sum(), chosen.sum(), 0.5)
                assert_drawn(held[chosen & (parity == 1)].sum(), (chosen & (parity == 1)).sum(), 0.5)


def test_what_becomes_of_a_record_tells_nothing_about_its_neighbours_copies_or_other_seeds():
    table = grid(1 << 8, 1 << 7)
    n, held = table.num_rows, held_out(table)
    for apart in (1, 2, 64, 128, 256):  # mostly they differ in one value
        assert_drawn((held[apart:] == held[:-apart]).sum(), n - apart, 0.5)
    assert_drawn((held == held_out(table, seed=1)).sum(), n, 0.5)
    assert_drawn((held == held_out(table.append_column("z", pa.array(["yes"] * n)))).sum(), n, 0.5)
    copies = held_out(pa.table({"x": ["a"] * n}))
    for apart in (1, 2, 3, 64):
        assert_drawn((copies[apart:] == copies[:-apart]).sum(), n - apart, 0.5)


def test_more_records_leave_the_others_where_they_are():
    table = pa.concat_tables([grid(30, 30)] * 2)
    more = pa.concat_tables([table, grid(40, 30), table])
    assert held_out(more)[: table.num_rows].tolist() == held_out(table).tolist()


@pytest.mark.parametrize("text", ["", "a", "ä", "a\0", "aa", "a" * 300])
def test_texts_have_keys_of_their_own(text):
    others = ["b", "ab", "ba", "\0a", "a" * 299, "a\0\0"]
    keys = record_keys(pa.table({"x": [text, *others]}))
    assert len(set(keys.tolist())) == 7


def test_names_of_columns_and_the_columns_of_values_count():
    keys = [
        int(record_keys(pa.table(columns))[0])
        for columns in (
            {"a": ["x"], "b": ["y"]},
            {"a": ["y"], "b": ["x"]},
            {"a": ["x"], "c": ["y"]},
            {"a": ["x"]},
        )
    ]
    assert len(set(keys)) == 4


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
    chosen = asked_settings({"holdout": 0.3, "seed": 5, "engine": engine, **settings})
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


@pytest.mark.parametrize(
    "settings", [{"drop": ["n", "person"]}, {"bins": "quantile:4"}, {"only": ["b"], "controls": "items"}]
)
def test_whatever_is_asked_the_same_records_are_held_out(settings):
    """Else who changes a setting after a look at the result would test on records that were looked at."""
    rows = PEOPLE.append_column("row", pa.array(range(900)))
    held = held_out(rows, 0.3, seed=5)
    is_known = rows["z"].is_valid().to_numpy()
    n_with, n_without = (int((held & is_known & (rows["z"].to_numpy() == z)).sum()) for z in ("yes", "no"))
    (*_, judging) = halves(rows, "memory", settings)
    assert judging[:2] == (n_with, n_without)


@pytest.mark.parametrize("n_partitions", [1, 5])
@pytest.mark.parametrize("case", CASES)
def test_spark_holds_the_same_records_out(case, n_partitions):
    require_spark()
    expected = halves(PEOPLE, "memory", CASES[case])
    shuffled = PEOPLE.take(np.random.default_rng(9).permutation(900))
    assert halves(frame_of(shuffled, n_partitions), "spark", CASES[case]) == expected
