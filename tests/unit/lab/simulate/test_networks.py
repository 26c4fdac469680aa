"""Random networks: acyclic, of the planned degree, and records that follow the probabilities."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from causalrules.errors import SettingsError, TableError
from causalrules_lab.simulate import (
    PAPER_TABLES,
    Network,
    NetworkPlan,
    Node,
    network_table,
    random_network,
    simulate,
)


@st.composite
def plans(draw):
    n_nodes = draw(st.integers(2, 40))
    n_parents = draw(st.integers(0, min(5, n_nodes - 1)))
    n_children = draw(st.integers(0, min(5, n_nodes - 1 - n_parents)))
    least = 2 * (n_parents + n_children) / n_nodes
    return {
        "n_nodes": n_nodes,
        "n_parents": n_parents,
        "n_children": n_children,
        "mean_degree": draw(st.floats(least, least + 2)),
    }


@given(plans(), st.integers(0, 2**32))
def test_a_random_network_is_as_planned(plan, seed):
    try:
        plan = NetworkPlan(**plan)
    except SettingsError as error:
        assert error.name == "mean_degree"  # noqa: PT017 - too many arcs for so few nodes
        return
    network = random_network(plan, np.random.default_rng(seed))
    assert len(network.nodes) == plan.n_nodes
    assert network.n_arcs == plan.n_arcs
    truth = network.around("z", "yes")
    assert (len(truth.parents), len(truth.children)) == (plan.n_parents, plan.n_children)
    assert all(len(node.parents) <= plan.max_parents for node in network.nodes if node.name != "z")
    seen = set()
    for name in network.order:  # every parent comes before its children: there is no cycle
        assert set(network.by_name[name].parents) <= seen
        seen.add(name)


def test_spouses_are_the_other_parents_of_the_children():
    def node(name, *parents):
        return Node(name, ("no", "yes"), parents, np.full((2 ** len(parents), 2), 0.5))

    network = Network("y", (node("a"), node("b"), node("z", "a"), node("c", "z", "b"), node("d", "c")))
    truth = network.around("z", "yes")
    assert truth.to_dict() == {"outcome": "z=yes", "parents": ["a"], "children": ["c"], "spouses": ["b"]}
    assert truth.neighbours == ("a", "c")


def test_records_follow_the_probabilities():
    plan = NetworkPlan(n_nodes=12, n_parents=3, n_children=2, mean_degree=3)
    network = random_network(plan, np.random.default_rng(3))
    table = network.sample(100_000, seed=4).to_pydict()
    for node in network.nodes:
        rows = list(zip(*(table[parent] for parent in node.parents), strict=True)) or [()] * 100_000
        is_yes = np.array(table[node.name]) == "yes"
        for number, values in enumerate(np.ndindex(*[2] * len(node.parents))):
            wanted = tuple(("no", "yes")[value] for value in values)
            here = np.array([row == wanted for row in rows])
            share = node.probabilities[number, 1]
            error = 5 * np.sqrt(share * (1 - share) * here.sum()) + 1e-9
            assert abs(is_yes[here].sum() - share * here.sum()) <= error


def test_nodes_with_more_values_are_drawn_too():
    rows = np.array([[0.5, 0.2, 0.3], [0.0, 1.0, 0.0]])
    parent = Node("a", ("x", "y"), (), np.array([[0.25, 0.75]]))
    network = Network("three", (parent, Node("b", ("p", "q", "r"), ("a",), rows)))
    frame = network.sample(40_000, seed=1).to_pandas().astype(str)
    shares = frame.groupby("a")["b"].value_counts(normalize=True)
    assert shares["y"].to_dict() == {"q": 1.0}
    assert shares["x"].to_dict() == pytest.approx({"p": 0.5, "q": 0.2, "r": 0.3}, abs=0.03)


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_the_seed_decides(seed):
    first, second = network_table(n_records=50, seed=seed), network_table(n_records=50, seed=seed)
    assert first.table == second.table
    assert first.truth == second.truth
    assert network_table(n_records=50, seed=seed + 1).table != first.table


def test_the_network_does_not_depend_on_the_number_of_records():
    assert network_table(n_records=10, seed=7).truth == network_table(n_records=500, seed=7).truth


@pytest.mark.parametrize(
    ("kind", "records", "predictors", "neighbours"),
    [("V20-2K", 2000, 19, 7), ("V60-5K", 5000, 59, 7), ("V80-10K", 10_000, 79, 8), ("V100-2K", 2000, 99, 6)],
)
def test_the_papers_networks(kind, records, predictors, neighbours):
    simulated = simulate(kind, seed=1)
    assert simulated.table.shape == (records, predictors + 1)
    assert len(simulated.truth.neighbours) == neighbours
    assert set(simulated.table["z"].to_pylist()) == {"yes", "no"}


def test_the_papers_24_tables_are_named():
    assert len(PAPER_TABLES) == 15 + 5 + 2 + 4


@pytest.mark.parametrize(
    ("parents", "problem"),
    [({"a": ("b",), "b": ("a",)}, "has a cycle: "), ({"a": ("q",), "b": ()}, "unknown parent 'q'")],
)
def test_a_network_that_cannot_be_is_refused(parents, problem):
    nodes = tuple(
        Node(name, ("no", "yes"), names, np.full((2 ** len(names), 2), 0.5))
        for name, names in parents.items()
    )
    with pytest.raises(TableError, match=problem):
        Network("odd", nodes)


def test_probabilities_must_add_up():
    with pytest.raises(TableError, match="do not add up to 1"):
        Network("odd", (Node("a", ("no", "yes"), (), np.array([[0.5, 0.6]])),))


def test_a_plan_without_room_is_refused():
    with pytest.raises(SettingsError, match="fit among 4 other nodes"):
        NetworkPlan(n_nodes=5, n_parents=3, n_children=2)
    with pytest.raises(SettingsError, match="mean_degree must be such that 5 nodes"):
        NetworkPlan(n_nodes=5, n_parents=1, n_children=1, mean_degree=9)
