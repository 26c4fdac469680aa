"""How often the records on disk are read: as often as there are different questions, not rules."""

import numpy as np
import pytest

from causalrules.engines.blocks import Blocks
from causalrules.engines.disk import StreamingEngine
from causalrules.engines.memory import RecordsEngine
from causalrules.engines.unique_records import Profiles
from in_blocks import blocks_of
from strategies import coded

ROWS = [
    {"a": "pq"[i % 2], "b": "pqr"[i % 11 % 3], "c": "xyz"[i % 7 % 3], "d": str(i % 5), "z": i % 4 < 2}
    for i in range(600)
]
TABLE = coded(ROWS)
N_ITEMS = len(TABLE.items)


@pytest.fixture
def n_passes(monkeypatch):
    """How often all blocks were read."""
    seen = []
    read = Blocks.__iter__

    def counted(self):
        seen.append(1)
        return read(self)

    monkeypatch.setattr(Blocks, "__iter__", counted)
    return lambda: len(seen)


def arrays(found):
    return [[array.tolist() for array in one.to_arrays()] for one in found]


@pytest.mark.parametrize("records_a_block", [20, 150])
def test_rules_without_controls_are_asked_together(n_passes, records_a_block):
    patterns = np.array([[a, b] for a in (0, 1) for b in range(2, N_ITEMS)] * 4)
    controls = np.zeros((len(patterns), N_ITEMS), bool)
    controls[5, [2, 3]] = controls[11, [2]] = True  # a few among them hold something
    engine = StreamingEngine(blocks_of(TABLE, records_a_block))
    found = arrays(engine.matched_items(patterns, controls))
    assert n_passes() <= 10
    assert found == arrays(RecordsEngine(Profiles.of_table(TABLE)).matched_items(patterns, controls))


@pytest.mark.parametrize("method", ["strata", "matched_items"])
def test_rules_that_hold_little_are_asked_together(n_passes, method):
    """What each of them holds differs, and tells too few records apart to spread them over many parts."""
    chance = np.random.default_rng(0)
    rows = [
        dict(zip("abcdef", chance.integers(0, 2, 6).astype(str), strict=True))
        | {"n": str(i % 25), "m": str(i % 23), "z": chance.random() < 0.4}
        for i in range(6000)
    ]
    table = coded(rows)
    columns = np.array([item.column for item in table.items])
    own = np.array([np.flatnonzero(columns == name)[0] for name in "abcdef"])
    # All hold a value of every other small column; one holds all there is besides, which does not fit.
    controls = np.zeros((7, len(columns)), bool)
    controls[:, own] = True
    controls[np.arange(6), own] = False
    controls[6] = columns != "a"
    patterns = np.append(own, own[0])[:, None]
    engine = StreamingEngine(blocks_of(table, records_a_block=1600))
    found = arrays(getattr(engine, method)(patterns, controls))
    assert n_passes() <= 7
    assert found == arrays(getattr(RecordsEngine(Profiles.of_table(table)), method)(patterns, controls))
