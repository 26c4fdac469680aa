"""The axis of a picture of effects: logarithmic for odds ratios, even for differences of means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from causalrules.report.pictures.odds_axis import odds_channel, odds_domain
from causalrules.report.words.measure import differences_domain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Estimate
    from causalrules.report.words.measure import Measure

_MARGIN = 0.05
"""Beyond what is drawn of differences, as a share of it."""


@dataclass(frozen=True, slots=True)
class EffectAxis:
    """An axis with all that counts on it.

    Parameters
    ----------
    measure : Measure
        What effects are called, and where there is none.
    low, high : float
        Its ends.
    """

    measure: Measure
    low: float
    high: float

    @classmethod
    def of(cls, measure: Measure, main: Sequence[Estimate], beside: Sequence[Estimate] = ()) -> EffectAxis:
        """An axis made for the main estimates; others, and limits, are on it where they are not far off."""
        limits = [limit for one in (*main, *beside) for limit in (one.value, one.low, one.high)]
        if measure.is_ratio:
            return cls(measure, *odds_domain([one.value for one in main], limits))
        low, high = differences_domain(main, limits)
        margin = _MARGIN * (high - low)
        return cls(measure, low - margin, high + margin)

    def within(self, value: float) -> float:
        """A value cut to the axis, for JSON knows no infinite ones."""
        return min(max(value, self.low), self.high)

    def numbers(self, estimate: Estimate) -> dict[str, float]:
        """An estimate as it is drawn."""
        value, low, high = map(self.within, (estimate.value, estimate.low, estimate.high))
        return {"effect": value, "low": low, "high": high}

    def open_ends(self, estimate: Estimate, y: float) -> list[dict[str, Any]]:
        """Arrows where an interval, or all of it, lies beyond the axis."""
        ends = (("←", self.low, estimate.low < self.low), ("→", self.high, estimate.high > self.high))
        return [{"arrow": arrow, "effect": edge, "y": y} for arrow, edge, is_open in ends if is_open]

    def channel(self, alt: Any, field: str) -> Any:
        """The horizontal channel of a field."""
        if self.measure.is_ratio:
            return odds_channel(alt, field, (self.low, self.high))
        scale = alt.Scale(domain=[self.low, self.high], nice=False)
        axis = alt.Axis(grid=True, tickCount=6)
        return alt.X(f"{field}:Q", title=self.measure.name, scale=scale, axis=axis)
