"""From a result to the graph of what it says about columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.causal_graph import CausalGraph, EdgeKind, GraphEdge, GraphNode, Role
from causalrules.domain.knowledge import read_arrow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from causalrules.domain import Result, Rule


def graph_of(result: Result) -> CausalGraph:
    """The graph of a result; in a test of one hypothesis its exposure is drawn whatever the verdict."""
    outcome = result.data.outcome.column
    edges: dict[tuple[str, str], GraphEdge] = {}
    for edge in _edges(result, outcome):
        edges.setdefault((edge.cause, edge.effect), edge)
    nodes = {outcome: GraphNode(outcome, "outcome")}
    roles: dict[EdgeKind, Role] = {
        "causal": "exposure",
        "asked": "exposure",
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
            kind = "asked"
        if kind is None:
            continue
        drawn += [rule] if kind in ("causal", "asked") else []
        for item in rule.pattern:
            ends = (outcome, item.column) if kind == "consequence" else (item.column, outcome)
            yield GraphEdge(*ends, kind, rule.p_next, rule.name, rule.arrow != "undecided")
    for rule in drawn:
        for name in rule.design.held:
            yield GraphEdge(name, outcome, "adjusted")
    for text in result.settings.require:
        yield GraphEdge(*read_arrow(text, "require"), "declared")
