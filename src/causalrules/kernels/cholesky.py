"""Symmetric systems of equations, by Cholesky, in plain loops that compile in a second."""

from __future__ import annotations

import math

import numpy as np

from causalrules.kernels.compiled import kernel

_FLAT = 1e-11


@kernel
def factorise(matrix, p):
    """Turn the upper triangle of matrix[:p, :p] into U with UᵀU = matrix, in place.

    Rows are updated along their contiguous side, which compilers vectorise. A pivot that is nothing but
    rounding is set to infinity: what `solve` finds for it is 0.
    """
    diagonal = np.empty(p)
    for j in range(p):
        diagonal[j] = matrix[j, j]
    for j in range(p):
        if matrix[j, j] <= _FLAT * max(diagonal[j], 1e-300):
            matrix[j, j] = np.inf
            for t in range(j + 1, p):
                matrix[j, t] = 0.0
            continue
        root = math.sqrt(matrix[j, j])
        for t in range(j, p):
            matrix[j, t] /= root
        for s in range(j + 1, p):
            factor = matrix[j, s]
            if factor != 0.0:
                for t in range(s, p):
                    matrix[s, t] -= factor * matrix[j, t]


@kernel
def solve(factor, p, values):
    """Replace values[:p] by the solution x of UᵀU · x = values."""
    solve_lower(factor, p, values)
    for j in range(p - 1, -1, -1):
        total = values[j]
        for t in range(j + 1, p):
            total -= factor[j, t] * values[t]
        values[j] = total / factor[j, j]


@kernel
def solve_lower(factor, p, values):
    """Replace values[:p] by the solution x of Uᵀ · x = values."""
    for j in range(p):
        values[j] /= factor[j, j]
        for t in range(j + 1, p):
            values[t] -= factor[j, t] * values[j]


@kernel
def log_determinant(factor, p):
    """The logarithm of the determinant of UᵀU, from its Cholesky factor U."""
    total = 0.0
    for j in range(p):
        total += math.log(factor[j, j])
    return 2.0 * total


@kernel
def invert_upper(factor, p, inverse):
    """Fill the upper triangle of inverse[:p, :p] with that of U⁻¹."""
    for i in range(p - 1, -1, -1):
        for t in range(i, p):
            inverse[i, t] = 0.0
        inverse[i, i] = 1.0
        for m in range(i + 1, p):
            share = factor[i, m]
            if share != 0.0:
                for t in range(m, p):
                    inverse[i, t] -= share * inverse[m, t]
        for t in range(i, p):
            inverse[i, t] /= factor[i, i]
