"""Columns that act together: what one does depends on another, or on two others."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.estimate.effects import width
from causalrules.estimate.models import Design, fit_linear, fit_logistic
from causalrules.estimate.products import MOST_CELLS
from causalrules.estimate.sums import Summing
from causalrules.estimate.terms import Term, level_basis, term_of
from causalrules.words.findings import Interaction
from causalrules.words.studies import Levels

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.estimate.expected import OutcomeModel
    from causalrules.words.findings import Triple
    from causalrules.words.records import Column, Records
    from causalrules.words.studies import Study


class Together(NamedTuple):
    """Two columns or three, each in two parts, and the test of whether they act together.

    Parameters
    ----------
    levels : Levels
        The cells; the first has no part, the last all. Bit by bit a cell's place says which parts it has, the
        last column's first.
    p : float
        That what the columns do to the outcome adds up (on the scale of log odds); of three, that what all
        pairs of them do adds up.
    """

    levels: Levels
    p: float


def together(
    records: Records,
    columns: Sequence[Column],
    levels: Sequence[Levels],
    controls: Sequence[Column],
    of_outcome: OutcomeModel | None = None,
) -> Together | None:
    """Test whether two or three columns act together, and where they do so most clearly.

    The residual of every cell given all that fewer of the columns say, and the controls, times that of the
    outcome given the same: a doubly robust test of cells. The two parts are those whose cell stands out most;
    a part of a category is one of its levels, of an ordered column all from a level on. Three columns of more
    cells than a product may have are not asked about. With a model of the outcome its fit begins there.
    """
    shape = tuple(len(one.names) for one in levels)
    rows = np.flatnonzero(_all_known([one.level >= 0 for one in levels]))
    for column in controls:
        rows = rows[column.codes[rows] > 0]
    is_unfit = min(shape) < 2 or (len(shape) > 2 and prod(shape) > MOST_CELLS)
    if is_unfit or not len(rows) or np.ptp(records.outcome[rows]) == 0:
        return None
    summing = Summing.over(records, rows)
    known, n_steps = (None, None) if of_outcome is None else (of_outcome.known, of_outcome.n_steps)
    terms = [term_of(_rows_of(column, rows), summing.mass, n_steps) for column in (*columns, *controls)]
    design = Design([*terms, *_fewer_together(columns, levels, rows, summing.mass)], summing.mass)
    y = records.outcome[rows]
    fit = fit_linear(design, y[:, None]) if records.is_mean else fit_logistic(design, y, known)
    residual, variance = summing.surprise(y, fit.mean.reshape(len(y)), is_mean=records.is_mean)
    cells = (_cell_of(levels, rows)[:, None] == np.arange(prod(shape))).astype(np.float64)
    left = cells - fit_linear(design, cells).mean
    added = left * residual[:, None]
    # Given what fewer columns say, the cells beside the first levels tell the others: what penalties leave of
    # those is no degree of freedom.
    grid = np.arange(prod(shape)).reshape(shape)
    inner = grid[(slice(1, None),) * len(shape)].ravel()
    p = summing.test(left[:, inner], residual, variance, fit.n_used)
    parts = _clearest_parts(levels, grid, summing.mass @ added, summing.spread(added))
    return Together(_in_two_parts(levels, parts), p)


def _all_known(known: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    return np.asarray(np.logical_and.reduce(known))


def _cell_of(levels: Sequence[Levels], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """The cell of every row, the last column's levels side by side."""
    shape = tuple(len(one.names) for one in levels)
    return np.asarray(np.ravel_multi_index(tuple(one.level[rows] for one in levels), shape))


def _fewer_together(
    columns: Sequence[Column], levels: Sequence[Levels], rows: NDArray[np.intp], mass: NDArray[np.float64]
) -> Iterator[Term]:
    """The cells of fewer of the columns, but two at least: of three columns their pairs, of two none."""
    for places in (some for n in range(2, len(levels)) for some in combinations(range(len(levels)), n)):
        some = [levels[place] for place in places]
        cells = _cell_of(some, rows)
        size = np.bincount(cells, mass, prod(len(one.names) for one in some)).astype(np.float64)
        names = tuple(columns[place].name for place in places)
        yield Term(names, cells.astype(np.int32), level_basis(size), 0)


def _rows_of(column: Column, rows: NDArray[np.intp]) -> Column:
    return replace(column, codes=column.codes[rows], shown=None)


def _clearest_parts(
    levels: Sequence[Levels], grid: NDArray[np.intp], total: NDArray[np.float64], spread: NDArray[np.float64]
) -> tuple[list[int], ...]:
    """The part of each column between whose cell and the others residuals differ most clearly."""
    best, found = -1.0, ([1],) * len(levels)
    for parts in product(*map(_parts_of, levels)):
        inside = grid[np.ix_(*parts)].ravel()
        variance = float(spread[np.ix_(inside, inside)].sum())
        z = abs(float(total[inside].sum())) / np.sqrt(variance) if variance > 0 else 0.0
        if z > best * (1 + 1e-9):
            best, found = z, parts
    return found


def _in_two_parts(levels: Sequence[Levels], parts: Sequence[list[int]]) -> Levels:
    """The cells of columns that each have two parts."""
    level = np.zeros(len(levels[0].level), np.int64)
    for one, part in zip(levels, parts, strict=True):
        level = 2 * level + np.isin(one.level, part)
    level[~_all_known([one.level >= 0 for one in levels])] = -1
    names = product(*(_part_names(one, part) for one, part in zip(levels, parts, strict=True)))
    return Levels(names=tuple(map(" & ".join, names)), level=level, reference=0)


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
    """The cell that differs from the others, and what fewer of the columns together would make of it.

    That is the sum of all cells that differ from it in one column, less those that do in two, and so on. RERI
    is the rest as a share of the risk in the cell that differs in all columns (Rothman).
    """
    if not np.isfinite(study.risk).all():
        return None
    risk, v, z = study.risk, study.covariance, width(confidence)
    others = (risk.sum() - risk) / (len(risk) - 1)
    cell = max(range(len(risk)), key=lambda one: round(abs(float(risk[one] - others[one])), 12))
    own, beyond = np.eye(len(risk))[cell], _contrast(len(risk), cell)
    return Interaction(
        cell=study.levels.names[cell],
        risk=_triple(float(risk[cell]), v, own, z),
        expected=_triple(float((own - beyond) @ risk), v, own - beyond, z),
        reri=_reri(risk, v, beyond, len(risk) - 1 - cell, z),
        p=p,
    )


def moves_together(study: Study, confidence: float) -> Triple:
    """Standard deviation, over the records, of what acting together adds to the adjusted risk.

    That is the part of the cells' risks that nothing of fewer columns says: the interaction contrast over the
    root of the summed reciprocal shares.
    """
    if not np.isfinite(study.risk).all() or float(study.shares.min()) <= 0:
        return (float("nan"),) * 3
    weights = _contrast(len(study.risk), 0) / float(np.sqrt((1 / study.shares).sum()))
    value, variance = float(weights @ study.risk), float(weights @ study.covariance @ weights)
    reach = width(confidence) * float(np.sqrt(max(variance, 0.0)))
    size = float(np.sqrt(max(float(value * value) - variance, 0.0)))
    return size, max(abs(value) - reach, 0.0), abs(value) + reach


def _contrast(n_cells: int, cell: int) -> NDArray[np.float64]:
    """1 of a cell, and of each other one -1 for every column in which it differs, multiplied.

    Examples
    --------
    >>> _contrast(4, 3), _contrast(8, 0)
    (array([ 1., -1., -1.,  1.]), array([ 1., -1., -1.,  1., -1.,  1.,  1., -1.]))
    """
    return np.asarray(1.0 - 2.0 * (np.bitwise_count(np.arange(n_cells) ^ cell) % 2))


def _triple(value: float, v: NDArray[np.float64], weights: NDArray[np.float64], z: float) -> Triple:
    reach = z * float(np.sqrt(max(float(weights @ v @ weights), 0.0)))
    return value, value - reach, value + reach


def _reri(
    risk: NDArray[np.float64], v: NDArray[np.float64], beyond: NDArray[np.float64], opposite: int, z: float
) -> Triple | None:
    """Relative excess risk due to interaction, to the cell that differs in all columns."""
    base, value = float(risk[opposite]), float(beyond @ risk)
    if base <= 0:
        return None
    slopes = beyond / base
    slopes[opposite] -= value / base**2
    return _triple(value / base, v, slopes, z)
