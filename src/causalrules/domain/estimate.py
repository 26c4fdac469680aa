"""A number and its interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from sys import float_info


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and the limits of its interval."""

    value: float
    low: float
    high: float

    def inverted(self) -> Estimate:
        """An odds ratio for the opposite outcome.

        Examples
        --------
        >>> Estimate(4.0, 0.0, 8.0).inverted()
        Estimate(value=0.25, low=0.125, high=inf)
        """
        return Estimate(reciprocal(self.value), reciprocal(self.high), reciprocal(self.low))

    def negated(self) -> Estimate:
        """A difference for the opposite outcome.

        Examples
        --------
        >>> Estimate(0.1, 0.0, 0.3).negated()
        Estimate(value=-0.1, low=-0.3, high=0.0)
        """
        return Estimate(0 - self.value, 0 - self.high, 0 - self.low)


def reciprocal(ratio: float) -> float:
    """1/ratio; 0 and infinity are each other's, and what is too small for a full float is 0."""
    found = 1 / ratio if ratio else inf
    return 0.0 if found < float_info.min else found
