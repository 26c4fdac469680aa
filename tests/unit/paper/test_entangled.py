import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from causalrules.domain.histogram import WEIGHT_UNIT
from causalrules.engines import MemoryEngine
from causalrules.paper.entangled import balance_and_entangled, same_records
from strategies import coded, columns_of, record_lists


@given(record_lists(), st.data())
def test_balance_is_the_hand_calculation(rows, data):
    table = coded(rows)
    engine = MemoryEngine(table, threads=1)
    items = table.items
    pattern = data.draw(st.integers(0, len(items) - 1))
    held = np.array([item.column != items[pattern].column and i % 2 == 0 for i, item in enumerate(items)])
    own = np.array([item.column == items[pattern].column for item in items])
    patterns, controls = np.array([[pattern]]), held[None, :]
    (matched,), (strata,) = engine.matched_items(patterns, controls), engine.strata(patterns, controls)
    n_pairs = sum(min(s[0] + s[1], s[2] + s[3]) * s[4] for s in strata.rows.tolist())
    balance, _ = balance_and_entangled(
        engine, matched, own, ~held, items, strata.n_exposed, strata.lonely_exposed, n_pairs
    )
    mining = naive.Mining(rows, columns_of(rows), [row["z"] for row in rows])
    sums = naive.matched_items(
        mining.records, 1 << pattern, sum(1 << int(i) for i in np.flatnonzero(held)), len(items), WEIGHT_UNIT
    )
    for entry in balance.items:
        i = items.index(entry.item)
        exposed, _, weight_exposed, weight_unexposed = sums[i]
        p1 = exposed / strata.n_exposed
        p0 = (mining.cover[i].bit_count() - exposed) / strata.n_unexposed
        deviation = math.sqrt((p1 * (1 - p1) + p0 * (1 - p0)) / 2) or 1.0
        assert entry.before == pytest.approx((p1 - p0) / deviation, abs=1e-12)
        shares = [w / WEIGHT_UNIT / n_pairs if n_pairs else 0.0 for w in (weight_exposed, weight_unexposed)]
        assert entry.after == pytest.approx((shares[0] - shares[1]) / deviation, abs=1e-6)
        if held[i]:  # exact matching leaves no difference in what it holds fixed
            assert entry.after == pytest.approx(0, abs=1e-6)
    assert balance.worst_before >= balance.mean_before
    for one in balance.unmatched:
        exposed, matched_exposed, *_ = sums[items.index(one.item)]
        n_matched = strata.n_exposed - strata.lonely_exposed
        assert one.matched_share == pytest.approx(matched_exposed / n_matched)
        assert one.unmatched_share == pytest.approx((exposed - matched_exposed) / strata.lonely_exposed)


@given(record_lists())
def test_same_records_are_found_by_comparing_every_pair(rows):
    table = coded([{**row, "copy": row["a"]} for row in rows])
    engine = MemoryEngine(table, threads=1)
    mining = naive.Mining(
        [{**row, "copy": row["a"]} for row in rows], [*columns_of(rows), "copy"], [row["z"] for row in rows]
    )
    position = [mining.items.index((item.column, item.value)) for item in table.items]
    covers = [mining.cover[i] for i in position]
    patterns = [(i,) for i in range(len(table.items))]
    found = same_records(engine, patterns, [cover.bit_count() for cover in covers])
    for i, others in enumerate(found):
        expected = [
            j
            for j, cover in enumerate(covers)
            if j != i
            and table.items[i].column != table.items[j].column
            and (cover & covers[i]).bit_count() >= 0.95 * (cover | covers[i]).bit_count()
        ]
        assert list(others) == expected
