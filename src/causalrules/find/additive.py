"""Additive families of the outcome: causes that each shift its log odds, whatever the others are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.additive_fits import fit_causes, without_each
from causalrules.kernels.special_functions import ndtri
from causalrules.words import constants

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.find.coarse import CoarseCodes
    from causalrules.find.window_rows import Levels, WindowRows

SLACK = 10.0
"""Additive families so many nats below the best, exp(-10), do not matter to the average."""

MOST_FITS = 1500

MOST_LEVELS_IN_FINE_BINS = 120


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """How the causes of an additive family act.

    Parameters
    ----------
    levels : Levels
    widths : int64[n_columns]
        Effects of each column: one for every level but the first; or minus the size of its basis.
    basis : float64[n_columns, n_levels, size]
        Of the columns that have one, its values at each level.
    spread : float64[n_columns]
        Variance, beforehand, of the difference between two levels of the column; of an effect of its basis.
    extra : float64[n_columns]
        What it costs, in nats, to say how the column is encoded.
    """

    levels: Levels
    widths: NDArray[np.int64]
    basis: NDArray[np.float64]
    spread: NDArray[np.float64]
    extra: NDArray[np.float64]


class Layout(NamedTuple):
    """A design to be laid out, and the rows that it is for."""

    lay_out: Callable[[], Design]
    levels: Levels


def additive_layouts(rows: WindowRows, coarse: CoarseCodes) -> list[Layout]:
    """Ways in which columns may act additively: smooth, by levels, by few of their values."""
    layouts = [Layout(partial(smooth_design, rows), rows.fine)]
    if rows.is_number.any():
        # Waves and steps; in finer bins while the model is not too large to be fitted many times.
        is_small = rows.fine.n_levels.sum() <= MOST_LEVELS_IN_FINE_BINS
        levels = rows.fine if is_small else rows.levels
        layouts.append(Layout(partial(_levels_design, levels, np.zeros(len(rows.columns))), levels))
    if coarse.extra.any():
        levels = rows.levels._replace(codes=coarse.codes, n_levels=coarse.n_levels)
        layouts.append(Layout(partial(_levels_design, levels, coarse.extra), rows.levels))
    return layouts


def additive_searches(
    layouts: Sequence[Layout], price: NDArray[np.float64], allowed: int
) -> list[Callable[[], NDArray[np.float64]]]:
    """Searches for the logarithm of the weight of the outcome's additive families, one for each design.

    The marginal likelihood, by Laplace, of a logistic model on whole columns:
    it asks of an effect what the data can tell of it, where BIC asks ½ ln n of
    every level (at odds ratio 1.5 beside a 12-valued confounder, 15 instead of
    2 of 15 were found).

    Parameters
    ----------
    price : float64[n_variables + 1]
        Of each number of causes.
    allowed : int
        Bits of the columns that may be causes.

    Returns
    -------
    list of callables
        Each gives float64[2^(n_variables - 1)]: minus infinity for sets more than `SLACK` below the best;
        the empty set is always there. They may be called side by side.
    """

    def search(layout: Layout) -> NDArray[np.float64]:
        design = layout.lay_out()
        price_of = price[np.bitwise_count(np.arange(1 << len(design.widths)))]
        return np.maximum(search_additive(design, 0, price_of), search_additive(design, allowed, price_of))

    return [partial(search, layout) for layout in layouts]


def search_additive(
    design: Design, allowed: int, price_of: NDArray[np.float64], slack: float = SLACK
) -> NDArray[np.float64]:
    """Scores of the additive families that matter: those within some nats of the best.

    Backwards from all causes, always without the one that is missed least, then outwards from the best
    set by one cause more or less, until nothing within `slack` of the best is left.

    Parameters
    ----------
    allowed : int
        Bit v: whether column v may be a cause.
    price_of : float64[2^n_columns]
        Of each set of causes; infinite where it is not allowed.
    slack : float
        In nats.

    Returns
    -------
    float64[2^n_columns]
        Minus infinity where no model was fitted; prices and codings are paid.
    """
    fits = _Fits(design, price_of)
    mask = allowed
    while True:
        fits.fit(mask)
        if fits.scores[mask] < fits.top - slack or not fits.lost:
            break
        missed = {
            v: lost + design.extra[v] for v, lost in fits.lost.items() if price_of[mask ^ 1 << v] < np.inf
        }
        mask ^= 1 << max(missed, key=missed.__getitem__)
    is_done = np.zeros(len(fits.scores), np.bool_)
    steps = [1 << v for v in range(len(design.widths)) if allowed >> v & 1]
    while fits.n_fits < MOST_FITS:
        # The best set whose neighbours were not looked at yet, then one neighbour of it.
        open_sets = np.where(is_done, -np.inf, fits.scores)
        best = int(open_sets.argmax())
        if open_sets[best] < fits.top - slack:
            break
        likely = (
            best ^ step
            for step in steps
            if price_of[best ^ step] < np.inf
            and fits.scores[best ^ step] == -np.inf
            and fits.guess[best ^ step] >= fits.top - slack - 3.0
        )
        neighbour = next(likely, None)
        if neighbour is None:
            is_done[best] = True
        else:
            fits.fit(neighbour)
    return fits.scores


def fitted_risks(design: Design, causes: int) -> NDArray[np.float64]:
    """The outcome's probability in every row, by the model of some causes, told by bits."""
    fits = _Fits(design, np.zeros(1 << len(design.widths)))
    fits.fit(causes)
    score = np.full(len(design.levels.codes), fits.constant)
    for column, width in enumerate(design.widths.tolist()):
        if causes >> column & 1:
            effects = fits.known[column]
            of_level = np.append(0.0, effects) if width > 0 else design.basis[column, :, :-width] @ effects
            score += of_level[design.levels.codes[:, column]]
    risks: NDArray[np.float64] = 1 / (1 + np.exp(-score))
    return risks


class _Fits:
    """Fits of sets of causes, and what they tell of smaller sets.

    `lost` is what the last set's score changes, nearly, without each of its causes; `guess` what that
    says of the smaller sets: some are not worth a fit.
    """

    def __init__(self, design: Design, price_of: NDArray[np.float64]) -> None:
        self._design = design
        self._price_of = price_of
        n_rows, d = design.levels.codes.shape
        n_levels = design.levels.n_levels
        most = 1 + int(np.abs(design.widths).sum())
        self.scores = np.full(1 << d, -np.inf)
        self.guess = np.full(1 << d, np.inf)
        self.top, self.n_fits = -np.inf, 0
        self.lost: dict[int, float] = {}
        self._collapsing = (
            np.full(1 << 16, -1, np.int64),
            np.empty((n_rows, d), np.int64),
            np.empty((n_rows, 2), np.int64),
        )
        without, with_outcome = design.levels.counts.sum(axis=0) + 0.5
        self.constant = float(np.log(with_outcome / without))
        self.known = [np.zeros(width) for width in np.abs(design.widths)]
        self._effects, self._precision = np.empty(most), np.empty((most, most))
        self._inverting = np.empty((most, most)), np.empty((most, most)), np.empty(most)
        self._tables = np.empty(2 + int((n_levels.sum() ** 2 - (n_levels**2).sum()) // 2))

    def fit(self, mask: int) -> None:
        """Fit one set."""
        design, effects, precision = self._design, self._effects, self._precision
        codes, counts, n_levels = design.levels
        causes = np.flatnonzero(mask >> np.arange(len(n_levels)) & 1)
        # From where the last fit ended, which had nearly the same causes.
        start = np.concatenate([[self.constant], *(self.known[cause] for cause in causes)])
        effects[: len(start)] = start
        likelihood = fit_causes(
            codes,
            counts,
            n_levels,
            causes,
            design.widths,
            design.basis,
            design.spread,
            *self._collapsing,
            effects,
            precision,
            self._tables,
        )
        self.constant = float(effects[0])
        first = 1
        for cause in causes.tolist():
            end = first + len(self.known[cause])
            self.known[cause] = effects[first:end].copy()
            first = end
        k = len(causes)
        self.scores[mask] = likelihood - design.extra[causes].sum() - self._price_of[mask]
        self.top = max(self.top, self.scores[mask])
        self.n_fits += 1
        lost = np.empty(k)
        without_each(causes, design.widths, design.spread, effects, precision, *self._inverting, lost)
        self.lost = dict(zip(causes.tolist(), lost.tolist(), strict=True))
        for v, change in self.lost.items():
            smaller = mask ^ (1 << v)
            saved = self._price_of[mask] - self._price_of[smaller]
            near = self.scores[mask] + change + design.extra[v] + saved
            self.guess[smaller] = min(self.guess[smaller], near)


def smooth_design(rows: WindowRows) -> Design:
    """Categories by their levels, numbers by a cubic in their normal scores.

    A cubic on fine bins costs a third of ten bins and leaves less of a
    confounder: beside four numbers that move both, with 5,000 records and no
    effect, ten bins found an exposure next to the outcome in 44 % of tables.
    """
    design = _levels_design(rows.fine, np.zeros(len(rows.columns)))
    for place in np.flatnonzero(rows.is_number):
        size = np.bincount(rows.fine.codes[:, place], rows.fine.counts.sum(axis=1)).astype(np.float64)
        values = number_basis(size, bool(rows.has_missing_level[place]))
        design.levels.codes[:, place] = rows.fine.codes[:, place]
        design.basis[place, : len(values), : values.shape[1]] = values
        design.widths[place] = -values.shape[1]
        # Two records differ in each part of the curve by twice its variance, and in all parts as levels do.
        design.spread[place] /= 2 * values.shape[1]
    return design


def number_basis(size: NDArray[np.float64], has_missing_level: bool) -> NDArray[np.float64]:
    """A cubic in normal scores, its parts uncorrelated and of variance 1.

    Parameters
    ----------
    size : float64[n_levels]
        Records of each level, in ascending order of the number.
    has_missing_level : bool
        Whether the last level is that of missing values: it has an effect of its own.

    Examples
    --------
    >>> number_basis(np.array([25.0, 25.0, 25.0, 25.0]), False)[:, 0].round(2)
    array([-1.36, -0.38,  0.38,  1.36])
    """
    known = size[:-1] if has_missing_level else size
    known = np.maximum(known, 1e-9)  # a level that no record has stands where it would
    score = ndtri((np.cumsum(known) - known / 2) / known.sum())
    score = np.clip(score, *ndtri([0.25 / known.sum(), 1 - 0.25 / known.sum()]))
    degree = min(constants.DEGREE, len(known) - 1)
    share = np.sqrt(known / known.sum())
    powers = np.vander(score, degree + 1, increasing=True)
    orthogonal, upper = np.linalg.qr(powers * share[:, None])
    values: NDArray[np.float64] = (orthogonal * np.sign(np.diag(upper)) / share[:, None])[:, 1:]
    if not has_missing_level:
        return values
    with_missing = np.zeros((len(size), degree + 1))
    with_missing[:-1, :-1], with_missing[-1, -1] = values, 1.0
    return with_missing


def _levels_design(levels: Levels, extra: NDArray[np.float64]) -> Design:
    """Every level but the most frequent, which is known best, has an effect of its own."""
    codes, spread = levels.codes.copy(), np.empty(levels.codes.shape[1])
    for place, k in enumerate(levels.n_levels):
        column = levels.codes[:, place]
        of_level = [np.bincount(column, side, k).astype(np.float64) for side in levels.counts.T]
        table = np.stack(of_level, axis=1)
        largest = int(table.sum(axis=1).argmax())
        codes[column == largest, place] = 0
        codes[column == 0, place] = largest
        spread[place] = _spread(table)
    basis = np.zeros((codes.shape[1], int(levels.n_levels.max(initial=1)), constants.DEGREE + 1))
    return Design(levels._replace(codes=codes), levels.n_levels - 1, basis, spread, extra)


def _spread(table: NDArray[np.float64]) -> float:
    """How far two levels may be expected apart: the mean square that the column shows by itself, or more.

    A strong cause would cost many nats for being strong, in sums of causes only: its own table, which asks
    nothing of the kind, would be preferred to any sum, and weak causes beside it went unseen. The choice is
    made by the column alone, so it says nothing of the others.

    Parameters
    ----------
    table : float64[n_levels, 2]
        Records of each level without and with the outcome.

    Examples
    --------
    >>> _spread(np.array([[500.0, 500.0], [400.0, 600.0]]))
    1.0
    >>> round(_spread(np.array([[900.0, 100.0], [100.0, 900.0]])), 1)  # an odds ratio of 81
    19.2
    """
    table = table[table.sum(axis=1) > 0] + 0.5
    n_levels = len(table)
    if n_levels < 2:
        return constants.EFFECT_VARIANCE
    log_odds = np.log(table[:, 1] / table[:, 0])
    by_chance = (1 - 1 / n_levels) * (1 / table).sum()
    apart = ((log_odds - log_odds.mean()) ** 2).sum() - by_chance
    return max(constants.EFFECT_VARIANCE, 2 * float(apart) / (n_levels - 1))
