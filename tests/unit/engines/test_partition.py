"""Records that agree on the held items end up in one part, and nothing is lost or left behind."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causalrules.engines import disk, partition
from causalrules.engines.memory import MemoryEngine, RecordsEngine
from causalrules.engines.partition import spread
from causalrules.errors import EngineError
from in_blocks import blocks_of, streamed
from strategies import coded

ROWS = [
    {"a": "pq"[i % 2], "b": "pqr"[i % 3], "c": str(i % 300), "z": i % 7 < 3} for i in range(900)
]  # more than 255 values of a column: two bytes a code
TABLE = coded(ROWS)
N_ITEMS = len(TABLE.items)
EVERYTHING = np.ones(N_ITEMS, bool)


def records_in(parts):
    return sorted(
        (*codes, with_it, without)
        for part in parts
        for *codes, with_it, without in zip(*part.codes.tolist(), part.n_with, part.n_without, strict=True)
    )


def spread_over(blocks, held, n_parts, in_play=EVERYTHING):
    """The records of every part."""
    with spread(blocks, blocks.folder, held, in_play, n_parts) as parts:
        assert all(part.n_records == sum(some.n_profiles for some in part) for part in parts)
        return [part.read().collapsed_to(in_play) for part in parts]


@settings(max_examples=15)
@given(held=st.sets(st.integers(0, 4), max_size=3), n_parts=st.sampled_from([1, 2, 7, 40]))
def test_every_record_is_in_one_part_with_those_who_agree_on_what_is_held(held, n_parts):
    is_held = np.isin(np.arange(N_ITEMS), list(held))
    blocks = blocks_of(TABLE, records_a_block=250)
    before = os.listdir(blocks.folder)
    parts = spread_over(blocks, is_held, n_parts)
    assert len(parts) <= n_parts
    (everything,) = spread_over(blocks, np.zeros(N_ITEMS, bool), 1)
    assert records_in(parts) == records_in([everything])
    kinds = [set(zip(*part.collapsed_to(is_held).codes[:2].tolist(), strict=True)) for part in parts]
    if held == {0, 2, 3}:  # tells all six combinations of the first two columns apart
        assert sum(map(len, kinds)) == len(set.union(*kinds))
    assert sorted(os.listdir(blocks.folder)) == sorted(before)


def test_records_travel_in_chunks(monkeypatch):
    blocks = blocks_of(TABLE, records_a_block=250)
    (expected,) = spread_over(blocks, EVERYTHING, 1)
    monkeypatch.setattr(partition, "_RECORDS_AT_ONCE", 17)
    parts = spread_over(blocks, EVERYTHING, 20)
    assert len(parts) > 3
    assert records_in(parts) == records_in([expected])
    assert sum(int((part.n_with + part.n_without).sum()) for part in parts) == len(ROWS)


def test_a_part_that_is_too_big_is_split_again(monkeypatch):
    """A crowd that a sample of all records hardly shows is told apart by what its own sample shows."""
    chance = np.random.default_rng(1)
    rows = []
    for _ in range(4000):
        is_crowd = chance.random() < 0.8
        spoken = chance.integers(0, 8, 6)
        row = {c: "0" if is_crowd and c in "abc" else str(v) for c, v in zip("abcdef", spoken, strict=True)}
        # near copies of the columns that tell the others apart
        row |= {f"{c}2": row[c] if chance.random() < 0.99 else "x" for c in "abc"}
        rows.append(row | {"p": "xy"[chance.integers(0, 2)], "z": bool(chance.random() < 0.4)})
    table = coded(rows)
    number = {str(item): i for i, item in enumerate(table.items)}
    patterns = np.array([[number["p=x"]], [number["p=y"]]])
    controls = np.array([[item.column != "p" for item in table.items]] * 2)
    controls[1] &= [item.column != "f" for item in table.items]
    engine, sizes = streamed(table, 500), []
    # A plan that sees only what the crowd has in common.
    plan = disk.ask_in_rounds
    by_the_crowd = np.array([item.column in ("a", "a2") for item in table.items])
    monkeypatch.setattr(
        disk,
        "ask_in_rounds",
        lambda asked, sample, *more: plan(asked, lambda: sample() & by_the_crowd, *more),
    )
    monkeypatch.setattr(
        disk,
        "RecordsEngine",
        lambda records, workers: sizes.append(records.n_profiles) or RecordsEngine(records, workers),
    )
    for method in ("strata", "matched_items"):
        sizes.clear()
        found = list(getattr(engine, method)(patterns, controls))
        expected = list(getattr(MemoryEngine(table), method)(patterns, controls))
        for one, other in zip(found, expected, strict=True):
            assert [array.tolist() for array in one.to_arrays()] == [
                array.tolist() for array in other.to_arrays()
            ]
        assert max(sizes) <= 500


def test_a_full_disk_is_told_in_one_sentence(monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(partition, "_write_chunk", full)
    blocks = blocks_of(TABLE, records_a_block=250)
    with pytest.raises(EngineError, match=r"could not be spread on disk: .*No space left.* make room in"):
        spread_over(blocks, EVERYTHING, 4)
    assert all(name.startswith("block") for name in os.listdir(blocks.folder))
