"""An effect on the mean of a number."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf
from typing import Annotated, TypeVar

from causalrules.domain.estimate import Estimate
from causalrules.domain.file_layout import Saved


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEffect:
    """How much the exposure changes the mean of the outcome; all numbers speak of the outcome itself.

    Parameters
    ----------
    difference : Estimate
        Of the means of exposed and unexposed records that are alike.
    exposed_mean, unexposed_mean : float
        Of the exposed records that found partners: as it is, and as their partners say that it would be.
    crude : Estimate
        The difference over all records.
    spread : float
        Standard deviation of the outcome.
    other_missing : Estimate, optional
        The difference with missing controls treated the other way.
    without_undecided : Estimate, optional
        The difference without columns of which nobody knows whether they come first, where that matters.
    """

    difference: Annotated[Estimate, Saved(name="mean_difference", column="mean_difference")]
    exposed_mean: float
    unexposed_mean: float
    crude: Annotated[
        Estimate, Saved(name="crude_mean_difference", column="crude_mean_difference", with_limits=False)
    ]
    spread: float
    other_missing: Annotated[Estimate | None, Saved(column=None)] = None
    without_undecided: Annotated[Estimate | None, Saved(column=None)] = None

    def __post_init__(self) -> None:
        for name in ("difference", "crude", "other_missing", "without_undecided"):
            object.__setattr__(self, name, with_lower_limit(getattr(self, name)))

    @property
    def standardised(self) -> Estimate:
        """The difference in standard deviations of the outcome, in the rule's direction: above 0."""
        scale = self.spread or 1.0
        value, low, high = (
            one / scale for one in (self.difference.value, self.difference.low, self.difference.high)
        )
        return Estimate(value, low, high) if value >= 0 else Estimate(-value, -high, -low)

    def as_ratio(self, slope: float) -> Estimate:
        """A ratio that weighs as much, exp(slope · standardised difference).

        With a slope of 0.91 a risk ratio, as for E-values (VanderWeele and Ding 2017), with 1.81, which is
        π/√3, an odds ratio (Chinn 2000).
        """
        found = self.standardised
        return Estimate(*(_exp(slope * one) for one in (found.value, found.low, found.high)))


AS_RISK_RATIO, AS_ODDS_RATIO = 0.91, 1.81

Found = TypeVar("Found", Estimate, Estimate | None)


def with_lower_limit(found: Found) -> Found:
    """A difference as it was before it was saved.

    Files write what is infinite as null, and read it as above all numbers: no lower limit is.
    """
    if found is None or found.low < inf:
        return found
    return Estimate(found.value, -inf, found.high)


def _exp(power: float) -> float:
    return exp(min(power, 700.0))
