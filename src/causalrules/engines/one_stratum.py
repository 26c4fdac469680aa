"""Rules without controls: all records are one stratum, and a few sums tell all about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain.histogram import StrataHistogram, weights_of_pairs
from causalrules.engines.contract import MatchedItems

if TYPE_CHECKING:
    from numpy.typing import NDArray


def histogram_of_one(exposed_with: int, exposed_without: int, n_with: int, n_without: int) -> StrataHistogram:
    """The strata histogram of a rule without controls.

    Parameters
    ----------
    exposed_with, exposed_without : int
        Records that have the pattern, with and without the outcome.
    n_with, n_without : int
        All records.

    Examples
    --------
    >>> histogram_of_one(1, 2, 10, 20).rows.tolist()
    [[1, 2, 9, 18, 1]]
    """
    unexposed = n_with - exposed_with, n_without - exposed_without
    if exposed_with + exposed_without and sum(unexposed):
        return StrataHistogram.from_strata([(exposed_with, exposed_without, *unexposed)], 0, 0)
    return StrataHistogram.from_strata([], exposed_with + exposed_without, sum(unexposed))


def matched_in_one(
    exposed: NDArray[np.int64], everybody: NDArray[np.int64], n_exposed: int, n_records: int
) -> MatchedItems:
    """Who has each item: all exposed records weigh the same, all others too.

    Parameters
    ----------
    exposed, everybody : int64[n_items]
        Records with each item, those that have the pattern and all.
    n_exposed, n_records : int
        Records that have the pattern, and all.
    """
    ((weight_exposed, weight_unexposed),) = weights_of_pairs(np.array([[n_exposed, n_records - n_exposed]]))
    return MatchedItems(
        exposed=exposed,
        matched_exposed=exposed if weight_exposed else np.zeros_like(exposed),
        weight_exposed=exposed * weight_exposed,
        weight_unexposed=(everybody - exposed) * weight_unexposed,
    )
