"""A number and its interval."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and the limits of its interval."""

    value: float
    low: float
    high: float
