"""Tests of independence of binary variables within strata, many at a time, from counts of patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from causalrules.errors import SettingsError
from causalrules.kernels.special_functions import chdtrc, xlogy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.contract import PatternCounts

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


def joint_counts(engine: PatternCounts, variables: NDArray[np.intp]) -> NDArray[np.int64]:
    """For each row of variables: records with exactly each subset of them, without and with the outcome.

    An engine counts records that have *all* items of a pattern; those that
    have some and lack the others follow by inclusion and exclusion.

    Parameters
    ----------
    engine : PatternCounts
        Where records are counted.
    variables : intp[n, m]
        Different items in each row, in any order.

    Returns
    -------
    int64[n, 2**m, 2]
        Bit j of the second index: whether the record has ``variables[:, j]``.
        The third index: whether it has the outcome.
    """
    n, m = variables.shape
    counts = np.empty((n, 2**m, 2), np.int64)
    counts[:, 0] = engine.n_without, engine.n_with
    masks = np.arange(2**m)
    is_in = (masks[:, None] >> np.arange(m) & 1).astype(np.bool_)
    for size in range(1, m + 1):
        of_size = masks[is_in.sum(axis=1) == size]
        chosen = np.stack([variables[:, is_in[mask]] for mask in of_size], axis=1)
        counts[:, of_size] = _having_all(engine, chosen.reshape(-1, size)).reshape(n, len(of_size), 2)
    for bit in range(m):
        counts[:, ~is_in[:, bit]] -= counts[:, is_in[:, bit]]
    return counts


def _having_all(engine: PatternCounts, patterns: NDArray[np.intp]) -> NDArray[np.int64]:
    """Records with each pattern, without and with the outcome; every pattern is asked for once."""
    size = patterns.shape[1]
    if size == 1:
        items = engine.item_counts()
        return np.column_stack([items.without_outcome, items.with_outcome])[patterns[:, 0]]
    patterns = np.sort(patterns, axis=1)
    distinct, place = _distinct_rows(patterns, len(engine.column_of_item))
    counts = np.zeros((len(distinct), 2), np.int64)
    columns = np.sort(engine.column_of_item[distinct], axis=1)
    # No record has two values of one column; the contract speaks of different columns only.
    is_possible = (np.diff(columns, axis=1) > 0).all(axis=1)
    found = engine.pattern_counts(distinct[is_possible])
    counts[is_possible] = np.column_stack([found.without_outcome, found.with_outcome])
    return counts[place]


def _distinct_rows(patterns: NDArray[np.intp], n_items: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The distinct rows and, for each row, which of them it is."""
    size = patterns.shape[1]
    if n_items**size >= 2**63:
        distinct, place = np.unique(patterns, axis=0, return_inverse=True)
        return distinct, place.reshape(-1)
    weights = np.int64(n_items) ** np.arange(size - 1, -1, -1)
    _, first, place = np.unique(patterns @ weights, return_index=True, return_inverse=True)
    return patterns[first], place
