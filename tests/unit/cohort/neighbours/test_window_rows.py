"""The records of a window: of many a fixed sample."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import causalrules
from causalrules.cohort.neighbours import Columns
from causalrules.cohort.neighbours.window_rows import window_rows
from causalrules.find.window_rows import LEAST_OF_RARER, MOST_RECORDS, fixed_sample
from unit.cohort.neighbours.made_tables import unique_rows_of


@given(arrays(np.int64, st.tuples(st.integers(1, 40), st.just(2)), elements=st.integers(0, 60_000)))
def test_every_run_of_rows_keeps_its_share(counts):
    drawn = fixed_sample(counts)
    n, rarer = counts.sum(), counts.sum(axis=0).min()
    if n <= MOST_RECORDS or rarer <= LEAST_OF_RARER:
        assert drawn is counts
        return
    share = max(MOST_RECORDS / n, LEAST_OF_RARER / rarer)
    assert (drawn <= counts).all()
    for column in (0, 1):
        for start in range(len(counts)):
            off = drawn[start:, column].cumsum() - share * counts[start:, column].cumsum()
            assert np.abs(off).max() <= 1 + 1e-6


def test_a_rare_outcome_keeps_its_records():
    counts = np.array([[900_000, 4_000], [90_000, 6_000]])
    assert fixed_sample(counts).sum(axis=0).tolist() == [495_000, 5_000]


def test_the_order_of_a_window_does_not_change_its_sample():
    draw = np.random.default_rng(8)
    n = 3 * MOST_RECORDS
    codes = draw.integers(1, 9, (4, n)).astype(np.uint16)
    ask = unique_rows_of(codes, draw.random(n) < 0.3)
    columns = Columns(names=("a", "b", "c", "d"), is_number=np.zeros(4, np.bool_))

    def rows_in(chosen):
        codes, counts, _ = window_rows(ask, columns, chosen).levels
        return {*map(tuple, np.column_stack([codes[:, np.argsort(chosen)], counts]).tolist())}

    assert rows_in([0, 1, 2, 3]) == rows_in([2, 0, 3, 1])
    assert rows_in([1, 3]) == rows_in([3, 1])


@pytest.mark.parametrize("engine", ["memory", "streaming"])
def test_a_large_table_finds_what_is_planted_on_every_engine(engine):
    draw = np.random.default_rng(5)
    n = 2 * MOST_RECORDS
    stage = draw.integers(0, 4, n)
    drug = draw.random(n) < 0.2 + 0.15 * stage
    ward = (stage + draw.integers(0, 3, n)) % 5
    ill = draw.random(n) < 1 / (1 + np.exp(2 - 0.5 * stage - 0.4 * drug))
    columns = {"stage": stage, "drug": drug, "ward": ward, "coin": draw.integers(0, 2, n), "ill": ill}
    table = pa.table({name: pa.array(values).cast(pa.string()) for name, values in columns.items()})
    result = causalrules.mine(table, "ill=true", engine=engine, max_length=1, threads=1)
    causal = [rule for rule in result.tested if rule.verdict == "causal"]
    assert {rule.pattern[0].column for rule in causal} == {"stage", "drug"}
    found = next(rule for rule in causal if rule.pattern[0].column == "drug")
    assert found.exposed + found.unexposed == n  # studies count all records
    assert found.of_the_outcome().adjusted_odds_ratio.value == pytest.approx(np.exp(0.4), rel=0.05)
