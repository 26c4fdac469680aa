"""What a result says about columns, as a graph: for networkx, Graphviz (DOT) and DAGitty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from causalrules.domain.knowledge import read_arrow
from causalrules.errors import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from causalrules.domain import Result, Rule

Role = Literal["outcome", "exposure", "possible", "consequence", "control"]
EdgeKind = Literal["causal", "possible", "consequence", "adjusted", "declared"]

_LOOKS: dict[EdgeKind, str] = {
    "causal": "",
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
    """An arrow, where it comes from, and the rule behind it.

    `kind` is ``causal`` (a causal rule), ``possible`` (listed apart),
    ``consequence`` (of the outcome), ``adjusted`` (a column that was adjusted
    for, and so is taken to come before the outcome) or ``declared`` (by the user).
    """

    cause: str
    effect: str
    kind: EdgeKind
    probability: float | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class CausalGraph:
    """Columns and arrows to and from the outcome.

    A result knows what stands next to the outcome; arrows among the other
    columns are no part of it, unless the user declared some. An exposure of
    which the data do not tell what came first points to the outcome, as the
    study assumed.

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
    dag {
    "ill" [outcome]
    "smoker" [exposure]
    "severity" [adjusted]
    "smoker" -> "ill"
    "severity" -> "ill"
    }
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]

    def to_networkx(self) -> Any:
        """A `networkx.DiGraph` with the attributes of nodes and edges."""
        try:
            import networkx
        except ImportError as error:
            raise MissingPackageError("a graph of networkx", "networkx", "graph") from error
        graph = networkx.DiGraph()
        for node in self.nodes:
            graph.add_node(node.name, role=node.role, p_next=node.p_next)
        for edge in self.edges:
            details = {"kind": edge.kind, "probability": edge.probability, "rule": edge.rule}
            graph.add_edge(edge.cause, edge.effect, **details)
        return graph

    def to_dot(self) -> str:
        """The graph for Graphviz; probabilities stand beside the arrows."""
        lines = ["digraph {", "rankdir=LR"]
        lines += [
            f"{_quoted(node.name)}{' [shape=box]' if node.role == 'outcome' else ''}" for node in self.nodes
        ]
        for edge in self.edges:
            shown = [] if edge.probability is None else [f'label="{edge.probability:.2f}"']
            looks = ", ".join([*shown, *filter(None, [_LOOKS[edge.kind]])])
            arrow = f"{_quoted(edge.cause)} -> {_quoted(edge.effect)}"
            lines.append(f"{arrow} [{looks}]" if looks else arrow)
        return "\n".join([*lines, "}"])

    def to_dagitty(self) -> str:
        """The graph as DAGitty's code, with roles."""
        lines = ["dag {"]
        for node in self.nodes:
            role = _DAGITTY[node.role]
            lines.append(f"{_quoted(node.name)}{f' [{role}]' if role else ''}")
        lines += [f"{_quoted(edge.cause)} -> {_quoted(edge.effect)}" for edge in self.edges]
        return "\n".join([*lines, "}"])

    def __str__(self) -> str:
        return self.to_dagitty()


def graph_of(result: Result) -> CausalGraph:
    """The graph of a result; in a test of one hypothesis its exposure is drawn whatever the verdict."""
    outcome = result.data.outcome.column
    edges: dict[tuple[str, str], GraphEdge] = {}
    for edge in _edges(result, outcome):
        edges.setdefault((edge.cause, edge.effect), edge)
    nodes = {outcome: GraphNode(outcome, "outcome")}
    roles: dict[EdgeKind, Role] = {
        "causal": "exposure",
        "possible": "possible",
        "consequence": "consequence",
        "adjusted": "control",
        "declared": "control",
    }
    for edge in edges.values():
        for name in (edge.cause, edge.effect):
            nodes.setdefault(name, GraphNode(name, roles[edge.kind], edge.probability))
    return CausalGraph(tuple(nodes.values()), tuple(edges.values()))


def _edges(result: Result, outcome: str) -> Iterator[GraphEdge]:
    is_one_study = not result.by_length and len(result.tested) == 1
    drawn: list[Rule] = []
    for rule in result.tested:
        kind: EdgeKind | None = None
        if rule.verdict in ("causal", "possible", "consequence"):
            kind = rule.verdict
        elif is_one_study:
            kind = "causal"
        if kind is None:
            continue
        drawn += [rule] if kind == "causal" else []
        for item in rule.pattern:
            ends = (outcome, item.column) if kind == "consequence" else (item.column, outcome)
            yield GraphEdge(*ends, kind, rule.p_next, rule.name)
    for rule in drawn:
        held = rule.design.held if rule.design else tuple(item.column for item in rule.controls)
        for name in held:
            yield GraphEdge(name, outcome, "adjusted")
    for text in result.settings.require:
        yield GraphEdge(*read_arrow(text, "require"), "declared")


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
