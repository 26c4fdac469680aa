"""Coarse codes: a column encoded by the few values of it that matter."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.special_functions import betaln

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.find.window_rows import WindowRows


@dataclass(frozen=True, slots=True, eq=False)
class CoarseCodes:
    """Columns encoded by one or two of their values, or cuts, and the rest.

    Parameters
    ----------
    codes : int64[n_rows, n_columns]
    n_levels : int64[n_columns]
    extra : float64[n_columns]
        What it costs, in nats, to say which values are meant; 0 where the column is encoded in full.
    """

    codes: NDArray[np.int64]
    n_levels: NDArray[np.int64]
    extra: NDArray[np.float64]


def coarse_codes(rows: WindowRows) -> CoarseCodes:
    """For every column of more than two levels the values, or cuts, that say most about the outcome.

    A cause that acts through one of its values would pay for all of them;
    encoded by that value and the rest, it pays for the choice only. Choosing by
    the outcome is what the extra price is for.
    """
    codes, n_levels = rows.levels.codes.copy(), rows.levels.n_levels.copy()
    extra = np.zeros(len(n_levels))
    for place, k in enumerate(rows.levels.n_levels):
        if k > 2:
            table = np.zeros((k, 2), np.int64)
            np.add.at(table, rows.levels.codes[:, place], rows.levels.counts)
            level, extra[place] = _best_coarse(table, bool(rows.is_number[place]))
            codes[:, place], n_levels[place] = level[rows.levels.codes[:, place]], level.max() + 1
    return CoarseCodes(codes, n_levels, extra)


def _best_coarse(table: NDArray[np.int64], is_number: bool) -> tuple[NDArray[np.int64], float]:
    """Level of each value, and the price; the second value or cut only where it is worth its price."""
    k = len(table)
    choices = np.arange(1, k) if is_number else np.arange(k)

    def marked(chosen: tuple[int, ...]) -> NDArray[np.int64]:
        values = np.arange(k)
        if is_number:
            return np.searchsorted(np.sort(chosen), values, side="right")
        return sum((int(place) * (values == v) for place, v in enumerate(chosen, 1)), np.zeros(k, np.int64))

    def log_likelihood(chosen: tuple[int, ...]) -> float:
        """Of the outcome in the strata of the chosen values (Krichevsky and Trofimov 1981)."""
        parts = np.zeros((len(chosen) + 1, 2), np.int64)
        np.add.at(parts, marked(chosen), table)
        return float((betaln(parts[:, 0] + 0.5, parts[:, 1] + 0.5) - betaln(0.5, 0.5)).sum())

    one = max(((int(v),) for v in choices), key=log_likelihood)
    price = log(len(choices))
    two = max(((*one, int(v)) for v in choices if v != one[0]), key=log_likelihood, default=one)
    price_of_two = log(max(comb(len(choices), 2), 1))
    if len(two) == 2 and k > 3 and log_likelihood(two) - price_of_two > log_likelihood(one) - price:
        return marked(two), price_of_two
    return marked(one), price
