"""The second opinion: a matched cohort of two levels, by equal values if possible, else by equal scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.words import constants
from causalrules.words.findings import Balance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.words.records import Column, Records
    from causalrules.words.studies import Study


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
    expected : float
        What the study's model expects of the difference among the same records.
    is_exact : bool
        Whether partners have equal values of everything held.
    rows : intp[n]
        Rows of the table that have one of the two levels.
    is_level : bool[n]
        Whether it is the first.
    weights : float64[n]
        How many pairs the records of each row are in.
    """

    pairs: float
    n12: float
    n21: float
    difference: float
    error: float
    expected: float
    is_exact: bool
    rows: NDArray[np.intp]
    is_level: NDArray[np.bool_]
    weights: NDArray[np.float64]


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
    is_exact = keys is not None and _pairs(keys, side, count).sum() >= constants.COMPARABLE[1] * smaller
    if keys is None or not is_exact:
        chances = study.chances[is_one]
        chance = chances[:, level] / np.maximum(chances[:, level] + chances[:, against], 1e-300)
        # To nine digits: the rest is rounding, and must not decide who stands beside whom.
        keys = _equal_scores(chance.round(9), prognosis.round(9), count)
    at_level = study.at_level[is_one]
    gain = at_level[:, level] - at_level[:, against]
    return _compared(rows, keys, side, count, y, prognosis, gain, is_exact, is_mean=records.is_mean)


def balance_of(records: Records, matched: Matched, controls: Sequence[Column]) -> tuple[Balance, ...]:
    """How far the two levels differ in each control, before and after matching.

    Standardised differences, of a category the largest of its values, over the standard deviation before
    matching (Austin 2009). So few pairs differ by chance alone, too: that is told beside.
    """
    rows, side = matched.rows, matched.is_level.astype(np.int64)
    weights = records.count[rows], matched.weights
    sizes = [float(weights[1][side == own].sum()) ** 2 for own in (0, 1)]
    squares = [float((weights[1] ** 2 / np.maximum(weights[0], 1e-300))[side == own].sum()) for own in (0, 1)]
    error = sum(square / max(size, 1e-300) for square, size in zip(squares, sizes, strict=True))
    found = []
    for column in controls:
        joint = 2 * column.codes[rows].astype(np.int64) + side
        tables = [
            np.bincount(joint, own, 2 * column.n_codes).reshape(-1, 2).astype(np.float64) for own in weights
        ]
        value = None if column.values is None else np.append(0.0, column.values)
        before, after = standardised_differences(tables[0], tables[1], value)
        found.append(Balance(column=column.name, before=before, after=after, by_chance=float(np.sqrt(error))))
    return tuple(found)


def standardised_differences(
    before: NDArray[np.float64], after: NDArray[np.float64], value: NDArray[np.float64] | None
) -> tuple[float, float]:
    """Largest standardised differences between two levels, of records and of matched ones.

    Parameters
    ----------
    before, after : float64[n_codes, 2]
        Weights by code and level.
    value : float64[n_codes] or None
        Of a number.

    Examples
    --------
    >>> tables = np.array([[60.0, 40.0], [40.0, 60.0]]), np.array([[40.0, 40.0], [40.0, 40.0]])
    >>> [round(one, 2) for one in standardised_differences(*tables, None)]
    [0.41, 0.0]
    """
    shares = [table / np.maximum(table.sum(axis=0), 1e-300) for table in (before, after)]
    if value is None:
        variance = (shares[0] * (1 - shares[0])).mean(axis=1)
    else:
        mean = value @ shares[0]
        variance = np.atleast_1d(((value**2) @ shares[0] - mean**2).mean())
        shares = [(value @ share)[None] for share in shares]
    spread = np.where(variance > 1e-12, np.sqrt(np.maximum(variance, 1e-12)), np.inf)
    largest = [float((np.abs(share[:, 0] - share[:, 1]) / spread).max(initial=0.0)) for share in shares]
    return largest[0], largest[1]


def _equal_values(controls: Sequence[Column], rows: NDArray[np.intp]) -> NDArray[np.int64]:
    keys = np.zeros(len(rows), np.int64)
    for column in controls:
        joint = keys * column.n_codes + column.codes[rows]
        keys = np.unique(joint, return_inverse=True)[1]
    return keys


def _equal_scores(
    chance: NDArray[np.float64], prognosis: NDArray[np.float64], count: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Strata of about twenty records, by the chance of the level first, then by prognosis within.

    Records with equal scores stand in one stratum, in whatever order they come.
    """
    n_groups = max(1, int(np.sqrt(count.sum() / (2 * constants.LEAST_RECORDS))))
    information = count * np.maximum(chance * (1 - chance), 1e-9)
    place = np.unique(chance, return_inverse=True)[1]
    before = _before(place, information) / information.sum()
    group = np.minimum((n_groups * (before + 1e-12)).astype(np.int64), n_groups - 1)
    ranks = np.unique(prognosis, return_inverse=True)[1]
    within = np.unique(group * (int(ranks.max(initial=0)) + 1) + ranks, return_inverse=True)[1]
    since = _before(within, count) - _before(group, count)
    found = group * (1 << 32) + (since // (2 * constants.LEAST_RECORDS)).astype(np.int64)
    return np.unique(found, return_inverse=True)[1]


def _before(place: NDArray[np.integer], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """What all rows of smaller places weigh together, of every row."""
    sums = np.bincount(place, weights)
    return np.asarray((np.cumsum(sums) - sums)[place], np.float64)


def _pairs(
    keys: NDArray[np.int64], side: NDArray[np.int64], count: NDArray[np.float64]
) -> NDArray[np.float64]:
    sizes = np.bincount(2 * keys + side, count, 2 * (int(keys.max(initial=0)) + 1)).reshape(-1, 2)
    smaller: NDArray[np.float64] = sizes.min(axis=1)
    return smaller


def _compared(
    rows: NDArray[np.intp],
    keys: NDArray[np.int64],
    side: NDArray[np.int64],
    count: NDArray[np.float64],
    y: NDArray[np.float64],
    prognosis: NDArray[np.float64],
    gain: NDArray[np.float64],
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
    weights = count * pairs[keys] / at_least[keys, side]
    expected_of_them = float(weights @ gain) / (2 * total)
    return Matched(
        total, with_it, without, difference, error, expected_of_them, is_exact, rows, side == 1, weights
    )


def _discordant(pairs: NDArray[np.float64], mean: NDArray[np.float64]) -> tuple[float, float]:
    return float(pairs @ (mean[:, 1] * (1 - mean[:, 0]))), float(pairs @ (mean[:, 0] * (1 - mean[:, 1])))
