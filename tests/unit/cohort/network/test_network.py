"""The network around the outcome: scores by hand, and truths that were planted."""

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaln

import causalrules
from causalrules.cohort.network import Network, learn_network
from causalrules.cohort.network.families import MOST_CAUSES, OUTCOME, Families
from causalrules.cohort.network.interactions import pairs_in_company
from causalrules.cohort.network.variables import variables_of
from causalrules.domain import Settings
from causalrules.encode import encode
from causalrules.engines import MemoryEngine
from causalrules.lab.simulate import planted_table, simulate


def coded(columns, outcome):
    table = {name: np.where(column, "yes", "no") for name, column in columns.items()}
    table["z"] = np.where(outcome, "yes", "no")
    return encode(pa.table(table), "z=yes", Settings(categorical=tuple(columns)))


def naive_gain(data, y, causes, price):
    """Logarithm of the marginal likelihood of each stratum, less that of the variable alone."""

    def likelihood(values):
        ones = int(values.sum())
        return betaln(ones + 0.5, len(values) - ones + 0.5) - betaln(0.5, 0.5)

    strata = {}
    for record in range(len(data)):
        strata.setdefault(tuple(data[record, sorted(causes)]), []).append(data[record, y])
    within = sum(likelihood(np.array(values)) for values in strata.values())
    return within - likelihood(data[:, y]) - price * len(causes)


@st.composite
def small_tables(draw):
    """Records of z (first) and four or five binary columns, none of them constant."""
    n_columns = draw(st.integers(4, 5))
    row = st.lists(st.booleans(), min_size=n_columns + 1, max_size=n_columns + 1)
    rows = draw(st.lists(row, min_size=8, max_size=40))
    rows += [[True] * (n_columns + 1), [False] * (n_columns + 1)]
    return np.array(rows)


def open_families(data):
    table = coded({f"c{i}": data[:, i] for i in range(1, data.shape[1])}, data[:, 0])
    engine = MemoryEngine(table, threads=1)
    variables = variables_of(engine)
    return engine, variables, Families(engine, variables)


@given(small_tables())
def test_gains_are_the_oracle_s(data):
    _, _, families = open_families(data)
    everybody = range(data.shape[1])
    for y in everybody:
        others = [v for v in everybody if v != y]
        for size in range(3):
            for causes in combinations(others, size):
                gain = naive_gain(data, y, causes, families.price) if causes else 0.0
                assert families.gain(y, frozenset(causes)) == pytest.approx(gain)
                additions = families.additions(y, frozenset(causes)).gains
                for v in everybody:
                    if v == y or v in causes:
                        assert additions[v] == -np.inf
                    else:
                        more = naive_gain(data, y, (*causes, v), families.price) - gain
                        assert additions[v] == pytest.approx(more, abs=1e-9)
        effects = families.effects(y).gains
        for v in others:
            assert effects[v] == pytest.approx(naive_gain(data, v, (y,), families.price), abs=1e-9)


@given(small_tables())
def test_pairs_in_company_are_the_oracle_s(data):
    _, _, families = open_families(data)
    expected = {}
    for x, y in combinations(range(1, data.shape[1]), 2):
        for variable, pair in ((OUTCOME, (x, y)), (x, (OUTCOME, y)), (y, (OUTCOME, x))):
            together = naive_gain(data, variable, pair, families.price)
            apart = sum(max(0, naive_gain(data, variable, (v,), families.price)) for v in pair)
            if together - apart > 1e-9:
                expected[variable, frozenset(pair)] = together - apart
    found = pairs_in_company(families, 1000)
    assert {family for family in found if family in expected} == set(expected)
    gains = [expected[family] for family in found if family in expected]
    assert gains == sorted(gains, reverse=True) or gains == pytest.approx(sorted(gains, reverse=True))


@given(small_tables())
def test_no_single_cause_more_or_less_would_be_better(data):
    engine, variables, families = open_families(data)
    network = learn_network(engine, variables, [str(i) for i in range(100)])
    number = {int(item): i + 1 for i, item in enumerate(variables)}
    causes = frozenset(number[item] for item in network.causes_of_outcome)
    gain = families.gain(OUTCOME, causes)
    assert all(families.gain(OUTCOME, causes - {v}) <= gain + 1e-6 for v in causes)
    effects = {number[item] for item in network.effects_of_outcome}
    below = {number[item] for item in network._below_outcome} | effects
    additions = families.additions(OUTCOME, causes).gains
    assert len(causes) <= MOST_CAUSES
    assert all(additions[v] <= 1e-6 for v in range(1, families.n_variables) if v not in below)


def neighbours_of(columns, outcome):
    table = coded(columns, outcome)
    engine = MemoryEngine(table)
    network = learn_network(engine, variables_of(engine), list(map(str, table.items)))
    return {table.items[item].column for item in network.neighbours}


def test_a_cause_behind_a_cause_is_not_a_neighbour():
    chance = np.random.default_rng(1)
    far = chance.random(4000) < 0.5
    near = chance.random(4000) < np.where(far, 0.8, 0.2)
    outcome = chance.random(4000) < np.where(near, 0.7, 0.3)
    assert neighbours_of({"far": far, "near": near, "noise": chance.random(4000) < 0.4}, outcome) == {"near"}


def test_another_cause_of_an_effect_is_not_a_neighbour():
    chance = np.random.default_rng(2)
    outcome, other = chance.random(6000) < 0.5, chance.random(6000) < 0.5
    effect = chance.random(6000) < 0.1 + 0.4 * outcome + 0.4 * other
    assert neighbours_of({"effect": effect, "other": other}, outcome) == {"effect"}


def test_causes_that_show_only_in_company_are_found():
    """Which of the three is the effect of the others cannot be told; that they belong together can."""
    chance = np.random.default_rng(3)
    columns = {f"c{i}": chance.random(4000) < 0.5 for i in range(12)}
    outcome = chance.random(4000) < np.where(columns["c3"] ^ columns["c8"], 0.7, 0.3)
    table = coded(columns, outcome)
    engine = MemoryEngine(table)
    network = learn_network(engine, variables_of(engine), list(map(str, table.items)))
    assert {table.items[item].column for item in network.neighbours | network.companions} == {"c3", "c8"}


def test_a_combined_cause_is_found_with_refined_controls():
    result = causalrules.mine(planted_table(seed=1), "ill=yes", controls="refined")
    assert "drug_a=yes & drug_b=yes" in {rule.name for rule in result.causal}


def test_noise_has_no_neighbours():
    for seed in range(10):
        chance = np.random.default_rng(seed)
        columns = {f"c{i}": chance.random(1000) < 0.5 for i in range(30)}
        assert neighbours_of(columns, chance.random(1000) < 0.3) == set()


@pytest.mark.parametrize("seed", range(3))
def test_order_of_columns_and_records_changes_nothing(seed):
    table = simulate("V20-2K", seed=seed).table
    outcome = simulate("V20-2K", seed=seed).truth.outcome
    chance = np.random.default_rng(seed)
    shuffled = table.select(chance.permutation(table.column_names).tolist())
    shuffled = shuffled.take(chance.permutation(table.num_rows))

    def found(source):
        result = causalrules.mine(source, outcome, controls="refined", test="mantel-haenszel")
        return {(frozenset(rule.pattern), rule.direction, rule.p_value) for rule in result.causal}

    assert found(table)
    assert found(shuffled) == found(table)


def test_controls_follow_the_arrows():
    """1 and 2 are causes of the outcome, 3 is its effect with another cause 4, 5 an effect of 3."""
    network = Network(
        causes={3: frozenset([4]), 5: frozenset([3])},
        causes_of_outcome=frozenset([1, 2]),
        effects_of_outcome=frozenset([3]),
    )
    assert network.neighbours == {1, 2, 3}
    assert network.controls_of(1) == {2}
    assert network.controls_of(3) == {4}
    assert network.controls_of(5) == {3}
    assert network.controls_of(4) == {1, 2}
    assert network.controls_of_pattern([1, 3]) == {2, 4}


def test_mining_with_refined_controls_finds_more_of_the_truth():
    """Parents and children, over five networks; combined causes count for their parts."""
    scores = {"items": [], "refined": []}
    for seed in range(5):
        simulated = simulate("V20-10K", seed=seed)
        truth = simulated.truth.to_dict()
        neighbours = {text.split("=")[0] for text in (*truth["parents"], *truth["children"])}
        for controls, found_scores in scores.items():
            result = causalrules.mine(
                simulated.table, simulated.truth.outcome, controls=controls, test="mantel-haenszel"
            )
            found = {item.column for rule in result.causal for item in rule.pattern}
            hits = len(found & neighbours)
            found_scores.append(2 * hits / (len(found) + len(neighbours)))
    assert np.mean(scores["refined"]) > 0.88
    assert np.mean(scores["refined"]) > np.mean(scores["items"])
