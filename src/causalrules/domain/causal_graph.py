"""What a result says about columns, as a graph: for networkx, Graphviz (DOT) and DAGitty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from causalrules.errors import MissingPackageError

Role = Literal["outcome", "exposure", "possible", "consequence", "control"]
EdgeKind = Literal["causal", "asked", "possible", "consequence", "adjusted", "declared"]

_LOOKS: dict[EdgeKind, str] = {
    "causal": "",
    "asked": "style=dashed",
    "possible": "style=dashed",
    "consequence": "",
    "adjusted": "style=dotted, color=gray50",
    "declared": "style=bold",
}
_DAGITTY: dict[Role, str] = {
    "outcome": "outcome",
    "exposure": "exposure",
    "possible": "",
    "consequence": "",
    "control": "adjusted",
}


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A column, what it is in the result, and the probability that it stands next to the outcome."""

    name: str
    role: Role
    p_next: float | None = None


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A link between two columns, where it comes from, and the rule behind it.

    `kind` is ``causal`` (a causal rule), ``asked`` (the hypothesis of a test
    that did not show it), ``possible`` (listed apart),
    ``consequence`` (of the outcome), ``adjusted`` (a column that was adjusted
    for, and so is taken to come before the outcome) or ``declared`` (by the user).
    Where neither the data nor the user say which came first, `is_directed` is
    False: `cause` and `effect` are then only what the study took them for.
    """

    cause: str
    effect: str
    kind: EdgeKind
    probability: float | None = None
    rule: str = ""
    is_directed: bool = True


@dataclass(frozen=True, slots=True)
class CausalGraph:
    """Columns and arrows to and from the outcome.

    A result knows what stands next to the outcome; arrows among the other
    columns are no part of it, unless the user declared some. An exposure is
    linked to the outcome without an arrow where it is not known which came
    first; ``before`` and ``tiers`` say it.

    Parameters
    ----------
    nodes : tuple of GraphNode
        The outcome first.
    edges : tuple of GraphEdge
        Strongest first.

    Examples
    --------
    >>> import causalrules
    >>> patients = causalrules.simulate("hospital", n_records=2000).table
    >>> result = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity")
    >>> print(result.graph().to_dagitty())
    pdag {
    "ill" [outcome]
    "smoker" [exposure]
    "severity" [adjusted]
    "smoker" -- "ill"
    "severity" -> "ill"
    }
    >>> known = causalrules.test(patients, "ill=yes", "smoker=yes", adjust="severity", before="smoker")
    >>> print(known.graph().to_dagitty())
    dag {
    "ill" [outcome]
    "smoker" [exposure]
    "severity" [adjusted]
    "smoker" -> "ill"
    "severity" -> "ill"
    }
    >>> print(result.graph().to_dot())
    digraph {
    rankdir=LR
    "ill" [shape=box]
    "smoker"
    "severity"
    "smoker" -> "ill" [dir=none, label="1.00"]
    "severity" -> "ill" [style=dotted, color=gray50]
    }
    >>> sorted(result.graph().to_networkx().predecessors("ill"))
    ['severity', 'smoker']
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]

    def to_networkx(self) -> Any:
        """A `networkx.DiGraph` with the attributes of nodes and edges.

        Of an edge whose `is_directed` is False it is not known which end came first.
        """
        try:
            import networkx
        except ImportError as error:
            raise MissingPackageError("a graph of networkx", "networkx", "graph") from error
        graph = networkx.DiGraph()
        for node in self.nodes:
            graph.add_node(node.name, role=node.role, p_next=node.p_next)
        for edge in self.edges:
            graph.add_edge(
                edge.cause,
                edge.effect,
                kind=edge.kind,
                probability=edge.probability,
                rule=edge.rule,
                is_directed=edge.is_directed,
            )
        return graph

    def to_dot(self) -> str:
        """The graph for Graphviz; probabilities stand beside the links."""
        lines = ["digraph {", "rankdir=LR"]
        lines += [
            f"{_quoted(node.name)}{' [shape=box]' if node.role == 'outcome' else ''}" for node in self.nodes
        ]
        for edge in self.edges:
            shown = [] if edge.is_directed else ["dir=none"]
            shown += [] if edge.probability is None else [f'label="{edge.probability:.2f}"']
            looks = ", ".join([*shown, *filter(None, [_LOOKS[edge.kind]])])
            arrow = f"{_quoted(edge.cause)} -> {_quoted(edge.effect)}"
            lines.append(f"{arrow} [{looks}]" if looks else arrow)
        return "\n".join([*lines, "}"])

    def to_dagitty(self) -> str:
        """The graph as DAGitty's code, with roles; a `pdag` where a link has no known direction."""
        lines = ["dag {" if all(edge.is_directed for edge in self.edges) else "pdag {"]
        for node in self.nodes:
            role = _DAGITTY[node.role]
            lines.append(f"{_quoted(node.name)}{f' [{role}]' if role else ''}")
        lines += [
            f"{_quoted(edge.cause)} {'->' if edge.is_directed else '--'} {_quoted(edge.effect)}"
            for edge in self.edges
        ]
        return "\n".join([*lines, "}"])

    def __str__(self) -> str:
        return self.to_dagitty()

    def _repr_html_(self) -> str:
        from causalrules.report.notebook import graph_html

        return graph_html(self)


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
