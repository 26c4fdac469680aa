"""Two levels of a factor compared, whichever of them the study took for its reference."""

from __future__ import annotations

from math import erfc, exp, inf, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import msgspec

from causalrules.errors import UnknownLevelError

if TYPE_CHECKING:
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
        Records and risk of `level`; difference, ratio and odds ratio to `against`, from the covariance of
        both risks (delta method, of ratios on the scale of logarithms).

    Examples
    --------
    >>> from causalrules.words.findings import Effect, Level
    >>> some = Level(level="some", records=9, crude=0.2, risk=(0.2, 0.16, 0.24), difference=(0.1, 0.04, 0.16))
    >>> none = Level(level="none", records=9, crude=0.1, risk=(0.1, 0.06, 0.14), difference=(0.0, 0.0, 0.0))
    >>> found = Effect(estimand="adjusted", applies_to=18, left_out={}, reference="none",
    ...     levels=(none, some), covariance=((4e-4, 0.0), (0.0, 4e-4)))
    >>> [round(one, 3) for one in compared("dose", found, "none", "some").difference]
    [-0.1, -0.155, -0.045]
    """
    here, there = (_place(factor, effect, name) for name in (level, against))
    own, other = effect.levels[here], effect.levels[there]
    if other.level == effect.reference or here == there:
        return own if here != there else _same(own)
    if not effect.covariance:
        raise UnknownLevelError(factor, other.level, [effect.reference])
    first, second = own.risk[0], other.risk[0]
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    spread = _spread(effect, here, there, 1.0, 1.0)
    distance = abs(first - second) / spread if spread else inf * abs(first - second)
    return msgspec.structs.replace(
        own,
        difference=_around(first - second, z * spread),
        ratio=_ratio(effect, here, there, z) if own.ratio is not None else None,
        odds_ratio=_odds_ratio(effect, here, there, z) if own.odds_ratio is not None else None,
        p=erfc(distance / sqrt(2)) if first != second else 1.0,
    )


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


def _spread(effect: Effect, here: int, there: int, slope: float, other_slope: float) -> float:
    """Standard error of a difference of functions of two risks, given their slopes."""
    of = effect.covariance
    variance = (
        slope**2 * of[here][here]
        + other_slope**2 * of[there][there]
        - 2 * slope * other_slope * of[here][there]
    )
    return sqrt(max(variance, 0.0))


def _around(value: float, half: float) -> Triple:
    return value, value - half, value + half


def _ratio(effect: Effect, here: int, there: int, z: float) -> Triple | None:
    first, second = effect.levels[here].risk[0], effect.levels[there].risk[0]
    if min(first, second) <= 0:
        return None
    return _exponential(log(first / second), z * _spread(effect, here, there, 1 / first, 1 / second))


def _odds_ratio(effect: Effect, here: int, there: int, z: float) -> Triple | None:
    first, second = effect.levels[here].risk[0], effect.levels[there].risk[0]
    if min(first, second) <= 0 or max(first, second) >= 1:
        return None
    slopes = 1 / (first * (1 - first)), 1 / (second * (1 - second))
    value = log(first / (1 - first)) - log(second / (1 - second))
    return _exponential(value, z * _spread(effect, here, there, *slopes))


def _exponential(value: float, half: float) -> Triple:
    return exp(value), exp(value - half), exp(min(value + half, 700.0))
