"""The search in a weighted sample goes over records as the population has them.

Whom a survey asks often depends on the very columns that are searched, and two
columns that both decide who is asked go together in the sample though they do not
in the population: an arrow would be read off the design. So the search counts every
record as often as its weight says, and as many records in all as the weighted sample
is worth. Studies are of the sample itself, weighted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from causalrules.domain.unique_rows import UniqueRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.contract import Opened


def searched_as_population(opened: Opened, threads: int | None) -> Opened:
    """The same table, searched as the population has it.

    Distinct records come together in memory here, as for placebo runs.
    """
    found = opened.vocabulary.carries("weights")
    assert found is not None
    number, places = found
    rows = opened.engine.unique_rows(np.arange(len(opened.vocabulary.first_item) - 1))
    times = as_many_as_worth(number.values(rows.codes[places]), rows.counts)
    kept = np.flatnonzero(times.sum(axis=1))
    some = UniqueRows(rows.columns, np.take(rows.codes, kept, axis=1), times[kept])
    return replace(opened, engine=opened.with_records(some, threads).engine)


def with_population_mean(opened: Opened) -> Opened:
    """The same table, whose outcome has its weighted mean and standard deviation, or its weighted share."""
    weights, outcome = (opened.vocabulary.carries(role) for role in _ROLES)
    assert weights is not None
    places = np.concatenate([found[1] for found in (weights, outcome) if found is not None])
    engines = [opened.engine]
    if opened.judge_engine is not opened.engine:  # records were held out: both together are all of them
        engines.append(opened.judge_engine)
    parts = []
    for engine in engines:
        rows = engine.unique_rows(np.sort(places))
        weight = weights[0].values(rows.codes[np.searchsorted(rows.columns, weights[1])])
        if outcome is None:
            parts += [(np.full(rows.n_rows, float(side)), weight * rows.counts[:, side]) for side in (0, 1)]
        else:
            value = outcome[0].values(rows.codes[np.searchsorted(rows.columns, outcome[1])])
            parts.append((value, weight * rows.counts.sum(axis=1)))
    total = sum(float(whole.sum()) for _, whole in parts)
    mean = sum(float((value * whole).sum()) for value, whole in parts) / total
    squares = sum(float(((value - mean) ** 2 * whole).sum()) for value, whole in parts)
    summary = opened.vocabulary.summary
    told = replace(
        summary.outcome,
        weighted_mean=mean,
        weighted_spread=None if outcome is None else float(np.sqrt(squares / total)),
    )
    return replace(opened, vocabulary=replace(opened.vocabulary, summary=replace(summary, outcome=told)))


_ROLES: tuple[Literal["weights"], Literal["outcome"]] = ("weights", "outcome")


def as_many_as_worth(weight: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each kind of record counts: in proportion to its weight, in all the effective sample size.

    The effective size is (Σw)²/Σw² (Kish 1965). Shares become whole numbers by rounding their running sum,
    so records that are neighbours in the order of their codes are drawn evenly.

    Parameters
    ----------
    weight : float64[n]
        Of one record of each row.
    counts : int64[n, 2]
        Records without and with the outcome.

    Examples
    --------
    >>> as_many_as_worth(np.array([1.0, 3.0]), np.array([[50, 0], [0, 50]])).tolist()
    [[20, 0], [0, 60]]
    """
    whole = weight[:, None] * counts
    effective = whole.sum() ** 2 / (weight * whole.sum(axis=1)).sum()
    # Records with the outcome after all those without, so that both sums are rounded at most once too often.
    running = np.cumsum((whole * (effective / whole.sum())).T.ravel())
    times = np.diff(np.floor(running + 0.5), prepend=0.0).astype(np.int64)
    return np.ascontiguousarray(times.reshape(2, -1).T)
