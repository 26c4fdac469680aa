"""How much a causal rule can be relied on: strong, moderate or fragile, by criteria that are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from causalrules.domain.rule import Grade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Estimate


class Criterion(NamedTuple):
    """A measure of a rule, how it reads, and the bounds from which it is moderate and strong."""

    name: str
    value: float
    moderate: float
    strong: float

    @property
    def grade(self) -> Grade:
        """What this measure alone says; larger is better."""
        if self.value >= self.strong:
            return "strong"
        return "moderate" if self.value >= self.moderate else "fragile"


def criteria_of(
    gamma: float, odds_ratio: Estimate, worst_imbalance: float, share_matched: float
) -> tuple[Criterion, ...]:
    """The measures that a grade rests on.

    Parameters
    ----------
    gamma : float
        Rosenbaum's bound.
    odds_ratio : Estimate
        Adjusted, in the direction of the rule.
    worst_imbalance : float
        Largest standardised difference after matching among the columns that may confound.
    share_matched : float
        Of the exposed records.
    """
    return (
        Criterion("a hidden cause would have to multiply the odds of exposure by", gamma, 1.2, 2.0),
        Criterion("the interval keeps from 1 a distance of", odds_ratio.low, 1.05, 1.25),
        Criterion("largest remaining standardised difference", -worst_imbalance, -0.25, -0.1),
        Criterion("share of the exposed that found partners", share_matched, 0.5, 0.8),
    )


def grade_of(criteria: Sequence[Criterion], *, opinions_agree: bool) -> Grade:
    """The worst of all criteria; estimates that contradict each other are always fragile.

    Examples
    --------
    >>> from causalrules.domain import Estimate
    >>> criteria = criteria_of(2.4, Estimate(3.0, 2.5, 3.6), 0.04, 0.97)
    >>> grade_of(criteria, opinions_agree=True), grade_of(criteria, opinions_agree=False)
    ('strong', 'fragile')
    """
    if not opinions_agree:
        return "fragile"
    order: tuple[Grade, ...] = ("fragile", "moderate", "strong")
    return order[min(order.index(criterion.grade) for criterion in criteria)]


def do_agree(first: Estimate, second: Estimate) -> bool:
    """Whether two estimates of one difference neither exclude each other nor have opposite signs.

    Opposite signs count only where both intervals exclude 0: two estimates near nothing agree.

    Examples
    --------
    >>> from causalrules.domain import Estimate
    >>> do_agree(Estimate(0.05, 0.03, 0.07), Estimate(0.04, 0.02, 0.06))
    True
    >>> do_agree(Estimate(0.05, 0.03, 0.07), Estimate(-0.01, -0.03, 0.01))
    False
    """
    if first.high < second.low or second.high < first.low:
        return False
    are_opposite = first.value * second.value < 0
    excludes_nothing = any(one.low > 0 or one.high < 0 for one in (first, second))
    return not (are_opposite and excludes_nothing)
