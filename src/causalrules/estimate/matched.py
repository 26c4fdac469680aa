"""The second opinion: a matched cohort of two levels, by equal values if possible, else by equal scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.words.records import Column, Records
    from causalrules.words.studies import Study

ENOUGH_EXACT = 0.8
"""Share of the smaller side that must find partners of equal values; else partners have equal scores."""

RECORDS_A_STRATUM = 20
"""Records that share both scores, about."""


class Matched(NamedTuple):
    """Matched pairs of two levels, averaged over all ways to pair the records of a stratum.

    Parameters
    ----------
    pairs : float
    n12, n21 : float
        Pairs of which only the first level's record has the outcome, and only the other's; 0 for means.
    difference : float
        Of the outcome, within pairs.
    error : float
        Its standard error.
    is_exact : bool
        Whether partners have equal values of everything held.
    """

    pairs: float
    n12: float
    n21: float
    difference: float
    error: float
    is_exact: bool


def matched_cohort(
    records: Records, study: Study, controls: Sequence[Column], level: int, against: int
) -> Matched | None:
    """Match the records of two levels within a study; None where no two can be matched.

    What strata of scores leave of a difference in prognosis is taken off (Abadie and Imbens 2011).
    """
    own = study.levels.level[study.rows]
    is_one = np.flatnonzero((own == level) | (own == against))
    rows, side = study.rows[is_one], (own[is_one] == level).astype(np.int64)
    count, y = records.count[rows], records.outcome[rows]
    prognosis = study.prognosis[is_one]
    keys = _equal_values(controls, rows) if all(not column.is_number for column in controls) else None
    smaller = min(float(count @ side), float(count @ (1 - side)))
    is_exact = keys is not None and _pairs(keys, side, count).sum() >= ENOUGH_EXACT * smaller
    if keys is None or not is_exact:
        chances = study.chances[is_one]
        chance = chances[:, level] / np.maximum(chances[:, level] + chances[:, against], 1e-300)
        keys = _equal_scores(chance, prognosis, count)
    return _compared(keys, side, count, y, prognosis, is_exact, is_mean=records.is_mean)


def _equal_values(controls: Sequence[Column], rows: NDArray[np.intp]) -> NDArray[np.int64]:
    keys = np.zeros(len(rows), np.int64)
    for column in controls:
        joint = keys * column.n_codes + column.codes[rows]
        keys = np.unique(joint, return_inverse=True)[1]
    return keys


def _equal_scores(
    chance: NDArray[np.float64], prognosis: NDArray[np.float64], count: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Strata of about twenty records, by the chance of the level first, then by prognosis within."""
    information = count * np.maximum(chance * (1 - chance), 1e-9)
    n_groups = max(1, int(np.sqrt(count.sum() / RECORDS_A_STRATUM)))
    group = _parts(chance, information, n_groups)
    within = np.lexsort((prognosis, group))
    first = np.searchsorted(group[within], np.arange(n_groups))
    before = np.cumsum(count[within]) - count[within]
    since = before - before[np.minimum(first, len(before) - 1)][group[within]]
    found = np.empty(len(count), np.int64)
    found[within] = group[within] * (1 << 32) + (since // RECORDS_A_STRATUM).astype(np.int64)
    return np.unique(found, return_inverse=True)[1]


def _parts(values: NDArray[np.float64], weights: NDArray[np.float64], n_parts: int) -> NDArray[np.int64]:
    """The part of each value, with equal weights in all."""
    order = np.argsort(values, kind="stable")
    running = np.cumsum(weights[order]) / weights.sum()
    part = np.empty(len(values), np.int64)
    part[order] = np.minimum((n_parts * (running - 1e-12)).astype(np.int64), n_parts - 1)
    return part


def _pairs(
    keys: NDArray[np.int64], side: NDArray[np.int64], count: NDArray[np.float64]
) -> NDArray[np.float64]:
    sizes = np.bincount(2 * keys + side, count, 2 * (int(keys.max(initial=0)) + 1)).reshape(-1, 2)
    smaller: NDArray[np.float64] = sizes.min(axis=1)
    return smaller


def _compared(
    keys: NDArray[np.int64],
    side: NDArray[np.int64],
    count: NDArray[np.float64],
    y: NDArray[np.float64],
    prognosis: NDArray[np.float64],
    is_exact: bool,
    *,
    is_mean: bool,
) -> Matched | None:
    n_strata = int(keys.max(initial=-1)) + 1

    def sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(2 * keys + side, count * values, 2 * n_strata).reshape(-1, 2).astype(np.float64)

    size = sums(np.ones(len(y)))
    pairs = size.min(axis=1)
    total = float(pairs.sum())
    if total < 1:
        return None
    at_least = np.maximum(size, 1e-300)
    mean, square = sums(y) / at_least, sums(y**2) / at_least
    expected = sums(prognosis) / at_least
    difference = float(pairs @ (mean[:, 1] - mean[:, 0])) / total
    if not is_exact:
        difference -= float(pairs @ (expected[:, 1] - expected[:, 0])) / total
    within = np.maximum(square - mean**2, 0.0) * at_least / np.maximum(at_least - 1, 1.0)
    pooled = sums((y - prognosis) ** 2) / at_least
    variance = np.where(size > 2, within, pooled) / at_least
    error = float(np.sqrt((pairs**2) @ variance.sum(axis=1))) / total
    with_it, without = (0.0, 0.0) if is_mean else _discordant(pairs, mean)
    return Matched(total, with_it, without, difference, error, is_exact)


def _discordant(pairs: NDArray[np.float64], mean: NDArray[np.float64]) -> tuple[float, float]:
    return float(pairs @ (mean[:, 1] * (1 - mean[:, 0]))), float(pairs @ (mean[:, 0] * (1 - mean[:, 1])))
