"""Dose plot and subgroup plot: effects below one another, each with its interval and its records."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from causalrules.errors import PictureError
from causalrules.report.pictures.drawing import GREY, INK, ORANGE, Rows, altair, picture
from causalrules.report.pictures.effect_axis import EffectAxis
from causalrules.report.words.dose_words import dose_caution, dose_counts, dose_rows, trend_line
from causalrules.report.words.measure import measure_of
from causalrules.report.words.subgroup_words import interaction_lines, subgroup_rows, subgroups_caution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Result, Rule
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
        estimates_panel(
            dose_rows(rule.dose), measure_of(rule), result.settings.confidence, dose_counts(rule.dose)
        ),
        title=f"How {result.data.outcome} changes along {rule.dose.column}",
        notes=[trend_line(rule.dose), dose_caution(result)],
    )


def subgroup_chart(rule: Rule, result: Result) -> Any:
    """Effects in all subgroups, below that of the whole study."""
    if not rule.subgroups:
        raise PictureError(
            "effects in subgroups",
            rule.name,
            "no subgroups were asked for",
            "Name columns: causalrules test … --by sex,age.",
        )
    lines = interaction_lines(rule, result.settings.alpha)
    return picture(
        estimates_panel(
            subgroup_rows(rule), measure_of(rule), result.settings.confidence, ("exposed", "unexposed")
        ),
        title=f"Does the effect of {rule.name} on {result.data.outcome} differ between subgroups?",
        notes=[*lines, *re.split(r"(?<=\.) ", subgroups_caution(result))],
    )
