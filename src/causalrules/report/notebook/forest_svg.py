"""A forest plot as SVG inside of HTML: adjusted odds ratios with their intervals, crude ones beside."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from causalrules.report.notebook.markup import LOWERS, NEITHER, RAISES, text
from causalrules.report.pictures.odds_axis import odds_domain, odds_ticks
from causalrules.report.words.contrast_words import own_ratio
from causalrules.report.words.formatting import fold, interval, number, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Estimate, Rule

MOST_ROWS = 30
_WIDTH, _LEFT, _RIGHT, _TOP = 820, 300, 600, 26
_LINE, _PAD = 16, 10
_NAME_CELLS = 38
_SIZE = 13


def forest_svg(rules: Sequence[Rule], outcome: str, confidence: float) -> str:
    """The picture; empty where there is nothing to draw, as of means, which have another axis.

    Parameters
    ----------
    rules : sequence of Rule
        One row each, at most `MOST_ROWS`.
    outcome : str
        What the odds are of.
    confidence : float
        Of the intervals.
    """
    ratios = [rule for rule in rules if rule.mean is None]
    shown = [rule for rule in ratios if rule.verdict != "untestable"][:MOST_ROWS]
    if not shown:
        return ""
    adjusted = [own_ratio(rule, rule.adjusted_odds_ratio) for rule in shown]
    values = [one.value for one in adjusted]
    others = [limit for one in adjusted for limit in (one.low, one.high)]
    others += [own_ratio(rule, rule.odds_ratio).value for rule in shown]
    domain = odds_domain(values, others)
    names = [fold(printable(rule.name), _NAME_CELLS) for rule in shown]
    heights = [_LINE * len(lines) + _PAD for lines in names]
    bottom = _TOP + sum(heights)
    parts, y = [_axis(domain, bottom)], float(_TOP)
    for rule, estimate, lines, height in zip(shown, adjusted, names, heights, strict=True):
        parts.append(_row(rule, estimate, lines, y, height, domain))
        y += height
    about = f"Odds ratios of {outcome}: " + "; ".join(
        f"{rule.name} {number(one.value)} ({interval(one)})"
        for rule, one in zip(shown, adjusted, strict=True)
    )
    goes_on = not all(_is_within(one, domain) for one in (*values, *others))
    legend = (
        f"● adjusted, with {100 * confidence:g} % interval · ○ crude · right of the dashed line: higher odds"
        f"{' · arrows: beyond the axis' if goes_on else ''}"
    )
    parts.append(_label((_LEFT + _RIGHT) / 2, bottom + 40, legend, anchor="middle", opacity=0.75, size=11))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{text(about)}" '
        f'viewBox="0 0 {_WIDTH} {bottom + 48:g}" width="{_WIDTH}" '
        f'style="max-width:100%;height:auto" font-family="sans-serif" font-size="{_SIZE}" '
        f'fill="currentColor">{"".join(parts)}</svg>'
    )


def _is_within(odds: float, domain: tuple[float, float]) -> bool:
    return domain[0] <= odds <= domain[1]


def _x(odds: float, domain: tuple[float, float]) -> float:
    """Where an odds ratio stands, at the edge if it lies beyond the axis."""
    low, high = domain
    inside = min(max(odds, low), high)
    return _LEFT + (_RIGHT - _LEFT) * log(inside / low) / log(high / low)


def _axis(domain: tuple[float, float], bottom: float) -> str:
    parts = [
        f'<line x1="{_LEFT}" x2="{_RIGHT}" y1="{bottom:g}" y2="{bottom:g}" '
        'stroke="currentColor" stroke-opacity=".5"/>'
    ]
    for tick in odds_ticks(domain):
        x = _x(tick, domain)
        parts.append(_label(x, bottom + 16, f"{tick:g}", anchor="middle", size=11))
        dashed = ' stroke-dasharray="4 3" stroke-opacity=".8"' if tick == 1 else ' stroke-opacity=".12"'
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 6}" y2="{bottom:g}" stroke="currentColor"{dashed}/>'
        )
    parts.append(_label(_RIGHT + 14, _TOP - 10, "odds ratio (interval)", opacity=0.75, size=11))
    return "".join(parts)


def _row(
    rule: Rule, adjusted: Estimate, lines: list[str], y: float, height: float, domain: tuple[float, float]
) -> str:
    middle = y + height / 2
    first = middle - _LINE * (len(lines) - 1) / 2 + 4
    parts = [
        _label(_LEFT - 12, first + _LINE * place, line, anchor="end") for place, line in enumerate(lines)
    ]
    colour = NEITHER if rule.verdict != "causal" else RAISES if rule.direction == "raises" else LOWERS
    left, right = _x(adjusted.low, domain), _x(adjusted.high, domain)
    parts.append(
        f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{middle:g}" y2="{middle:g}" '
        f'stroke="{colour}" stroke-width="2"/>'
    )
    filled, hollow = f'fill="{colour}"', 'fill="none" stroke="currentColor" stroke-opacity=".7"'
    beyond = [limit for limit in (adjusted.low, adjusted.high) if not _is_within(limit, domain)]
    parts += [_arrow(limit, middle, domain, filled) for limit in beyond]
    crude = own_ratio(rule, rule.odds_ratio).value
    for odds, size, look in ((crude, 4.0, hollow), (adjusted.value, 4.5, filled)):
        if _is_within(odds, domain):
            x = _x(odds, domain)
            parts.append(f'<circle cx="{x:.1f}" cy="{middle:g}" r="{size:g}" {look}/>')
        elif odds == odds:
            # Apart from the arrow of the interval, which ends at the same place.
            parts.append(_arrow(odds, middle if look is filled else middle + 6, domain, look))
    parts.append(_label(_RIGHT + 14, middle + 4, f"{number(adjusted.value)} ({interval(adjusted)})"))
    return "".join(parts)


def _arrow(odds: float, y: float, domain: tuple[float, float], look: str) -> str:
    """At the edge of the axis, for what lies beyond it."""
    x, back = _x(odds, domain), 8 if odds < 1 else -8
    return f'<path d="M {x + back:.1f} {y - 4:g} L {x:.1f} {y:g} L {x + back:.1f} {y + 4:g} Z" {look}/>'


def _label(
    x: float, y: float, value: str, *, anchor: str = "start", opacity: float = 1.0, size: int = _SIZE
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" '
        f'fill-opacity="{opacity:g}">{text(value)}</text>'
    )
