"""Records that agree on the held items end up in one part, and nothing is lost or left behind."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causalrules.engines import partition
from causalrules.engines.partition import spread
from causalrules.errors import EngineError
from in_blocks import blocks_of
from strategies import coded

ROWS = [
    {"a": "pq"[i % 2], "b": "pqr"[i % 3], "c": str(i % 300), "z": i % 7 < 3} for i in range(900)
]  # more than 255 values of a column: two bytes a code
TABLE = coded(ROWS)
N_ITEMS = len(TABLE.items)


def records_in(parts):
    return sorted(
        (*codes, with_it, without)
        for part in parts
        for *codes, with_it, without in zip(*part.codes.tolist(), part.n_with, part.n_without, strict=True)
    )


@settings(max_examples=15)
@given(held=st.sets(st.integers(0, 4), max_size=3), n_parts=st.sampled_from([1, 2, 7, 40]))
def test_every_record_is_in_one_part_with_those_who_agree_on_what_is_held(held, n_parts):
    is_held = np.isin(np.arange(N_ITEMS), list(held))
    blocks = blocks_of(TABLE, records_a_block=250)
    before = os.listdir(blocks.folder)
    parts = list(spread(blocks, is_held, np.ones(N_ITEMS, bool), n_parts))
    assert len(parts) <= n_parts
    (everything,) = spread(blocks, np.zeros(N_ITEMS, bool), np.ones(N_ITEMS, bool), 1)
    assert records_in(parts) == records_in([everything])
    kinds = [set(zip(*part.collapsed_to(is_held).codes[:2].tolist(), strict=True)) for part in parts]
    if held == {0, 2, 3}:  # tells all six combinations of the first two columns apart
        assert sum(map(len, kinds)) == len(set.union(*kinds))
    assert sorted(os.listdir(blocks.folder)) == sorted(before)


def test_more_parts_than_open_files(monkeypatch):
    monkeypatch.setattr(partition, "_MOST_OPEN_FILES", 3)
    blocks = blocks_of(TABLE, records_a_block=250)
    everything = np.ones(N_ITEMS, bool)
    parts = list(spread(blocks, everything, everything, 20))
    assert len(parts) > 3
    assert sum(int((part.n_with + part.n_without).sum()) for part in parts) == len(ROWS)


def test_a_full_disk_is_told_in_one_sentence(monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.dataset.write_dataset", full)
    blocks = blocks_of(TABLE, records_a_block=250)
    everything = np.ones(N_ITEMS, bool)
    with pytest.raises(EngineError, match=r"could not be spread on disk: .*No space left.* make room in"):
        list(spread(blocks, everything, everything, 4))
    assert all(name.startswith("block") for name in os.listdir(blocks.folder))
