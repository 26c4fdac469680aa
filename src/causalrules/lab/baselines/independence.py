"""Tests of independence of two binary variables within strata, many at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from scipy.special import chdtrc, xlogy

from causalrules.errors import SettingsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

TestKind = Literal["g2", "chi2"]


@dataclass(frozen=True, slots=True, eq=False)
class TestsMade:
    """Statistics and p-values of many tests."""

    statistic: NDArray[np.float64]
    p_value: NDArray[np.float64]


def independence_tests(tables: NDArray[np.int64], kind: TestKind) -> TestsMade:
    """Likelihood ratio (G²) or Pearson (χ²) tests over strata.

    Parameters
    ----------
    tables : int64[n, strata, 2, 2]
        For each test and stratum the table of the two variables.
    kind : {'g2', 'chi2'}
        The statistic, summed over strata.

    Notes
    -----
    A stratum in which one of the variables does not vary tells nothing and
    adds no degree of freedom; a test without any has p-value 1. So do
    causal-learn and bnlearn (``mi-adf``, ``x2-adf``); counting one degree a
    stratum regardless would make tests in sparse tables too timid.

    Examples
    --------
    >>> made = independence_tests(np.array([[[[30, 10], [10, 30]]]]), "chi2")
    >>> made.statistic.tolist(), made.p_value.round(7).tolist()
    ([20.0], [7.7e-06])
    """
    if kind not in get_args(TestKind):
        raise SettingsError.choice("test", get_args(TestKind), kind)
    rows, columns = tables.sum(axis=3, keepdims=True), tables.sum(axis=2, keepdims=True)
    total = rows.sum(axis=2, keepdims=True)
    expected = rows * columns / np.maximum(total, 1)
    if kind == "g2":
        terms = 2 * xlogy(tables, np.where(expected > 0, tables / np.where(expected > 0, expected, 1), 1))
    else:
        terms = np.where(expected > 0, (tables - expected) ** 2 / np.where(expected > 0, expected, 1), 0)
    statistic = terms.sum(axis=(1, 2, 3))
    varies = (rows > 0).all(axis=(2, 3)) & (columns > 0).all(axis=(2, 3))
    degrees = varies.sum(axis=1)
    p_value = np.where(degrees > 0, chdtrc(np.maximum(degrees, 1), np.maximum(statistic, 0)), 1.0)
    return TestsMade(statistic, p_value)
