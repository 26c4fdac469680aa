"""How strongly columns go with the outcome, beside others that are held: who gets a place in a window next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.find.sample import Sample

_MOST_CELLS = 1 << 22
"""Codes that are looked at in one go: 32 MB of places."""

_NOTHING_LEFT = 1e-6
"""Share of the records that a column's levels may differ in, once others are held, to say nothing new."""


class Strength(NamedTuple):
    """What each column says.

    Parameters
    ----------
    outcome : float64[n_columns]
        Of the outcome, beside the held columns: a standard normal deviate, larger is stronger.
    held : float64[n_columns, n_held]
        Of each held column; minus infinity for itself.
    """

    outcome: NDArray[np.float64]
    held: NDArray[np.float64]


def strengths(sample: Sample, held: Sequence[int] = ()) -> Strength:
    """Test every column beside the held ones, by its levels and, of what is in order, by its trend.

    By least squares on levels: enough to tell whether a column is worth a look, for which a logistic model
    would have to be fitted. What the held columns say of the outcome and of a column's levels is taken off;
    the rest is a score test. So a cause whose association a confounder cancels comes in, a column that
    shows beside another only, and, of twelve copies of one strong cause, the one.

    Parameters
    ----------
    sample : Sample
    held : sequence of int
        Columns.
    """
    beside = _Beside(sample, held)
    outcome = np.full(len(sample.codes), -np.inf)
    with_held = np.full((len(sample.codes), len(held)), -np.inf)
    for columns in _alike(sample):
        outcome[columns], with_held[columns] = beside.test(columns)
    for place, column in enumerate(held):
        outcome[column], with_held[column, place] = -np.inf, -np.inf
    return Strength(outcome.round(9), with_held.round(9))


def normal_deviate(statistic: NDArray[np.float64], free: NDArray[np.float64]) -> NDArray[np.float64]:
    """A chi-squared statistic as a standard normal deviate (Wilson and Hilferty 1931), which never underflows.

    Examples
    --------
    >>> normal_deviate(np.array([3.84, 18.31, 2000.0]), np.array([1.0, 10.0, 1.0])).round(2)
    array([ 1.68,  1.66, 25.08])
    """
    free = np.maximum(free, 1e-9)
    spread = 2 / (9 * free)
    return np.asarray((np.cbrt(np.maximum(statistic, 0) / free) - (1 - spread)) / np.sqrt(spread))


class _Beside:
    """The score test of columns beside held ones."""

    def __init__(self, sample: Sample, held: Sequence[int]) -> None:
        self._sample, self._held = sample, held
        self._size = sample.counts.sum(axis=1).astype(np.float64)
        self._n_levels = sample.n_levels[list(held)]
        n, n_with = float(self._size.sum()), float(sample.counts[:, 1].sum())
        gram, own = self._products(held)
        self._solved = np.linalg.pinv(gram, rcond=_NOTHING_LEFT, hermitian=True)
        effects = self._solved @ own
        self._rest = sample.counts[:, 1] - self._size * self._fitted(effects)
        self._variance = max((n_with - float(own @ effects)) / max(n, 1.0), 1e-9)

    def _products(self, held: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of the held levels, a constant first: with each other, and with the outcome."""
        sample = self._sample
        blocks = [self._tables([h], int(sample.n_levels[h]))[0][0] for h in held]
        size = [np.bincount(sample.levels[h], self._size, int(sample.n_levels[h])) for h in held]
        with_it = [np.bincount(sample.levels[h], sample.counts[:, 1], int(sample.n_levels[h])) for h in held]
        total = float(self._size.sum())
        top = np.concatenate([[total], *size])
        gram = np.vstack([top, *(np.column_stack([s, b]) for s, b in zip(size, blocks, strict=True))])
        return gram, np.concatenate([[float(sample.counts[:, 1].sum())], *with_it])

    def _fitted(self, effects: NDArray[np.float64]) -> NDArray[np.float64]:
        """The outcome of every row as the held columns have it."""
        fitted, first = np.full(len(self._size), effects[0]), 1
        for h, n in zip(self._held, self._n_levels, strict=True):
            fitted += effects[first : first + n][self._sample.levels[h]]
            first += int(n)
        return fitted

    def _tables(
        self, columns: Sequence[int] | NDArray[np.intp], k: int
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """float64[m, k, n_held_levels]: records by each column's levels and those of all held columns."""
        cell = np.stack([self._sample.levels[c] for c in columns]).astype(np.intp)
        cell += k * np.arange(len(cell))[:, None]
        size = np.broadcast_to(self._size, cell.shape).ravel()
        tables = [np.zeros((len(cell), k, 0))]
        for h, n in zip(self._held, self._n_levels.tolist(), strict=True):
            both = (cell * n + self._sample.levels[h]).ravel()
            tables.append(np.bincount(both, size, len(cell) * k * n).reshape(len(cell), k, n))
        return np.concatenate(tables, axis=2), cell

    def test(self, columns: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Deviates of some columns with equally many levels: of the outcome, and of each held column."""
        k = int(self._sample.n_levels[columns[0]])
        tables, cell = self._tables(columns, k)
        m = len(columns)
        size = np.bincount(cell.ravel(), np.broadcast_to(self._size, cell.shape).ravel(), m * k).reshape(m, k)
        excess = np.bincount(cell.ravel(), np.broadcast_to(self._rest, cell.shape).ravel(), m * k).reshape(
            m, k
        )
        known = np.concatenate([size[:, :, None], tables], axis=2)
        spread = size[:, :, None] * np.eye(k) - known @ self._solved @ known.transpose(0, 2, 1)
        ridge = _NOTHING_LEFT * float(self._size.sum())
        left = spread[:, 1:, 1:] + ridge * np.eye(k - 1)
        solved = np.linalg.solve(left, excess[:, 1:, None])[:, :, 0]
        statistic = (solved * excess[:, 1:]).sum(axis=1) / self._variance
        found = normal_deviate(statistic, (size > 0).sum(axis=1) - 1.0)
        in_order = self._sample.is_number[columns]
        if in_order.any():
            trend = self._trends(columns, size, excess, spread, ridge)
            found = np.where(in_order, np.maximum(found, trend), found)
        return found, self._with_held(size, tables)

    def _trends(
        self,
        columns: NDArray[np.intp],
        size: NDArray[np.float64],
        excess: NDArray[np.float64],
        spread: NDArray[np.float64],
        ridge: float,
    ) -> NDArray[np.float64]:
        """Deviates of a line in midranks; a level of missing values stands in the middle."""
        rank = np.cumsum(size, axis=1) - size / 2
        has_missing = np.array([self._sample.known[c].has_missing for c in columns])
        rank[has_missing, -1] = rank[has_missing, -1] / 2 - size[has_missing, -1] / 4
        rank /= float(self._size.sum())
        slope = (rank * excess).sum(axis=1)
        variance = np.einsum("ma,mab,mb->m", rank, spread, rank) + ridge
        return normal_deviate(slope**2 / variance / self._variance, np.ones(len(columns)))

    def _with_held(self, size: NDArray[np.float64], tables: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pearson's test with each held column, as deviates."""
        found, first, total = np.empty((len(size), len(self._held))), 0, float(self._size.sum())
        for place, n in enumerate(self._n_levels.tolist()):
            table = tables[:, :, first : first + n]
            expected = size[:, :, None] * table.sum(axis=1)[:, None, :] / max(total, 1.0)
            apart = (table - expected) ** 2 / np.maximum(expected, 1e-9)
            free = ((size > 0).sum(axis=1) - 1.0) * ((table.sum(axis=1) > 0).sum(axis=1) - 1.0)
            found[:, place] = normal_deviate(apart.sum(axis=(1, 2)), free)
            first += n
        return found


def _alike(sample: Sample) -> Iterator[NDArray[np.intp]]:
    """Columns with equally many levels, so many at a time as memory is meant for; constant ones left out."""
    at_once = max(1, _MOST_CELLS // max(len(sample.counts), 1))
    for k in np.unique(sample.n_levels[sample.n_levels > 1]):
        columns = np.flatnonzero(sample.n_levels == k)
        for start in range(0, len(columns), at_once):
            yield columns[start : start + at_once]
