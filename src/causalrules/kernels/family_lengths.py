"""Code lengths of families: a variable within the strata of its causes.

A stratum with n_1 … n_q records of the q values costs, under Jeffreys' prior
(Krichevsky and Trofimov 1981), the logarithm of
Γ(q/2) / Γ(n + q/2) · Π Γ(n_i + ½) / Γ(½). The product runs over the cells of
the table of causes *and* variable, the rest over the strata of the causes, so
that one pass over the records for each set of variables serves every family
made of it: 2,379 passes for 13 variables and four causes instead of 12,000.
"""

from __future__ import annotations

import math

import numpy as np

from causalrules.kernels.compiled import kernel

_N_AT_HAND = 4096
"""Counts below this find their ln Γ in a table; larger ones are few."""


@kernel
def _log_gammas(halves):
    """float64[len(halves), _N_AT_HAND]: ln Γ(n + h/2) - ln Γ(h/2)."""
    known = np.empty((halves.shape[0], _N_AT_HAND))
    for i in range(halves.shape[0]):
        for n in range(_N_AT_HAND):
            known[i, n] = math.lgamma(n + 0.5 * halves[i]) - math.lgamma(0.5 * halves[i])
    return known


@kernel
def _rising(known, halves, i, n):
    if n < _N_AT_HAND:
        return known[i, n]
    return math.lgamma(n + 0.5 * halves[i]) - math.lgamma(0.5 * halves[i])


@kernel
def score_families(codes, counts, n_levels, most_causes, most_cells):
    """Logarithm of the marginal likelihood of every variable given every small set of causes.

    codes      : int64[n_rows, d], from 0; column by column in memory, as it is read
    counts     : int64[n_rows], records of each row
    n_levels   : int64[d]
    most_causes: int
    most_cells : int, larger tables are not counted

    Returns float64[d, 2^d], minus infinity for sets that are too large or have the variable in them.
    """
    n_rows, d = codes.shape
    halves = np.empty(d + 1, np.int64)
    halves[0] = 1
    for v in range(d):
        halves[v + 1] = n_levels[v]
    known = _log_gammas(halves)
    cells = np.full(1 << d, -np.inf)
    strata = np.full((d, 1 << d), -np.inf)
    place = np.zeros((most_causes + 2, n_rows), np.int32)  # cell of every row, by the first so many members
    size = np.ones(most_causes + 2, np.int64)
    held = np.full(most_causes + 1, -1, np.int64)
    members = np.empty(d, np.int64)
    table, seen = np.zeros(most_cells, np.int64), np.empty(n_rows, np.int64)
    for mask in range(1 << d):
        k = 0
        for v in range(d - 1, -1, -1):
            if mask >> v & 1:
                members[k] = v
                k += 1
        if k > most_causes + 1:
            continue
        # Numbers in ascending order share their high bits with the one before.
        j = 0
        while j < k and held[j] == members[j]:
            j += 1
        while j < k:
            v = members[j]
            size[j + 1] = min(size[j] * n_levels[v], most_cells + 1)
            if size[j + 1] <= most_cells:
                for r in range(n_rows):
                    place[j + 1, r] = place[j, r] * n_levels[v] + codes[r, v]
            held[j] = v
            for later in range(j + 1, most_causes + 1):
                held[later] = -1
            j += 1
        if size[k] > most_cells:
            continue
        n_seen = 0
        for r in range(n_rows):
            cell = place[k, r]
            if table[cell] == 0:
                seen[n_seen] = cell
                n_seen += 1
            table[cell] += counts[r]
        total = 0.0
        if k <= most_causes:
            for v in range(d):
                strata[v, mask] = 0.0
        for i in range(n_seen):
            n = table[seen[i]]
            table[seen[i]] = 0
            total += _rising(known, halves, 0, n)
            if k <= most_causes:
                for v in range(d):
                    if not mask >> v & 1:
                        strata[v, mask] -= _rising(known, halves, v + 1, n)
        cells[mask] = total
    scores = np.full((d, 1 << d), -np.inf)
    for v in range(d):
        for mask in range(1 << d):
            if not mask >> v & 1 and strata[v, mask] > -np.inf:
                scores[v, mask] = strata[v, mask] + cells[mask | (1 << v)]
    return scores


@kernel
def score_coarse(codes, counts, n_levels, owner, extra, child, n_child, most_causes, most_cells, best):
    """Improve the scores of one child where its causes are shorter told in coarse codes.

    codes    : int64[n_rows, n_causes], every cause in its coarse code, column by column in memory
    counts   : int64[n_rows]
    n_levels : int64[n_causes]
    owner    : int64[n_causes], ascending: the variable that the code tells of
    extra    : float64[n_causes], what it costs to say which code is meant
    child    : int64[n_rows], codes of the child
    n_child  : int, its levels
    best     : float64[2^d], raised
    """
    n_rows, n_causes = codes.shape
    halves = np.array([1, n_child])
    known = _log_gammas(halves)
    place = np.zeros((most_causes + 1, n_rows), np.int32)
    size, mask = np.ones(most_causes + 1, np.int64), np.zeros(most_causes + 1, np.int64)
    paid, chosen = np.zeros(most_causes + 1), np.full(most_causes + 1, -1, np.int64)
    table, totals = np.zeros(most_cells * n_child, np.int64), np.zeros(most_cells, np.int64)
    seen, strata = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    depth = 0
    while True:
        # The next cause at this depth, or back to the one before.
        following = chosen[depth] + 1
        if depth == most_causes or following >= n_causes:
            if depth == 0:
                return
            depth -= 1
            continue
        chosen[depth] = following
        levels = n_levels[following]
        if size[depth] * levels > most_cells:
            continue
        size[depth + 1] = size[depth] * levels
        paid[depth + 1] = paid[depth] + extra[following]
        mask[depth + 1] = mask[depth] | (1 << owner[following])
        n_seen, n_strata = 0, 0
        for r in range(n_rows):
            cell = place[depth, r] * levels + codes[r, following]
            place[depth + 1, r] = cell
            if totals[cell] == 0:
                strata[n_strata] = cell
                n_strata += 1
            totals[cell] += counts[r]
            cell = cell * n_child + child[r]
            if table[cell] == 0:
                seen[n_seen] = cell
                n_seen += 1
            table[cell] += counts[r]
        depth += 1
        if depth < most_causes:
            chosen[depth] = following
        score = -paid[depth]
        for i in range(n_seen):
            score += _rising(known, halves, 0, table[seen[i]])
            table[seen[i]] = 0
        for i in range(n_strata):
            score -= _rising(known, halves, 1, totals[strata[i]])
            totals[strata[i]] = 0
        if score > best[mask[depth]]:
            best[mask[depth]] = score


_MOST_FULL_CELLS = 1 << 20
"""Cells of a table in full codes; of a larger one every row is a cell."""


@kernel
def score_outcome_codings(
    codes, counts, n_levels, coarse_of_level, n_coarse, extra, most_causes, most_cells, best
):
    """Improve the outcome's scores where some of its causes are shorter told in coarse codes.

    Four causes with two codings each have sixteen tables. The rows are looked at once, in full codes; the
    coarse tables are sums over the cells that occur, which are few (Adult: 29,000 rows, 10,000 tables).

    codes           : int64[n_rows, d], levels of the columns, column by column in memory
    counts          : int64[n_rows, 2], records without and with the outcome
    n_levels        : int64[d]
    coarse_of_level : int64[d, most levels], the coarse level of each level
    n_coarse        : int64[d], coarse levels; 0 where a column has one coding only
    extra           : float64[d], what it costs to say which coarse code is meant
    most_cells      : int, larger tables are not counted
    best            : float64[2^(d + 1)], raised; a set's bits are its columns
    """
    n_rows, d = codes.shape
    halves = np.array([1, 2])
    known = _log_gammas(halves)
    place = np.zeros((most_causes + 1, n_rows), np.int32)
    size, chosen = np.ones(most_causes + 1, np.int64), np.full(most_causes + 1, -1, np.int64)
    cell_of, place_of = np.full(_MOST_FULL_CELLS, -1, np.int32), np.empty(n_rows, np.int32)
    levels, sums = np.empty((most_causes, n_rows), np.int64), np.empty((n_rows, 2), np.int64)
    table, strata = np.zeros((most_cells, 2), np.int64), np.empty(n_rows, np.int64)
    depth = 0
    while True:
        following = chosen[depth] + 1
        if depth == most_causes or following >= d:
            if depth == 0:
                return
            depth -= 1
            continue
        chosen[depth] = following
        size[depth + 1] = min(size[depth] * n_levels[following], _MOST_FULL_CELLS + 1)
        is_dense = size[depth + 1] <= _MOST_FULL_CELLS
        depth += 1
        if depth < most_causes:
            chosen[depth] = following
        n_cells = 0
        before, here = place[depth - 1], place[depth]
        if is_dense:
            code, n_codes = codes[:, following], n_levels[following]
            for r in range(n_rows):
                here[r] = before[r] * n_codes + code[r]
        for r in range(n_rows):
            cell = cell_of[here[r]] if is_dense else -1
            if cell < 0:
                cell = n_cells
                if is_dense:
                    cell_of[here[r]], place_of[cell] = cell, here[r]
                for j in range(depth):
                    levels[j, cell] = codes[r, chosen[j]]
                sums[cell, 0], sums[cell, 1] = 0, 0
                n_cells += 1
            sums[cell, 0] += counts[r, 0]
            sums[cell, 1] += counts[r, 1]
        if is_dense:
            for cell in range(n_cells):
                cell_of[place_of[cell]] = -1
        for variant in range(1, 1 << depth):
            paid, n_all, mask = 0.0, 1, 0
            for j in range(depth):
                v = chosen[j]
                mask |= 1 << v
                if variant >> j & 1:
                    paid += extra[v]
                    n_all = n_all * n_coarse[v] if n_all <= most_cells else n_all
                else:
                    n_all = n_all * n_levels[v] if n_all <= most_cells else n_all
            if n_all == 0 or n_all > most_cells:
                continue
            n_strata = 0
            for cell in range(n_cells):
                stratum = 0
                for j in range(depth):
                    v, level = chosen[j], levels[j, cell]
                    if variant >> j & 1:
                        stratum = stratum * n_coarse[v] + coarse_of_level[v, level]
                    else:
                        stratum = stratum * n_levels[v] + level
                if table[stratum, 0] + table[stratum, 1] == 0:
                    strata[n_strata] = stratum
                    n_strata += 1
                table[stratum, 0] += sums[cell, 0]
                table[stratum, 1] += sums[cell, 1]
            score = -paid
            for i in range(n_strata):
                without, with_it = table[strata[i], 0], table[strata[i], 1]
                score += _rising(known, halves, 0, without) + _rising(known, halves, 0, with_it)
                score -= _rising(known, halves, 1, without + with_it)
                table[strata[i], 0], table[strata[i], 1] = 0, 0
            if score > best[mask]:
                best[mask] = score
