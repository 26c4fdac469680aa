"""How a rule looks in every picture: verdict and direction by shape as well as by colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.report.pictures.drawing import BLUE, GREEN, GREY, ORANGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules.domain import Rule

RAISES, LOWERS = "causal: raises the odds", "causal: lowers the odds"
REJECTED, UNTESTABLE, CRUDE = "rejected", "untestable", "crude, over all records"

_SHAPES = {
    RAISES: "triangle-up",
    LOWERS: "triangle-down",
    REJECTED: "circle",
    UNTESTABLE: "cross",
    CRUDE: "diamond",
}
_COLOURS = {RAISES: ORANGE, LOWERS: BLUE, REJECTED: "#444444", UNTESTABLE: GREEN, CRUDE: GREY}


def kind_of(rule: Rule) -> str:
    """What the legend calls a rule."""
    if rule.verdict == "causal":
        return RAISES if rule.direction == "raises" else LOWERS
    return REJECTED if rule.verdict == "rejected" else UNTESTABLE


def by_kind(rules: Iterable[Rule]) -> list[Rule]:
    """What raises first, then what lowers, then the others; within each as they were."""
    order = list(_SHAPES)
    return sorted(rules, key=lambda rule: order.index(kind_of(rule)))


def shape_and_colour(alt: Any, kinds: Iterable[str], *, legend: bool = True) -> dict[str, Any]:
    """Channels for marks whose field `kind` is one of these."""
    present = set(kinds)
    shown = [kind for kind in _SHAPES if kind in present]
    more = {} if legend else {"legend": None}
    return {
        "shape": alt.Shape(
            "kind:N", scale=alt.Scale(domain=shown, range=[_SHAPES[k] for k in shown]), **more
        ),
        "color": alt.Color(
            "kind:N", scale=alt.Scale(domain=shown, range=[_COLOURS[k] for k in shown]), **more
        ),
    }
