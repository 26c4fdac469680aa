"""What stands next to the outcome, drawn for notebooks: causes on the left, consequences on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.notebook.markup import block, paragraph, text
from causalrules.report.words.formatting import printable

if TYPE_CHECKING:
    from causalrules.domain.causal_graph import CausalGraph, EdgeKind, GraphEdge, GraphNode

_ROW, _WIDTH, _HEIGHT = 38, 170, 26
_LEFT, _MIDDLE, _RIGHT = 90, 370, 650
_LONGEST = 18
_LEGEND = (
    "Solid: causal; dashed: possible, or asked about and not shown; dotted: adjusted for. A line without an "
    "arrowhead: it is not known which came first. Numbers are probabilities of a direct link to the outcome. "
    "Arrows among other columns are no part of a result."
)
_STROKES: dict[EdgeKind, str] = {
    "causal": 'stroke-opacity=".9" stroke-width="1.6"',
    "consequence": 'stroke-opacity=".9" stroke-width="1.6"',
    "asked": 'stroke-opacity=".8" stroke-dasharray="6 4"',
    "possible": 'stroke-opacity=".8" stroke-dasharray="6 4"',
    "adjusted": 'stroke-opacity=".6" stroke-dasharray="2 4"',
    "declared": 'stroke-opacity=".9" stroke-width="2.4"',
}


def graph_html(graph: CausalGraph) -> str:
    """The graph as SVG with a legend."""
    outcome = graph.nodes[0].name
    after = [edge.effect for edge in graph.edges if edge.cause == outcome]
    before = [node.name for node in graph.nodes[1:] if node.name not in after]
    height = _ROW * max(len(before), len(after), 1) + 12
    places: dict[str, tuple[float, float]] = {outcome: (_MIDDLE, height / 2)}
    for names, x in ((before, _LEFT), (after, _RIGHT)):
        top = (height - _ROW * len(names)) / 2
        places |= {name: (x, top + _ROW * (place + 0.5)) for place, name in enumerate(names)}
    arrows = "".join(_arrow(edge, places) for edge in graph.edges if outcome in (edge.cause, edge.effect))
    boxes = "".join(_box(node, *places[node.name]) for node in graph.nodes)
    links = "; ".join(map(_link_in_words, graph.edges))
    width = (_RIGHT if after else _MIDDLE) + _WIDTH / 2 + 4
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{text(links)}" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" style="max-width:100%;height:auto" '
        f'font-family="sans-serif" font-size="13" fill="currentColor" stroke="none">{arrows}{boxes}</svg>'
    )
    return block(svg, paragraph(_LEGEND, quiet=True))


def _box(node: GraphNode, x: float, y: float) -> str:
    shown = printable(node.name)
    shown = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
    stroke = "2" if node.role == "outcome" else "1"
    box = (
        f'<rect x="{x - _WIDTH / 2:g}" y="{y - _HEIGHT / 2:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" '
        f'fill="none" stroke="currentColor" stroke-width="{stroke}" stroke-opacity=".7"/>'
    )
    if node.p_next is None:
        return box + f'<text x="{x:g}" y="{y + 4.5:g}" text-anchor="middle">{text(shown)}</text>'
    left, right = x - _WIDTH / 2 + 9, x + _WIDTH / 2 - 9
    return (
        f'{box}<text x="{left:g}" y="{y + 4.5:g}">{text(shown)}</text>'
        f'<text x="{right:g}" y="{y + 4:g}" text-anchor="end" font-size="11" fill-opacity=".75">'
        f"{node.p_next:.2f}</text>"
    )


def _link_in_words(edge: GraphEdge) -> str:
    """A link for those who do not see it."""
    if edge.is_directed:
        return f"{edge.cause} to {edge.effect}, {edge.kind}"
    return f"{edge.cause} and {edge.effect}, {edge.kind}, not known which came first"


def _arrow(edge: GraphEdge, places: dict[str, tuple[float, float]]) -> str:
    (x1, y1), (x2, y2) = places[edge.cause], places[edge.effect]
    x1, x2 = x1 + _WIDTH / 2, x2 - _WIDTH / 2
    end = x2 - 7 if edge.is_directed else x2
    line = (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{end:.1f}" y2="{y2:g}" stroke="currentColor" '
        f"{_STROKES[edge.kind]}/>"
    )
    if not edge.is_directed:
        return line
    head = f'<path d="M {x2 - 8:g} {y2 - 4:g} L {x2:g} {y2:g} L {x2 - 8:g} {y2 + 4:g} Z"/>'
    return line + head
