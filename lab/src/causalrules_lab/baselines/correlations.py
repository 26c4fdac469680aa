"""PC-select as the paper ran it: by partial correlations, like ``pcSelect`` of the R package pcalg."""

from __future__ import annotations

from functools import partial
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri

from causalrules_lab.baselines.coded_tables import run_on_table
from causalrules_lab.baselines.neighbours import MOST_TESTS
from causalrules_lab.baselines.separation import Separation, Weakest, separation_findings
from causalrules_lab.baselines.variables import variables_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.engines.contract import Engine
    from causalrules_lab.baselines.budget import Budget
    from causalrules_lab.baselines.findings import Findings

_SETS_AT_ONCE = 256
_LARGEST = 0.99999
"""Correlations beyond it count as this: Fisher's z of 1 is infinite."""


def pc_select_by_correlation(
    table: Any,
    outcome: str,
    *,
    max_conditioning: int | None = None,
    max_tests: int | None = MOST_TESTS,
    **options: Any,
) -> Findings:
    """Find the neighbours of the outcome as R's ``pcSelect`` does, which the paper ran.

    Variables are numbers 0 and 1. One is dropped as soon as Fisher's z of its partial correlation with the
    outcome, given some set of those still in, is not significant; sets grow while there are enough
    variables for them. As in R, what is dropped is out at once, so the order of columns matters.

    Parameters
    ----------
    table, outcome, **options
        As in `causalrules.mine`; `alpha` is the level of every test. Besides, `max_seconds`.
    max_conditioning : int, optional
        Most variables in a separating set; R has no limit.
    max_tests : int, optional
        Most tests before the method is stopped.

    Notes
    -----
    Kalisch et al., Journal of Statistical Software 2012; Bühlmann, Kalisch and Maathuis, Biometrika 2010.
    """
    method = partial(find_pc_select_by_correlation, max_conditioning=max_conditioning)
    return run_on_table(method, table, outcome, max_tests=max_tests, **options)


def find_pc_select_by_correlation(
    engine: Engine,
    items: Sequence[Item],
    settings: TableSettings,
    budget: Budget,
    *,
    max_conditioning: int | None = None,
) -> Findings:
    """Neighbours of the outcome by partial correlations, from the counts of an engine."""
    variables = variables_of(engine)
    matrix = correlations(engine, variables)
    separation = Separation(engine, settings.alpha, "g2", budget)
    separated: dict[int, tuple[int, ...]] = {}
    kept = list(range(1, len(variables) + 1))  # places in the matrix, whose first is the outcome
    size = 0
    with budget.until_spent():
        while len(kept) > size and (max_conditioning is None or size <= max_conditioning):
            for x in list(kept):
                others = [other for other in kept if other != x]
                weakest = _weakest(matrix, x, others, size, separation, settings.alpha)
                if weakest is None:
                    continue
                number = int(variables[x - 1])
                given = tuple(int(variables[other - 1]) for other in weakest.given)
                known = separation.weakest.get(number)
                if known is None or weakest.p_value > known.p_value:
                    separation.weakest[number] = Weakest(weakest.statistic, weakest.p_value, given)
                if weakest.p_value >= settings.alpha:
                    kept.remove(x)
                    if size:  # without any, it is not associated
                        separated[number] = given
            size += 1
    found = [int(variables[x - 1]) for x in kept if int(variables[x - 1]) in separation.weakest]
    alone = [(item,) for item in items]
    return separation_findings("pc-select by correlation", alone, settings, separation, found, separated)


def correlations(engine: Engine, variables: NDArray[np.intp]) -> NDArray[np.float64]:
    """Correlations of the outcome, which is first, and of variables as numbers 0 and 1, from counts."""
    n = engine.n_with + engine.n_without
    counts = engine.item_counts()
    joint = np.empty((len(variables) + 1,) * 2)
    joint[0, 0] = engine.n_with
    joint[0, 1:] = joint[1:, 0] = counts.with_outcome[variables]
    joint[1:, 1:] = engine.overlaps(variables[:, None], variables)
    share = np.diag(joint) / n
    covariance = joint / n - np.outer(share, share)
    spread = np.sqrt(np.diag(covariance))
    found: NDArray[np.float64] = covariance / np.outer(spread, spread)
    return found


def _weakest(
    matrix: NDArray[np.float64],
    x: int,
    others: Sequence[int],
    size: int,
    separation: Separation,
    alpha: float,
) -> Weakest | None:
    """The first test that separates a variable, else the weakest; None where no set is large enough."""
    root = np.sqrt(max(separation.n_records - size - 3, 0))
    weakest: Weakest | None = None
    for sets in _sets(others, size):
        separation.budget.spend(len(sets))
        z = root * np.arctanh(partial_correlations(matrix, x, sets))
        p_values = 2 * ndtr(-np.abs(z))
        is_separated = np.abs(z) <= ndtri(1 - alpha / 2)
        row = int(np.argmax(is_separated)) if is_separated.any() else int(np.argmax(p_values))
        if weakest is None or p_values[row] > weakest.p_value:
            weakest = Weakest(float(z[row]), float(p_values[row]), tuple(sets[row].tolist()))
        if is_separated.any():
            return weakest
    return weakest


def _sets(others: Sequence[int], size: int) -> Iterator[NDArray[np.intp]]:
    waiting = combinations(others, size)
    while some := list(islice(waiting, _SETS_AT_ONCE)):
        yield np.array(some, np.intp).reshape(len(some), size)


def partial_correlations(matrix: NDArray[np.float64], x: int, sets: NDArray[np.intp]) -> NDArray[np.float64]:
    """Of a variable and the outcome, given each set.

    Examples
    --------
    A variable that acts through the second alone:

    >>> matrix = np.array([[1, 0.25, 0.5], [0.25, 1, 0.5], [0.5, 0.5, 1]])
    >>> partial_correlations(matrix, 1, np.array([[2]])).round(12)
    array([0.])
    """
    first = np.broadcast_to([0, x], (len(sets), 2))
    rows = np.concatenate([first, sets], axis=1)
    precision = np.linalg.pinv(matrix[rows[:, :, None], rows[:, None, :]], hermitian=True)
    scale = np.sqrt(np.abs(precision[:, 0, 0] * precision[:, 1, 1]))
    found = np.divide(-precision[:, 0, 1], scale, out=np.zeros(len(sets)), where=scale > 0)
    within: NDArray[np.float64] = np.clip(found, -_LARGEST, _LARGEST)
    return within
