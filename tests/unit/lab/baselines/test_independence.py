"""Joint tables and tests against plain counting, SciPy and causal-learn."""

import os
import warnings

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import naive_baselines as naive
from causalrules.engines import MemoryEngine
from causalrules_lab.baselines.independence import independence_tests, joint_counts
from causalrules_lab.baselines.variables import complements_of, variables_of
from strategies import coded, columns_of, record_lists


@given(record_lists(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_joint_counts_are_those_of_plain_counting(rows, m, chance):
    table = coded(rows)
    m = min(m, len(table.items))
    variables = np.array([chance.sample(range(len(table.items)), m) for _ in range(5)])
    counts = joint_counts(MemoryEngine(table, 1), variables)
    expected = np.zeros_like(counts)
    for number, chosen in enumerate(variables):
        for row in rows:
            mask = sum(
                1 << bit
                for bit, item in enumerate(chosen)
                if row[table.items[item].column] == table.items[item].value
            )
            expected[number, mask, int(row["z"])] += 1
    assert (counts == expected).all()


def test_many_items_in_one_table_do_not_overflow():
    """Keys of long patterns among many items would not fit into 64 bits."""
    rows = [
        {f"c{j}": "abc"[(i + j * (i // 3)) % 3] for j in range(30)} | {"z": i % 2 == 0} for i in range(60)
    ]
    table = coded(rows)
    variables = np.array([[0, 5, 11, 20, 28, 35, 41, 50, 61, 70], [89, 80, 71, 62, 53, 44, 35, 26, 17, 8]])
    counts = joint_counts(MemoryEngine(table, 1), variables)
    assert len(table.items) ** 10 >= 2**63
    assert (counts >= 0).all()
    assert counts.sum(axis=(1, 2)).tolist() == [60, 60]


@given(record_lists())
def test_variables_are_items_said_once(rows):
    table = coded(rows)
    engine = MemoryEngine(table, 1)
    items = [(item.column, item.value) for item in table.items]
    assert [items[number] for number in variables_of(engine)] == naive.variables(rows, items)
    for complement, variable in complements_of(engine).items():
        assert all(naive.has(row, items[complement]) != naive.has(row, items[variable]) for row in rows)


TABLES = st.lists(st.lists(st.integers(0, 12), min_size=4, max_size=4), min_size=1, max_size=8)


@given(TABLES, st.sampled_from(["g2", "chi2"]))
def test_statistics_are_scipys(tables, kind):
    rows = [
        {"s": number, "x": cell >= 2, "z": cell % 2 == 1}
        for number, table in enumerate(tables)
        for cell, n in enumerate(table)
        for _ in range(n)
    ]
    expected = naive.test(rows, lambda row: row["x"], naive.outcome, [lambda row: row["s"]], kind)
    made = independence_tests(np.array(tables).reshape(1, -1, 2, 2), kind)
    assert made.statistic[0] == pytest.approx(expected[0], rel=1e-9, abs=1e-9)
    assert made.p_value[0] == pytest.approx(expected[1], rel=1e-9)


def test_tiny_p_values_do_not_vanish():
    made = independence_tests(np.array([[[[400, 0], [0, 400]]]]), "g2")
    assert 0 < made.p_value[0] < 1e-200


def causal_learn_test(data, kind):
    """causal-learn's test; absent, a skip with the reason, in CI a failure."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from causallearn.utils.cit import CIT
    except ImportError:
        if os.environ.get("CI") == "true":
            pytest.fail("causal-learn is not installed")
        pytest.skip("causal-learn is not installed")
    return CIT(data, {"g2": "gsq", "chi2": "chisq"}[kind])


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(0, 4), st.sampled_from(["g2", "chi2"]))
def test_p_values_are_causal_learns(seed, n_given, kind):
    chance = np.random.default_rng(seed)
    columns = [f"v{i}" for i in range(n_given + 1)]
    data = (chance.random((300, n_given + 2)) < chance.uniform(0.1, 0.9, n_given + 2)).astype(int)
    data[:, -1] |= data[:, 0] & (chance.random(300) < 0.3)
    rows = [
        {column: "ny"[value] for column, value in zip(columns, record[:-1], strict=True)}
        | {"z": bool(record[-1])}
        for record in data.tolist()
    ]
    table = coded(rows)
    names = [(item.column, item.value) for item in table.items]
    variables = np.array([[names.index((column, "y")) for column in columns]])
    cells = joint_counts(MemoryEngine(table, 1), variables).reshape(1, -1, 2, 2)
    made = independence_tests(cells, kind)
    theirs = causal_learn_test(data, kind)(0, n_given + 1, list(range(1, n_given + 1)))
    assert columns_of(rows) == columns
    assert made.p_value[0] == pytest.approx(theirs, rel=1e-6, abs=1e-12)
