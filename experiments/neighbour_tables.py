"""Tables for the comparison of methods, each with what truly stands next to its outcome.

Every generator takes a seed and gives the table, the outcome and the truth; the same seed makes the same
table. What the failure cases and `causalrules_lab.simulate` have is taken from there.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules_lab.reproduction import paper_numbers as paper
from causalrules_lab.simulate import NetworkTruth, simulate
from causalrules_lab.simulate.bayesian import Network, Node
from causalrules_lab.simulate.logistic_tables import constant_for, logistic
from causalrules_lab.simulate.random_networks import TARGET, NetworkPlan, random_network
from experiments import failure_tables
from experiments.failure_tables import OUTCOME, Planted, Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules_lab.datasets import DataSet

ACTING_SHARE = (0.1, 0.9)
"""A value of a real column may act if its share of the records lies between these."""


def paper_network(setting: str, seed: int) -> Planted:
    """A random network of the paper's size."""
    simulated = simulate(setting, seed=seed)
    assert isinstance(simulated.truth, NetworkTruth)
    return Planted(simulated.table, simulated.truth.outcome, _truth_of(simulated.truth))


def many_valued_network(fewest: int, most: int, seed: int, n_records: int = 5000) -> Planted:
    """A random network whose columns, all but the outcome, have between so many values.

    The probabilities of a column are drawn evenly from all that add up to one, for each combination of its
    causes' values.
    """
    chance = np.random.default_rng([fewest, most, seed])
    plan = NetworkPlan(n_nodes=20, n_parents=3, n_children=4, max_parents=3)
    structure = random_network(plan, chance)
    values = {
        node.name: node.values
        if node.name == TARGET
        else tuple(f"v{i:02}" for i in range(chance.integers(fewest, most + 1)))
        for node in structure.nodes
    }
    nodes = []
    for node in structure.nodes:
        n_rows = int(np.prod([len(values[parent]) for parent in node.parents]))
        drawn = chance.dirichlet(np.ones(len(values[node.name])), n_rows)
        nodes.append(Node(node.name, values[node.name], node.parents, drawn))
    network = Network("many values", tuple(nodes))
    truth = network.around(TARGET, "yes")
    return Planted(network.table_of(network.draw(n_records, chance)), truth.outcome, _truth_of(truth))


def exclusive_or(seed: int, n_records: int = 5000, n_columns: int = 20) -> Planted:
    """Two pairs of columns act by being different, two columns alone; nothing else matters."""
    chance = np.random.default_rng([21, seed])
    values = chance.random((n_columns, n_records)) < chance.uniform(0.35, 0.65, n_columns)[:, None]
    a, b, c, d, *alone = chance.permutation(n_columns)[:6].tolist()
    score = 1.5 * (values[a] ^ values[b]) + 1.5 * (values[c] ^ values[d]) + np.log(2) * values[alone].sum(0)
    columns = {f"c{i:02}": np.where(column, "yes", "no") for i, column in enumerate(values)}
    causes = frozenset(f"c{i:02}" for i in (a, b, c, d, *alone))
    return _with_outcome(columns, score, 0.4, causes, chance)


def noise(seed: int, n_records: int = 2000, n_columns: int = 20) -> Planted:
    """Columns of two to four values and an outcome that have nothing to do with each other."""
    chance = np.random.default_rng([22, seed])
    letters = np.array(list("abcd"))
    columns = {
        f"c{i:02}": letters[chance.integers(0, chance.integers(2, 5), n_records)] for i in range(n_columns)
    }
    return _with_outcome(columns, np.zeros(n_records), 0.4, frozenset(), chance)


def real_columns(data: DataSet, seed: int, most_records: int = 5000, odds_ratio: float = 2.5) -> Planted:
    """The categories of a published data set, and an outcome made up from some of them.

    A quarter of the columns, five at most, act through one of their values each. Columns that stay
    constant in the records drawn are left out.
    """
    chance = np.random.default_rng([23, len(data.table), seed])
    outcome_column = data.outcome.partition("=")[0]
    chosen = chance.permutation(data.table.num_rows)[:most_records]
    table = data.table.select([name for name in data.info.nominal if name != outcome_column]).take(chosen)
    texts = {name: np.array(table[name].to_pylist(), dtype=object) for name in table.column_names}
    columns = {name: text for name, text in texts.items() if len(set(text.tolist())) > 1}
    n_causes = min(5, max(2, len(columns) // 4))
    score, causes = np.zeros(len(chosen)), []
    for name in chance.permutation(list(columns)).tolist():
        if len(causes) == n_causes:
            break
        known = sorted({value for value in columns[name].tolist() if value is not None})
        shares = {value: float(np.mean(columns[name] == value)) for value in known}
        may_act = [value for value, share in shares.items() if ACTING_SHARE[0] < share < ACTING_SHARE[1]]
        if may_act:
            sign = chance.choice([-1, 1])
            score += sign * np.log(odds_ratio) * (columns[name] == chance.choice(may_act))
            causes.append(name)
    arrays = {name: pa.array(column.tolist(), pa.string()) for name, column in columns.items()}
    return _with_outcome(arrays, score, 0.3, frozenset(causes), chance)


CELLS: dict[str, Callable[[int], Planted]] = {
    **{setting: partial(paper_network, setting) for setting in paper.SETTINGS},
    "2-4 values": partial(many_valued_network, 2, 4),
    "5-12 values": partial(many_valued_network, 5, 12),
    "additive": failure_tables.dense_network,
    "exclusive-or": exclusive_or,
    "wide": failure_tables.wide,
    "noise": noise,
    "confounded": failure_tables.many_values,
}
"""The simulated cells by name."""

REAL: Sequence[str] = ("adult", "german", "kr-vs-kp", "mushroom")
"""Data sets whose columns get outcomes that are made up."""


def _with_outcome(
    columns: dict[str, np.ndarray] | dict[str, pa.Array],
    score: np.ndarray,
    prevalence: float,
    causes: frozenset[str],
    chance: np.random.Generator,
) -> Planted:
    """The columns and an outcome with these log odds, of which so large a share is expected."""
    is_ill = chance.random(len(score)) < logistic(score + constant_for(score, prevalence))
    table = pa.table({**columns, "z": np.where(is_ill, "yes", "no")})
    return Planted(table, OUTCOME, Truth(causes=causes))


def _truth_of(truth: NetworkTruth) -> Truth:
    return Truth(causes=frozenset(truth.parents), effects=frozenset(truth.children))
