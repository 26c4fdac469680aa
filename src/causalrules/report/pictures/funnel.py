"""Every tested rule by effect and precision."""

from __future__ import annotations

from math import exp, isfinite, log
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from causalrules.domain.matching_comparison import of_the_outcome
from causalrules.report.pictures.drawing import FAINT, GREY, altair, message, picture
from causalrules.report.pictures.marks import LOWERS, RAISES, kind_of, shape_and_colour
from causalrules.report.pictures.odds_axis import odds_channel, odds_domain
from causalrules.report.pictures.placing import place_labels
from causalrules.report.words.sentences import interval, number

if TYPE_CHECKING:
    from causalrules.domain import Result, Rule

_WIDTH, _HEIGHT = 520, 380
_NAMED = 10


def funnel_chart(result: Result) -> Any:
    """Odds ratios against their standard errors, with the region in which chance alone would put them."""
    title = f"Effect and precision of every rule tested for {result.data.outcome}"
    confidence = result.settings.interval_confidence
    width = NormalDist().inv_cdf((1 + confidence) / 2)
    points = [point for rule in result.tested if (point := _point(rule, width))]
    if not points:
        n_tested = len(result.tested)
        found = f"none of the {n_tested} rules has an interval" if n_tested else "no association was tested"
        return message(title, f"There is nothing to draw: {found}.")
    notes = [
        f"High up: precise. {100 * confidence:g} % of the rules without any effect fall between the dashed "
        "lines by chance alone; no correction for many rules is drawn."
    ]
    if len(points) < len(result.tested):
        n_missing = len(result.tested) - len(points)
        notes.append(f"{n_missing} of {len(result.tested)} rules have no finite interval and are not drawn.")
    return picture(_panel(points, width), title=title, notes=notes)


def _panel(points: list[dict[str, Any]], width: float) -> Any:
    alt = altair()
    deepest = 1.06 * max(point["error"] for point in points)
    domain = odds_domain([point["odds"] for point in points])
    lines = [
        {"odds": min(max(exp(sign * width * error), domain[0]), domain[1]), "error": error, "side": sign}
        for sign in (-1, 1)
        for error in (0.0, min(deepest, log(domain[1] if sign > 0 else 1 / domain[0]) / width))
    ]
    x = odds_channel(alt, "odds", domain, title="adjusted odds ratio")
    y = alt.Y(
        "error:Q",
        title="standard error of its logarithm",
        scale=alt.Scale(domain=[0, deepest], reverse=True, nice=False),
    )
    tips = [alt.Tooltip(f"{name}:N") for name in ("rule", "kind", "estimate", "pairs")]
    looks = shape_and_colour(alt, [point["kind"] for point in points])
    marks = alt.Chart(alt.Data(values=points)).mark_point(filled=True, size=48, opacity=0.75)
    chance = alt.Chart(alt.Data(values=lines)).mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1.2)
    no_effect = alt.Chart(alt.Data(values=[{"odds": 1}])).mark_rule(color=GREY)
    return alt.layer(
        no_effect.encode(x=x),
        chance.encode(x=x, y=y, detail="side:N"),
        marks.encode(x=x, y=y, tooltip=tips, **looks),
        *_names(alt, points, domain, deepest),
    ).properties(width=_WIDTH, height=_HEIGHT)


def _names(alt: Any, points: list[dict[str, Any]], domain: tuple[float, float], deepest: float) -> list[Any]:
    """Names of the causal rules with the largest effects, where there is room for them."""
    span = log(domain[1] / domain[0])
    spots = [
        (_WIDTH * log(point["odds"] / domain[0]) / span, _HEIGHT * point["error"] / deepest)
        for point in points
    ]
    causal = [i for i, point in enumerate(points) if point["kind"] in (RAISES, LOWERS)]
    outermost = sorted(causal, key=lambda i: -abs(log(points[i]["odds"])))
    placed = place_labels([(points[i]["rule"], *spots[i]) for i in outermost], spots, _WIDTH)[:_NAMED]
    return [
        alt.Chart(alt.Data(values=[label for label in placed if label["align"] == align]))
        .mark_text(align=align, baseline="middle", fontSize=10, color=FAINT, limit=0)
        .encode(
            text="text:N",
            x=alt.X("x:Q", scale=None, axis=None),
            y=alt.Y("y:Q", scale=None, axis=None),
        )
        for align in ("left", "right")
    ]


def _point(rule: Rule, width: float) -> dict[str, Any] | None:
    odds = of_the_outcome(rule.adjusted_odds_ratio, rule.direction)
    if rule.verdict == "untestable" or not (0 < odds.low < odds.high and isfinite(odds.high)):
        return None
    return {
        "rule": rule.name,
        "kind": kind_of(rule),
        "odds": odds.value,
        "error": log(odds.high / odds.low) / (2 * width),
        "estimate": f"{number(odds.value)} ({interval(odds)})",
        "pairs": f"{rule.pairs.n_pairs:,.0f}",
    }
