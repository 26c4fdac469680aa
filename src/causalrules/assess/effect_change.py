"""How much an effect differs between two tables whose records are not the same.

References
----------
Altman and Bland, Interaction revisited: the difference between two estimates, BMJ 2003;326:219.
"""

from __future__ import annotations

from math import exp, isfinite, log, sqrt
from typing import TYPE_CHECKING

from causalrules.domain import Estimate
from causalrules.kernels.special_functions import ndtri

if TYPE_CHECKING:
    from collections.abc import Sequence


def ratio_of_ratios(before: Estimate, after: Estimate, confidence: float) -> Estimate | None:
    """A later ratio over a former one, with its interval; None where either has no finite interval.

    Examples
    --------
    The example of Altman and Bland, the relative risks of fractures in two groups of trials:

    >>> found = ratio_of_ratios(Estimate(0.88, 0.71, 1.08), Estimate(0.67, 0.46, 0.98), 0.95)
    >>> [round(one, 2) for one in (found.value, found.low, found.high)]
    [0.76, 0.49, 1.17]
    """
    limits = (before.value, before.low, before.high, after.value, after.low, after.high)
    if not all(isfinite(one) and one > 0 for one in limits):
        return None
    found = difference_of_differences(_logarithm(before), _logarithm(after), confidence)
    return None if found is None else Estimate(exp(found.value), exp(found.low), exp(found.high))


def difference_of_differences(before: Estimate, after: Estimate, confidence: float) -> Estimate | None:
    """A later difference less a former one, with its interval; both intervals have this confidence.

    Examples
    --------
    >>> found = difference_of_differences(Estimate(2.0, 0.04, 3.96), Estimate(5.0, 3.04, 6.96), 0.95)
    >>> [round(one, 2) for one in (found.value, found.low, found.high)]
    [3.0, 0.23, 5.77]
    """
    if not all(isfinite(one) for side in (before, after) for one in (side.value, side.low, side.high)):
        return None
    reach = float(ndtri((1 + confidence) / 2))
    error = _both([(one.high - one.low) / (2 * reach) for one in (before, after)])
    middle = after.value - before.value
    return Estimate(middle, middle - reach * error, middle + reach * error)


def _logarithm(ratio: Estimate) -> Estimate:
    return Estimate(log(ratio.value), log(ratio.low), log(ratio.high))


def _both(errors: Sequence[float]) -> float:
    """The standard error of a difference of independent estimates."""
    return sqrt(sum(one * one for one in errors))
