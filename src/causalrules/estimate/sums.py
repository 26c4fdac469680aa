"""Sums over records and how sure they are: by what each record adds, or each cluster of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.special_functions import fdtrc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.words.records import Records


@dataclass(frozen=True, slots=True, eq=False)
class Summing:
    """How what single records add becomes a variance.

    Parameters
    ----------
    count : float64[n]
        Records of each row.
    weight : float64[n]
        What each of them represents, 1 on average.
    cluster : int32[n] or None
    """

    count: NDArray[np.float64]
    weight: NDArray[np.float64]
    cluster: NDArray[np.int32] | None

    @classmethod
    def over(cls, records: Records, rows: NDArray[np.intp]) -> Summing:
        """Over some rows of a table."""
        count = records.count[rows]
        weight = np.ones(len(rows)) if records.weight is None else records.weight[rows]
        scale = float(count.sum()) / max(float((count * weight).sum()), 1e-300)
        return cls(count, weight * scale, None if records.cluster is None else records.cluster[rows])

    @property
    def mass(self) -> NDArray[np.float64]:
        """What each row weighs in a sum."""
        return self.count * self.weight

    @property
    def n_apart(self) -> float:
        """Independent parts of the sums: records, or clusters as if they were of equal size."""
        if self.cluster is None:
            return float(self.count.sum())
        size = np.bincount(self.cluster, self.mass)
        return float(size.sum() ** 2 / max(float((size**2).sum()), 1e-300))

    def surprise(
        self, y: NDArray[np.float64], mean: NDArray[np.float64], *, is_mean: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What a model does not expect of the outcome, and the variance that it expects of that."""
        left = y - mean
        if is_mean:
            return left, np.full(len(left), float(self.mass @ left**2 / self.mass.sum()))
        return left, mean * (1 - mean)

    def spread(self, added: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[k, k]: the variance of sums of what each record adds, float64[n, k], mean 0."""
        if self.cluster is None:
            squares = self.count * self.weight**2
            return np.asarray((added * squares[:, None]).T @ added)
        by_cluster = np.stack([np.bincount(self.cluster, self.mass * one) for one in added.T])
        return np.asarray(by_cluster @ by_cluster.T)

    def test(
        self,
        left: NDArray[np.float64],
        residual: NDArray[np.float64],
        variance: NDArray[np.float64],
        n_used: float,
    ) -> float:
        """p-value that sums of products of two residuals are 0 (Hotelling; of one sum, Student).

        Their variance is the larger of what the records show and of what is expected where there is no
        effect. Where hardly a record has a level, none of the few may have the outcome, which shows nothing.

        Parameters
        ----------
        left : float64[n, k]
            What is not expected of the factor.
        residual, variance : float64[n]
            What is not expected of the outcome, and its expected square.
        n_used : float
            Coefficients that were fitted to the same records, for which their residuals are too small.
        """
        added = left * residual[:, None]
        total = self.mass @ added
        records = float(self.count.sum())
        shrunk = max(records - n_used, 1.0) / records
        shown, rank = _quadratic(total, self.spread(added))
        expected, _ = _quadratic(total, left.T @ (left * (self.count * self.weight**2 * variance)[:, None]))
        free = self.n_apart - rank
        if rank == 0 or free < 1:
            return 1.0
        shown = min(shown * shrunk, self.n_apart * (1 - 1e-12))
        f = less_significant(shown * free / (self.n_apart - shown), expected * shrunk) / rank
        return float(fdtrc(rank, free, f))


def less_significant(shown: float, expected: float) -> float:
    """Of two statistics, by the variance that records show and by the one expected of them."""
    return min(shown, expected)


def _quadratic(total: NDArray[np.float64], spread: NDArray[np.float64]) -> tuple[float, int]:
    """Sums by the inverse of their variance, and its rank."""
    values, vectors = np.linalg.eigh(spread)
    is_used = values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)
    along = vectors[:, is_used].T @ total
    return float((along**2 / values[is_used]).sum()), int(is_used.sum())


def combined(p_values: list[float]) -> float:
    """One p-value of several that may depend on each other (Cauchy; Liu and Xie 2020).

    Examples
    --------
    >>> round(combined([0.01, 0.5]), 3)
    0.02
    """
    p = np.clip(np.array(p_values), 1e-300, 1 - 1e-15)
    small = p < 1e-10  # where the tangent of an angle near a right one is 1 / (pi p)
    tangents = np.where(small, 1 / (np.pi * p), np.tan((0.5 - p) * np.pi))
    mean = float(tangents.mean())
    return float(1 / (np.pi * mean)) if mean > 1e9 else float(0.5 - np.arctan(mean) / np.pi)
