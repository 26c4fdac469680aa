"""What the effect of a rule is measured by, in words and numbers: an odds ratio, or a difference of means."""

from __future__ import annotations

from math import isfinite, log10, nan
from typing import TYPE_CHECKING, NamedTuple

from causalrules.domain.estimate import Estimate
from causalrules.report.words.formatting import interval, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Outcome, Rule
    from causalrules.domain.mean_effect import MeanEffect


class Measure(NamedTuple):
    """An effect and its crude counterpart, about the outcome itself.

    Parameters
    ----------
    name : str
        What it is called.
    moves : str
        What the exposure moves: the odds, or the mean.
    adjusted, crude : Estimate
        Among records that are alike, and among all.
    nothing : float
        Its value where there is no effect.
    """

    name: str
    moves: str
    adjusted: Estimate
    crude: Estimate
    nothing: float

    @property
    def is_ratio(self) -> bool:
        """Whether it is a ratio, for which axes are logarithmic, and not a difference."""
        return self.nothing == 1.0

    @property
    def excludes_nothing(self) -> bool:
        """Whether the interval leaves out no effect."""
        return self.adjusted.low > self.nothing or self.adjusted.high < self.nothing

    @property
    def is_crudely_unclear(self) -> bool:
        """Whether the crude interval holds no effect."""
        return self.crude.low <= self.nothing <= self.crude.high

    def shown(self, value: float) -> str:
        """A value as people read it; a dash for none."""
        if value != value:
            return "–"
        return number(value) if self.nothing else signed(value)

    def limits(self, estimate: Estimate) -> str:
        """An interval as people read it; a dash for none."""
        if estimate.value != estimate.value:
            return "–"
        return interval(estimate) if self.nothing else signed_interval(estimate)

    def with_limits(self, estimate: Estimate) -> str:
        """A value and its interval."""
        return f"{self.shown(estimate.value)} ({self.limits(estimate)})"


_NONE = Estimate(nan, nan, nan)

_FURTHEST_OFF = 3.0
"""Limits this many times as far off as all estimates span are cut off, with an arrow."""


def measure_of(rule: Rule) -> Measure:
    """How the effect of a rule is measured."""
    if rule.mean is not None:
        return Measure("mean difference", "mean", rule.mean.difference, rule.mean.crude, 0.0)
    if rule.compares_nothing:
        return Measure("odds ratio", "odds", _NONE, _NONE, 1.0)
    own = rule.of_the_outcome()
    return Measure("odds ratio", "odds", own.adjusted_odds_ratio, own.odds_ratio, 1.0)


def name_of_measure(outcome: Outcome) -> str:
    """What effects on an outcome are called."""
    return "mean difference" if outcome.is_mean else "odds ratio"


def records_of(outcome: Outcome) -> str:
    """The records of an outcome, and how they have it."""
    if outcome.mean is None or outcome.spread is None:
        share = "" if outcome.weighted_mean is None else f", weighted {outcome.weighted_mean:.1%}"
        return f"{outcome.n_records:,} records, {outcome.n_with:,} with it{share}"
    if outcome.weighted_mean is not None and outcome.weighted_spread is not None:
        return (
            f"{outcome.n_records:,} records, weighted mean {number(outcome.weighted_mean)}, standard "
            f"deviation {number(outcome.weighted_spread)}"
        )
    return (
        f"{outcome.n_records:,} records, mean {number(outcome.mean)}, standard deviation "
        f"{number(outcome.spread)}"
    )


def signed(value: float) -> str:
    """A difference with its sign.

    Examples
    --------
    >>> signed(-2.534), signed(12.0), signed(0.0)
    ('−2.53', '+12.00', '0.00')
    """
    if not isfinite(value):
        return "not known" if value != value else ("∞" if value > 0 else "−∞")
    text = number(abs(value))
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{text}"


def means_of(mean: MeanEffect) -> tuple[str, str]:
    """The means of the matched exposed, as they are and without the exposure, as exact as their difference.

    Rounded to three digits, 119 and 127 would contradict a difference of −7.34.
    """
    return (
        mean_beside(mean.exposed_mean, mean.difference.value),
        mean_beside(mean.unexposed_mean, mean.difference.value),
    )


def mean_beside(value: float, difference: float) -> str:
    """A mean with as many decimals as its difference from another is shown with.

    Examples
    --------
    >>> mean_beside(119.302, -7.337), mean_beside(1119.3, 250.0), mean_beside(0.25, 0.00123)
    ('119.30', '1,119', '0.2500')
    """
    shown = number(abs(difference))
    decimals = len(shown.partition(".")[2])
    if "e" in shown:
        decimals = max(0, 1 - int(log10(abs(difference)) // 1))
    return f"{value:,.{decimals}f}"


def differences_domain(estimates: Sequence[Estimate], limits: Sequence[float]) -> tuple[float, float]:
    """An axis with 0 and all differences on it, and those limits that are not too far off.

    Examples
    --------
    >>> differences_domain([Estimate(2.0, 1.0, 3.0)], [1.0, 3.0, float("-inf")])
    (-6.0, 3.0)
    """
    inner = [0.0, *(one.value for one in estimates)]
    reach = _FURTHEST_OFF * (max(inner) - min(inner))
    least, most = min(inner) - reach, max(inner) + reach
    outer = [min(max(limit, least), most) for limit in limits]
    low, high = min(inner + outer), max(inner + outer)
    return (low, high) if low < high else (-1.0, 1.0)


def signed_interval(estimate: Estimate) -> str:
    """The limits of an interval of differences.

    Examples
    --------
    >>> from causalrules.domain import Estimate
    >>> signed_interval(Estimate(-2.53, -3.18, -1.89))
    '−3.18 – −1.89'
    """
    return f"{signed(estimate.low)} – {signed(estimate.high)}"
