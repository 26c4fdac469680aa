"""Odds ratios on a logarithmic axis, with ticks that people read without a calculator."""

from __future__ import annotations

from math import ceil, floor, inf, isfinite, log10
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_FINE = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
_STEPS = ((1.3, (1, 1.5, 2, 3, 5, 7)), (2.2, (1, 2, 5)), (3.5, (1, 3)), (inf, (1,)))
"""Ticks within a power of ten, for axes of up to so many powers of ten."""

_MARGIN = 1.15
_FURTHEST = 3.0
"""What reaches this many times beyond every estimate that counts is cut off."""

_LABELS = "format(datum.value, ',.3~r')"
"""How ticks are written: 0.25, 1, 3, 1,000."""


def odds_domain(estimates: Iterable[float], limits: Iterable[float] = ()) -> tuple[float, float]:
    """An axis that holds 1 and all estimates, and their limits where they are not absurdly far off.

    Examples
    --------
    >>> low, high = odds_domain([2.0, 4.0], [0.5, 1e9])
    >>> round(low, 2), round(high, 2)
    (0.43, 13.8)
    """
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
    low, high = domain
    decades = log10(high / low)
    if decades < 0.55:
        ladder: Iterable[float] = _FINE
    else:
        steps = next(steps for reach, steps in _STEPS if decades < reach)
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
