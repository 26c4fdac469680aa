"""Account for the number of rules tried.

References
----------
Holm, Scandinavian Journal of Statistics 1979. Benjamini and Hochberg, JRSS B
1995. Benjamini and Yekutieli, Annals of Statistics 2001. Tarone, Biometrics
1990, and Gilbert, Applied Statistics 2005 (hypotheses that could never be
significant are not counted).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Correction = Literal["none", "bonferroni", "holm", "bh", "by"]


def could_be_significant(smallest_p: NDArray[np.float64], alpha: float, n_others: int) -> NDArray[np.bool_]:
    """Which rules could be significant at all after correction (Tarone).

    The fewer rules are counted, the larger the threshold each has to meet,
    and the more of them can meet it. The smallest number K of rules such that
    no more than K could reach alpha / K settles it.

    Parameters
    ----------
    smallest_p : float64[n]
        The smallest p-value each rule's data could give.
    alpha : float
        Level.
    n_others : int
        Further hypotheses that always count.

    Examples
    --------
    Of three rules one can never come below 0.2; it does not burden the others:

    >>> could_be_significant(np.array([0.001, 0.2, 0.01]), 0.05, 0)
    array([ True, False,  True])
    """
    ascending = np.sort(smallest_p)
    for counted in range(max(1, n_others), len(smallest_p) + n_others + 1):
        if np.searchsorted(ascending, alpha / counted, side="right") + n_others <= counted:
            return smallest_p <= alpha / counted
    return smallest_p <= alpha / max(1, len(smallest_p) + n_others)


def corrected(p_values: NDArray[np.float64], how: Correction, n_hypotheses: int) -> NDArray[np.float64]:
    """Corrected p-values; those of hypotheses not listed count as 1.

    Parameters
    ----------
    p_values : float64[n]
        P-values of the rules tested.
    how : {'none', 'bonferroni', 'holm', 'bh', 'by'}
        Bonferroni and Holm bound the chance of any false rule, Benjamini and
        Hochberg ('bh') the expected share of false ones among those found if
        p-values are not negatively dependent, Benjamini and Yekutieli ('by')
        under any dependence.
    n_hypotheses : int
        All hypotheses tried, at least as many as p-values.

    Examples
    --------
    >>> corrected(np.array([0.01, 0.04, 0.03]), "holm", 3).round(2)
    array([0.03, 0.06, 0.06])
    >>> corrected(np.array([0.01, 0.04, 0.03]), "bh", 3).round(2)
    array([0.03, 0.04, 0.04])
    """
    if how == "none" or len(p_values) == 0:
        return p_values
    order = np.argsort(p_values, kind="stable")
    ascending = p_values[order]
    rank = np.arange(1, len(p_values) + 1)
    if how == "bonferroni":
        adjusted = ascending * n_hypotheses
    elif how == "holm":
        adjusted = np.maximum.accumulate(ascending * (n_hypotheses - rank + 1))
    else:
        harmonic = 1.0 if how == "bh" else float(np.sum(1 / np.arange(1, n_hypotheses + 1)))
        adjusted = np.minimum.accumulate((ascending * n_hypotheses * harmonic / rank)[::-1])[::-1]
    result = np.empty_like(p_values)
    result[order] = np.minimum(adjusted, 1.0)
    return result
