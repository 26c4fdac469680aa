"""Love plot: how alike exposed and unexposed records are, item by item, before and after matching."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.errors import PictureError
from causalrules.report.pictures.drawing import BLUE, FAINT, GREY, ORANGE, Rows, altair, message, picture
from causalrules.report.words.formatting import number

if TYPE_CHECKING:
    from causalrules.domain import Balance, Rule

_WIDTH = 340
_SMALL, _LARGE = 0.1, 0.25
"""Standardised differences from which one looks twice (Austin 2009), and that are much (Stuart 2010)."""
_BEFORE, _AFTER = "before matching", "after matching"


def love_chart(rule: Rule) -> Any:
    """Standardised differences of the items that differ most, the largest first."""
    balance = rule.balance
    if balance is None:
        raise PictureError(
            "a love plot",
            rule.name,
            "its balance was not counted, which is done for causal rules and for single studies",
            "Put it to a study of its own: causalrules test … --exposure … --json FILE, or causalrules.study",
        )
    title = f"Are records with and without {rule.name} alike?"
    if not balance.items:
        return message(title, "The table has no other items in which they could differ.")
    notes = [
        "Standardised difference of each item between exposed and unexposed; 0 is alike, "
        f"above {_SMALL:g} (dotted) worth a look, above {_LARGE:g} (dashed) much.",
        f"The {len(balance.items)} items that differ most; over all items the worst is "
        f"{number(balance.worst_before)} before and {number(balance.worst_after)} after, "
        f"the mean {number(balance.mean_before)} and {number(balance.mean_after)}.",
    ]
    return picture(_panel(balance), title=title, notes=notes)


def _panel(balance: Balance) -> Any:
    alt = altair()
    ordered = sorted(balance.items, key=lambda one: -abs(one.before))
    rows = Rows.of([one.item.name for one in ordered], headed=False)
    spans, marks = [], []
    for one, y in zip(ordered, rows.centres, strict=True):
        before, after = abs(one.before), abs(one.after)
        spans.append({"y": y, "before": before, "after": after})
        marks += [
            {"item": one.item.name, "y": y, "when": when, "difference": size}
            for when, size in ((_BEFORE, before), (_AFTER, after))
        ]
    largest = max([_LARGE, *(max(abs(one.before), abs(one.after)) for one in ordered)])
    scale = alt.Scale(domain=[0, 1.05 * largest], nice=False)

    def x(field: str) -> Any:
        title = "standardised difference, without its sign"
        return alt.X(f"{field}:Q", title=title, scale=scale, axis=alt.Axis(tickCount=6))

    shapes = alt.Shape("when:N", scale=alt.Scale(domain=[_BEFORE, _AFTER], range=["circle", "square"]))
    colours = alt.Color("when:N", scale=alt.Scale(domain=[_BEFORE, _AFTER], range=[ORANGE, BLUE]))
    # Where matching changed nothing, the two fall together: the small full square then stands in the ring.
    sizes = alt.condition(f"datum.when == '{_AFTER}'", alt.value(30), alt.value(110))
    filled = alt.Fill("when:N", scale=alt.Scale(domain=[_BEFORE, _AFTER], range=["white", BLUE]))
    points = alt.Chart(alt.Data(values=marks)).mark_point(strokeWidth=1.8, opacity=1)
    joined = alt.Chart(alt.Data(values=spans)).mark_rule(color=GREY, strokeWidth=1)
    return alt.layer(
        rows.stripes(alt),
        _line_at(alt, x, _SMALL, [1, 3]),
        _line_at(alt, x, _LARGE, [4, 3]),
        joined.encode(x=x("before"), x2="after:Q", y=rows.y(alt)),
        points.encode(
            x=x("difference"),
            y=rows.y(alt),
            tooltip=["item:N", "when:N", "difference:Q"],
            shape=shapes,
            color=colours,
            size=sizes,
            fill=filled,
        ),
        rows.names(alt),
    ).properties(width=_WIDTH, height=rows.height)


def _line_at(alt: Any, x: Any, difference: float, dash: list[int]) -> Any:
    line = alt.Chart(alt.Data(values=[{"difference": difference}])).mark_rule(color=FAINT, strokeDash=dash)
    return line.encode(x=x("difference"))
