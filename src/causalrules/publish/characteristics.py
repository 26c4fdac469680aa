"""One characteristic of the records in four groups: exposed and unexposed, before and after matching.

After matching every record has the weight of its matched set (see
`studied_records`). Standardised differences are differences over the standard
deviation *before* matching in both cases (Austin 2009; Stuart 2010), so that
a smaller one after matching is due to the groups, not to their spread. Every value of a
category has its own, and the largest is that of the column: the definition by which the
study itself judges balance (`cohort.imbalance`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SKEWED = 1.0
"""Skewness beyond which a number is described by its median rather than by its mean."""


class Spread(NamedTuple):
    """Mean and standard deviation, median and quartiles of a number in one group; nan for nobody."""

    mean: float
    sd: float
    median: float
    lower_quartile: float
    upper_quartile: float


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the records, each with a weight.

    Parameters
    ----------
    members : intp[n]
        Their places among the studied records.
    weights : float64[n]
        1 for everybody before matching, unless records are a weighted sample.
    is_sample : bool
        Whether records are a weighted sample: then n counts them, and only shares go by weights.
    """

    members: NDArray[np.intp]
    weights: NDArray[np.float64]
    is_sample: bool = False

    @property
    def counted(self) -> NDArray[np.float64]:
        """What each of them adds to n."""
        return np.ones(len(self.weights)) if self.is_sample else self.weights

    @property
    def size(self) -> float:
        """Sum of the weights."""
        return float(self.weights.sum())

    @property
    def effective_size(self) -> float:
        """How many records of equal weight would tell as much (Kish 1965)."""
        squares = float((self.weights**2).sum())
        return self.size**2 / squares if squares else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Characteristic:
    """A column in the four groups: exposed and unexposed before, exposed and unexposed after matching.

    Parameters
    ----------
    column : str
        Its name.
    missing, missing_shares : tuple of 4 float
        Records of each group without a value, and their share of the group's weight.
    difference_before, difference_after : float
        Standardised; nan where a group has no values.
    """

    column: str
    missing: tuple[float, ...]
    missing_shares: tuple[float, ...]
    difference_before: float
    difference_after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberCharacteristic(Characteristic):
    """A number: how it is spread in each group, whether it is skewed, and whether it is a date (seconds)."""

    spreads: tuple[Spread, ...]
    is_skewed: bool
    is_date: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCharacteristic(Characteristic):
    """A category: for each value the records of each group that have it, and their share of those known.

    `differences` are those of each value, before and after matching; the largest are those of the column.
    """

    values: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]
    shares: tuple[tuple[float, ...], ...]
    differences: tuple[tuple[float, float], ...]


def number_characteristic(
    column: str,
    numbers: NDArray[np.float64],
    codes: NDArray[np.int64],
    groups: Sequence[Group],
    *,
    is_date: bool = False,
) -> NumberCharacteristic:
    """Describe a number from how often each of its values occurs.

    Parameters
    ----------
    column : str
        Its name.
    numbers : float64[n_values]
        Its different values, in order.
    codes : int64[n]
        The place of every studied record's value among them; -1 for a missing value.
    groups : sequence of 4 Group
        Exposed and unexposed before, and after matching.
    is_date : bool
        Whether the numbers are seconds since 1970.

    Examples
    --------
    >>> everybody = [Group(np.array(places), np.ones(3)) for places in ([0, 1, 2], [3, 4, 5])]
    >>> ages, codes = np.array([57.0, 61, 65, 69]), np.array([1, 2, 3, 0, 1, 2])
    >>> age = number_characteristic("age", ages, codes, [*everybody, *everybody])
    >>> age.spreads[0].mean, age.spreads[0].sd, age.difference_before
    (65.0, 4.0, 1.0)
    """
    histograms = [_Histogram.of(group, codes, len(numbers)) for group in groups]
    spreads = [_spread(numbers, one) for one in histograms]
    scale = float(np.sqrt((spreads[0].sd ** 2 + spreads[1].sd ** 2) / 2))
    everybody = histograms[0].weights + histograms[1].weights
    return NumberCharacteristic(
        column=column,
        missing=tuple(one.missing for one in histograms),
        missing_shares=tuple(one.missing_share for one in histograms),
        difference_before=_in_deviations(spreads[0].mean - spreads[1].mean, scale),
        difference_after=_in_deviations(spreads[2].mean - spreads[3].mean, scale),
        spreads=tuple(spreads),
        is_skewed=abs(_skewness(numbers, everybody)) > SKEWED,
        is_date=is_date,
    )


class _Histogram(NamedTuple):
    """One group: the weight of each value, who has none, the sum of squares, whether all weigh the same."""

    weights: NDArray[np.float64]
    missing: float
    missing_share: float
    squares: float
    are_equal: bool

    @classmethod
    def of(cls, group: Group, codes: NDArray[np.int64], n_values: int) -> _Histogram:
        own = codes[group.members]
        sums = np.bincount(own + 1, group.weights, n_values + 1).astype(np.float64)
        known = group.weights[own >= 0]
        are_equal = len(known) == 0 or float(np.ptp(known)) <= _ROUNDING_OF_WEIGHTS
        n_missing = float(group.counted[own < 0].sum())
        share = float(sums[0]) / group.size if group.size else 0.0
        return cls(sums[1:], n_missing, share, float((known**2).sum()), are_equal)


def _in_deviations(difference: float, scale: float) -> float:
    """The size of a difference in standard deviations; infinite where nobody varies but groups differ."""
    if difference == 0 or difference != difference:
        return difference
    return abs(difference) / scale if scale > 0 else float("inf")


def _spread(values: NDArray[np.float64], found: _Histogram) -> Spread:
    """Moments and quartiles.

    The variance has the divisor Σw − Σw²/Σw, which is n − 1 for equal
    weights. Quartiles of equal weights are interpolated; of unequal ones they
    are the smallest values that a quarter, half and three quarters of the weight do not exceed.
    """
    weights, total = found.weights, float(found.weights.sum())
    if total <= 0:
        return Spread(*([float("nan")] * 5))
    mean = float((weights * values).sum()) / total
    divisor = total - found.squares / total
    variance = float((weights * (values - mean) ** 2).sum()) / divisor if divisor > 1e-9 * total else 0.0
    cumulative = weights.cumsum()
    if found.are_equal:
        each = found.squares / total
        low, median, high = (_interpolated(values, cumulative / each, share) for share in _QUARTILES)
    else:
        low, median, high = values[np.searchsorted(cumulative / cumulative[-1], _QUARTILES)].tolist()
    return Spread(mean, float(np.sqrt(variance)), median, low, high)


_QUARTILES = (0.25, 0.5, 0.75)


def _interpolated(values: NDArray[np.float64], cumulative: NDArray[np.float64], share: float) -> float:
    """A quantile between two neighbours in order, `cumulative` being how many records reach each value."""
    last = round(float(cumulative[-1])) - 1
    place = share * last
    before = int(place)
    at = np.searchsorted(cumulative, [before + 0.5, min(before + 1, last) + 0.5])
    below, above = values[np.minimum(at, len(values) - 1)].tolist()
    return float(below + (above - below) * (place - before))


def _skewness(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The third standardised moment."""
    total = float(weights.sum())
    if total <= 0:
        return 0.0
    centred = values - float((weights * values).sum()) / total
    spread = float(np.sqrt((weights * centred**2).sum() / total))
    return float((weights * centred**3).sum()) / total / spread**3 if spread > 0 else 0.0


def category_characteristic(
    column: str, names: Sequence[str], codes: NDArray[np.int64], groups: Sequence[Group]
) -> CategoryCharacteristic:
    """Describe a category.

    Parameters
    ----------
    column : str
        Its name.
    names : sequence of str
        Its values, in the order of their codes from 0.
    codes : int64[n]
        Of every studied record; -1 for a missing value.
    groups : sequence of 4 Group
        Exposed and unexposed before, and after matching.
    """
    counts, weights = (
        np.stack([np.bincount(codes[one.members] + 1, by, len(names) + 1) for one, by in weighed], axis=1)
        for weighed in ([(one, one.counted) for one in groups], [(one, one.weights) for one in groups])
    )
    known, whole = weights[1:].sum(axis=0), weights.sum(axis=0)
    shares = weights[1:] / np.where(known > 0, known, np.nan)
    scales = np.sqrt((shares[:, :2] * (1 - shares[:, :2])).mean(axis=1)).tolist()
    gaps = np.stack([shares[:, 0] - shares[:, 1], shares[:, 2] - shares[:, 3]], axis=1).tolist()
    differences = tuple(
        (_in_deviations(before, scale), _in_deviations(after, scale))
        for (before, after), scale in zip(gaps, scales, strict=True)
    )
    return CategoryCharacteristic(
        column=column,
        missing=tuple(counts[0].tolist()),
        missing_shares=tuple((weights[0] / np.where(whole > 0, whole, 1)).tolist()),
        difference_before=max((before for before, _ in differences), default=float("nan")),
        difference_after=max((after for _, after in differences), default=float("nan")),
        values=tuple(names),
        counts=tuple(map(tuple, counts[1:].tolist())),
        shares=tuple(map(tuple, shares.tolist())),
        differences=differences,
    )


_ROUNDING_OF_WEIGHTS = 1e-12
