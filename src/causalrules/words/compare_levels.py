"""Two levels of a factor compared, whichever of them the study took for its reference."""

from __future__ import annotations

from math import erfc, exp, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import msgspec

from causalrules.errors import UnknownLevelError

_LEAST = 1e-9

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.words.findings import Effect, Level, Triple


def compared(
    factor: str, effect: Effect, level: str | float, against: str | float, confidence: float = 0.95
) -> Level:
    """A level with its differences and ratios to another one.

    Parameters
    ----------
    factor : str
        As errors name it.
    effect : Effect
    level, against : str or float
        Names of two of its levels, or values that they hold.
    confidence : float
        Of the intervals.

    Returns
    -------
    Level
        Records and risk of `level`; difference, ratio and odds ratio to `against`, from the intervals of both
        risks and their correlation.

    Examples
    --------
    >>> from causalrules.words.findings import Effect, Level
    >>> some = Level(level="some", records=9, crude=0.2, risk=(0.2, 0.16, 0.24), difference=(0.1, 0.04, 0.16))
    >>> none = Level(level="none", records=9, crude=0.1, risk=(0.1, 0.06, 0.14), difference=(0.0, 0.0, 0.0))
    >>> found = Effect(estimand="adjusted", applies_to=18, left_out={}, reference="none",
    ...     levels=(none, some), covariance=((4e-4, 0.0), (0.0, 4e-4)))
    >>> [round(one, 3) for one in compared("dose", found, "none", "some").difference]
    [-0.1, -0.157, -0.043]
    """
    here, there = (_place(factor, effect, name) for name in (level, against))
    own, other = effect.levels[here], effect.levels[there]
    if other.level == effect.reference or here == there:
        return own if here != there else _same(own)
    if not effect.covariance:
        raise UnknownLevelError(factor, other.level, [effect.reference])
    first, second = effect.covariance[here][here], effect.covariance[there][there]
    correlation = effect.covariance[here][there] / sqrt(first * second) if first * second > 0 else 0.0
    difference = difference_of(own.risk, other.risk, correlation)
    return msgspec.structs.replace(
        own,
        difference=difference,
        ratio=ratio_of(own.risk, other.risk, correlation) if own.ratio is not None else None,
        odds_ratio=odds_ratio_of(own.risk, other.risk, correlation) if own.odds_ratio is not None else None,
        p=p_of(difference, confidence),
    )


def p_of(difference: Triple, confidence: float) -> float:
    """Two-sided p-value that there is none, by the side of its interval on which 0 is.

    Examples
    --------
    >>> round(p_of((2.0, 0.04, 5.0), 0.95), 3)
    0.046
    """
    value, low, high = difference
    reach = value - low if value > 0 else high - value
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    return erfc(z * abs(value) / reach / sqrt(2)) if reach > 0 and value else 1.0 if not value else 0.0


def difference_of(own: Triple, other: Triple, correlation: float) -> Triple:
    """Difference of two estimates, from their own intervals (MOVER; Zou and Donner 2008).

    So it leaves out no effect where they do, however skewed they are.

    Examples
    --------
    >>> [round(one, 2) for one in difference_of((0.0, 0.0, 0.09), (0.07, 0.06, 0.08), 0.0)]
    [-0.07, -0.08, 0.02]
    """
    (value, low, high), (other_value, other_low, other_high) = own, other
    below, above = value - low, high - value
    other_below, other_above = other_value - other_low, other_high - other_value
    down = below**2 + other_above**2 - 2 * correlation * below * other_above
    up = above**2 + other_below**2 - 2 * correlation * above * other_below
    found = value - other_value
    return found, found - sqrt(max(down, 0.0)), found + sqrt(max(up, 0.0))


def ratio_of(own: Triple, other: Triple, correlation: float) -> Triple | None:
    """Their ratio, likewise by logarithms; None where one of them is 0."""
    if min(own[0], other[0]) <= _LEAST:
        return None
    return _exponential(difference_of(_scaled(own, _log), _scaled(other, _log), correlation))


def odds_ratio_of(own: Triple, other: Triple, correlation: float) -> Triple | None:
    """The ratio of their odds; None where one of them is 0 or 1."""
    if min(own[0], other[0]) <= _LEAST or max(own[0], other[0]) >= 1 - _LEAST:
        return None
    return _exponential(difference_of(_scaled(own, _log_odds), _scaled(other, _log_odds), correlation))


def _scaled(risk: Triple, scale: Callable[[float], float]) -> Triple:
    value, low, high = map(scale, risk)
    return value, low, high


def _log(risk: float) -> float:
    return log(max(risk, _LEAST))


def _log_odds(risk: float) -> float:
    inside = min(max(risk, _LEAST), 1 - _LEAST)
    return log(inside / (1 - inside))


def _place(factor: str, effect: Effect, value: str | float) -> int:
    """The level that has this name, or else holds this value."""
    names = [one.level for one in effect.levels]
    if value in names:
        return names.index(str(value))
    place = next((place for place, one in enumerate(effect.levels) if one.holds(value)), None)
    if place is None:
        raise UnknownLevelError(factor, str(value), names)
    return place


def _same(own: Level) -> Level:
    """A level beside itself."""
    one: Triple = (1.0, 1.0, 1.0)
    ratios = {name: one for name in ("ratio", "odds_ratio") if getattr(own, name) is not None}
    return msgspec.structs.replace(own, difference=(0.0, 0.0, 0.0), p=None, **ratios)


def _exponential(of: Triple) -> Triple:
    value, low, high = (exp(min(one, 700.0)) for one in of)
    return value, low, high
