"""Funnel plot: every tested rule by effect and precision, the strongest named where nothing is covered."""

from __future__ import annotations

from math import exp, isfinite, log
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, chop_cells

from causalrules.report.pictures.drawing import FAINT, GREY, altair, message, picture
from causalrules.report.pictures.odds_axis import (
    LOWERS,
    RAISES,
    kind_of,
    odds_channel,
    odds_domain,
    shape_and_colour,
)
from causalrules.report.words.formatting import interval, number, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from causalrules.domain import Result, Rule

    Box = tuple[float, float, float, float]

_WIDTH, _HEIGHT = 520, 380
_NAMED = 10
_CELL_WIDTH, _LINE_HEIGHT, _LABEL_GAP = 5.8, 12.0, 7.0
_LONGEST_LABEL = 34


def funnel_chart(result: Result) -> Any:
    """Odds ratios against their standard errors, with the region in which chance alone would put them."""
    title = f"Effect and precision of every rule tested for {result.data.outcome.had}"
    confidence = result.settings.confidence
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
    """Names of the causal rules with the largest effects, where they cover nothing."""
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
    odds = rule.of_the_outcome().adjusted_odds_ratio
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


def place_labels(
    named: Iterable[tuple[str, float, float]], points: Sequence[tuple[float, float]], width: float
) -> list[dict[str, Any]]:
    """Put each name right or left of its point, the first ones first, unless it would cover something.

    Parameters
    ----------
    named : iterable of (name, x, y)
        What should be named, in pixels.
    points : sequence of (x, y)
        All points, none of which may be covered.
    width : float
        Of the plot; no name leaves it.

    Examples
    --------
    >>> [label["align"] for label in place_labels([("a=b", 10, 5), ("c=d", 12, 6)], [(10, 5), (12, 6)], 99)]
    ['left']
    """
    # Greedy, the most important name first, two places each: names that find none stay in the
    # tooltips. Moving names about until all fit would need lines that lead from them to their points.
    taken: list[Box] = []
    placed: list[dict[str, Any]] = []
    for name, x, y in named:
        text = _shortened(name)
        length = _CELL_WIDTH * cell_len(text)
        for align, left in (("left", x + _LABEL_GAP), ("right", x - _LABEL_GAP - length)):
            box = (left, y - _LINE_HEIGHT / 2, left + length, y + _LINE_HEIGHT / 2)
            if left >= 0 and box[2] <= width and not _is_covered(box, taken, points):
                taken.append(box)
                start = left if align == "left" else left + length
                placed.append({"text": text, "x": start, "y": y, "align": align})
                break
    return placed


def _shortened(name: str) -> str:
    start, *rest = chop_cells(printable(name), _LONGEST_LABEL)
    return f"{start.rstrip()}…" if rest else start


def _is_covered(box: Box, taken: list[Box], points: Sequence[tuple[float, float]]) -> bool:
    left, top, right, bottom = box
    meets_name = any(left < b[2] and b[0] < right and top < b[3] and b[1] < bottom for b in taken)
    return meets_name or any(left - 3 < x < right + 3 and top < y < bottom for x, y in points)
