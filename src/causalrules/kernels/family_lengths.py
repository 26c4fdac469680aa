"""Code lengths of families: a variable within the strata of its causes.

A stratum with n_1 … n_q records of the q values costs, under Jeffreys' prior
(Krichevsky and Trofimov 1981), the logarithm of
Γ(q/2) / Γ(n + q/2) · Π Γ(n_i + ½) / Γ(½). The product runs over the cells of
the table of causes *and* variable, the rest over the strata of the causes, so
that one table for each set of variables serves every family made of it. The
outcome is in every table, as two counts: no set with it is counted by itself.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.compiled import kernel
from causalrules.kernels.projections import merge, next_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.kernels.projections import Rows

_N_AT_HAND = 4096
"""Counts below this find their ln Γ in a table; larger ones are few."""


class Codings(NamedTuple):
    """Coarse codes of the columns, as causes of the outcome.

    Parameters
    ----------
    shift : int32[n_columns, n_levels]
        What makes a level the coarse one.
    n_levels : int64[n_columns]
        Coarse levels; 0 where a column has one coding only.
    price : float64[n_columns]
        What it costs to say which coarse code is meant.
    most_cells : int
        Larger tables are not counted.
    room : Rows
        Of one depth more than a set has columns.
    best : float64[n_sets]
        Scores of the outcome, raised.
    """

    shift: NDArray[np.int32]
    n_levels: NDArray[np.int64]
    price: NDArray[np.float64]
    most_cells: int
    room: Rows
    best: NDArray[np.float64]


@kernel
def log_gammas(halves):
    """float64[_N_AT_HAND, len(halves)]: ln Γ(n + h/2) - ln Γ(h/2)."""
    known = np.empty((_N_AT_HAND, halves.shape[0]))
    for i in range(halves.shape[0]):
        for n in range(_N_AT_HAND):
            known[n, i] = math.lgamma(n + 0.5 * halves[i]) - math.lgamma(0.5 * halves[i])
    return known


@kernel
def _rising(known, halves, n, i):
    if n < _N_AT_HAND:
        return known[n, i]
    return math.lgamma(n + 0.5 * halves[i]) - math.lgamma(0.5 * halves[i])


@kernel
def _add_rising(known, halves, n, totals):
    """Add to `totals` float64[len(halves)] what n records cost under each of the halves."""
    if n < _N_AT_HAND:
        for i in range(halves.shape[0]):
            totals[i] += known[n, i]
    else:
        for i in range(halves.shape[0]):
            totals[i] += math.lgamma(n + 0.5 * halves[i]) - math.lgamma(0.5 * halves[i])


@kernel
def _number_of(walk, bits):
    """The set of the walk as a number."""
    number = 0
    for j in range(walk.at[0]):
        number |= bits[walk.chosen[j]]
    return number


@kernel
def score_tables(walk, bits, halves, known, most_cells, codings, cells, strata):
    """Sum over the tables of the walk's sets, without and with the outcome.

    bits   : int64[n_columns + 1], what each column is in the number of a set; the outcome is the last
    halves : int64[n_halves], 1, 2 and all other numbers of levels that variables have
    known  : what `log_gammas` gives for them
    cells  : float64[n_sets], filled: Σ ln Γ(n + ½)
    strata : float64[n_sets, n_halves], filled for sets that are smaller than the largest: -Σ ln Γ(n + q/2)
    """
    rows, of_cells = walk.rows, walk.rows.n.shape[0] - 1
    most = walk.size.shape[0] - 1
    outcome = bits[bits.shape[0] - 1]
    of_set, with_outcome = np.empty(halves.shape[0]), np.empty(halves.shape[0])
    while next_set(walk):
        k, size, number = walk.at[0], walk.size[walk.at[0]], _number_of(walk, bits)
        n_cells, counts = rows.n[of_cells], rows.counts[of_cells]
        if k < most:
            _score_codings(walk, number, halves, known, codings)
        if size > most_cells:
            continue
        if k == most:
            total = 0.0
            for cell in range(n_cells):
                total += _rising(known, halves, counts[cell, 0] + counts[cell, 1], 0)
            cells[number] = total
            continue
        of_set[:] = 0.0
        for cell in range(n_cells):
            _add_rising(known, halves, counts[cell, 0] + counts[cell, 1], of_set)
        cells[number] = of_set[0]
        for i in range(halves.shape[0]):
            strata[number, i] = -of_set[i]
        if 2 * size > most_cells:
            continue
        with_outcome[:] = 0.0
        for cell in range(n_cells):
            _add_rising(known, halves, counts[cell, 0], with_outcome)
            _add_rising(known, halves, counts[cell, 1], with_outcome)
        cells[number | outcome] = with_outcome[0]
        if k + 1 < most:
            for i in range(halves.shape[0]):
                strata[number | outcome, i] = -with_outcome[i]


@kernel
def _score_codings(walk, number, halves, known, codings):
    """Raise the outcome's score where some causes of the walk's set are shorter told in coarse codes.

    Four causes with two codings each have sixteen tables. Each is counted from one with one coarse cause
    less, which has fewer cells already.
    """
    rows, of_cells, room = walk.rows, walk.rows.n.shape[0] - 1, codings.room
    k, depth = walk.at[0], 0
    value = np.empty(256, np.int32)
    following, size = np.zeros(k + 1, np.int64), np.zeros(k + 1, np.int64)
    price = np.zeros(k + 1)
    size[0] = walk.size[k]
    while depth >= 0:
        j = following[depth]
        if j == k:
            depth -= 1
            continue
        following[depth] += 1
        column = walk.chosen[j]
        if codings.n_levels[column] == 0:
            continue
        stride = walk.size[k] // walk.size[j + 1]
        for level in range(walk.n_levels[column]):
            value[level] = codings.shift[column, level] * stride
        if depth == 0:
            merge(walk, rows, of_cells, room, 1, column, 0, 1, value)
        else:
            merge(walk, room, depth, room, depth + 1, column, 0, 1, value)
        size[depth + 1] = size[depth] // walk.n_levels[column] * codings.n_levels[column]
        price[depth + 1] = price[depth] + codings.price[column]
        depth += 1
        following[depth] = j + 1
        if size[depth] <= codings.most_cells:
            score = -price[depth]
            for cell in range(room.n[depth]):
                without, with_it = room.counts[depth, cell, 0], room.counts[depth, cell, 1]
                score += _rising(known, halves, without, 0) + _rising(known, halves, with_it, 0)
                score -= _rising(known, halves, without + with_it, 1)
            codings.best[number] = max(codings.best[number], score)


@kernel
def score_variable(walk, room, bits, halves, known, price, most_cells, best):
    """Raise the scores of one variable, given the walk's sets; it is what all tables of the walk have.

    room   : Rows of one depth
    bits   : int64[n_columns + 1], what each column is in the number of a set; the outcome is the last
    halves : int64[2], 1 and the variable's number of levels; `known` is what `log_gammas` gives for them
    price  : float64[n_columns], what it costs to say which code of a column is meant
    best   : float64[n_sets], raised
    """
    rows, of_cells = walk.rows, walk.rows.n.shape[0] - 1
    most, variable, outcome = walk.size.shape[0] - 1, bits.shape[0] - 1, bits[bits.shape[0] - 1]
    value = np.empty(256, np.int32)
    while next_set(walk):
        k, size, number = walk.at[0], walk.size[walk.at[0]] // halves[1], _number_of(walk, bits)
        if size > most_cells:
            continue
        for level in range(halves[1]):
            value[level] = -level * size
        merge(walk, rows, of_cells, room, 0, variable, 0, 1, value)  # the strata
        goes_with_outcome = k < most and 2 * size <= most_cells
        score, with_outcome = 0.0, 0.0
        for cell in range(rows.n[of_cells]):
            without, with_it = rows.counts[of_cells, cell, 0], rows.counts[of_cells, cell, 1]
            score += _rising(known, halves, without + with_it, 0)
            if goes_with_outcome:
                with_outcome += _rising(known, halves, without, 0) + _rising(known, halves, with_it, 0)
        for stratum in range(room.n[0]):
            without, with_it = room.counts[0, stratum, 0], room.counts[0, stratum, 1]
            score -= _rising(known, halves, without + with_it, 1)
            if goes_with_outcome:
                with_outcome -= _rising(known, halves, without, 1) + _rising(known, halves, with_it, 1)
        paid = 0.0
        for j in range(k):
            paid += price[walk.chosen[j]]
        best[number] = max(best[number], score - paid)
        if goes_with_outcome:
            best[number | outcome] = max(best[number | outcome], with_outcome - paid)
