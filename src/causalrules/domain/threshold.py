"""Thresholds given as shares, converted to whole numbers of records, once and exactly."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor


def exact_share(share: float) -> Fraction:
    """Read a float as the decimal its writer typed: ``0.07`` is 7/100, not its binary neighbour."""
    return Fraction(repr(float(share)))


def largest_count_within(share: float, n_records: int) -> int:
    """Largest number of records that does not exceed a share of them.

    A pattern is frequent when its count is *above* this number, and an item
    is exclusive when a count is *at most* this number, so every engine
    compares the same two integers.

    Parameters
    ----------
    share : float
        Share of records, read as the decimal the caller wrote.
    n_records : int
        Number of records the share refers to.

    Examples
    --------
    Seven records in a hundred do not exceed seven per cent, even though
    ``0.07 * 100`` comes out a hair above seven in floating point:

    >>> largest_count_within(0.07, 100), largest_count_within(0.05, 11687)
    (7, 584)
    """
    return floor(exact_share(share) * n_records)


def smallest_count_reaching(share: float, n_records: int) -> int:
    """Smallest number of records that is at least a share of them.

    Examples
    --------
    >>> smallest_count_reaching(0.07, 100), smallest_count_reaching(0.07, 101)
    (7, 8)
    """
    return ceil(exact_share(share) * n_records)
