"""Whether a column and the outcome go together, from their table of counts.

References
----------
Agresti, *Categorical Data Analysis*, 2013, sections 3.2 and 3.4 (chi-square, linear trend).
Miller and Siegmund, Biometrics 1982 (a cut point chosen by looking at the outcome).
"""

from __future__ import annotations

from math import erfc, exp, log, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SMALLEST_SIDE = 0.1
_TREND_GROUPS = 10


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
    expected = rows[used, None] * columns / rows.sum()
    statistic = float(((table[used] - expected) ** 2 / expected).sum())
    if degrees == 1:
        return erfc(sqrt(statistic / 2))
    from scipy.special import gammaincc

    return float(gammaincc(degrees / 2, statistic / 2))


def trend_p(table: NDArray[np.int64], values: NDArray[np.float64]) -> float:
    """Test of a linear trend of the outcome's share over the values of the rows (Cochran and Armitage).

    Examples
    --------
    >>> round(trend_p(np.array([[30, 10], [25, 15], [18, 22]]), np.array([1.0, 2.0, 3.0])), 4)
    0.006
    """
    rows, columns = table.sum(axis=1).astype(float), table.sum(axis=0).astype(float)
    n = rows.sum()
    if n == 0 or (columns == 0).any():
        return 1.0
    centred = values - rows @ values / n
    spread = rows @ centred**2
    if spread <= 0:
        return 1.0
    score = table[:, 1] @ centred
    return erfc(abs(score) / sqrt(2 * columns[0] * columns[1] / n**2 * spread))


def column_association(table: NDArray[np.int64], values: NDArray[np.float64] | None) -> float:
    """The p-value of one column: of categories by chi-square, of numbers by trend or by tenths.

    Twice the smaller of the two for numbers: a trend misses what bends, tenths spread a trend over
    nine degrees of freedom.

    Parameters
    ----------
    table : int64[k, 2]
        Records without and with the outcome for each value or fine bin.
    values : float64[k] or None
        For numbers the mean of each bin.
    """
    if values is None:
        return chi_square_p(table)
    return min(1.0, 2 * min(trend_p(table, values), chi_square_p(tenths_of(table))))


def tenths_of(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of a table in order, gathered into tenths of about equally many records."""
    below = np.cumsum(table.sum(axis=1)) - table.sum(axis=1) / 2
    group = np.minimum(below * _TREND_GROUPS / max(table.sum(), 1), _TREND_GROUPS - 1).astype(np.intp)
    tenths = np.zeros((_TREND_GROUPS, 2), np.int64)
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
    from scipy.special import ndtri

    z = -float(ndtri(max(p_value, 1e-300) / 2))
    density = exp(-z * z / 2) / sqrt(2 * pi)
    range_of_cuts = 2 * log((1 - _SMALLEST_SIDE) / _SMALLEST_SIDE)
    return min(1.0, max(p_value, 4 * density / z + density * (z - 1 / z) * range_of_cuts))
