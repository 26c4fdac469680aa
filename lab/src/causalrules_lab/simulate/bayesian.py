"""Bayesian networks of discrete nodes: their structure, and records drawn from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from causalrules.errors import TableError, UnknownColumnError, quoted
from causalrules_lab.simulate.text_columns import text_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_GAP = 0.02
"""Rows of published networks are rounded; their sums may miss 1 by this much."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One variable of a network.

    Parameters
    ----------
    name : str
        The column it becomes.
    values : tuple of str
        Its values.
    parents : tuple of str
        The nodes it depends on.
    probabilities : float64[combinations of the parents' values, number of values]
        One row for each combination; the last parent's value changes fastest.
    """

    name: str
    values: tuple[str, ...]
    parents: tuple[str, ...]
    probabilities: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Network:
    """A directed graph without cycles and a table of probabilities for each node.

    Examples
    --------
    >>> rain = Node("rain", ("no", "yes"), (), np.array([[0.8, 0.2]]))
    >>> wet = Node("wet", ("no", "yes"), ("rain",), np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> table = Network("garden", (wet, rain)).sample(1000, seed=1)
    >>> table.column_names, table["wet"] == table["rain"]
    (['wet', 'rain'], True)
    """

    name: str
    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        for node in self.nodes:
            self._check(node)
        self.order  # noqa: B018 - finding an order checks that there is no cycle

    @cached_property
    def by_name(self) -> dict[str, Node]:
        """The nodes by their names."""
        return {node.name: node for node in self.nodes}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Names of the nodes, every parent before its children."""
        try:
            return tuple(TopologicalSorter({node.name: node.parents for node in self.nodes}).static_order())
        except CycleError as error:
            cycle = " → ".join(error.args[1])
            raise TableError(
                f"network {quoted(self.name)} has a cycle: {cycle}. Remove one of its arcs."
            ) from error

    @property
    def n_arcs(self) -> int:
        """Arcs from a parent to a child."""
        return sum(len(node.parents) for node in self.nodes)

    def around(self, target: str, value: str) -> NetworkTruth:
        """Parents, children and spouses of a node: what is true about the causes of one of its values."""
        if target not in self.by_name:
            raise UnknownColumnError("target", target, list(self.by_name))
        children = [node for node in self.nodes if target in node.parents]
        spouses = {name for child in children for name in child.parents} - {target}
        return NetworkTruth(
            outcome=f"{target}={value}",
            parents=self.by_name[target].parents,
            children=tuple(child.name for child in children),
            spouses=tuple(node.name for node in self.nodes if node.name in spouses),
        )

    def draw(self, n_records: int, chance: np.random.Generator) -> dict[str, NDArray[np.intp]]:
        """Codes of the values of each node, parents drawn before children."""
        codes: dict[str, NDArray[np.intp]] = {}
        for name in self.order:
            node = self.by_name[name]
            row = np.zeros(n_records, np.intp)
            for parent in node.parents:
                row = row * len(self.by_name[parent].values) + codes[parent]
            limits = np.cumsum(node.probabilities, axis=1)
            limits = limits[:, :-1] / limits[:, -1:]
            codes[name] = (chance.random(n_records)[:, None] >= limits[row]).sum(axis=1)
        return codes

    def table_of(self, codes: dict[str, NDArray[np.intp]]) -> pa.Table:
        """Codes as a table of text, one column a node, in the order of nodes."""
        return pa.table({node.name: text_column(codes[node.name], node.values) for node in self.nodes})

    def sample(self, n_records: int, seed: int = 0) -> pa.Table:
        """Draw a table; the same seed gives the same table."""
        return self.table_of(self.draw(n_records, np.random.default_rng(seed)))

    def _check(self, node: Node) -> None:
        def refuse(problem: str, remedy: str) -> None:
            raise TableError(f"node {quoted(node.name)} of network {quoted(self.name)} {problem}. {remedy}")

        if self.by_name[node.name] is not node:
            refuse("occurs twice", "Give each node a name of its own.")
        for parent in node.parents:
            if parent not in self.by_name:
                refuse(f"has an unknown parent {quoted(parent)}", "Add the parent or remove the arc.")
        n_rows = prod(len(self.by_name[parent].values) for parent in node.parents)
        shape = (n_rows, len(node.values))
        if node.probabilities.shape != shape:
            refuse(f"has probabilities of shape {node.probabilities.shape}", f"It must be {shape}.")
        sums = node.probabilities.sum(axis=1)
        if not ((node.probabilities >= 0).all() and (abs(sums - 1) <= LARGEST_GAP).all()):
            refuse("has probabilities that are negative or do not add up to 1", "Correct its table.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkTruth:
    """What stands around the target of a network.

    `parents` are its direct causes. A method that tells neighbours from
    others, but not causes from effects, can at best find `neighbours`.
    """

    outcome: str
    parents: tuple[str, ...]
    children: tuple[str, ...]
    spouses: tuple[str, ...]

    @property
    def neighbours(self) -> tuple[str, ...]:
        """Parents and children."""
        return self.parents + self.children

    def to_dict(self) -> dict[str, Any]:
        """The truth as JSON knows it."""
        return {
            "outcome": self.outcome,
            "parents": list(self.parents),
            "children": list(self.children),
            "spouses": list(self.spouses),
        }

    def in_words(self) -> list[str]:
        """The truth for people, one line a kind of neighbour."""
        return [
            f"its causes (parents): {', '.join(self.parents) or 'none'}",
            f"its effects (children): {', '.join(self.children) or 'none'}",
            f"other causes of its effects: {', '.join(self.spouses) or 'none'}",
        ]
