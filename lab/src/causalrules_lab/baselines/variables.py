"""Items as binary variables, each said once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.contract import PatternCounts


def variables_of(engine: PatternCounts) -> NDArray[np.intp]:
    """Numbers of the items that are variables.

    Every item is one, present or absent, as in the paper, but for two cases.
    An item that no record or every record has does not vary. Of a column
    with two values and no missing ones the second is the variable (``yes``
    of no and yes, ``1`` of 0 and 1), because the first is its complement.
    """
    is_variable = np.ones(len(engine.column_of_item), np.bool_)
    support = engine.item_counts().support
    is_variable[(support == 0) | (support == engine.n_with + engine.n_without)] = False
    is_variable[list(complements_of(engine))] = False
    return np.flatnonzero(is_variable)


def complements_of(engine: PatternCounts) -> dict[int, int]:
    """Items that are the complement of a variable, and that variable."""
    support = engine.item_counts().support
    n_records = engine.n_with + engine.n_without
    column = engine.column_of_item
    first = np.flatnonzero(np.diff(column, prepend=-1))
    n_items = np.diff(np.append(first, len(column)))
    return {
        int(item): int(item) + 1
        for item in first[n_items == 2]
        if support[item] + support[item + 1] == n_records
    }
