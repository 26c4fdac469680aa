"""What one record adds to an estimate: the derivative of the estimate by the record's weight.

Per stratum and kind of record, as small functions of counts: times the records, or the weights, of each kind,
and added up by cluster, they give variances (`assess.clusters`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def odds_ratio_influence(cells: NDArray[Any], sizes: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Influence of one record on the logarithm of the Mantel-Haenszel odds ratio.

    Parameters
    ----------
    cells : int64[k, 4]
        One row per stratum: exposed with and without the outcome, unexposed
        with and without; of a weighted sample sums of weights.
    sizes : int64[k, 4], optional
        Records of the cells, where these are sums of weights.

    Returns
    -------
    float64[k, 4]
        For a record of each cell; 0 where the odds ratio is 0 or infinite.

    Notes
    -----
    The estimate solves ΣU = Σ (a₁b₀ - ψ a₀b₁)/n = 0; the influence is U's derivative by
    the cell's count over R = Σ a₁b₀/n. Squared over independent records this
    falls short of U's variance by (n - 1)/n in a stratum of n records, half of
    it for pairs, as one sees from permuting the arms; so it is scaled up by √(n/(n - 1)).
    """
    a1, a0, b1, b0 = cells.astype(np.float64).T
    n = a1 + a0 + b1 + b0
    r, s = float((a1 * b0 / n).sum()), float((a0 * b1 / n).sum())
    if r <= 0 or s <= 0:
        return np.zeros(cells.shape)
    ratio = r / s
    shared = (a1 * b0 - ratio * a0 * b1) / n**2
    slopes = np.stack([b0 / n, -ratio * b1 / n, -ratio * a0 / n, a1 / n]) - shared
    size = (cells if sizes is None else sizes).sum(axis=1)
    influence: NDArray[np.float64] = (slopes * np.sqrt(size / np.maximum(size - 1, 1)) / r).T
    return influence


def difference_influence(cells: NDArray[Any], sizes: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Influence of one record on the standardised risk difference of `assess.standardised`.

    Parameters
    ----------
    cells, sizes
        As in `odds_ratio_influence`.

    Returns
    -------
    float64[k, 4]
        For a record of each cell.

    Notes
    -----
    An exposed record adds its outcome minus its stratum's unexposed risk and
    the overall difference, an unexposed one a/b times its distance from that
    risk. A lone unexposed record has no distance from itself: it is
    measured from the exposed risk less the difference instead.
    """
    of = _Standardised.of(cells, sizes)
    difference = float((of.exposed * (of.p1 - of.p0)).sum()) / of.n_exposed
    exposed_from = np.where(of.is_lone, of.p1, of.p0 + difference)
    unexposed_from = np.where(of.is_lone, of.p1 - difference, of.p0)
    return of.influence(1 - exposed_from, -exposed_from, of.weight, unexposed_from)


def ratio_influence(cells: NDArray[Any], sizes: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Influence of one record on the logarithm of the standardised risk ratio.

    Parameters
    ----------
    cells, sizes
        As in `odds_ratio_influence`.

    Returns
    -------
    float64[k, 4]
        For a record of each cell; 0 where either risk is 0.

    Notes
    -----
    As in `difference_influence`, each risk's part over the risk itself. The outcome of a lone
    unexposed record is measured from the exposed risk over the ratio.
    """
    of = _Standardised.of(cells, sizes)
    exposed = float(cells[:, 0].astype(np.float64).sum()) / of.n_exposed
    unexposed = float((of.exposed * of.p0).sum()) / of.n_exposed
    if exposed <= 0 or unexposed <= 0:
        return np.zeros(cells.shape)
    unexposed_from = np.where(of.is_lone, of.p1 * unexposed / exposed, of.p0)
    # Of an exposed record: its outcome, and what its stratum adds to the risk without exposure.
    shared = -np.where(of.is_lone, of.p1 / exposed, of.p0 / unexposed)
    return of.influence(1 / exposed + shared, shared, of.weight / unexposed, unexposed_from)


class _Standardised(NamedTuple):
    """Strata as they are standardised to the exposed: float64[k] each.

    `p1` and `p0` are the risks of either arm. `is_lone` tells where one unexposed record stands for
    several exposed ones. An unexposed record counts as many exposed ones as there are for each
    (`weight`), and more where its arm is small, since it takes part in the risk it is compared with.
    """

    exposed: NDArray[np.float64]
    n_exposed: float
    p1: NDArray[np.float64]
    p0: NDArray[np.float64]
    is_lone: NDArray[np.bool_]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, cells: NDArray[Any], sizes: NDArray[np.int64] | None) -> _Standardised:
        """Strata by their cells; see `odds_ratio_influence`."""
        a1, a0, b1, b0 = cells.astype(np.float64).T
        a, b = a1 + a0, b1 + b0
        n_a, n_b = _arm_sizes(cells if sizes is None else sizes)
        weight = a / b * np.where(n_b > 1, np.sqrt(n_b / np.maximum(n_b - 1, 1)), 1.0)
        return cls(a, float(a.sum()), a1 / a, b1 / b, (n_b == 1) & (n_a > 1), weight)

    def influence(
        self,
        exposed_with: NDArray[np.float64],
        exposed_without: NDArray[np.float64],
        weight: NDArray[np.float64],
        unexposed_from: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """float64[k, 4]: of a record of each cell; unexposed ones count by their distance from a risk."""
        found = [exposed_with, exposed_without, -weight * (1 - unexposed_from), weight * unexposed_from]
        return np.asarray(np.stack(found).T / self.n_exposed)


def _arm_sizes(cells: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    sizes = cells.astype(np.float64)
    return sizes[:, 0] + sizes[:, 1], sizes[:, 2] + sizes[:, 3]
