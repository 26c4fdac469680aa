"""Whether a column and the outcome go together, from their table of counts.

References
----------
Agresti, *Categorical Data Analysis*, 2013, section 3.2 (chi-square).
Miller and Siegmund, Biometrics 1982 (a cut point chosen by looking at the outcome).
Rao and Scott, Journal of the American Statistical Association 1981 (tables of records that belong together).
"""

from __future__ import annotations

from math import erfc, exp, log, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.special_functions import gammaincc, ndtri

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SMALLEST_SIDE = 0.1
_TENTHS = 10


def chi_square_p(table: NDArray[np.int64]) -> float:
    """Pearson's test of independence of a k x 2 table, without continuity correction.

    Examples
    --------
    >>> round(chi_square_p(np.array([[20, 30], [30, 20]])), 4)
    0.0455
    """
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    used = rows > 0
    degrees = int(used.sum()) - 1
    if degrees < 1 or (columns == 0).any():
        return 1.0
    expected = rows[used, None] * columns.astype(np.float64) / rows.sum()  # whole numbers would run over
    statistic = float(((table[used] - expected) ** 2 / expected).sum())
    if degrees == 1:
        return erfc(sqrt(statistic / 2))
    return float(gammaincc(degrees / 2, statistic / 2))


def tenths_of(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of a table in order, gathered into tenths of about equally many records."""
    below = np.cumsum(table.sum(axis=1)) - table.sum(axis=1) / 2
    group = np.minimum(below * _TENTHS / max(table.sum(), 1), _TENTHS - 1).astype(np.intp)
    tenths = np.zeros((_TENTHS, 2), np.int64)
    np.add.at(tenths, group, table)
    return tenths


def selected_cut_p(p_value: float) -> float:
    """The p-value of an effect whose cut point was chosen by looking at the outcome.

    The largest of many correlated statistics is larger than one that was
    fixed before; Miller and Siegmund give its tail for cuts between the tenth
    and the ninetieth percentile.

    Examples
    --------
    >>> round(selected_cut_p(0.05), 2), round(selected_cut_p(1e-4), 4)
    (0.49, 0.0035)
    """
    if p_value >= 0.3:
        return 1.0
    z = -float(ndtri(max(p_value, 1e-300) / 2))
    density = exp(-z * z / 2) / sqrt(2 * pi)
    range_of_cuts = 2 * log((1 - _SMALLEST_SIDE) / _SMALLEST_SIDE)
    return min(1.0, max(p_value, 4 * density / z + density * (z - 1 / z) * range_of_cuts))


def stratified_p(
    tables: NDArray[np.int64], scores: NDArray[np.float64] | None = None, design_effect: float = 1.0
) -> float:
    """Cochran, Mantel and Haenszel's test of a column and the outcome within strata.

    Parameters
    ----------
    tables : int64[n_strata, k, 2]
        Records of each value without and with the outcome.
    scores : float64[k], optional
        Of ordered values: tests for a trend, with one degree of freedom.
    design_effect : float
        By how much the variance of records that belong together is larger; the statistic is divided by it
        (the first correction of Rao and Scott 1981).

    Examples
    --------
    The outcome goes with the column only because both go with the stratum:

    >>> tables = np.array([[[40, 10], [8, 2]], [[2, 8], [10, 40]]])
    >>> round(stratified_p(tables), 3), round(chi_square_p(tables.sum(axis=0)), 8)
    (1.0, 1.177e-05)
    """
    records, by_value, by_outcome = tables.sum(axis=(1, 2)), tables.sum(axis=2), tables.sum(axis=1)
    used = records > 1
    n, r, c = (one[used].astype(np.float64) for one in (records, by_value, by_outcome))
    surplus = (tables[used, :, 1] - r * (c[:, 1] / n)[:, None]).sum(axis=0)
    factor = c[:, 0] * c[:, 1] / (n * n * (n - 1))
    covariance = design_effect * (np.diag((factor * n) @ r) - (r * factor[:, None]).T @ r)
    if scores is not None:
        variance = float(scores @ covariance @ scores)
        return erfc(abs(float(scores @ surplus)) / sqrt(2 * variance)) if variance > 1e-9 else 1.0
    varies = np.flatnonzero(np.diag(covariance) > 1e-9)
    if len(varies) < 2:
        return 1.0
    statistic = float(surplus[varies] @ np.linalg.pinv(covariance[np.ix_(varies, varies)]) @ surplus[varies])
    return float(gammaincc((len(varies) - 1) / 2, statistic / 2))
