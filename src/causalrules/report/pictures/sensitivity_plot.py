"""Sensitivity plot: how strong a hidden cause would have to be to undo a rule."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from causalrules.assess.sensitivity import rosenbaum_p
from causalrules.errors import PictureError
from causalrules.report.pictures.drawing import BLUE, FAINT, GREY, INK, ORANGE, altair, picture
from causalrules.report.words.formatting import number

if TYPE_CHECKING:
    from causalrules.domain import Rule

_WIDTH, _HEIGHT = 460, 280
_STEPS = 120
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
    e_values = (
        f"E-value {number(doubts.e_value)}, of the interval's limit {number(doubts.e_value_limit)}: "
        "the risk ratio a hidden cause must have with both exposure and outcome."
    )
    return [found, e_values]


def sensitivity_curve(rule: Rule) -> list[dict[str, float]]:
    """Points of the curve, from no hidden bias to well beyond Γ*."""
    star = rule.doubts.gamma
    end = min(max(1.8 * star, 2.0), _FURTHEST) if isfinite(star) else _FURTHEST
    gammas = [end ** (step / _STEPS) for step in range(_STEPS + 1)]
    return [{"gamma": gamma, "p": rosenbaum_p(rule.pairs, gamma)} for gamma in gammas]


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
        axis=alt.Axis(labelExpr=_P_VALUES, tickCount=7, labelOverlap=True),
    )
    drawn = [point for point in curve if point["p"] >= floor]
    line = alt.Chart(alt.Data(values=drawn)).mark_line(color=BLUE, strokeWidth=2).encode(x=x, y=y)
    layers = [line]
    if 1 < rule.doubts.gamma < curve[-1]["gamma"]:
        layers = [*_threshold(alt, rule, y), line, *_star(alt, rule, x, y)]
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)


def _threshold(alt: Any, rule: Rule, y: Any) -> list[Any]:
    """The level the rule had to meet; above it the rule could be chance."""
    level = rosenbaum_p(rule.pairs, rule.doubts.gamma)
    data = alt.Data(
        values=[{"p": level, "top": 1, "text": f"level to meet: {level:.2g}; above it, chance could do it"}]
    )
    band = alt.Chart(data).mark_rect(color=GREY, opacity=0.13).encode(y=y, y2="top:Q")
    text = alt.Chart(data).mark_text(align="left", baseline="top", dy=4, fontSize=11, color=FAINT)
    rule_line = alt.Chart(data).mark_rule(color=GREY, strokeDash=[4, 3]).encode(y=y)
    return [band, rule_line, text.encode(x=alt.value(6), y=y, text="text:N")]


def _star(alt: Any, rule: Rule, x: Any, y: Any) -> list[Any]:
    star = {"gamma": rule.doubts.gamma, "p": rosenbaum_p(rule.pairs, rule.doubts.gamma)}
    data = alt.Data(values=[star | {"text": f"Γ* = {number(rule.doubts.gamma)}"}])
    base = alt.Chart(data)
    return [
        base.mark_rule(color=ORANGE, strokeDash=[2, 2]).encode(x=x),
        base.mark_point(shape="diamond", filled=True, size=110, color=ORANGE, opacity=1).encode(x=x, y=y),
        base.mark_text(align="right", dx=-8, dy=-10, fontSize=12, fontWeight="bold", color=INK).encode(
            x=x, y=y, text="text:N"
        ),
    ]


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
