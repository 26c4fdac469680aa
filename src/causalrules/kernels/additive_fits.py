"""The additive family: causes that each shift the outcome's log odds, whatever the others are."""

from __future__ import annotations

import math

import numpy as np

from causalrules.kernels.cholesky import factorise, invert_upper, log_determinant, solve, solve_lower
from causalrules.kernels.compiled import kernel

_MOST_STEPS = 25
_ENOUGH = 1e-3
"""Newton's method stops when a step would gain less, in nats."""

_CONSTANT_VARIANCE = 100.0
"""Of the constant: wide, or a rare outcome would pay for being rare."""


@kernel
def collapse(codes, counts, n_levels, causes, table, cells, sums):
    """Put together the records that agree on some causes; returns how many rows are left.

    codes  : int64[n_rows, d]
    counts : int64[n_rows, 2], records without and with the outcome
    causes : int64[k]
    table  : int64[m], all -1 on entry and on return; no more cells than m are collapsed
    cells  : int64[n_rows, d], filled: for each row left the codes of the causes
    sums   : int64[n_rows, 2], filled: its records
    """
    n_rows, k = codes.shape[0], causes.shape[0]
    size = 1
    for j in range(k):
        size = min(size * n_levels[causes[j]], table.shape[0] + 1)
    n_left = 0
    for r in range(n_rows):
        new = n_left
        if size <= table.shape[0]:
            place = 0
            for j in range(k):
                place = place * n_levels[causes[j]] + codes[r, causes[j]]
            if table[place] < 0:
                table[place] = n_left
            new = table[place]
        if new == n_left:
            for j in range(k):
                cells[n_left, j] = codes[r, causes[j]]
            sums[n_left, 0], sums[n_left, 1] = 0, 0
            n_left += 1
        sums[new, 0] += counts[r, 0]
        sums[new, 1] += counts[r, 1]
    if size <= table.shape[0]:
        for r in range(n_left):
            place = 0
            for j in range(k):
                place = place * n_levels[causes[j]] + cells[r, j]
            table[place] = -1
    return n_left


@kernel
def fit_additive(cells, sums, n_rows, causes, n_levels, widths, basis, spread, effects, precision, tables):
    """Logarithm of the marginal likelihood of a logistic model, by Laplace's approximation.

    Level 0 of a cause without a basis has no effect of its own, every other level has one; a cause with a
    basis acts by the basis' values at its level. What is known of the effects beforehand: see `_log_prior`.
    Rows are summed by the levels of each two causes; what the effects make of the levels is
    worked out from these tables, which are small.

    cells     : int64[n_rows, k], levels of the causes
    sums      : int64[n_rows, 2], records without and with the outcome
    causes    : int64[k], which variables they are
    n_levels  : int64[d]
    widths    : int64[d], effects of each variable; minus that where they belong to a basis
    basis     : float64[d, n_levels, width]
    spread    : float64[d], variance, beforehand, of the difference of two levels, or of an effect of a basis
    effects   : float64[n_effects], the constant first; the start on entry, the mode on return
    precision : float64[n_effects, n_effects], filled: its upper triangle is Cholesky's factor of the
                curvature at the mode
    tables    : float64[m], room for the products of each two causes' levels
    """
    k = causes.shape[0]
    starts = np.empty(k + 1, np.int64)  # the first effect of each cause
    slots = np.zeros(k + 1, np.int64)  # the first level of each cause
    starts[0] = 1
    for j in range(k):
        starts[j + 1] = starts[j] + abs(widths[causes[j]])
        slots[j + 1] = slots[j] + n_levels[causes[j]]
    n_effects = starts[k]
    shifts, rests, weights = np.empty(slots[k]), np.empty(slots[k]), np.empty(slots[k])
    slope, step = np.empty(n_effects), np.zeros(n_effects)
    fit = -np.inf
    for turn in range(_MOST_STEPS):
        here = _log_prior(causes, widths, spread, starts, effects, slope, precision)
        _fill_shifts(causes, n_levels, widths, basis, starts, slots, effects, shifts)
        here += _sum_rows(
            cells, sums, n_rows, causes, n_levels, slots, effects[0], shifts, rests, weights, tables
        )
        _fill_slopes(causes, n_levels, widths, basis, starts, slots, rests, weights, tables, slope, precision)
        if here < fit - _ENOUGH and turn < _MOST_STEPS - 1:
            # Too long a step: half of it back. The prior bends the likelihood, so this ends.
            for a in range(n_effects):
                step[a] *= 0.5
                effects[a] -= step[a]
            continue
        fit, gain = here, 0.0
        factorise(precision, n_effects)
        for a in range(n_effects):
            step[a] = slope[a]
        solve(precision, n_effects, step)
        for a in range(n_effects):
            effects[a] += step[a]
            gain += 0.5 * slope[a] * step[a]
        if gain < _ENOUGH:  # nearly a parabola here: what the step gains need not be looked at
            fit += gain
            break
    log_det = log_determinant(precision, n_effects) + math.log(_CONSTANT_VARIANCE)
    for j in range(k):
        log_det += _log_volume(widths[causes[j]], spread[causes[j]])
    return fit - 0.5 * log_det


@kernel
def _log_prior(causes, widths, spread, starts, effects, slope, precision):
    """Logarithm of the effects' density beforehand, but for a constant; fills in its slope and curvature.

    The levels of a cause are alike beforehand: each differs from their mean by N(0, spread/2), so any two of
    them by N(0, spread), whichever of them is level 0. Told by their differences from level 0, k levels
    have the precision 2/spread · (1 on the diagonal, less 1/k everywhere). With independent effects instead,
    a cause of three levels and log odds of -1.5, 0 and 1.5 would cost 2.2 nats where the middle one happens
    to be level 0, and 5.6 elsewhere.
    """
    n_effects = starts[causes.shape[0]]
    for a in range(n_effects):
        for b in range(a, n_effects):
            precision[a, b] = 0.0
    precision[0, 0] = 1.0 / _CONSTANT_VARIANCE
    slope[0] = -effects[0] / _CONSTANT_VARIANCE
    total = 0.5 * effects[0] * slope[0]
    for j in range(causes.shape[0]):
        width, before = widths[causes[j]], 1.0 / spread[causes[j]]
        mean = 0.0  # of all levels; a basis has none
        if width > 0:
            before *= 2.0
            for a in range(starts[j], starts[j + 1]):
                mean += effects[a] / (width + 1)
        for a in range(starts[j], starts[j + 1]):
            slope[a] = -before * (effects[a] - mean)
            total += 0.5 * effects[a] * slope[a]
            if width > 0:
                for b in range(a, starts[j + 1]):
                    precision[a, b] = -before / (width + 1)
            precision[a, a] += before
    return total


@kernel
def _log_volume(width, spread):
    """Logarithm of the determinant of the effects' covariance beforehand."""
    if width <= 0:
        return -width * math.log(spread)
    return width * math.log(0.5 * spread) + math.log(width + 1.0)


@kernel
def _fill_shifts(causes, n_levels, widths, basis, starts, slots, effects, shifts):
    """What each level of each cause adds to the log odds."""
    for j in range(causes.shape[0]):
        width = widths[causes[j]]
        for level in range(n_levels[causes[j]]):
            shift = 0.0
            if width > 0 and level > 0:
                shift = effects[starts[j] + level - 1]
            for i in range(-width):
                shift += effects[starts[j] + i] * basis[causes[j], level, i]
            shifts[slots[j] + level] = shift


@kernel
def _sum_rows(cells, sums, n_rows, causes, n_levels, slots, constant, shifts, rests, weights, tables):
    """Log likelihood; what is left of the outcome and the information, by level and by each two levels."""
    k = causes.shape[0]
    likelihood = 0.0
    for slot in range(slots[k]):
        rests[slot], weights[slot] = 0.0, 0.0
    n_cells = 0
    for j in range(k):
        for i in range(j):
            n_cells += n_levels[causes[i]] * n_levels[causes[j]]
    for cell in range(n_cells):
        tables[cell] = 0.0
    everybody = 0.0
    rest_of_all = 0.0
    for r in range(n_rows):
        score = constant
        for j in range(k):
            score += shifts[np.uint64(slots[j] + cells[r, j])]
        n = sums[r, 0] + sums[r, 1]
        odds = math.exp(-abs(score))  # of the less likely outcome, so that nothing overflows
        share = 1.0 / (1.0 + odds)
        likelihood += sums[r, 1] * score - n * (max(score, 0.0) + math.log1p(odds))
        weight, rest = n * odds * share * share, sums[r, 1] - n * (share if score >= 0.0 else odds * share)
        everybody += weight
        rest_of_all += rest
        first = 0
        for j in range(k):
            level, width = cells[r, j], n_levels[causes[j]]
            place = np.uint64(slots[j] + level)
            rests[place] += rest
            weights[place] += weight
            for i in range(j):
                tables[np.uint64(first + cells[r, i] * width + level)] += weight
                first += n_levels[causes[i]] * width
    tables[n_cells], tables[n_cells + 1] = everybody, rest_of_all
    return likelihood


@kernel
def _fill_slopes(causes, n_levels, widths, basis, starts, slots, rests, weights, tables, slope, precision):
    """From sums by level to slope and curvature of the effects; added to."""
    first = 0
    for j in range(causes.shape[0]):
        y = causes[j]
        for level in range(n_levels[y]):
            low, high = _acting(widths[y], level)
            weight = weights[slots[j] + level]
            for b in range(low, high):
                effect = starts[j] + b
                size = _size(basis, widths, y, level, b)
                slope[effect] += rests[slots[j] + level] * size
                precision[0, effect] += weight * size
                for a in range(low, b + 1):
                    precision[starts[j] + a, effect] += weight * size * _size(basis, widths, y, level, a)
        for i in range(j):
            x = causes[i]
            for at_x in range(n_levels[x]):
                low_x, high_x = _acting(widths[x], at_x)
                for at_y in range(n_levels[y]):
                    weight = tables[first + at_x * n_levels[y] + at_y]
                    if weight == 0.0:
                        continue
                    low_y, high_y = _acting(widths[y], at_y)
                    for a in range(low_x, high_x):
                        weighed = weight * _size(basis, widths, x, at_x, a)
                        for b in range(low_y, high_y):
                            size = _size(basis, widths, y, at_y, b)
                            precision[starts[i] + a, starts[j] + b] += weighed * size
            first += n_levels[x] * n_levels[y]
    precision[0, 0] += tables[first]
    slope[0] += tables[first + 1]


@kernel
def _acting(width, level):
    """Which of a cause's effects act at a level: the first, and the one after the last."""
    if width <= 0:
        return 0, -width
    return max(level - 1, 0), level


@kernel
def _size(basis, widths, cause, level, i):
    """How much an effect that acts at a level does so."""
    return 1.0 if widths[cause] > 0 else basis[cause, level, i]


@kernel
def fit_causes(
    codes, counts, n_levels, causes, widths, basis, spread, table, cells, sums, effects, precision, tables
):
    """The marginal likelihood of one set of causes, see `fit_additive`, from all rows.

    codes  : int64[n_rows, d]
    counts : int64[n_rows, 2], records without and with the outcome
    causes : int64[k]
    table, cells, sums : room, see `collapse`
    """
    n_rows = collapse(codes, counts, n_levels, causes, table, cells, sums)
    return fit_additive(
        cells, sums, n_rows, causes, n_levels, widths, basis, spread, effects, precision, tables
    )


@kernel
def without_each(causes, widths, spread, effects, factor, inverse, block, own, lost):
    """What the score changes, nearly, when one cause is left out: the quadratic around the mode.

    Leaving out block b costs ½ β_b' V_b⁻¹ β_b and gives back ½ ln det V_b^-1 and the effects' priors; V_b is
    b's block of the inverse, which is U⁻¹U⁻ᵀ.

    causes          : int64[k]
    effects, factor : as `fit_causes` left them
    inverse, block  : float64[n_effects, n_effects], room
    own             : float64[n_effects], room
    lost            : float64[k], filled
    """
    k = causes.shape[0]
    n_effects = 1
    for j in range(k):
        n_effects += abs(widths[causes[j]])
    invert_upper(factor, n_effects, inverse)
    start = 1
    for j in range(k):
        width = abs(widths[causes[j]])
        for a in range(width):
            own[a] = effects[start + a]
            for b in range(a, width):
                total = 0.0
                for t in range(start + b, n_effects):
                    total += inverse[start + a, t] * inverse[start + b, t]
                block[a, b] = total
        factorise(block, width)
        solve_lower(block, width, own)
        far = 0.0
        for a in range(width):
            far += own[a] * own[a]
        volume = _log_volume(widths[causes[j]], spread[causes[j]])
        lost[j] = 0.5 * (volume - far - log_determinant(block, width))
        start += width
