"""CR-PA, causal decision trees and multi-level HITON-PC against plain loops."""

import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from statsmodels.stats.contingency_tables import StratifiedTable

import naive_baselines as naive
from causalrules.engines import MemoryEngine
from causalrules.simulation import planted_table
from causalrules_lab.baselines import causal_decision_tree, cr_pa, hiton_pc, ml_hiton_pc
from causalrules_lab.baselines.causal_tree import ItemRows
from causalrules_lab.baselines.partial_association import partial_association
from causalrules_lab.simulate import simulate
from strategies import arrow_of, coded, columns_of, dependent_records, items_of, record_lists

ALPHAS = st.sampled_from([0.05, 0.2, 0.5])
KINDS = st.sampled_from(["g2", "chi2"])
RECORDS = record_lists() | dependent_records()
SUPPORTS = st.sampled_from([0.0, 0.05, 0.2])


def patterns_of(findings):
    return {tuple((item.column, item.value) for item in finding.pattern) for finding in findings}


@given(st.lists(st.tuples(*[st.integers(1, 30)] * 4), min_size=1, max_size=6))
def test_partial_association_is_the_test_of_statsmodels(strata):
    """With cells above 0 and the correction below the difference both have one definition."""
    made = partial_association(np.array([(*cells, 1) for cells in strata]))
    tables = [np.array(cells).reshape(2, 2) for cells in strata]
    expected = StratifiedTable(tables).test_null_odds(correction=True)
    if abs(made.excess) >= 0.5:
        assert made.statistic == pytest.approx(expected.statistic)
        assert made.p_value == pytest.approx(expected.pvalue)


@settings(max_examples=40)
@given(record_lists())
def test_strata_are_those_of_plain_counting(rows):
    table = coded(rows)
    item_rows = ItemRows.of(MemoryEngine(table, 1))
    names = [(item.column, item.value) for item in table.items]
    held = np.arange(1, len(names))
    expected = {}
    for row in rows:
        key = tuple(naive.has(row, item) for item in names[1:])
        cells = expected.setdefault(key, [0, 0, 0, 0])
        cells[2 * (not naive.has(row, names[0])) + (not row["z"])] += 1
    found = item_rows.strata_of(0, held)
    assert sorted(found[:, :4].tolist()) == sorted(expected.values())
    assert (found[:, 4] == 1).all()


def test_more_than_64_items_are_held():
    """Strata are known by words of 64 items."""
    chance = np.random.default_rng(0)
    values = chance.random((300, 70)) < 0.05
    rows = [
        {f"c{j:02}": "yes" if value else "no" for j, value in enumerate(row)} | {"z": bool(row[0] ^ row[69])}
        for row in values
    ]
    table = coded(rows)
    engine = MemoryEngine(table, 1)
    held = np.arange(2, len(table.items))
    found = ItemRows.of(engine).strata_of(1, held)
    distinct = {tuple(row[f"c{j:02}"] for j in range(1, 70)) for row in rows}
    assert len(found) == len(distinct)


@settings(max_examples=40)
@given(RECORDS, ALPHAS, SUPPORTS, st.integers(1, 3))
def test_cr_pa_is_the_plain_algorithm(rows, alpha, min_support, max_length):
    found = cr_pa(
        arrow_of(rows),
        "z=yes",
        alpha=alpha,
        min_support=min_support,
        max_length=max_length,
        confidence=0.8,
        categorical=columns_of(rows),
    )
    causal, tested = naive.cr_pa(rows, items_of(rows), alpha, min_support, 0.8, max_length)

    def told(findings):
        return {(pattern, one.direction) for one in findings for pattern in patterns_of([one])}

    assert told(found.causal) == causal
    assert told(found.findings) == tested


@settings(max_examples=40)
@given(RECORDS, ALPHAS, st.integers(1, 4))
def test_a_causal_tree_is_the_plain_algorithm(rows, alpha, max_depth):
    found = causal_decision_tree(
        arrow_of(rows), "z=yes", alpha=alpha, max_depth=max_depth, categorical=columns_of(rows)
    )
    nodes = naive.causal_tree(rows, items_of(rows), alpha, max_depth)
    assert patterns_of(found.causal) == {(variable,) for _, variable in nodes}
    for finding in found.causal:
        variable = (finding.pattern[0].column, finding.pattern[0].value)
        paths = [path for path, split in nodes if split == variable]
        assert len(finding.reason.split("; ")) == len(paths)
        for path in paths:
            where = ", ".join(f"{'' if answer else 'not '}{'='.join(item)}" for item, answer in path)
            assert (f"it where {where}" if where else "it at the root") in finding.reason


@settings(max_examples=40)
@given(RECORDS, ALPHAS, KINDS, SUPPORTS, st.integers(1, 3))
def test_ml_hiton_pc_is_the_plain_algorithm(rows, alpha, kind, min_support, max_length):
    found = ml_hiton_pc(
        arrow_of(rows),
        "z=yes",
        alpha=alpha,
        test=kind,
        min_support=min_support,
        max_length=max_length,
        max_conditioning=2,
        categorical=columns_of(rows),
    )
    expected = naive.ml_hiton_pc(rows, items_of(rows), alpha, kind, 2, min_support, max_length)
    assert patterns_of(found.causal) == expected


@settings(max_examples=20)
@given(RECORDS, ALPHAS)
def test_the_first_level_is_hiton_pc(rows, alpha):
    options = {"alpha": alpha, "categorical": columns_of(rows)}
    first = ml_hiton_pc(arrow_of(rows), "z=yes", max_length=1, **options)
    assert first.findings == hiton_pc(arrow_of(rows), "z=yes", **options).findings


@pytest.mark.parametrize("method", [cr_pa, ml_hiton_pc])
def test_a_combined_cause_is_found(method):
    """The planted drugs act only together."""
    found = method(planted_table(seed=3), "ill=yes", alpha=0.001)
    assert any(
        {column for column, _ in pattern} == {"drug_a", "drug_b"} for pattern in patterns_of(found.causal)
    )


def test_a_tree_knows_where_a_cause_acts():
    chance = np.random.default_rng(5)
    a, b, noise = chance.random((3, 4000)) < 0.5
    z = chance.random(4000) < np.where(a, 0.2 + 0.5 * b, 0.1)
    columns = {"a": a, "b": b, "noise": noise, "z": z}
    table = pa.table({name: np.where(values, "yes", "no") for name, values in columns.items()})
    found = causal_decision_tree(table, "z=yes", alpha=0.001)
    reasons = {finding.name: finding.reason for finding in found.causal}
    assert reasons == {"a=yes": "raises it at the root", "b=yes": "raises it where a=yes"} or reasons == {
        "b=yes": "raises it at the root",
        "a=yes": "raises it where b=yes; raises it where not b=yes",
    }


@pytest.mark.parametrize("method", [cr_pa, causal_decision_tree, ml_hiton_pc])
def test_a_method_over_its_budget_says_so(method):
    found = method(simulate("V20-2K").table, simulate("V20-2K").truth.outcome, max_tests=25)
    assert found.stopped == "it needs more than 25 tests"
    assert all(finding.verdict != "causal" for finding in found.findings)
