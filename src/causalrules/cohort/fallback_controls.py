"""Columns that go with the outcome given the exposure: what to hold where no neighbour is known.

In a small table nothing may look likely enough to stand next to the outcome. A study that
held nothing would then show the crude difference, although other columns plainly matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.association import stratified_p

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain.unique_rows import HeldColumn
    from causalrules.engines.contract import Counts, Engine

ASSOCIATED = 0.05
"""Level of the test, without correction: what goes with the outcome by chance does no harm if held."""

_OUTCOMES_PER_COLUMN, _MOST_COLUMNS = 5, 12
"""Records of the rarer outcome for each column held (Vittinghoff and McCulloch 2007), and columns at most.

With ten, as Peduzzi et al. (1996) ask for, confounders were left out of small tables that plainly differ.
"""


def associated_columns(
    engine: Counts,
    pattern: Sequence[int],
    columns: Sequence[HeldColumn],
    first_item: NDArray[np.intp],
) -> list[HeldColumn]:
    """The columns that go with the outcome within the arms of an exposure, the clearest first.

    Parameters
    ----------
    engine : Counts
        Where records are counted.
    pattern : sequence of int
        The exposure's items.
    columns : sequence of HeldColumn
        Those that may be held.
    first_item : intp[n_coded_columns + 1]
        Where the items of each coded column begin.

    Returns
    -------
    list of HeldColumn
        At most one for every five records of the rarer outcome, and twelve.
    """
    most = most_held(engine)
    if not columns or most < 1:
        return []
    found = []
    for column, tables in zip(columns, tables_within_arms(engine, pattern, columns, first_item), strict=True):
        p_value = stratified_p(tables, column.values)
        if p_value <= ASSOCIATED:
            found.append((p_value, column.name, column))
    chosen = sorted(found, key=lambda one: one[:2])[: min(most, _MOST_COLUMNS)]
    return [column for _, _, column in chosen]


def most_held(engine: Counts) -> int:
    """How many columns a study may hold without too few records of the rarer outcome for each."""
    return min(engine.n_with, engine.n_without) // _OUTCOMES_PER_COLUMN


def tables_within_arms(
    engine: Counts,
    pattern: Sequence[int],
    columns: Sequence[HeldColumn],
    first_item: NDArray[np.intp],
) -> list[NDArray[np.int64]]:
    """For each column the records of its values without and with the outcome, in both arms of an exposure.

    Parameters are those of `associated_columns`. Each table is int64[2, n_values, 2], the unexposed first.
    """
    own = [np.arange(first_item[one.place], first_item[one.place + 1]) for one in columns]
    strata = engine.within(np.array(pattern, np.intp), np.concatenate(own))
    # The last stratum has all items of the pattern; those who lack any are the other arm.
    arms = np.stack([strata[:-1].sum(axis=0), strata[-1]])
    ends = np.cumsum([len(items) for items in own])
    return [arms[:, end - len(items) : end] for end, items in zip(ends, own, strict=True)]


def p_value_within(engine: Engine, held: HeldColumn, column: HeldColumn) -> float:
    """The p-value of a column's association with the outcome among records of the same value of another."""
    rows = engine.unique_rows(np.array(sorted((held.place, column.place)), np.intp))
    stratum, value = rows.codes if held.place < column.place else rows.codes[::-1]
    is_known = (stratum > 0) & (value > 0)
    tables = np.zeros((held.n_codes, column.n_codes, 2), np.int64)
    tables[stratum[is_known] - 1, value[is_known] - 1] = rows.counts[is_known]
    return stratified_p(tables, column.values)
