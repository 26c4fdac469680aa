"""Random Bayesian networks in the manner of TETRAD, with a target whose neighbourhood is chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from causalrules.errors import SettingsError
from causalrules.simulation.simulated import Simulated
from causalrules_lab.simulate.bayesian import Network, NetworkTruth, Node
from causalrules_lab.simulate.text_columns import BINARY

TARGET = "z"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPlan:
    """What a random network is to look like.

    Parameters
    ----------
    n_nodes : int
        Nodes, the target included.
    n_parents, n_children : int
        Of the target.
    mean_degree : float
        Arcs at a node, on average over all nodes.
    max_parents : int
        Most parents of a node other than the target.
    """

    n_nodes: int
    n_parents: int
    n_children: int
    mean_degree: float = 2.0
    max_parents: int = 4

    def __post_init__(self) -> None:
        for name, least in {"n_nodes": 2, "n_parents": 0, "n_children": 0, "max_parents": 1}.items():
            if getattr(self, name) < least:
                raise SettingsError(name, f"a whole number of at least {least}", getattr(self, name))
        if self.n_parents + self.n_children >= self.n_nodes:
            demand = f"such that the target's neighbours fit among {self.n_nodes - 1} other nodes"
            raise SettingsError("n_parents and n_children", demand, (self.n_parents, self.n_children))
        if not self.n_parents + self.n_children <= self.n_arcs <= self._most_arcs():
            demand = f"such that {self.n_nodes} nodes have between {self.n_parents + self.n_children} arcs "
            demand += f"(the target's) and {self._most_arcs()} (given max_parents)"
            raise SettingsError("mean_degree", demand, self.mean_degree)

    @property
    def n_arcs(self) -> int:
        """Arcs in all."""
        return round(self.n_nodes * self.mean_degree / 2)

    def _most_arcs(self) -> int:
        """A number of arcs that any order of nodes has room for, wherever the target stands."""
        others = range(self.n_nodes - 1)
        between_others = sum(min(position, self.max_parents - 1) for position in others)
        return between_others + self.n_parents + self.n_children


PAPER_NETWORKS = {
    "V20": NetworkPlan(n_nodes=20, n_parents=3, n_children=4),
    "V40": NetworkPlan(n_nodes=40, n_parents=3, n_children=4),
    "V60": NetworkPlan(n_nodes=60, n_parents=3, n_children=4),
    "V80": NetworkPlan(n_nodes=80, n_parents=4, n_children=4),
    "V100": NetworkPlan(n_nodes=100, n_parents=3, n_children=3),
}
"""The paper's fifteen tables are these five networks with 2,000, 5,000 and 10,000 records.

Numbers of nodes and of true neighbours are the paper's. It does not say how
many of the neighbours are parents, nor the mean degree: half, and TETRAD's
usual one arc a node, are ours.
"""


def random_network(plan: NetworkPlan, chance: np.random.Generator) -> Network:
    """Draw a network of binary nodes; probabilities are uniform.

    The nodes are put in a random order, the target where enough nodes stand
    before and after it. Its parents and children are drawn first; the other
    arcs run forward between other nodes, every pair being equally likely.
    """
    position = int(chance.integers(plan.n_parents, plan.n_nodes - plan.n_children))
    others = np.delete(np.arange(plan.n_nodes), position)
    parents: dict[int, set[int]] = {node: set() for node in range(plan.n_nodes)}
    parents[position] = set(chance.choice(others[others < position], plan.n_parents, replace=False).tolist())
    for child in chance.choice(others[others > position], plan.n_children, replace=False).tolist():
        parents[child].add(position)
    first, second = np.triu_indices(len(others), k=1)
    n_missing = plan.n_arcs - plan.n_parents - plan.n_children
    for pair in chance.permutation(len(first)).tolist():
        if n_missing == 0:
            break
        child = int(others[second[pair]])
        if len(parents[child]) < plan.max_parents:
            parents[child].add(int(others[first[pair]]))
            n_missing -= 1
    labels = chance.permutation(plan.n_nodes - 1) + 1
    names = {int(node): f"v{label}" for node, label in zip(others, labels, strict=True)} | {position: TARGET}
    nodes = [_random_node(names[node], [names[p] for p in sorted(parents[node])], chance) for node in parents]
    return Network("random", tuple(sorted(nodes, key=lambda node: _column_number(node.name))))


def _random_node(name: str, parents: list[str], chance: np.random.Generator) -> Node:
    is_yes = chance.random(2 ** len(parents))
    return Node(name, BINARY, tuple(parents), np.column_stack([1 - is_yes, is_yes]))


def _column_number(name: str) -> float:
    """Columns stand in the order of their numbers, the target last."""
    return float("inf") if name == TARGET else int(name[1:])


def network_table(
    n_records: int = 5000,
    n_nodes: int = 20,
    n_parents: int = 3,
    n_children: int = 4,
    mean_degree: float = 2.0,
    max_parents: int = 4,
    seed: int = 0,
) -> Simulated[NetworkTruth]:
    """Draw a random network and records from it.

    The network depends on the seed and the plan, not on `n_records`: with
    one seed, tables of different sizes come from the same network.

    Parameters
    ----------
    n_records : int
        Records to draw.
    n_nodes, n_parents, n_children, mean_degree, max_parents
        See `NetworkPlan`.
    seed : int
        Same seed, same table.

    Examples
    --------
    >>> simulated = network_table(n_records=100, n_nodes=20, n_parents=3, n_children=4)
    >>> simulated.table.shape, len(simulated.truth.neighbours)
    ((100, 20), 7)
    """
    plan = NetworkPlan(
        n_nodes=n_nodes,
        n_parents=n_parents,
        n_children=n_children,
        mean_degree=mean_degree,
        max_parents=max_parents,
    )
    for_network, for_records = np.random.default_rng(seed).spawn(2)
    network = random_network(plan, for_network)
    table = network.table_of(network.draw(n_records, for_records))
    return Simulated(table, network.around(TARGET, "yes"))
