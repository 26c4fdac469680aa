"""Both arms of a study, counted stratum by stratum in one pass over its rows."""

from __future__ import annotations

import numpy as np

from causalrules.kernels.compiled import kernel

_BOTH = 3


@kernel
def compared_strata(numbers, exposed, n_strata):
    """Number the strata that have both arms without gaps, in their order; all others become -1.

    numbers  : integer[n], the stratum of every row, below `n_strata`, or -1
    exposed  : bool[n]
    returns  : int64[n]
    """
    arms = np.zeros(n_strata, np.uint8)
    for row in range(numbers.shape[0]):
        if numbers[row] >= 0:
            arms[numbers[row]] |= np.uint8(2 if exposed[row] else 1)
    new, n_compared = np.empty(n_strata, np.int64), 0
    for stratum in range(n_strata):
        new[stratum] = n_compared if arms[stratum] == _BOTH else -1
        n_compared += arms[stratum] == _BOTH
    found = np.empty(numbers.shape[0], np.int64)
    for row in range(numbers.shape[0]):
        found[row] = new[numbers[row]] if numbers[row] >= 0 else -1
    return found


@kernel
def count_cells(numbers, exposed, counts, cells):
    """Add each row's records to its stratum: exposed with and without the outcome, unexposed likewise.

    numbers : integer[n], the stratum of every row, or -1
    exposed : bool[n]
    counts  : number[n, 2], records without and with the outcome
    cells   : number[n_strata, 4], added to
    """
    for row in range(numbers.shape[0]):
        stratum = numbers[row]
        if stratum >= 0:
            arm = 0 if exposed[row] else 2
            cells[stratum, arm] += counts[row, 1]
            cells[stratum, arm + 1] += counts[row, 0]
