"""Two columns that act together: what one does depends on the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.estimate.effects import width
from causalrules.estimate.models import Design, fit_linear, fit_logistic
from causalrules.estimate.sums import Summing
from causalrules.estimate.terms import term_of
from causalrules.words.findings import Interaction
from causalrules.words.studies import Levels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.words.findings import Triple
    from causalrules.words.records import Column, Records
    from causalrules.words.studies import Study


class Together(NamedTuple):
    """Two columns, each in two parts, and the test of whether they act together.

    Parameters
    ----------
    levels : Levels
        The four cells; the first has neither part, the last both.
    p : float
        That what one column does to the outcome does not depend on the other (on the scale of log odds).
    """

    levels: Levels
    p: float


def together(
    records: Records, pair: tuple[Column, Column], levels: tuple[Levels, Levels], controls: Sequence[Column]
) -> Together | None:
    """Test whether two columns act together, and where they do so most clearly.

    The residual of every cell given both columns and the controls, times that of the outcome given the same:
    a doubly robust test of cells. The two parts are those whose cell stands out most; a part of a category is
    one of its levels, of an ordered column all from a level on.
    """
    first, second = levels
    rows = np.flatnonzero((first.level >= 0) & (second.level >= 0))
    held = (*pair, *controls)
    for column in controls:
        rows = rows[column.codes[rows] > 0]
    if not len(rows) or np.ptp(records.outcome[rows]) == 0:
        return None
    summing = Summing.over(records, rows)
    terms = [term_of(_rows_of(column, rows), summing.mass) for column in held]
    design = Design(terms, summing.mass)
    y = records.outcome[rows]
    fit = fit_linear(design, y[:, None]) if records.is_mean else fit_logistic(design, y)
    residual = y - fit.mean.reshape(len(y))
    a, b = first.level[rows], second.level[rows]
    ka, kb = len(first.names), len(second.names)
    cells = (a[:, None] * kb + b[:, None] == np.arange(ka * kb)).astype(np.float64)
    left = cells - fit_linear(design, cells).mean
    added = left * residual[:, None]
    # Given both columns, the cells beside the first levels tell the others: what penalties leave of those is
    # no degree of freedom.
    inner = np.arange(ka * kb).reshape(ka, kb)[1:, 1:].ravel()
    variance = fit.mean * (1 - fit.mean)
    if records.is_mean:
        variance = np.full(len(y), float(summing.mass @ residual**2 / summing.mass.sum()))
    p = summing.test(left[:, inner], residual, variance.reshape(len(y)), fit.n_used)
    total, spread = summing.mass @ added, summing.spread(added)
    part_a, part_b = _clearest_parts(first, second, total, spread)
    own = [
        np.where(one.level >= 0, np.isin(one.level, part), False)
        for one, part in ((first, part_a), (second, part_b))
    ]
    known = (first.level >= 0) & (second.level >= 0)
    level = np.where(known, 2 * own[0] + own[1], -1).astype(np.int64)
    names = [_part_names(one, part) for one, part in ((first, part_a), (second, part_b))]
    cells_named = tuple(f"{x} & {z}" for x in names[0] for z in names[1])
    return Together(Levels(names=cells_named, level=level, reference=0), p)


def _rows_of(column: Column, rows: NDArray[np.intp]) -> Column:
    from dataclasses import replace

    return replace(column, codes=column.codes[rows], shown=None)


def _clearest_parts(
    first: Levels, second: Levels, total: NDArray[np.float64], spread: NDArray[np.float64]
) -> tuple[list[int], list[int]]:
    """The part of each column between whose cell and the others residuals differ most clearly."""
    kb = len(second.names)
    best, found = -1.0, ([1], [1])
    for part in _parts_of(first):
        for other in _parts_of(second):
            weights = np.zeros(len(total))
            weights[[i * kb + j for i in part for j in other]] = 1.0
            variance = float(weights @ spread @ weights)
            z = abs(float(weights @ total)) / np.sqrt(variance) if variance > 0 else 0.0
            if z > best * (1 + 1e-9):
                best, found = z, (part, other)
    return found


def _parts_of(levels: Levels) -> list[list[int]]:
    k = len(levels.names)
    if levels.is_ordered:
        return [list(range(start, k)) for start in range(1, k)]
    return [[place] for place in range(k) if k > 2 or place != levels.reference]


def _part_names(levels: Levels, part: list[int]) -> tuple[str, str]:
    """How the other part and this one are called."""
    names = levels.names
    others = [name for place, name in enumerate(names) if place not in part]
    if levels.halves:
        return levels.halves[part[0]]
    if levels.is_ordered and len(names) > 2:
        return f"below {names[part[0]]}", f"from {names[part[0]]}"
    return (others[0] if len(others) == 1 else f"not {names[part[0]]}"), names[part[0]]


def interaction_of(study: Study, p: float, confidence: float) -> Interaction | None:
    """The cell that differs from the other three, and what each column alone would make of it."""
    if not np.isfinite(study.risk).all():
        return None
    risk, v = study.risk, study.covariance
    others = (risk.sum() - risk) / 3
    cell = max(range(4), key=lambda one: round(abs(float(risk[one] - others[one])), 12))
    opposite, beside = 3 - cell, (cell ^ 1, cell ^ 2)
    z = width(confidence)
    weights = np.zeros(4)
    weights[[*beside]], weights[opposite] = 1.0, -1.0
    expected = float(weights @ risk)
    own = np.zeros(4)
    own[cell] = 1.0
    return Interaction(
        cell=study.levels.names[cell],
        risk=_triple(float(risk[cell]), v, own, z),
        expected=_triple(expected, v, weights, z),
        reri=_reri(risk, v, cell, beside, opposite, z),
        p=p,
    )


def moves_together(study: Study, confidence: float) -> Triple:
    """Standard deviation, over the records, of what acting together adds to the adjusted risk.

    That is the part of the four cells' risks that no sum of both columns says: the interaction contrast over
    the root of the summed reciprocal shares.
    """
    if not np.isfinite(study.risk).all() or float(study.shares.min()) <= 0:
        return (float("nan"),) * 3
    weights = np.array([1.0, -1.0, -1.0, 1.0]) / float(np.sqrt((1 / study.shares).sum()))
    value, variance = float(weights @ study.risk), float(weights @ study.covariance @ weights)
    reach = width(confidence) * float(np.sqrt(max(variance, 0.0)))
    size = float(np.sqrt(max(float(value * value) - variance, 0.0)))
    return size, max(abs(value) - reach, 0.0), abs(value) + reach


def _triple(value: float, v: NDArray[np.float64], weights: NDArray[np.float64], z: float) -> Triple:
    reach = z * float(np.sqrt(max(float(weights @ v @ weights), 0.0)))
    return value, value - reach, value + reach


def _reri(
    risk: NDArray[np.float64],
    v: NDArray[np.float64],
    cell: int,
    beside: tuple[int, int],
    opposite: int,
    z: float,
) -> Triple | None:
    """Relative excess risk due to interaction, to the cell that has neither (Rothman)."""
    base = float(risk[opposite])
    if base <= 0:
        return None
    value = float(risk[cell] - risk[beside[0]] - risk[beside[1]]) / base + 1
    slopes = np.zeros(4)
    slopes[cell] = 1 / base
    slopes[[*beside]] = -1 / base
    slopes[opposite] = -(risk[cell] - risk[beside[0]] - risk[beside[1]]) / base**2
    return _triple(value, v, slopes, z)
