"""Penalised regressions on columns of codes: linear, logistic, and of several levels at once.

How much a group of coefficients is shrunk is decided by the data: each group has a variance of its own,
beforehand, which is estimated from the records by generalised Fellner-Schall steps (Wood and Fasiolo 2017). A
group that tells nothing disappears, so many levels, steps and products can be offered, and few be paid for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from causalrules.estimate.blocks import put_together
from causalrules.estimate.terms import LINE_VARIANCE
from causalrules.kernels.cholesky import factorise, solve
from causalrules.kernels.term_sums import (
    add_effects,
    fill_pair_tables,
    logit_pass,
    softmax_pass,
    sum_by_code,
)
from causalrules.words import constants

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.estimate.blocks import Block
    from causalrules.estimate.terms import Term

    Slope = NDArray[np.float64]
    Move = tuple[Slope, Slope, float]

_LEAST_PENALTY, _MOST_PENALTY = 0.05, 1e6
_N_SHRINKAGES = 4
"""Fellner-Schall steps at a time, and times; those that follow change a coefficient by a few per cent."""

_MOST_STEPS, _MEMORY = 60, 25
_ENOUGH, _ENOUGH_OF_LEVELS, _ENOUGH_OF_MORE = 1e-7, 1e-4, 1e-2
"""Gain in log likelihood, for each coefficient used, at which a fit ends; chance moves them by half of one. A
fit that goes on with more records is off by chance alone, to which estimates are not sensitive."""


class Design:
    """Some terms beside each other, and a constant.

    Parameters
    ----------
    terms : sequence of Term
    mass : float64[n]
        What each row weighs.
    """

    def __init__(self, terms: Sequence[Term], mass: NDArray[np.float64]) -> None:
        self.terms, self.mass = tuple(terms), mass
        widths = [term.basis.shape[1] for term in terms]
        ends = np.append(1, 1 + np.cumsum(widths)).astype(int).tolist()
        self.places = [slice(start, end) for start, end in pairwise(ends)]
        self.n_effects = ends[-1]
        self.total = float(mass.sum())

    @cached_property
    def blocks(self) -> list[Block]:
        """The terms, those of few codes put together."""
        return put_together(self.terms, self.places)

    @cached_property
    def codes(self) -> NDArray[np.int32]:
        """int32[number of blocks, n]."""
        if not self.blocks:
            return np.zeros((0, len(self.mass)), np.int32)
        return np.stack([block.codes for block in self.blocks])

    @cached_property
    def n_codes(self) -> NDArray[np.int64]:
        """Of every block."""
        return np.array([len(block.basis) for block in self.blocks], np.int64)

    @cached_property
    def first_slot(self) -> NDArray[np.int64]:
        """Where the codes of every block begin among all, and where the last ones end."""
        return np.append(0, np.cumsum(self.n_codes)).astype(np.int64)

    @cached_property
    def groups(self) -> list[slice]:
        """The coefficients that share a variance: levels, steps or cells of one term."""
        return [
            slice(place.start + term.n_fixed, place.stop)
            for term, place in zip(self.terms, self.places, strict=True)
            if term.columns in self.grouped
        ]

    @cached_property
    def grouped(self) -> list[tuple[str, ...]]:
        """The columns of the terms that have such a group."""
        return [term.columns for term in self.terms if term.basis.shape[1] > term.n_fixed]

    def penalty(self, of_groups: NDArray[np.float64]) -> NDArray[np.float64]:
        """The penalty of every coefficient, given those of the groups."""
        found = np.full(self.n_effects, 1 / LINE_VARIANCE)
        found[0] = 0.0
        for group, one in zip(self.groups, of_groups, strict=True):
            found[group] = one
        return found

    def gram(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[p, p]: sums of weighted products of all basis columns, the constant first."""
        m = len(self.blocks)
        starts = np.zeros((m, m), np.int64)
        size = 0
        for s in range(m):
            for t in range(s, m):
                starts[s, t] = size
                size += int(self.n_codes[s] * (1 if s == t else self.n_codes[t]))
        tables = np.zeros(max(size, 1))
        fill_pair_tables(self.codes, self.n_codes, weights, starts, tables)
        found = np.zeros((self.n_effects, self.n_effects))
        found[0, 0] = weights.sum()
        for s, (_, basis, own) in enumerate(self.blocks):
            weighted = tables[starts[s, s] : starts[s, s] + self.n_codes[s], None] * basis
            found[0, own] = found[own, 0] = weighted.sum(axis=0)
            found[own[:, None], own] = basis.T @ weighted
            for t in range(s + 1, m):
                other = self.blocks[t]
                pair = tables[starts[s, t] : starts[s, t] + self.n_codes[s] * self.n_codes[t]]
                sums = basis.T @ pair.reshape(self.n_codes[s], self.n_codes[t]) @ other.basis
                found[own[:, None], other.effects] = sums
                found[other.effects[:, None], own] = sums.T
        return found

    def only(self, rows: NDArray[np.intp], mass: NDArray[np.float64]) -> Design:
        """The same terms of some of the rows."""
        found = Design(self.terms, mass)
        found.blocks = [block._replace(codes=block.codes[rows]) for block in self.blocks]
        return found

    def grams(self, level: NDArray[np.int64], k: int) -> NDArray[np.float64]:
        """float64[k, p, p]: the same of the records of each level, as they weigh."""
        order = np.argsort(level, kind="stable")
        ends = np.cumsum(np.bincount(level, minlength=k)).tolist()
        parts = [order[start:end] for start, end in pairwise([0, *ends])]
        return np.stack([self.only(rows, self.mass[rows]).plain_gram for rows in parts])

    @cached_property
    def plain_gram(self) -> NDArray[np.float64]:
        """That of the records as they weigh."""
        return self.gram(self.mass)

    def effects(self, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each code of each block adds to the predictors: float64[n_slots, k] of float64[p, k]."""
        parts = [block.basis @ coefficients[block.effects] for block in self.blocks]
        return np.concatenate(parts) if parts else np.zeros((0, *coefficients.shape[1:]))

    def slopes(self, sums: NDArray[np.float64], total: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """From sums by code, and over all, to those of the basis columns."""
        found = np.empty((self.n_effects, *sums.shape[1:]))
        found[0] = total
        for block, first in zip(self.blocks, self.first_slot.tolist(), strict=False):
            found[block.effects] = block.basis.T @ sums[first : first + len(block.basis)]
        return found

    def predictor(self, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[n, k]: the sums of constant and effects."""
        found = np.tile(coefficients[0], (len(self.mass), 1))
        add_effects(self.codes, self.first_slot, np.ascontiguousarray(self.effects(coefficients)), found)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A regression that was fitted.

    Parameters
    ----------
    mean : float64[n] or float64[n, k]
        What the model expects of each row.
    coefficients : float64[p] or float64[p, k]
    n_used : float
        Effective number of coefficients, the constant included.
    penalties : float64[number of groups]
    information : float64[p, p] or float64[k, p, p]
        About that of the records, without penalties; of several levels one of each.
    moves : list of (move, turn, along)
        The last steps of the fit, and by how much they turned the slope.
    """

    mean: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    n_used: float
    penalties: NDArray[np.float64]
    information: NDArray[np.float64]
    moves: list[Move]


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A fit of some terms: where another fit begins that has some of them, or other records."""

    design: Design
    fit: Fit

    def start(self, design: Design) -> NDArray[np.float64]:
        """Coefficients of a design's terms; 0 of those that are new, or have other levels."""
        known = self.fit.coefficients
        found = np.zeros((design.n_effects, *known.shape[1:]))
        found[0] = known[0]
        for place, own in self._shared(design):
            found[place] = known[own]
        return found

    def effects(self, term: Term) -> NDArray[np.float64]:
        """What each code of a term adds to the predictor; 0 where it is new, or has other codes."""
        for own, place in zip(self.design.terms, self.design.places, strict=True):
            if own.columns == term.columns and len(own.basis) == len(term.basis):
                return np.asarray(own.basis @ self.fit.coefficients[place])
        return np.zeros(len(term.basis))

    def penalties(self, design: Design) -> NDArray[np.float64]:
        """The penalties of a design's groups; nan of those that are new."""
        known = dict(zip(self.design.grouped, self.fit.penalties.tolist(), strict=True))
        return np.array([known.get(columns, np.nan) for columns in design.grouped])

    def information(self, design: Design) -> NDArray[np.float64] | None:
        """That of as many records as a design has; None where some of its terms are new."""
        shared = [(slice(0, 1), slice(0, 1)), *self._shared(design)]
        if len(shared) <= len(design.terms):
            return None
        own = np.concatenate([np.arange(one.start, one.stop) for _, one in shared])
        return self.fit.information[..., own[:, None], own] * (design.total / self.design.total)

    def _shared(self, design: Design) -> list[tuple[slice, slice]]:
        """Where the terms that both have stand in a design, and here."""
        own = {term.columns: place for term, place in zip(self.design.terms, self.design.places, strict=True)}
        pairs = [
            (place, own[term.columns])
            for term, place in zip(design.terms, design.places, strict=True)
            if term.columns in own
        ]
        return [(one, other) for one, other in pairs if one.stop - one.start == other.stop - other.start]


def shrink(
    design: Design,
    information: NDArray[np.float64],
    aim: NDArray[np.float64],
    penalties: NDArray[np.float64],
    scale: float = 1.0,
) -> NDArray[np.float64]:
    """Penalties of all groups by a few Fellner-Schall steps.

    The penalties are a part of those that the steps lead to.

    How many coefficients a group uses is worked out from its own block of the information, as if the others
    were known: never fewer than it uses beside them, so a group is rather shrunk too much.

    Parameters
    ----------
    information : float64[p, p]
        Without penalties.
    aim : float64[p, k]
        What the information times the coefficients should be, for k outcomes that share the penalties.
    scale : float
        Variance of the residuals.
    """
    found = penalties / constants.LESS_SHRUNK
    own = [np.linalg.eigvalsh(information[group, group]).clip(0.0) for group in design.groups]
    for _ in range(_N_SHRINKAGES):
        coefficients = _solved(information, design.penalty(found), aim)
        for number, group in enumerate(design.groups):
            used = float((own[number] / (own[number] + found[number])).sum()) * aim.shape[1]
            size = float((coefficients[group] ** 2).sum())
            found[number] = np.clip(scale * used / max(size, 1e-300), _LEAST_PENALTY, _MOST_PENALTY)
    return found * constants.LESS_SHRUNK


def _n_used(design: Design, information: NDArray[np.float64], penalties: NDArray[np.float64]) -> float:
    """Effective number of coefficients; how many a group uses as in `shrink`."""
    found = float(design.n_effects) - sum(group.stop - group.start for group in design.groups)
    for group, penalty in zip(design.groups, penalties.tolist(), strict=True):
        values = np.linalg.eigvalsh(information[group, group]).clip(0.0)
        found += float((values / (values + penalty)).sum())
    return float(found)


class _Factored:
    """A penalised information, so that what it is solved for takes two passes over a triangle of it."""

    def __init__(self, information: NDArray[np.float64], penalty: NDArray[np.float64]) -> None:
        matrix = information + np.diag(penalty)
        try:
            self._upper = np.ascontiguousarray(np.linalg.cholesky(matrix).T)
        except np.linalg.LinAlgError:  # a direction in which nothing varies
            factorise(matrix, len(matrix))
            self._upper = matrix

    def solve(self, aim: NDArray[np.float64]) -> NDArray[np.float64]:
        """The coefficients that the information asks for, of one aim float64[p] or several float64[p, k]."""
        found = np.array(aim.T, order="C")
        for one in found.reshape(-1, len(aim)):
            solve(self._upper, len(one), one)
        return found.T


def _solved(
    information: NDArray[np.float64], penalty: NDArray[np.float64], aim: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The coefficients that a penalised information asks for."""
    return _Factored(information, penalty).solve(aim)


def fit_linear(design: Design, values: NDArray[np.float64]) -> Fit:
    """Means of one or several numbers; float64[n, k], which share the penalties.

    The residuals' variance is part of what the penalties weigh against.
    """
    sums = np.zeros((int(design.first_slot[-1]), values.shape[1]))
    weighted = np.ascontiguousarray(values * design.mass[:, None])
    sum_by_code(design.codes, design.first_slot, weighted, sums)
    aim, information = design.slopes(sums, weighted.sum(axis=0)), design.plain_gram
    squares = (weighted * values).sum(axis=0)
    penalties, n_used, scale = np.ones(len(design.groups)), 1.0, 1.0
    for _ in range(2):
        coefficients = _solved(information, design.penalty(penalties), aim)
        left = squares - 2 * (coefficients * aim).sum(axis=0)
        left += (coefficients * (information @ coefficients)).sum(axis=0)
        scale = max(float(left.mean()) / max(design.total - n_used, 1.0), 1e-300)
        penalties = shrink(design, information, aim, penalties, scale)
        n_used = _n_used(design, information, penalties)
    coefficients = _solved(information, design.penalty(penalties), aim)
    return Fit(design.predictor(coefficients), coefficients, n_used, penalties, information, [])


def fit_logistic(design: Design, has: NDArray[np.float64], known: Known | None = None) -> Fit:
    """Chances of an event. Penalties that are not known are chosen first, those that are known stay.

    Parameters
    ----------
    has : float64[n]
        1 where the event is.
    known : Known, optional
        Of another fit, to begin with.
    """
    mean, curvature = np.empty(len(has)), np.empty(len(has))
    sums = np.empty(int(design.first_slot[-1]))

    def look(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        effects = design.effects(at)
        fit, rest = logit_pass(
            design.codes, design.first_slot, effects, at[0], has, design.mass, mean, sums, curvature
        )
        return fit, design.slopes(sums, rest)

    if known is None:
        share = float(np.clip((design.mass @ has) / design.total, 1e-6, 1 - 1e-6))
        now, penalties, information = _with_penalties(design, look, curvature, np.log(share / (1 - share)))
    else:
        now, penalties, theirs = known.start(design), known.penalties(design), known.information(design)
        if theirs is None:
            _, slope = look(now)
            theirs = design.gram(curvature)
            penalties = _with_new_ones(design, penalties, theirs, now, slope)
        information = theirs
    penalty, n_used = design.penalty(penalties), _n_used(design, information, penalties)

    def penalised(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        fit, slope = look(at)
        return 0.5 * float(penalty @ at**2) - fit, penalty * at - slope

    guess = _Factored(information, penalty)
    enough, moves = _going_on(known, design, _ENOUGH)
    now, moves = _descend(penalised, guess.solve, now, enough * n_used, moves)
    return Fit(mean, now, n_used, penalties, information, moves)


def _with_penalties(
    design: Design,
    look: Callable[[Slope], tuple[float, Slope]],
    curvature: NDArray[np.float64],
    constant: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Newton's steps until they are small, with penalties chosen anew before each but the first.

    Returns
    -------
    Coefficients, penalties, and the information before the last step
    """
    now, penalties = np.zeros(design.n_effects), np.ones(len(design.groups))
    now[0] = constant
    fit, slope = look(now)
    for turn in range(_MOST_STEPS):
        information = design.gram(curvature)
        if turn:
            penalties = shrink(design, information, (information @ now + slope)[:, None], penalties)
        penalty = design.penalty(penalties)
        step = _Factored(information, penalty).solve(slope - penalty * now)
        before = fit - 0.5 * float(penalty @ now**2)
        size = 1.0
        for _ in range(30):
            new = now + size * step
            fit, slope = look(new)
            if fit - 0.5 * float(penalty @ new**2) >= before - 1e-9 * abs(before):
                break
            size /= 2
        now = new
        if turn > 1 and float(np.abs(size * step).max()) < 0.5:
            break
    return now, penalties, information


def _with_new_ones(
    design: Design,
    penalties: NDArray[np.float64],
    information: NDArray[np.float64],
    now: NDArray[np.float64],
    slope: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The penalties with those of new groups (nan), chosen as if all other coefficients were known."""
    new = {columns for columns, one in zip(design.grouped, penalties.tolist(), strict=True) if one != one}
    terms = [term for term in design.terms if term.columns in new]
    places = [place for term, place in zip(design.terms, design.places, strict=True) if term.columns in new]
    own = np.concatenate([[0], *(np.arange(place.start, place.stop) for place in places)])
    theirs, found = information[np.ix_(own, own)], penalties.copy()
    aim = (theirs @ now[own] + slope[own])[:, None]
    found[np.isnan(penalties)] = shrink(Design(terms, design.mass), theirs, aim, np.ones(len(terms)))
    return found


def fit_levels(design: Design, level: NDArray[np.int64], k: int, known: Known | None = None) -> Fit:
    """Chances of several levels, symmetric in them, by limited-memory quasi-Newton steps.

    A level's first guess of the information is halfway between the cross products of the records that have it
    and its share of all cross products. The first is what the information is at the end, but for a shift that
    all levels share; halfway, no step is more than twice too long, wherever a fit begins.

    Parameters
    ----------
    known : Known, optional
        Of the same levels, to begin with.
    """
    shares = np.maximum(np.bincount(level, design.mass, k) / design.total, 1e-6)
    now = np.zeros((design.n_effects, k))
    now[0] = np.log(shares)
    if known is not None:
        now = known.start(design)
    information = None if known is None else known.information(design)
    if known is None or information is None:
        of_level = design.grams(level, k)
        gram, spread = of_level.sum(axis=0), float((shares * (1 - shares)).mean())
        information = (of_level + shares[:, None, None] * gram) / 2
        sums = np.zeros((int(design.first_slot[-1]), k))
        has = (level[:, None] == np.arange(k)).astype(np.float64)
        surplus = np.ascontiguousarray((has - shares) * design.mass[:, None])
        sum_by_code(design.codes, design.first_slot, surplus, sums)
        # Coefficients of all levels add up to nothing: each is smaller than by itself, and one tells nothing.
        free = 1 - 1 / k
        aim = design.slopes(sums, np.zeros(k)) * free
        penalties = shrink(design, spread * gram, aim, np.ones(len(design.groups)), free)
        n_used = _n_used(design, spread * gram, penalties)
    else:
        penalties, n_used = known.fit.penalties, known.fit.n_used
    penalty = design.penalty(penalties)
    chances = np.empty((len(level), k))
    sums, totals = np.empty((int(design.first_slot[-1]), k)), np.empty(k)

    def look(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        effects = np.ascontiguousarray(design.effects(at))
        fit = softmax_pass(
            design.codes, design.first_slot, effects, at[0], level, design.mass, chances, sums, totals
        )
        loss = 0.5 * float((penalty[:, None] * at**2).sum()) - fit
        return loss, penalty[:, None] * at - design.slopes(sums, totals)

    guesses = [_Factored(one, penalty) for one in information]

    def solve(slope: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.column_stack([guess.solve(one) for guess, one in zip(guesses, slope.T, strict=True)])
        return np.asarray(found - found.mean(axis=1, keepdims=True))

    enough, moves = _going_on(known, design, _ENOUGH_OF_LEVELS)
    now, moves = _descend(look, solve, now, enough * n_used * (k - 1), moves)
    return Fit(chances, now, n_used, penalties, information, moves)


def _going_on(known: Known | None, design: Design, enough: float) -> tuple[float, list[Move]]:
    """Where a fit ends, and the last steps of one with fewer records as they turn the slope of all."""
    if known is None or design.terms is not known.design.terms:
        return enough, []
    more = design.total / known.design.total
    return _ENOUGH_OF_MORE, [(move, turn * more, along * more) for move, turn, along in known.fit.moves]


def _descend(
    look: Callable[[Slope], tuple[float, Slope]],
    guess: Callable[[Slope], Slope],
    now: Slope,
    enough: float,
    moves: list[Move],
) -> tuple[Slope, list[Move]]:
    """Limited-memory BFGS (Nocedal 1980) from a guess of what the inverse information makes of a slope."""
    loss, slope = look(now)
    for _ in range(_MOST_STEPS):
        step = -_corrected(slope, moves, guess)
        promised = -float((slope * step).sum())
        if promised < enough:
            break
        size = 1.0
        for _ in range(30):
            new_loss, new_slope = look(now + size * step)
            if new_loss <= loss - 1e-4 * size * promised:
                break
            size /= 2
        turn = new_slope - slope
        along = float((turn * step).sum()) * size
        if along > 0:
            moves = [*moves, (size * step, turn, along)][-_MEMORY:]
        now, loss, slope = now + size * step, new_loss, new_slope
    return now, moves


def _corrected(slope: Slope, moves: Sequence[Move], guess: Callable[[Slope], Slope]) -> Slope:
    """The slope times the inverse information, as the last moves correct it (Nocedal's two loops)."""
    left, shares = slope.copy(), []
    for move, turn, along in reversed(moves):
        share = float((move * left).sum()) / along
        shares.append(share)
        left -= share * turn
    found = guess(left)
    for (move, turn, along), share in zip(moves, reversed(shares), strict=True):
        found += (share - float((turn * found).sum()) / along) * move
    return found
