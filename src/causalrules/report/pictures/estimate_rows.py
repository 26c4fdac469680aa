"""A panel of effects below one another, each with its interval and the records behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.report.pictures.drawing import GREY, INK, ORANGE, Rows, altair
from causalrules.report.pictures.odds_axis import odds_channel, odds_domain
from causalrules.report.words.measure import Measure, differences_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from causalrules.domain import Estimate
    from causalrules.report.words.subgroup_words import EstimateRow

_WIDTH = 300
_MARGIN = 0.05
"""Of an axis of differences, beyond what is drawn, as a share of it."""
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
    domain, channel = _axis(measure, [one for one, _ in drawn])

    def within(value: float) -> float:
        return min(max(value, domain[0]), domain[1])

    marks = [
        {"y": y, "effect": within(one.value), "low": within(one.low), "high": within(one.high)}
        for one, y in drawn
    ]
    arrows = [
        {"y": y, "effect": edge, "arrow": arrow}
        for one, y in drawn
        for arrow, edge, is_open in (
            ("←", domain[0], one.low < domain[0]),
            ("→", domain[1], one.high > domain[1]),
        )
        if is_open
    ]
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
        no_effect.encode(x=channel(alt, "effect")),
        base.mark_rule(color=INK, strokeWidth=1.5).encode(
            x=channel(alt, "low"), x2="high:Q", y=places.y(alt)
        ),
        base.mark_point(filled=True, size=60, opacity=1, color=ORANGE).encode(
            x=channel(alt, "effect"), y=places.y(alt)
        ),
        open_ends.encode(x=channel(alt, "effect"), y=places.y(alt), text="arrow:N"),
        places.names(alt),
        places.heading(alt, f"{measure.name} ({100 * confidence:g} % interval)", x=_ESTIMATES, align="left"),
        places.texts(alt, texts, "estimate", x=_ESTIMATES, align="left", color=INK),
        places.heading(alt, counts[0], x=_EXPOSED, align="right"),
        places.texts(alt, texts, "exposed", x=_EXPOSED, align="right", color=INK),
        places.heading(alt, counts[1], x=_UNEXPOSED, align="right"),
        places.texts(alt, texts, "unexposed", x=_UNEXPOSED, align="right", color=INK),
    ).properties(width=_WIDTH, height=places.height)


def _axis(
    measure: Measure, drawn: Sequence[Estimate]
) -> tuple[tuple[float, float], Callable[[Any, str], Any]]:
    """The ends of the axis, and the horizontal channel of a field: logarithmic for ratios, else even."""
    if measure.is_ratio:
        limits = [limit for one in drawn for limit in (one.low, one.high)]
        domain = odds_domain([one.value for one in drawn], limits)
        return domain, lambda alt, field: odds_channel(alt, field, domain)
    low, high = differences_domain(drawn)
    margin = _MARGIN * (high - low)
    ends = low - margin, high + margin

    def channel(alt: Any, field: str) -> Any:
        scale = alt.Scale(domain=list(ends), nice=False)
        return alt.X(f"{field}:Q", title=measure.name, scale=scale, axis=alt.Axis(grid=True, tickCount=6))

    return ends, channel
