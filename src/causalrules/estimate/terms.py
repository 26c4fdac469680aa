"""What a column adds to a model: one row of basis values for each of its codes.

Everything a model asks of a column depends on its code only, so a design of 50,000 records and 300 columns is
never written out: a dozen columns of codes and a dozen small bases stand for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.special_functions import ndtri
from causalrules.words import constants

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.words.records import Column

LINE_VARIANCE = 4.0
"""Beforehand, of what a standard deviation of a number adds to the log odds: wide enough to leave lines
alone."""

OF_LEVEL, OF_SCORE = ("\0level",), ("\0score",)
"""Where terms come from that are no column's: the exposure, and the outcome's own score."""

_SCORE_BINS = 100


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A column of a design, with what each of its codes does.

    Parameters
    ----------
    columns : tuple of str
        Where it comes from; two of a product.
    codes : int32[n]
    basis : float64[n_codes, k]
        Centred over the records.
    n_fixed : int
        The first so many basis columns are shrunk by a wide fixed prior; the others by one whose width the
        data choose, each together.
    """

    columns: tuple[str, ...]
    codes: NDArray[np.int32]
    basis: NDArray[np.float64]
    n_fixed: int


def term_of(column: Column, mass: NDArray[np.float64], n_steps: int | None = None) -> Term:
    """A column as models hold it: levels of a category, line, curve and steps of a number.

    A level for missing values comes last where some are missing. `n_steps` is how many steps a number has at
    most, `STEPS` by default.
    """
    size = column.sizes(mass)
    basis = number_basis(size, n_steps) if column.is_number else level_basis(size)
    n_fixed = n_smooth(len(column.levels)) if column.is_number else 0
    return Term((column.name,), column.codes.astype(np.int32), basis, n_fixed)


def term_of_score(score: NDArray[np.float64], mass: NDArray[np.float64]) -> Term:
    """A number that is worked out, by at most a hundred bins. To nine digits: the rest is rounding."""
    place = np.unique(score.round(9), return_inverse=True)[1]
    size = np.bincount(place, mass)
    middle = (np.cumsum(size) - size / 2) / size.sum()
    bins = np.unique((_SCORE_BINS * middle).astype(np.int64), return_inverse=True)[1]
    codes = bins[place].astype(np.int32)
    basis = number_basis(np.append(0.0, np.bincount(codes, mass)))[1:]
    return Term(OF_SCORE, codes, basis, n_smooth(len(basis)))


def n_smooth(n_values: int) -> int:
    """Basis columns of a number that are its line and curve."""
    return min(4, max(n_values - 1, 1))


def level_basis(size: NDArray[np.float64]) -> NDArray[np.float64]:
    """One basis column for each code that occurs, all alike: no level is the reference of a penalised model.

    Examples
    --------
    >>> level_basis(np.array([0.0, 3.0, 1.0]))
    array([[-0.75, -0.25],
           [ 0.25, -0.25],
           [-0.75,  0.75]])
    """
    basis = np.eye(len(size))[:, size > 0]
    return _centred(basis, size)


def number_basis(size: NDArray[np.float64], n_steps: int | None = None) -> NDArray[np.float64]:
    """Line and curve in a number's normal scores, and steps; 0 where it is missing, then a level for that.

    Parameters
    ----------
    size : float64[1 + number of bins]
        Of the missing values, then of every bin.
    """
    known = size[1:]
    scores = normal_scores(known)
    smooth = np.column_stack([standardised(scores, known), curve(scores, known)])[:, : n_smooth(len(known))]
    body = np.column_stack([smooth, steps(known, constants.STEPS if n_steps is None else n_steps)])
    basis = np.vstack([np.zeros(body.shape[1]), _centred(body, known)])
    if size[0] > 0:
        basis = np.column_stack([basis, np.eye(len(size))[:, :1]])
    return basis


def normal_scores(size: NDArray[np.float64]) -> NDArray[np.float64]:
    """The normal quantile of each bin's middle record.

    Examples
    --------
    >>> normal_scores(np.ones(4)).round(2)
    array([-1.15, -0.32,  0.32,  1.15])
    """
    total = max(float(size.sum()), 1.0)
    middle = (np.cumsum(size) - size / 2) / total
    least = 0.25 / total
    scores: NDArray[np.float64] = ndtri(np.clip(middle, least, 1 - least))
    return scores


def curve(scores: NDArray[np.float64], size: NDArray[np.float64]) -> NDArray[np.float64]:
    """The bent parts of a restricted cubic spline in normal scores (Harrell 2015), standardised."""
    knots = np.unique(ndtri(np.array(constants.KNOTS)).clip(scores.min(), scores.max()))
    if len(knots) < 3:
        return np.zeros((len(scores), 0))

    def cubed(knot: float) -> NDArray[np.float64]:
        return np.maximum(scores - knot, 0.0) ** 3

    last, before = knots[-1], knots[-2]
    bent = [
        cubed(knot)
        - cubed(before) * (last - knot) / (last - before)
        + cubed(last) * (before - knot) / (last - before)
        for knot in knots[:-2].tolist()
    ]
    return np.column_stack([standardised(one, size) for one in bent])


def steps(size: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """0 below a cut and 1 above it, at cuts with about equally many records between."""
    total = size.sum()
    below = np.cumsum(size)[:-1]
    wanted = np.arange(1, n + 1) / (n + 1) * total
    cuts = np.unique(np.searchsorted(below, wanted)) if len(below) else np.empty(0, np.intp)
    cuts = cuts[cuts < len(below)]
    return (np.arange(len(size))[:, None] > cuts).astype(np.float64)


def standardised(values: NDArray[np.float64], size: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean 0 and variance 1 over the records.

    Examples
    --------
    >>> standardised(np.array([1.0, 3.0]), np.array([5.0, 5.0]))
    array([-1.,  1.])
    """
    total = max(float(size.sum()), 1e-300)
    centred = values - (size * values).sum() / total
    spread = np.sqrt((size * centred**2).sum() / total)
    return centred / spread if spread > 1e-12 else np.zeros(len(values))


def _centred(basis: NDArray[np.float64], size: NDArray[np.float64]) -> NDArray[np.float64]:
    return basis - (size @ basis) / max(float(size.sum()), 1e-300)
