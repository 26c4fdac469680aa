"""Odds ratios in a picture: a logarithmic axis with round ticks, and marks by verdict and direction."""

from __future__ import annotations

from math import ceil, floor, inf, isfinite, log10
from typing import TYPE_CHECKING, Any

from causalrules.report.pictures.drawing import BLUE, GREEN, GREY, ORANGE, PINK, SKY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules.domain import Rule

_TICKS_AROUND_1 = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
_TICKS_IN_A_DECADE = ((1.3, (1, 1.5, 2, 3, 5, 7)), (2.2, (1, 2, 5)), (3.5, (1, 3)), (inf, (1,)))
"""Ticks within a power of ten, for axes of up to so many powers of ten."""

_MARGIN = 1.15
_FURTHEST = 3.0
"""What reaches this many times beyond every estimate that counts is cut off."""

_LABELS = "format(datum.value, ',.3~r')"
"""How ticks are written: 0.25, 1, 3, 1,000."""

RAISES, LOWERS = "causal: raises the odds", "causal: lowers the odds"
RAISES_MEAN, LOWERS_MEAN = "causal: raises the mean", "causal: lowers the mean"
CRUDE = "crude, over all records"

_SHAPES = {
    RAISES: "triangle-up",
    LOWERS: "triangle-down",
    RAISES_MEAN: "triangle-up",
    LOWERS_MEAN: "triangle-down",
    "possible": "square",
    "consequence": "triangle-right",
    "rejected": "circle",
    "untestable": "cross",
    CRUDE: "diamond",
}
_COLOURS = {
    RAISES: ORANGE,
    LOWERS: BLUE,
    RAISES_MEAN: ORANGE,
    LOWERS_MEAN: BLUE,
    "possible": PINK,
    "consequence": SKY,
    "rejected": "#444444",
    "untestable": GREEN,
    CRUDE: GREY,
}


def odds_domain(estimates: Iterable[float], limits: Iterable[float] = ()) -> tuple[float, float]:
    """An axis that holds 1 and all estimates, and their limits where they are not absurdly far off.

    Examples
    --------
    >>> low, high = odds_domain([2.0, 4.0], [0.5, 1e9])
    >>> round(low, 2), round(high, 2)
    (0.43, 13.8)
    """
    # One interval without an end would squeeze all other estimates into a corner; what is cut off is
    # told by an arrow.
    inner = [1.0, *(value for value in estimates if _is_drawable(value))]
    least, most = min(inner) / _FURTHEST, max(inner) * _FURTHEST
    outer = [min(max(limit, least), most) for limit in limits if limit >= 0]
    return min(inner + outer) / _MARGIN, max(inner + outer) * _MARGIN


def odds_ticks(domain: tuple[float, float]) -> list[float]:
    """Ticks within the axis: tenths around 1 on a short axis, powers of ten on a long one.

    Examples
    --------
    >>> odds_ticks((0.7, 1.6))
    [0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5]
    >>> odds_ticks((0.1, 12.0)), odds_ticks((0.001, 100.0))
    ([0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0], [0.001, 0.01, 0.1, 1.0, 10.0, 100.0])
    """
    # Powers of ten alone would leave a short axis with one tick, and all their multiples would crowd a
    # long one, so the steps within a power of ten depend on how many powers the axis spans.
    low, high = domain
    decades = log10(high / low)
    if decades < 0.55:
        ladder: Iterable[float] = _TICKS_AROUND_1
    else:
        steps = next(steps for reach, steps in _TICKS_IN_A_DECADE if decades < reach)
        powers = range(floor(log10(low)), ceil(log10(high)) + 1)
        ladder = [float(f"{step}e{power}") for power in powers for step in steps]
    return [tick for tick in ladder if low <= tick <= high]


def odds_channel(alt: Any, field: str, domain: tuple[float, float], title: str = "odds ratio") -> Any:
    """The horizontal channel of a field of odds ratios."""
    return alt.X(
        f"{field}:Q",
        title=f"{title} (logarithmic axis)",
        scale=alt.Scale(type="log", domain=list(domain), nice=False),
        axis=alt.Axis(values=odds_ticks(domain), labelExpr=_LABELS, grid=True),
    )


def _is_drawable(value: float) -> bool:
    return isfinite(value) and value > 0


def kind_of(rule: Rule) -> str:
    """What the legend calls a rule: its verdict, shown by shape as well as by colour, and its direction."""
    if rule.verdict == "causal":
        return RAISES if rule.direction == "raises" else LOWERS
    return rule.verdict


def sorted_by_kind(rules: Iterable[Rule]) -> list[Rule]:
    """What raises first, then what lowers, then the others; within each as they were."""
    order = list(_SHAPES)
    return sorted(rules, key=lambda rule: order.index(kind_of(rule)))


def shape_and_colour(alt: Any, kinds: Iterable[str]) -> dict[str, Any]:
    """Channels for marks whose field `kind` is one of these."""
    present = set(kinds)
    shown = [kind for kind in _SHAPES if kind in present]
    return {
        "shape": alt.Shape("kind:N", scale=alt.Scale(domain=shown, range=[_SHAPES[k] for k in shown])),
        "color": alt.Color("kind:N", scale=alt.Scale(domain=shown, range=[_COLOURS[k] for k in shown])),
    }
