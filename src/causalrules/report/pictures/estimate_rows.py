"""A panel of effects below one another, each with its interval and the records behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.report.pictures.drawing import GREY, INK, ORANGE, Rows, altair
from causalrules.report.pictures.effect_axis import EffectAxis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.report.words.measure import Measure
    from causalrules.report.words.subgroup_words import EstimateRow

_WIDTH = 300
_ESTIMATES, _EXPOSED, _UNEXPOSED = _WIDTH + 14, _WIDTH + 230, _WIDTH + 320


def estimates_panel(
    rows: Sequence[EstimateRow], measure: Measure, confidence: float, counts: tuple[str, str]
) -> Any:
    """The panel.

    Parameters
    ----------
    rows : sequence of EstimateRow
        One estimate a row, or none.
    measure : Measure
        What effects are called, and how they are shown.
    confidence : float
        Of the intervals.
    counts : (str, str)
        Headings of the two columns of counts.
    """
    alt = altair()
    places = Rows.of([row.name for row in rows])
    drawn = [(row.effect, y) for row, y in zip(rows, places.centres, strict=True) if row.effect]
    axis = EffectAxis.of(measure, [one for one, _ in drawn])
    marks = [{"y": y} | axis.numbers(one) for one, y in drawn]
    arrows = [arrow for one, y in drawn for arrow in axis.open_ends(one, y)]
    texts = [
        {
            "y": y,
            "estimate": measure.with_limits(row.effect) if row.effect else "cannot tell",
            "exposed": row.exposed,
            "unexposed": row.unexposed,
        }
        for row, y in zip(rows, places.centres, strict=True)
    ]
    base = alt.Chart(alt.Data(values=marks))
    no_effect = alt.Chart(alt.Data(values=[{"effect": measure.nothing}])).mark_rule(
        color=GREY, strokeDash=[4, 3]
    )
    open_ends = alt.Chart(alt.Data(values=arrows)).mark_text(fontSize=13, baseline="middle", color=INK)
    return alt.layer(
        places.stripes(alt),
        no_effect.encode(x=axis.channel(alt, "effect")),
        base.mark_rule(color=INK, strokeWidth=1.5).encode(
            x=axis.channel(alt, "low"), x2="high:Q", y=places.y(alt)
        ),
        base.mark_point(filled=True, size=60, opacity=1, color=ORANGE).encode(
            x=axis.channel(alt, "effect"), y=places.y(alt)
        ),
        open_ends.encode(x=axis.channel(alt, "effect"), y=places.y(alt), text="arrow:N"),
        places.names(alt),
        places.heading(alt, f"{measure.name} ({100 * confidence:g} % interval)", x=_ESTIMATES, align="left"),
        places.texts(alt, texts, "estimate", x=_ESTIMATES, align="left", color=INK),
        places.heading(alt, counts[0], x=_EXPOSED, align="right"),
        places.texts(alt, texts, "exposed", x=_EXPOSED, align="right", color=INK),
        places.heading(alt, counts[1], x=_UNEXPOSED, align="right"),
        places.texts(alt, texts, "unexposed", x=_UNEXPOSED, align="right", color=INK),
    ).properties(width=_WIDTH, height=places.height)
