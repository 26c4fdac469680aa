"""CCC, CCU, PC-select and HITON-PC against plain loops with SciPy's tests."""

import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

import naive_baselines as naive
from causalrules.errors import SettingsError
from causalrules_lab.baselines import ccc, ccu, hiton_pc, pc_select
from causalrules_lab.simulate import simulate
from strategies import arrow_of, columns_of, dependent_records, items_of, record_lists

ALPHAS = st.sampled_from([0.05, 0.2, 0.5])
KINDS = st.sampled_from(["g2", "chi2"])


def pairs(findings):
    return {(item.column, item.value) for finding in findings for item in finding.pattern}


def name(item):
    return "=".join(item)


RECORDS = record_lists() | dependent_records()


@pytest.mark.parametrize(
    ("method", "oracle", "does"),
    [(ccc, naive.ccc, "screens off"), (ccu, naive.ccu, "collides with")],
    ids=["ccc", "ccu"],
)
@settings(max_examples=40)
@given(RECORDS, ALPHAS, KINDS)
def test_all_triplets_are_found(method, oracle, does, rows, alpha, kind):
    found = method(arrow_of(rows), "z=yes", alpha=alpha, test=kind, categorical=columns_of(rows))
    expected = oracle(rows, items_of(rows), alpha, kind)
    assert pairs(found.causal) == set(expected)
    for finding in found.causal:
        partners = expected[finding.pattern[0].column, finding.pattern[0].value]
        assert finding.reason.endswith(f"; {len(partners)} such triplets")
        assert any(f"{does} {name(partner)} (p" in finding.reason for partner in partners)


@settings(max_examples=40)
@given(RECORDS, ALPHAS, KINDS)
def test_ccc_with_the_outcome_anywhere(rows, alpha, kind):
    options = {"alpha": alpha, "test": kind, "categorical": columns_of(rows)}
    found = ccc(arrow_of(rows), "z=yes", outcome_place="anywhere", **options)
    assert pairs(found.causal) == set(naive.ccc_with_outcome_anywhere(rows, items_of(rows), alpha, kind))


def test_an_unknown_place_of_the_outcome_is_refused():
    table = simulate("hospital", n_records=100).table
    with pytest.raises(SettingsError, match="outcome_place must be one of 'end', 'anywhere'; it is 'middle'"):
        ccc(table, "ill=yes", outcome_place="middle")


@settings(max_examples=40)
@given(RECORDS, ALPHAS, KINDS, st.integers(0, 3))
def test_pc_select_is_the_plain_algorithm(rows, alpha, kind, most):
    found = pc_select(
        arrow_of(rows), "z=yes", alpha=alpha, test=kind, max_conditioning=most, categorical=columns_of(rows)
    )
    kept, dropped = naive.pc_select(rows, items_of(rows), alpha, kind, most)
    assert pairs(found.causal) == kept
    for finding in found.findings:
        variable = (finding.pattern[0].column, finding.pattern[0].value)
        if finding.verdict == "rejected":
            given_sets = {frozenset(map(name, given)) for given in dropped[variable]}
            assert frozenset(finding.reason.removeprefix("independent given ").split(", ")) in given_sets
            assert finding.p_value > alpha
        else:
            assert finding.p_value <= alpha


@settings(max_examples=40)
@given(RECORDS, ALPHAS, KINDS)
def test_hiton_pc_is_the_plain_algorithm(rows, alpha, kind):
    found = hiton_pc(arrow_of(rows), "z=yes", alpha=alpha, test=kind, categorical=columns_of(rows))
    assert pairs(found.causal) == naive.hiton_pc(rows, items_of(rows), alpha, kind, 3)


@settings(max_examples=20)
@given(dependent_records(), st.permutations(["a", "b", "c", "d"]))
def test_pc_select_does_not_depend_on_the_order_of_columns(rows, order):
    table = arrow_of(rows)
    shuffled = table.select([*order, "z"])
    first, second = (pc_select(one, "z=yes", alpha=0.3) for one in (table, shuffled))
    assert pairs(first.causal) == pairs(second.causal)


@pytest.mark.parametrize("method", [pc_select, hiton_pc])
def test_neighbours_of_random_networks_are_found(method):
    """Uniform random probabilities leave some neighbours too weak to see; hardly anything else is named."""
    n_true = n_found = n_neighbours = 0
    for seed in range(8):
        simulated = simulate("V20-10K", seed=seed)
        found = method(simulated.table, simulated.truth.outcome, alpha=0.01)
        columns = {column for column, _ in pairs(found.causal)}
        n_true += len(columns & set(simulated.truth.neighbours))
        n_found += len(columns)
        n_neighbours += len(simulated.truth.neighbours)
    assert n_true / n_found > 0.9
    assert n_true / n_neighbours > 0.6


def test_a_chain_a_fork_and_a_collider():
    """b → a → z, d ← a, and c → z: a and c are causes, b and d are screened off."""
    chance = np.random.default_rng(5)
    n = 20_000

    def noisy(x, keep):
        return np.where(chance.random(n) < keep, x, ~x)

    b, c = chance.random(n) < 0.5, chance.random(n) < 0.5
    a = noisy(b, 0.8)
    d = noisy(a, 0.8)
    z = chance.random(n) < 0.1 + 0.4 * a + 0.4 * c * a
    columns = {"a": a, "b": b, "c": c, "d": d, "z": z}
    table = pa.table({name: np.where(holds, "yes", "no") for name, holds in columns.items()})
    assert pairs(ccc(table, "z=yes", alpha=0.01).causal) == {("a", "yes")}
    assert ("c", "yes") in pairs(ccu(table, "z=yes", alpha=0.01).causal)
    for method in (pc_select, hiton_pc):
        found = method(table, "z=yes", alpha=0.01)
        assert pairs(found.causal) == {("a", "yes"), ("c", "yes")}
        assert {finding.direction for finding in found.causal} == {"raises"}


@pytest.mark.parametrize("method", [ccc, ccu, pc_select, hiton_pc])
def test_a_method_over_its_budget_says_so_and_claims_nothing_it_does_not_know(method):
    simulated = simulate("V20-2K", seed=1)
    found = method(simulated.table, simulated.truth.outcome, max_tests=19)
    assert found.stopped == "it needs more than 19 tests"
    assert found.causal == ()
    assert {finding.verdict for finding in found.findings} == {"undecided"}
    late = method(simulated.table, simulated.truth.outcome, max_seconds=0)
    assert late.stopped == "it needs more than 0 seconds"


@pytest.mark.parametrize("method", [ccc, ccu, pc_select, hiton_pc])
def test_an_unknown_test_is_refused(method):
    rows = [{"a": "p", "z": True}, {"a": "q", "z": False}]
    with pytest.raises(SettingsError, match="test must be one of 'g2', 'chi2'; it is 'fisher'"):
        method(arrow_of(rows), "z=yes", test="fisher")
