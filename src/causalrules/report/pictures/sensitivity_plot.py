"""Sensitivity plot: how strong a hidden cause would have to be to undo a rule."""

from __future__ import annotations

from math import isfinite, log, log10
from typing import TYPE_CHECKING, Any

from causalrules.errors import PictureError
from causalrules.judge.sensitivity import rosenbaum_p
from causalrules.report.pictures.drawing import BLUE, GREY, INK, ORANGE, altair, picture
from causalrules.report.words.formatting import number
from causalrules.report.words.risk_words import e_value_line

if TYPE_CHECKING:
    from causalrules.domain import Rule

_WIDTH, _HEIGHT = 460, 280
_STEPS = 120
_NEAR_AN_END = 0.1
_SMALLEST = 1e-12
_FURTHEST = 1e6
_FINE = (1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 7, 10, 15, 20, 30)
_P_VALUES = "datum.value < 0.001 ? format(datum.value, '.0e') : format(datum.value, '~r')"


def sensitivity_chart(rule: Rule) -> Any:
    """Rosenbaum's largest p-value against the hidden bias Γ, with the Γ* at which it reaches the level."""
    if rule.verdict == "untestable" or rule.pairs.n12 <= 0:
        raise PictureError(
            "the sensitivity",
            rule.name,
            "it has no matched pairs that speak for it",
            "Choose another rule, or match less strictly (--matching).",
        )
    return picture(
        _panel(rule), title=f"How strong must a hidden cause be to undo {rule.name}?", notes=_notes(rule)
    )


def _notes(rule: Rule) -> list[str]:
    doubts = rule.doubts
    if doubts.gamma > 1:
        found = (
            f"Γ* = {number(doubts.gamma)}: a hidden cause that multiplies the odds of exposure within pairs "
            "so much could make this rule chance."
        )
    else:
        found = "Γ* = 1: even without any hidden cause the pairs do not reach the level the rule had to meet."
    level = rosenbaum_p(rule.pairs, doubts.gamma)
    met = f"Dashed: the level that the rule had to meet, {level:.2g}; above it, chance could do it."
    e_values = [
        f"{e_value_line(rule)}.",
        "An E-value is the risk ratio that a hidden cause must have with both exposure and outcome.",
    ]
    return [found, *([met] if _has_star(rule) else []), *e_values]


def _has_star(rule: Rule) -> bool:
    """Whether Γ* is within the picture."""
    return 1 < rule.doubts.gamma < _end(rule)


def sensitivity_curve(rule: Rule) -> list[dict[str, float]]:
    """Points of the curve, from no hidden bias to well beyond Γ*."""
    end = _end(rule)
    gammas = [end ** (step / _STEPS) for step in range(_STEPS + 1)]
    return [{"gamma": gamma, "p": rosenbaum_p(rule.pairs, gamma)} for gamma in gammas]


def _end(rule: Rule) -> float:
    star = rule.doubts.gamma
    return min(max(1.8 * star, 2.0), _FURTHEST) if isfinite(star) else _FURTHEST


def _panel(rule: Rule) -> Any:
    alt = altair()
    curve = sensitivity_curve(rule)
    floor = max(_SMALLEST, min(1e-4, *(point["p"] for point in curve)))
    x = alt.X(
        "gamma:Q",
        title="Γ: hidden bias in the odds of exposure (logarithmic axis)",
        scale=alt.Scale(type="log", domain=[1, curve[-1]["gamma"]], nice=False),
        axis=alt.Axis(values=_ticks(curve[-1]["gamma"]), format=",~r", labelOverlap=True),
    )
    y = alt.Y(
        "p:Q",
        title="largest p-value (one-sided, logarithmic axis)",
        scale=alt.Scale(type="log", domain=[floor, 1], nice=False, clamp=True),
        axis=alt.Axis(labelExpr=_P_VALUES, values=_decades(floor)),
    )
    drawn = [point for point in curve if point["p"] >= floor]
    line = alt.Chart(alt.Data(values=drawn)).mark_line(color=BLUE, strokeWidth=2).encode(x=x, y=y)
    layers = [line]
    if _has_star(rule):
        layers = [*_threshold(alt, rule, y), line, *_star(alt, rule, x, y)]
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)


def _threshold(alt: Any, rule: Rule, y: Any) -> list[Any]:
    """The level the rule had to meet; above it the rule could be chance."""
    level = rosenbaum_p(rule.pairs, rule.doubts.gamma)
    data = alt.Data(values=[{"p": level, "top": 1}])
    band = alt.Chart(data).mark_rect(color=GREY, opacity=0.13).encode(y=y, y2="top:Q")
    rule_line = alt.Chart(data).mark_rule(color=GREY, strokeDash=[4, 3]).encode(y=y)
    return [band, rule_line]


def _star(alt: Any, rule: Rule, x: Any, y: Any) -> list[Any]:
    star = {"gamma": rule.doubts.gamma, "p": rosenbaum_p(rule.pairs, rule.doubts.gamma)}
    data = alt.Data(values=[star | {"text": f"Γ* = {number(rule.doubts.gamma)}"}])
    base = alt.Chart(data)
    # Above the plot, where neither curve nor axis can cross it.
    along = log(rule.doubts.gamma) / log(_end(rule))
    align = "left" if along < _NEAR_AN_END else "right" if along > 1 - _NEAR_AN_END else "center"
    return [
        base.mark_rule(color=ORANGE, strokeDash=[2, 2]).encode(x=x),
        base.mark_point(shape="diamond", filled=True, size=110, color=ORANGE, opacity=1).encode(x=x, y=y),
        base.mark_text(
            align=align, baseline="bottom", dy=-4, fontSize=12, fontWeight="bold", color=INK
        ).encode(x=x, y=alt.value(0), text="text:N"),
    ]


def _decades(floor: float) -> list[float]:
    """Powers of ten from 1 down to the smallest p-value drawn.

    Examples
    --------
    >>> _decades(1e-3)
    [1, 0.1, 0.01, 0.001]
    """
    return [1, *(10.0**-power for power in range(1, 1 + round(-log10(floor))))]


def _ticks(highest: float) -> list[float]:
    """Ticks that can all be labelled, up to a Γ.

    Examples
    --------
    >>> _ticks(3.2), _ticks(700.0)
    ([1, 1.25, 1.5, 1.75, 2, 2.5, 3], [1, 2, 5, 10, 20, 50, 100, 200, 500])
    """
    if highest <= _FINE[-1]:
        return [tick for tick in _FINE if tick <= highest]
    steps = (1, 2, 5) if highest <= _MANY_POWERS else (1,)
    return [step * 10**power for power in range(7) for step in steps if step * 10**power <= highest]


_MANY_POWERS = 10_000
