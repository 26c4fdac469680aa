"""Together plot: the adjusted risk of every combination of a combined cause's parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.errors import PictureError
from causalrules.report.pictures.drawing import BLUE, GREY, INK, ORANGE, Rows, altair, picture
from causalrules.report.words.interaction_words import RERI, other_measures, risk_rows, together_line

if TYPE_CHECKING:
    from causalrules.domain import Outcome, Rule

_WIDTH = 300


def together_chart(rule: Rule, outcome: Outcome) -> Any:
    """Adjusted risks with their intervals, from none of the parts to all of them."""
    if rule.interaction is None:
        raise PictureError(
            "what the parts do together",
            rule.name,
            "it has one part, or no study of the default could be had",
            "Ask about two: causalrules test … --exposure 'a=yes & b=yes'.",
        )
    line, others = together_line(rule), other_measures(rule)
    standardised = f"standardised to the {rule.interaction.standardised_to:,} records with every part"
    return picture(
        _risks_panel(rule),
        title=f"{rule.name}: who has {outcome}?",
        notes=[
            f"{line[0].upper()}{line[1:]}{f'; {others}' if others else ''}.",
            f"Risks are {standardised}.",
            RERI,
        ],
    )


def _risks_panel(rule: Rule) -> Any:
    alt = altair()
    shown = risk_rows(rule)
    rows = Rows.of([row.label for row in shown])
    marks = [
        {
            "y": y,
            "parts": row.label,
            "risk": row.risk.value,
            "low": row.risk.low,
            "high": row.risk.high,
            "all": place == len(shown) - 1,
            "about": f"{row.risk.value:.1%}, {row.cases:,} of {row.records:,}",
        }
        for place, (row, y) in enumerate(zip(shown, rows.centres, strict=True))
    ]

    def x(field: str) -> Any:
        axis = alt.Axis(format="%", tickCount=5)
        scale = alt.Scale(zero=True, nice=True)
        return alt.X(f"{field}:Q", title="adjusted risk of the outcome", scale=scale, axis=axis)

    strong = ORANGE if rule.direction == "raises" else BLUE
    colour = alt.Color("all:N", scale=alt.Scale(domain=[True, False], range=[strong, GREY]), legend=None)
    base = alt.Chart(alt.Data(values=marks))
    tooltip = ["parts:N", *(alt.Tooltip(f"{field}:Q", format=".1%") for field in ("risk", "low", "high"))]
    return alt.layer(
        rows.stripes(alt),
        base.mark_bar(size=12).encode(
            x=x("risk"), x2=alt.datum(0), y=rows.y(alt), color=colour, tooltip=tooltip
        ),
        base.mark_rule(color=INK, strokeWidth=1.5).encode(x=x("low"), x2="high:Q", y=rows.y(alt)),
        rows.names(alt),
        rows.heading(alt, "risk, cases of records", x=_WIDTH + 14, align="left"),
        rows.texts(alt, marks, "about", x=_WIDTH + 14, align="left", color=INK),
    ).properties(width=_WIDTH, height=rows.height)
