"""Dose plot and subgroup plot: odds ratios below one another, each with its interval and its records."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from causalrules.errors import PictureError
from causalrules.report.pictures.drawing import GREY, INK, ORANGE, Rows, altair, picture
from causalrules.report.pictures.odds_axis import odds_channel, odds_domain
from causalrules.report.words.dose_words import DOSE_CAUTION, dose_rows, trend_line
from causalrules.report.words.formatting import interval, number
from causalrules.report.words.subgroup_words import SUBGROUPS_CAUTION, interaction_lines, subgroup_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result, Rule
    from causalrules.report.words.subgroup_words import EstimateRow


_WIDTH = 300
_ESTIMATES, _EXPOSED, _UNEXPOSED = _WIDTH + 14, _WIDTH + 230, _WIDTH + 320


def estimates_panel(rows: Sequence[EstimateRow], confidence: float, counts: tuple[str, str]) -> Any:
    """The panel.

    Parameters
    ----------
    rows : sequence of EstimateRow
        One estimate a row, or none.
    confidence : float
        Of the intervals.
    counts : (str, str)
        Headings of the two columns of counts.
    """
    alt = altair()
    places = Rows.of([row.name for row in rows])
    drawn = [(row.odds_ratio, y) for row, y in zip(rows, places.centres, strict=True) if row.odds_ratio]
    limits = [limit for one, _ in drawn for limit in (one.low, one.high)]
    domain = odds_domain([one.value for one, _ in drawn], limits)

    def within(value: float) -> float:
        return min(max(value, domain[0]), domain[1])

    marks = [
        {"y": y, "odds": within(one.value), "low": within(one.low), "high": within(one.high)}
        for one, y in drawn
    ]
    arrows = [
        {"y": y, "odds": edge, "arrow": arrow}
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
            "estimate": f"{number(row.odds_ratio.value)} ({interval(row.odds_ratio)})"
            if row.odds_ratio
            else "cannot tell",
            "exposed": row.exposed,
            "unexposed": row.unexposed,
        }
        for row, y in zip(rows, places.centres, strict=True)
    ]
    base = alt.Chart(alt.Data(values=marks))
    no_effect = alt.Chart(alt.Data(values=[{"odds": 1}])).mark_rule(color=GREY, strokeDash=[4, 3])
    open_ends = alt.Chart(alt.Data(values=arrows)).mark_text(fontSize=13, baseline="middle", color=INK)
    return alt.layer(
        places.stripes(alt),
        no_effect.encode(x=odds_channel(alt, "odds", domain)),
        base.mark_rule(color=INK, strokeWidth=1.5).encode(
            x=odds_channel(alt, "low", domain), x2="high:Q", y=places.y(alt)
        ),
        base.mark_point(filled=True, size=60, opacity=1, color=ORANGE).encode(
            x=odds_channel(alt, "odds", domain), y=places.y(alt)
        ),
        open_ends.encode(x=odds_channel(alt, "odds", domain), y=places.y(alt), text="arrow:N"),
        places.names(alt),
        places.heading(alt, f"odds ratio ({100 * confidence:g} % interval)", x=_ESTIMATES, align="left"),
        places.texts(alt, texts, "estimate", x=_ESTIMATES, align="left", color=INK),
        places.heading(alt, counts[0], x=_EXPOSED, align="right"),
        places.texts(alt, texts, "exposed", x=_EXPOSED, align="right", color=INK),
        places.heading(alt, counts[1], x=_UNEXPOSED, align="right"),
        places.texts(alt, texts, "unexposed", x=_UNEXPOSED, align="right", color=INK),
    ).properties(width=_WIDTH, height=places.height)


def dose_chart(rule: Rule, result: Result) -> Any:
    """All levels of the rule's column."""
    if rule.dose is None:
        raise PictureError(
            "the dose-response",
            rule.name,
            "its column has no order of three levels or more, or another rule of the column has it",
            "Give the order: causalrules test … --ordered 'dose=none<some<much'.",
        )
    return picture(
        estimates_panel(dose_rows(rule.dose), result.settings.confidence, ("cases", "records")),
        title=f"How {result.data.outcome} changes along {rule.dose.column}",
        notes=[trend_line(rule.dose), DOSE_CAUTION],
    )


def subgroup_chart(rule: Rule, result: Result) -> Any:
    """Odds ratios in all subgroups, below that of the whole study."""
    if not rule.subgroups:
        raise PictureError(
            "effects in subgroups",
            rule.name,
            "no subgroups were asked for",
            "Name columns: causalrules test … --by sex,age.",
        )
    lines = interaction_lines(rule, result.settings.alpha)
    return picture(
        estimates_panel(subgroup_rows(rule), result.settings.confidence, ("exposed", "unexposed")),
        title=f"Does the effect of {rule.name} on {result.data.outcome} differ between subgroups?",
        notes=[*lines, *re.split(r"(?<=\.) ", SUBGROUPS_CAUTION)],
    )
