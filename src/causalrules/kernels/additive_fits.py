"""The additive family: causes that each shift the outcome's log odds, whatever the others are."""

from __future__ import annotations

import math

import numpy as np

from causalrules.kernels.compiled import kernel

_MOST_STEPS = 25
_ENOUGH = 1e-3
"""Newton's method stops when a step gains less, in nats."""

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
            sums[n_left] = 0
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
def fit_additive(cells, sums, n_rows, causes, widths, basis, variance, effects, precision):
    """Logarithm of the marginal likelihood of a logistic model, by Laplace's approximation.

    A cause's effects are N(0, variance) beforehand. Level 0 of a cause without a basis has no effect of
    its own, every other level has one; a cause with a basis acts by the basis' values at its level.

    cells     : int64[n_rows, k], levels of the causes
    sums      : int64[n_rows, 2], records without and with the outcome
    causes    : int64[k], which variables they are
    widths    : int64[d], effects of each variable; minus that where they belong to a basis
    basis     : float64[d, n_levels, width]
    effects   : float64[n_effects], the constant first; the start on entry, the mode on return
    precision : float64[n_effects, n_effects], filled: the curvature at the mode
    """
    k = causes.shape[0]
    n_effects = 1
    for j in range(k):
        n_effects += abs(widths[causes[j]])
    at, size = np.empty(n_effects, np.int64), np.empty(n_effects)
    slope = np.empty(n_effects)
    fit = -np.inf
    step = np.zeros(n_effects)
    for turn in range(_MOST_STEPS):
        here = 0.0
        for a in range(n_effects):
            before = 1.0 / (variance if a > 0 else _CONSTANT_VARIANCE)
            here -= 0.5 * effects[a] * effects[a] * before
            slope[a] = -effects[a] * before
            for b in range(n_effects):
                precision[a, b] = 0.0
            precision[a, a] = before
        for r in range(n_rows):
            # The effects that act on this row, and how much.
            at[0], size[0] = 0, 1.0
            score = effects[0]
            n_at, start = 1, 1
            for j in range(k):
                width, level = widths[causes[j]], cells[r, j]
                if width > 0 and level > 0:
                    at[n_at], size[n_at] = start + level - 1, 1.0
                    score += effects[start + level - 1]
                    n_at += 1
                for i in range(-width):
                    at[n_at], size[n_at] = start + i, basis[causes[j], level, i]
                    score += effects[start + i] * size[n_at]
                    n_at += 1
                start += abs(width)
            n = sums[r, 0] + sums[r, 1]
            risk = 1.0 / (1.0 + math.exp(-min(max(score, -30.0), 30.0)))
            here += sums[r, 1] * math.log(risk) + sums[r, 0] * math.log1p(-risk)
            weight, rest = n * risk * (1.0 - risk), sums[r, 1] - n * risk
            for i in range(n_at):
                slope[at[i]] += rest * size[i]
                weighed = weight * size[i]
                for j in range(i + 1):
                    precision[at[j], at[i]] += weighed * size[j]
        for a in range(n_effects):
            for b in range(a):
                precision[a, b] = precision[b, a]
        if here < fit - _ENOUGH and turn < _MOST_STEPS - 1:
            # Too long a step: half of it back. The prior bends the likelihood, so this ends.
            for a in range(n_effects):
                step[a] *= 0.5
                effects[a] -= step[a]
            continue
        gained = here - fit
        fit = here
        if gained < _ENOUGH:
            break
        step = np.linalg.solve(precision[:n_effects, :n_effects], slope)
        for a in range(n_effects):
            effects[a] += step[a]
    _, log_det = np.linalg.slogdet(precision[:n_effects, :n_effects])
    return fit - 0.5 * (log_det + (n_effects - 1) * math.log(variance) + math.log(_CONSTANT_VARIANCE))


@kernel
def _fit_mask(mask, codes, counts, n_levels, widths, basis, variance, table, cells, sums, effects, precision):
    """The score of one set of causes."""
    d = n_levels.shape[0]
    causes = np.empty(d, np.int64)
    k = 0
    for v in range(d):
        if mask >> v & 1:
            causes[k] = v
            k += 1
    n_rows = collapse(codes, counts, n_levels, causes[:k], table, cells, sums)
    with_outcome = without = 0.5
    for r in range(n_rows):
        without += sums[r, 0]
        with_outcome += sums[r, 1]
    effects[:] = 0.0
    effects[0] = math.log(with_outcome / without)
    return fit_additive(cells, sums, n_rows, causes[:k], widths, basis, variance, effects, precision)


@kernel
def _without_each(mask, widths, variance, effects, precision, lost):
    """What the score changes, nearly, when one cause is left out: the quadratic around the mode.

    Leaving out block b costs ½ β_b' V_b⁻¹ β_b and gives back ½ ln det V_b^-1 and the effects' priors.
    """
    d = widths.shape[0]
    n_effects = 1
    for v in range(d):
        if mask >> v & 1:
            n_effects += abs(widths[v])
    spread = np.linalg.inv(precision[:n_effects, :n_effects])
    start = 1
    for v in range(d):
        lost[v] = -np.inf
        if mask >> v & 1:
            end = start + abs(widths[v])
            block = np.linalg.inv(np.ascontiguousarray(spread[start:end, start:end]))
            _, log_det = np.linalg.slogdet(block)
            far = effects[start:end] @ (block @ effects[start:end])
            lost[v] = -0.5 * far + 0.5 * log_det + 0.5 * (end - start) * math.log(variance)
            start = end


@kernel
def search_additive(
    codes, counts, n_levels, widths, basis, allowed, prices, extra, variance, slack, most_fits
):
    """Scores of the additive families that matter: those within some nats of the best.

    Backwards from all causes, always without the one that is missed least, then outwards from the best
    set by one cause more or less, until nothing within `slack` of the best is left.

    codes   : int64[n_rows, d], causes only
    counts  : int64[n_rows, 2], records without and with the outcome
    widths, basis : see `fit_additive`
    allowed : int, bit v: whether v may be a cause
    prices  : float64[d + 1], of a number of causes
    extra   : float64[d], what a cause's coding costs
    Returns float64[2^d], minus infinity where no model was fitted; prices and codings are paid.
    """
    n_rows, d = codes.shape
    n_sets = 1 << d
    scores = np.full(n_sets, -np.inf)
    is_done = np.zeros(n_sets, np.bool_)
    guess = np.full(n_sets, np.inf)
    table = np.full(1 << 16, -1, np.int64)
    cells, sums = np.empty((n_rows, d), np.int64), np.empty((n_rows, 2), np.int64)
    most_effects = 1
    for v in range(d):
        most_effects += abs(widths[v])
    effects, precision = np.empty(most_effects), np.empty((most_effects, most_effects))
    lost = np.empty(d)
    n_fits = 0
    mask, top = allowed, -np.inf
    is_descending = True
    while n_fits < most_fits:
        if scores[mask] == -np.inf:
            scores[mask] = _fit_mask(
                mask,
                codes,
                counts,
                n_levels,
                widths,
                basis,
                variance,
                table,
                cells,
                sums,
                effects,
                precision,
            )
            n_fits += 1
            k = 0
            for v in range(d):
                if mask >> v & 1:
                    scores[mask] -= extra[v]
                    k += 1
            scores[mask] -= prices[k]
            top = max(top, scores[mask])
            # The quadratic tells beforehand which smaller sets are not worth a fit.
            _without_each(mask, widths, variance, effects, precision, lost)
            for v in range(d):
                if mask >> v & 1:
                    near = scores[mask] + lost[v] + extra[v] + prices[k] - prices[k - 1]
                    if near < guess[mask ^ (1 << v)]:
                        guess[mask ^ (1 << v)] = near
        if is_descending:
            following = -1
            for v in range(d):
                if mask >> v & 1 and (
                    following < 0 or lost[v] + extra[v] > lost[following] + extra[following]
                ):
                    following = v
            if following < 0 or scores[mask] < top - slack:
                is_descending = False
                continue
            mask ^= 1 << following
            continue
        # The best set whose neighbours were not looked at yet, then one neighbour of it.
        best = -1
        for m in range(n_sets):
            if not is_done[m] and scores[m] >= top - slack and (best < 0 or scores[m] > scores[best]):
                best = m
        if best < 0:
            return scores
        neighbour = -1
        for v in range(d):
            m = best ^ (1 << v)
            if allowed >> v & 1 and scores[m] == -np.inf and guess[m] >= top - slack - 3.0:
                neighbour = m
                break
        if neighbour < 0:
            is_done[best] = True
            continue
        mask = neighbour
    return scores
