"""Cut points for numbers, and the names of the intervals between them."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def mdl_cuts(values: NDArray[np.float64], outcome: NDArray[np.bool_]) -> list[float]:
    """Cut points by minimum description length (Fayyad and Irani, IJCAI 1993).

    A cut is kept when the information it gains about the outcome pays for
    describing it; both halves are then cut in the same way.

    Parameters
    ----------
    values : float64[n]
        Numbers, none missing.
    outcome : bool[n]
        Whether each record has the outcome.

    Examples
    --------
    >>> ages = np.arange(20, 60, dtype=float)
    >>> mdl_cuts(ages, ages >= 40)
    [39.5]
    >>> mdl_cuts(ages, ages % 2 == 0)
    []
    """
    distinct, position = np.unique(values, return_inverse=True)
    counts = np.zeros((len(distinct), 2))
    np.add.at(counts, (position, outcome.astype(np.intp)), 1.0)
    below = np.vstack([np.zeros(2), counts.cumsum(axis=0)])  # below[i]: records under the i-th distinct value
    cuts: list[int] = []
    pending = [(0, len(distinct))]
    while pending:
        first, end = pending.pop()
        cut = _best_cut(below, first, end)
        if cut is not None:
            cuts.append(cut)
            pending += [(first, cut), (cut, end)]
    return [_midpoint(distinct[cut - 1], distinct[cut]) for cut in sorted(cuts)]


def _best_cut(below: NDArray[np.float64], first: int, end: int) -> int | None:
    """Position of the accepted cut between two distinct values, or None."""
    if end - first < 2:
        return None
    left = below[first + 1 : end] - below[first]
    right = below[end] - below[first + 1 : end]
    whole = below[end] - below[first]
    n_left, n_right, n_whole = left.sum(axis=1), right.sum(axis=1), whole.sum()
    split_entropy = (n_left * _entropy(left) + n_right * _entropy(right)) / n_whole
    best = int(split_entropy.argmin())
    ent, ent_left, ent_right = _entropy(whole), _entropy(left[best]), _entropy(right[best])
    k, k_left, k_right = ((part > 0).sum() for part in (whole, left[best], right[best]))
    delta = np.log2(3.0**k - 2) - (k * ent - k_left * ent_left - k_right * ent_right)
    is_paid_for = ent - split_entropy[best] > (np.log2(n_whole - 1) + delta) / n_whole
    return first + 1 + best if is_paid_for else None


def _entropy(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Entropy in bits along the last axis."""
    share = counts / counts.sum(axis=-1, keepdims=True)
    bits = np.where(share > 0, share * np.log2(np.where(share > 0, share, 1.0)), 0.0)
    entropy: NDArray[np.float64] = -bits.sum(axis=-1)
    return entropy


def quantile_cuts(values: NDArray[np.float64], n_bins: int) -> list[float]:
    """Cut points that put about equally many records into each bin; equal values stay together.

    Examples
    --------
    >>> quantile_cuts(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), 4)
    [2.5, 4.5, 6.5]
    """
    ordered = np.sort(values)
    at = [len(ordered) * part // n_bins for part in range(1, n_bins)]
    pairs = {(ordered[i - 1], ordered[i]) for i in at if i > 0 and ordered[i - 1] < ordered[i]}
    inside = {
        (value, ordered[np.searchsorted(ordered, value, side="right")])
        for value in (ordered[i] for i in at if i > 0 and ordered[i - 1] == ordered[i])
        if value < ordered[-1]
    }
    return sorted({_midpoint(low, high) for low, high in pairs | inside})


def _midpoint(low: float, high: float) -> float:
    middle = low + (high - low) / 2
    return float(middle) if np.isfinite(middle) and low <= middle < high else float(low)


def bin_codes(values: NDArray[np.float64], cuts: list[float]) -> NDArray[np.int64]:
    """Index of each number's interval (a number on a cut belongs below it); -1 for NaN."""
    codes = np.searchsorted(np.array(cuts), values, side="left").astype(np.int64)
    codes[np.isnan(values)] = -1
    return codes


def bin_names(cuts: list[float], *, are_dates: bool) -> list[str]:
    """Names of the intervals between the cuts.

    Examples
    --------
    >>> bin_names([27.5, 41.0], are_dates=False)
    ['<=27.5', '(27.5, 41]', '>41']
    """
    texts = _date_texts(cuts) if are_dates else _number_texts(cuts)
    between = [f"({low}, {high}]" for low, high in pairwise(texts)]
    return [f"<={texts[0]}", *between, f">{texts[-1]}"]


def _number_texts(cuts: list[float]) -> list[str]:
    """As few digits as tell the cuts apart, at least six."""
    for digits in (6, 9, 12):
        texts = [f"{cut:.{digits}g}" for cut in cuts]
        if len(set(texts)) == len(cuts) and all(
            abs(float(text) - cut) <= 1e-9 * abs(cut) for text, cut in zip(texts, cuts, strict=True)
        ):
            return texts
    return [repr(cut) for cut in cuts]


def _date_texts(cuts: list[float]) -> list[str]:
    moments = [datetime.fromtimestamp(cut, tz=UTC) for cut in cuts]
    texts = [f"{moment:%Y-%m-%d}" for moment in moments]
    return texts if len(set(texts)) == len(texts) else [f"{moment:%Y-%m-%dT%H:%M:%S}" for moment in moments]
