"""Intervals of a number between cut points that the user chose."""

from __future__ import annotations

from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING

from causalrules.domain.pattern_grammar import number_of
from causalrules.encode.bins import bin_names, cuts_and_texts, number_texts, quantile_cuts
from causalrules.encode.column_codings import Bins
from causalrules.encode.conditions import cut_below
from causalrules.errors import SettingsError, quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from causalrules.domain.cut_points import Cuts
    from causalrules.encode.values import Numbers

MOST_INTERVALS = 1000


def cut_bins(
    cuts: Cuts, numbers: Numbers, values: NDArray[np.float64], counts: NDArray[np.int64]
) -> Bins | str:
    """The intervals, or why there are none.

    Parameters
    ----------
    cuts : Cuts
        What the user says.
    numbers : Numbers
        The column's values.
    values, counts : float64[n], int64[n]
        Different numbers in ascending order, and the records with each.
    """
    if len(values) < 2:
        return "it is constant" if len(values) else "it never has a value"
    if cuts.n_quantiles is not None:
        return _quantiles(cuts.n_quantiles, numbers, values, counts)
    points = {number_of(text) or 0.0: text for text in cuts.points}
    if cuts.are_dates != numbers.are_dates:
        found = "dates" if numbers.are_dates else "numbers"
        asked = ",".join(cuts.points) or f"every:{cuts.every:g}"
        raise SettingsError("cut", f"points that are {found} for {quoted(cuts.column)}", asked)
    if cuts.every is not None:
        points = dict(_steps(cuts.column, cuts.every, values))
    inside = {
        point: text
        for point, text in points.items()
        if (values[0] <= point < values[-1] if cuts.is_upto else values[0] < point <= values[-1])
    }
    if not inside:
        raise SettingsError(
            "cut",
            f"points between {values[0]:g} and {values[-1]:g} for {quoted(cuts.column)}",
            ", ".join(points.values()),
        )
    texts = list(inside.values())
    if cuts.is_upto:
        return Bins(bin_names(texts), list(inside), numbers.kind, are_chosen=False)
    between = [f"[{low}, {high})" for low, high in pairwise(texts)]
    limits = [cut_below(point, is_inside=True) for point in inside]
    return Bins([f"<{texts[0]}", *between, f">={texts[-1]}"], limits, numbers.kind, are_chosen=False)


def _steps(column: str, step: float, values: NDArray[np.float64]) -> list[tuple[float, str]]:
    """Multiples of a step within the values, as short as they can be written."""
    first, last = floor(float(values[0]) / step) + 1, floor(float(values[-1]) / step)
    if last - first >= MOST_INTERVALS:
        raise SettingsError(
            "cut", f"at most {MOST_INTERVALS} intervals of {quoted(column)}", last - first + 2
        )
    multiples = [round(number * step, 12) for number in range(first, last + 1)]
    return list(zip(multiples, number_texts(multiples), strict=True))


def _quantiles(n_bins: int, numbers: Numbers, values: NDArray[np.float64], counts: NDArray[np.int64]) -> Bins:
    cuts = quantile_cuts(values, counts, n_bins)
    cuts, texts = cuts_and_texts(cuts, values, are_dates=numbers.are_dates)
    return Bins(bin_names(texts), cuts, numbers.kind, are_chosen=False)
