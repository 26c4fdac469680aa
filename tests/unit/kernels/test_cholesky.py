"""Symmetric systems, judged by NumPy's own linear algebra."""

import numpy as np
import pytest

from causalrules.kernels.cholesky import factorise, invert_upper, log_determinant, solve, solve_lower


@pytest.mark.parametrize("p", [1, 2, 7, 30])
def test_like_numpy(p):
    rng = np.random.default_rng(p)
    half = rng.normal(size=(p, p + 3))
    matrix = half @ half.T
    room = np.full((p + 2, p + 2), 99.0)  # what is beyond the first p rows and columns stays as it is
    room[:p, :p] = np.triu(matrix)
    factorise(room, p)
    upper = np.triu(room[:p, :p])
    np.testing.assert_allclose(upper.T @ upper, matrix, rtol=1e-9, atol=1e-9)
    assert (room[p:] == 99).all()
    assert (room[:, p:] == 99).all()
    assert log_determinant(room, p) == pytest.approx(np.linalg.slogdet(matrix)[1])
    right = rng.normal(size=p)
    for solved, other in ((solve, matrix), (solve_lower, upper.T)):
        values = right.copy()
        solved(room, p, values)
        np.testing.assert_allclose(values, np.linalg.solve(other, right), rtol=1e-6, atol=1e-9)
    inverse = np.zeros((p, p))
    invert_upper(room, p, inverse)
    np.testing.assert_allclose(np.triu(inverse), np.linalg.inv(upper), rtol=1e-6, atol=1e-9)


def test_a_direction_without_information_gets_nothing():
    matrix = np.array([[2.0, 2.0], [2.0, 2.0]])
    factorise(matrix, 2)
    values = np.array([4.0, 4.0])
    solve(matrix, 2, values)
    np.testing.assert_allclose(values, [2.0, 0.0], rtol=1e-12)
