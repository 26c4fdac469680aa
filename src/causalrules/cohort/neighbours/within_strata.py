"""Whether two things, each there or not, go together within strata."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.special_functions import erfc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


class Association(NamedTuple):
    """Sums over strata: how many more records have both than expected, and the variance of that."""

    excess: NDArray[np.float64]
    variance: NDArray[np.float64]

    @property
    def p_value(self) -> NDArray[np.float64]:
        """Two-sided, of the Cochran-Mantel-Haenszel test; 1 where nothing varies."""
        varies = self.variance > 0
        spread = np.sqrt(2 * np.where(varies, self.variance, 1.0))
        return np.where(varies, erfc(np.abs(self.excess) / spread), 1.0)


def associate(n: Counts, n_x: Counts, n_z: Counts, n_both: Counts) -> Association:
    """Sum the hypergeometric excess and variance over the first axis, the strata.

    No correction for continuity: these tests choose who gets a look, and the
    correction would make them asymmetric in how small strata count (Cochran
    1954; Mantel and Haenszel 1959).

    Parameters
    ----------
    n, n_x, n_z, n_both : int64[n_strata, ...]
        In each stratum: records, those with x, those with z, those with both.

    Examples
    --------
    In both strata, 8 of 10 who have z have x, against 2 of 10 without; held
    together or apart, the excess is 3 records a stratum:

    >>> found = associate(*(np.array([[k], [k]]) for k in (20, 10, 10, 8)))
    >>> found.excess, found.p_value.round(5)
    (array([6.]), array([0.00022]))
    """
    total = n.astype(np.float64)
    varies = (n_x > 0) & (n_x < n) & (n_z > 0) & (n_z < n)
    size = np.where(varies, total, 2.0)  # any size that can be divided by
    excess = np.where(varies, n_both - n_x * (n_z / size), 0.0)
    variance = np.where(varies, n_x * (size - n_x) * n_z * ((size - n_z) / (size * size * (size - 1))), 0.0)
    return Association(excess.sum(axis=0), variance.sum(axis=0))
