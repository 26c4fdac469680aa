"""Cut points for numbers, and the names of the intervals between them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DAY = 86_400


def mdl_cuts(
    values: NDArray[np.float64], n_with: NDArray[np.int64], n_without: NDArray[np.int64]
) -> list[float]:
    """Cut points by minimum description length (Fayyad and Irani, IJCAI 1993).

    A cut is kept when the information it gains about the outcome pays for
    describing it; both halves are then cut in the same way.

    Parameters
    ----------
    values : float64[n]
        Different numbers in ascending order.
    n_with, n_without : int64[n]
        Records that have each of them, with and without the outcome.

    Examples
    --------
    >>> ages = np.arange(20, 60, dtype=float)
    >>> mdl_cuts(ages, ages >= 40, ages < 40)
    [39.5]
    >>> mdl_cuts(ages, ages % 2 == 0, ages % 2 == 1)
    []
    """
    # With running sums the records of any interval are one subtraction, so that each look at an
    # interval costs its different values, not its records.
    n_below = np.append(0.0, np.cumsum(n_with, dtype=np.int64) + np.cumsum(n_without, dtype=np.int64))
    n_with_below = np.append(0.0, np.cumsum(n_with, dtype=np.int64))
    cuts: list[int] = []
    pending = [(0, len(values))]
    while pending:
        first, end = pending.pop()
        cut = _best_cut(n_below, n_with_below, first, end)
        if cut is not None:
            cuts.append(cut)
            pending += [(first, cut), (cut, end)]
    places = np.array(sorted(cuts), np.intp)
    return _midpoints(values[places - 1], values[places])


def _best_cut(
    n_below: NDArray[np.float64], n_with_below: NDArray[np.float64], first: int, end: int
) -> int | None:
    """Position of the accepted cut between two distinct values, or None."""
    if end - first < 2:
        return None
    n, n_with = n_below[end] - n_below[first], n_with_below[end] - n_with_below[first]
    left, left_with = (
        n_below[first + 1 : end] - n_below[first],
        n_with_below[first + 1 : end] - n_with_below[first],
    )
    right, right_with = n - left, n_with - left_with
    split = (_information(left, left_with) + _information(right, right_with)) / n
    # Of cuts that are equally good but for rounding the lowest, so that the order of sums cannot decide.
    best = int((split <= split.min() + 1e-12).argmax())
    ent = _information(n, n_with) / n
    ent_left = _information(left[best], left_with[best]) / left[best]
    ent_right = _information(right[best], right_with[best]) / right[best]
    # The paper's criterion: a cut costs log2(n - 1) bits to name its place, and delta bits to
    # describe the classes on both sides; it is kept if the n records save more than that.
    k, k_left, k_right = (1 + (entropy > 0) for entropy in (ent, ent_left, ent_right))  # classes that occur
    delta = np.log2(3.0**k - 2) - (k * ent - k_left * ent_left - k_right * ent_right)
    is_paid_for = ent - split[best] > (np.log2(n - 1) + delta) / n
    return first + 1 + best if is_paid_for else None


def _information(n: Any, n_with: Any) -> Any:
    """Entropy of the outcome among n records, times n, in bits."""
    return _x_log_x(n) - _x_log_x(n_with) - _x_log_x(n - n_with)


def _x_log_x(x: Any) -> Any:
    """Each count times its binary logarithm; 0 for 0."""
    return x * np.log2(np.maximum(x, 1.0))


def quantile_cuts(values: NDArray[np.float64], counts: NDArray[np.int64], n_bins: int) -> list[float]:
    """Cut points that put about equally many records into each bin.

    Equal values stay together: a cut that would divide them moves to the nearest place between two values.

    Parameters
    ----------
    values : float64[n]
        Different numbers in ascending order.
    counts : int64[n]
        Records that have each of them.

    Examples
    --------
    >>> quantile_cuts(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2, 2, 2, 2]), 4)
    [1.5, 2.5, 3.5]
    """
    n_below = np.cumsum(counts)
    between = n_below[:-1]
    if not len(between):
        return []
    wanted = np.arange(1, n_bins) * n_below[-1] // n_bins
    above = np.searchsorted(between, wanted).clip(max=len(between) - 1)
    below = (above - 1).clip(min=0)
    is_below_nearer = wanted - between[below] <= np.abs(between[above] - wanted)
    cuts = np.unique(np.where(is_below_nearer, below, above))
    return _midpoints(values[cuts], values[cuts + 1])


LEAST_IN_A_TAIL = 10
"""Records of an outermost bin that is not halved any more."""


def fine_cuts(
    values: NDArray[np.float64], counts: NDArray[np.int64], most: int, *, halve_tails: bool = False
) -> tuple[list[float], NDArray[np.float64]]:
    """Cuts into at most so many bins of about equally many records, and the mean of each bin.

    A study holds a number by these: fine enough to stand for the number itself, few enough to count. Of the
    mean of a number the highest hundredth of what it depends on may decide, as the costs of last year do of
    this year's: there the outermost bins are halved again and again.

    Examples
    --------
    >>> cuts, means = fine_cuts(np.array([1.0, 2.0, 3.0, 10.0]), np.array([1, 1, 1, 1]), 2)
    >>> cuts, means.tolist()
    ([2.5], [1.5, 6.5])
    """
    cuts = quantile_cuts(values, counts, most) if len(values) > most else _midpoints(values[:-1], values[1:])
    if halve_tails and len(values) > most:
        cuts = sorted({*cuts, *_halved_tails(values, counts, most)})
    bin_of = np.searchsorted(np.array(cuts), values, side="left")
    sums = np.bincount(bin_of, values * counts, len(cuts) + 1)
    return cuts, sums / np.maximum(np.bincount(bin_of, counts, len(cuts) + 1), 1)


def _halved_tails(values: NDArray[np.float64], counts: NDArray[np.int64], most: int) -> list[float]:
    """Cuts that halve the outermost of so many bins, while enough records are left outside."""
    n_below = np.cumsum(counts)
    n_records, cuts = int(n_below[-1]), []
    n_outside = n_records // most // 2
    while n_outside >= LEAST_IN_A_TAIL:
        for wanted in (n_outside, n_records - n_outside):
            place = min(int(np.searchsorted(n_below, wanted)), len(values) - 2)
            cuts += _midpoints(values[place : place + 1], values[place + 1 : place + 2])
        n_outside //= 2
    return cuts


def shortest_cuts(cuts: list[float], values: NDArray[np.float64]) -> list[float]:
    """Cuts with the fewest digits that separate the same records.

    Examples
    --------
    >>> shortest_cuts([60.150000000000006, 24.8], np.array([20.0, 24.7, 24.9, 60.1, 60.2]))
    [60.15, 24.8]
    """
    above = np.searchsorted(values, cuts, side="right")
    lows, highs = values[above - 1].tolist(), values[above].tolist()
    return [_shortest(cut, low, high) for cut, low, high in zip(cuts, lows, highs, strict=True)]


def _shortest(cut: float, low: float, high: float) -> float:
    """The number of fewest digits that the cut may be written as, from `low` up to, but not, `high`."""
    for digits in range(1, 18):
        written = float(f"{cut:.{digits}g}")
        if low <= written < high:
            return written
    return cut


def _midpoints(lows: NDArray[np.float64], highs: NDArray[np.float64]) -> list[float]:
    """Numbers from each `low` up to, but not including, `high`, also where the exact middle overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = lows + (highs - lows) / 2
    is_between = np.isfinite(middle) & (lows <= middle) & (middle < highs)
    found: list[float] = np.where(is_between, middle, lows).tolist()
    return found


def whole_moments(cuts: list[float], *, are_days: bool) -> list[float]:
    """Cuts between dates moved down to a whole second, or day, which puts no date into another bin."""
    step = _DAY if are_days else 1
    return [cut // step * step for cut in cuts]


def cuts_and_texts(
    cuts: list[float], values: NDArray[np.float64], *, are_dates: bool, are_short: bool = True
) -> tuple[list[float], list[str]]:
    """Cuts that separate the same records and can be told, and their texts.

    Parameters
    ----------
    values : float64[n]
        Different numbers in ascending order.
    are_dates : bool
        Whether they are seconds since 1970.
    are_short : bool
        Whether numbers may be told with fewer digits.
    """
    if are_dates:
        are_days = not (values % _DAY).any()
        cuts = whole_moments(cuts, are_days=are_days)
        return cuts, moment_texts(cuts, are_days=are_days)
    if are_short:
        cuts = shortest_cuts(cuts, values)
    return cuts, number_texts(cuts)


def bin_codes(values: NDArray[np.float64], cuts: list[float]) -> NDArray[np.uint16]:
    """Number of each value's interval, from 1 (a value on a cut belongs below it); 0 for NaN.

    Examples
    --------
    >>> bin_codes(np.array([1.0, 2.0, 3.0, np.nan]), [2.0])
    array([1, 1, 2, 0], dtype=uint16)
    """
    codes = (np.searchsorted(np.array(cuts), values, side="left") + 1).astype(np.uint16)
    codes[np.isnan(values)] = 0
    return codes


def bin_names(texts: list[str]) -> list[str]:
    """Names of the intervals between cuts.

    Examples
    --------
    >>> bin_names(number_texts([27.5, 41.0]))
    ['<=27.5', '(27.5, 41]', '>41']
    """
    between = [f"({low}, {high}]" for low, high in pairwise(texts)]
    return [f"<={texts[0]}", *between, f">{texts[-1]}"]


def number_texts(cuts: list[float]) -> list[str]:
    """Cuts between numbers as texts, with as few digits as tell all of them exactly, at least six."""
    for digits in (6, 9, 12):
        texts = [f"{cut:.{digits}g}" for cut in cuts]
        if all(float(text) == cut for text, cut in zip(texts, cuts, strict=True)):
            return texts
    return [repr(cut) for cut in cuts]


def moment_texts(cuts: list[float], *, are_days: bool) -> list[str]:
    """Cuts between dates as ISO texts, without the time if all dates are whole days.

    Examples
    --------
    >>> moment_texts([0.0, 86400.0], are_days=True)
    ['1970-01-01', '1970-01-02']
    """
    unit = "D" if are_days else "s"
    return [str(np.datetime64(int(cut), "s").astype(f"datetime64[{unit}]")) for cut in cuts]
