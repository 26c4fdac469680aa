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

_LEAST_PENALTY, _MOST_PENALTY = 0.05, 1e6
_N_SHRINKAGES = 4
"""Fellner-Schall steps at a time, and times; those that follow change a coefficient by a few per cent."""

_MOST_STEPS, _MEMORY = 60, 25
_ENOUGH = 1e-4
"""Gain in log likelihood, for each coefficient used, at which a fit of several levels ends: chance moves them
by half of one. Newton's steps, which double the digits, end at a hundredth of it in all."""


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
        return self._gram(self.codes, weights)

    def grams(self, level: NDArray[np.int64], k: int) -> list[NDArray[np.float64]]:
        """The same of the records of each level, as they weigh."""
        order = np.argsort(level, kind="stable")
        codes, mass = np.ascontiguousarray(self.codes[:, order]), self.mass[order]
        ends = np.cumsum(np.bincount(level, minlength=k)).tolist()
        return [self._gram(codes[:, start:end], mass[start:end]) for start, end in pairwise([0, *ends])]

    def _gram(self, codes: NDArray[np.int32], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        m = len(self.blocks)
        starts = np.zeros((m, m), np.int64)
        size = 0
        for s in range(m):
            for t in range(s, m):
                starts[s, t] = size
                size += int(self.n_codes[s] * (1 if s == t else self.n_codes[t]))
        tables = np.zeros(max(size, 1))
        fill_pair_tables(codes, self.n_codes, weights, starts, tables)
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
    """

    mean: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    n_used: float
    penalties: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What a fit found of its terms, by their columns: where another fit begins that has some of them.

    Parameters
    ----------
    constant : float64[] or float64[k]
    coefficients : dict of tuple of str to float64[p] or float64[p, k]
    penalties : dict of tuple of str to float
        Of the terms that are a group or have one.
    """

    constant: NDArray[np.float64]
    coefficients: dict[tuple[str, ...], NDArray[np.float64]]
    penalties: dict[tuple[str, ...], float]

    @classmethod
    def of(cls, design: Design, fit: Fit) -> Known:
        """The terms of a fit."""
        coefficients = {
            term.columns: fit.coefficients[place]
            for term, place in zip(design.terms, design.places, strict=True)
        }
        penalties = dict(zip(design.grouped, fit.penalties.tolist(), strict=True))
        return cls(fit.coefficients[0], coefficients, penalties)

    def start(self, design: Design) -> NDArray[np.float64]:
        """Coefficients of a design's terms; 0 of those that are new, or have other levels."""
        found = np.zeros((design.n_effects, *self.constant.shape))
        found[0] = self.constant
        for term, place in zip(design.terms, design.places, strict=True):
            own = self.coefficients.get(term.columns)
            if own is not None and len(own) == place.stop - place.start:
                found[place] = own
        return found

    def penalties_of(self, design: Design) -> tuple[NDArray[np.float64], bool]:
        """The penalties of a design's groups, 1 of those that are new; and whether none is."""
        found = [self.penalties.get(columns) for columns in design.grouped]
        return np.array([1.0 if one is None else one for one in found]), None not in found


def shrink(
    design: Design,
    information: NDArray[np.float64],
    aim: NDArray[np.float64],
    penalties: NDArray[np.float64],
    scale: float = 1.0,
) -> tuple[NDArray[np.float64], float, NDArray[np.float64]]:
    """Penalties of all groups by a few Fellner-Schall steps, the effective number of coefficients, and these.

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
    found = found * constants.LESS_SHRUNK
    n_fixed = design.n_effects - sum(group.stop - group.start for group in design.groups)
    n_used = n_fixed + sum(
        float((values / (values + penalty)).sum()) for values, penalty in zip(own, found, strict=True)
    )
    return found, n_used, coefficients


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
        penalties, n_used, _ = shrink(design, information, aim, penalties, scale)
    coefficients = _solved(information, design.penalty(penalties), aim)
    return Fit(design.predictor(coefficients), coefficients, n_used, penalties)


def fit_logistic(
    design: Design,
    has: NDArray[np.float64],
    known: Known | None = None,
) -> Fit:
    """Chances of an event, by Newton's steps; penalties are chosen on the way, until steps are small.

    Parameters
    ----------
    has : float64[n]
        1 where the event is.
    known : Known, optional
        Of another fit, to begin with.
    """
    n_slots = int(design.first_slot[-1])
    mean, curvature = np.empty(len(has)), np.empty(len(has))
    sums = np.empty(n_slots)
    share = float(np.clip((design.mass @ has) / design.total, 1e-6, 1 - 1e-6))
    if known is None:
        now, penalties, is_known, first = np.zeros(design.n_effects), np.ones(len(design.groups)), False, 1
        now[0] = np.log(share / (1 - share))
    else:
        now, first = known.start(design), 0
        penalties, is_known = known.penalties_of(design)

    def look(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        effects = design.effects(at)
        fit, rest = logit_pass(
            design.codes, design.first_slot, effects, at[0], has, design.mass, mean, sums, curvature
        )
        return fit, design.slopes(sums, rest)

    fit, slope = look(now)
    is_settled, n_used = False, 1.0
    for turn in range(_MOST_STEPS):
        if not is_settled:
            information = design.gram(curvature)
            if first <= turn <= _N_SHRINKAGES:
                aim = (information @ now + slope)[:, None]
                penalties, n_used, _ = shrink(design, information, aim, penalties)
            penalty = design.penalty(penalties)
            factor = _Factored(information, penalty)
        step = factor.solve(slope - penalty * now)
        promised = float(step @ (slope - penalty * now))
        if turn and promised < _ENOUGH / 100:
            break
        before = fit - 0.5 * float(penalty @ now**2)
        size = 1.0
        for _ in range(_MOST_STEPS):
            new = now + size * step
            fit, slope = look(new)
            if fit - 0.5 * float(penalty @ new**2) >= before - 1e-9 * abs(before):
                break
            size /= 2
        now = new
        is_settled = turn >= (0 if is_known else first + 1) and float(np.abs(size * step).max()) < 0.5
    return Fit(mean, now, n_used, penalties)


def fit_levels(design: Design, level: NDArray[np.int64], k: int, known: Known | None = None) -> Fit:
    """Chances of several levels, symmetric in them, by limited-memory quasi-Newton steps.

    A level's first guess of the information is halfway between the cross products of the records that have it
    and its share of all cross products. The first is what the information is at the end, but for a shift that
    all levels share; halfway, no step is more than twice too long, wherever a fit begins.

    Parameters
    ----------
    known : Known, optional
        Of another fit, to begin with.
    """
    shares = np.bincount(level, design.mass, k) / design.total
    of_level = design.grams(level, k)
    gram, spread = np.sum(of_level, axis=0), float((shares * (1 - shares)).mean())
    sums, totals = np.zeros((int(design.first_slot[-1]), k)), np.empty(k)
    has = (level[:, None] == np.arange(k)).astype(np.float64)
    surplus = np.ascontiguousarray((has - shares) * design.mass[:, None])
    sum_by_code(design.codes, design.first_slot, surplus, sums)
    aim = design.slopes(sums, np.zeros(k))
    penalties, n_used, _ = shrink(design, spread * gram, aim, np.ones(len(design.groups)))
    penalty = design.penalty(penalties)
    now = np.zeros((design.n_effects, k)) if known is None else known.start(design)
    if known is None:
        now[0] = np.log(np.maximum(shares, 1e-9))
    chances = np.empty((len(level), k))

    def look(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        effects = np.ascontiguousarray(design.effects(at))
        fit = softmax_pass(
            design.codes, design.first_slot, effects, at[0], level, design.mass, chances, sums, totals
        )
        loss = 0.5 * float((penalty[:, None] * at**2).sum()) - fit
        return loss, penalty[:, None] * at - design.slopes(sums, totals)

    guess = [
        _Factored((own + share * gram) / 2, penalty)
        for own, share in zip(of_level, np.maximum(shares, 1e-6).tolist(), strict=True)
    ]
    now = _descend(look, guess, now, _ENOUGH * n_used * (k - 1))
    return Fit(chances, now, n_used, penalties)


def _descend(
    look: Callable[[Slope], tuple[float, Slope]], guess: Sequence[_Factored], now: Slope, enough: float
) -> Slope:
    """Limited-memory BFGS (Nocedal 1980) from a guess of the information, a matrix for each level."""
    loss, slope = look(now)
    moves: list[tuple[NDArray[np.float64], NDArray[np.float64], float]] = []
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
    return now


def _corrected(
    slope: Slope, moves: Sequence[tuple[Slope, Slope, float]], factors: Sequence[_Factored]
) -> Slope:
    """The slope times the inverse information, as the last moves correct it (Nocedal's two loops)."""
    left, shares = slope.copy(), []
    for move, turn, along in reversed(moves):
        share = float((move * left).sum()) / along
        shares.append(share)
        left -= share * turn
    found = np.column_stack([factor.solve(one) for factor, one in zip(factors, left.T, strict=True)])
    found -= found.mean(axis=1, keepdims=True)
    for (move, turn, along), share in zip(moves, reversed(shares), strict=True):
        found += (share - float((turn * found).sum()) / along) * move
    return found
