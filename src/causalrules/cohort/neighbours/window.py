"""The window: which columns are looked at together with the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.neighbours.interactions import interacting_pairs
from causalrules.cohort.neighbours.screen import SCREEN_LEVEL, screen
from causalrules.cohort.neighbours.shield import shield
from causalrules.cohort.neighbours.uncut_numbers import (
    OtherTrends,
    numbers_without_items,
    pairs_with_other_trends,
)
from causalrules.cohort.neighbours.within_strata import associate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.neighbours.interactions import InteractingPair
    from causalrules.cohort.neighbours.screen import Screened
    from causalrules.cohort.neighbours.shield import Shielded
    from causalrules.cohort.neighbours.window_rows import Columns, UniqueRows
    from causalrules.engines.contract import Counts

MOST_COMPANIONS = 12
"""Columns that enter for an interaction only; the strongest pairs first."""

HELPER_LEVEL = 1e-6
HELPERS_OF_EACH = 3
"""Items considered for each column of the window."""

LEAK_SHARE = 0.6
"""Share of the outcome's entropy that a column takes away when it nearly is the outcome."""

RECORDS_A_VALUE = 20
"""Below so many records a value, a column tells much of the outcome by chance."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Columns that may stand next to the outcome, and why others do not.

    Parameters
    ----------
    columns : tuple of int
        Survivors of the shield, the smallest p-value first, then their company.
    uncut : tuple of int
        Numbers without items that do not go with the outcome by themselves; beside others they may.
    screened : Screened
    shielded : dict
        Item → what is left of its association, for the items that passed the screen.
    pairs : tuple of InteractingPair
        The smallest p-value first.
    uncut_pairs : tuple of OtherTrends
        Numbers without items, and columns within whose values they act differently, the clearest first.
    """

    columns: tuple[int, ...]
    uncut: tuple[int, ...]
    screened: Screened
    shielded: dict[int, Shielded]
    pairs: tuple[InteractingPair, ...]
    uncut_pairs: tuple[OtherTrends, ...] = ()


def find_candidates(
    engine: Counts, unique_rows: UniqueRows, columns: Columns, later: Collection[int] = ()
) -> Candidates:
    """Screen, shield, and add the company of interacting pairs; `later` columns come after the outcome."""
    screened = screen(engine, len(columns))
    shielded = shield(engine, screened, later)
    pairs = interacting_pairs(engine, screened.asked)
    strength = [(left.p_value, screened.p_values[item], item) for item, left in shielded.items()]
    survivors = [
        (p_value, crude, int(engine.column_of_item[item]))
        for p_value, crude, item in strength
        if not shielded[item].is_explained
    ]
    uncut = numbers_without_items(engine, unique_rows, columns)
    survivors += [(p_value, p_value, column) for p_value, column in uncut if p_value <= SCREEN_LEVEL]
    first = _distinct(column for _, _, column in sorted(survivors))
    company = _distinct(int(engine.column_of_item[x]) for pair in pairs for x in (pair.first, pair.second))
    new = [column for column in company if column not in first][:MOST_COMPANIONS]
    return Candidates(
        columns=(*first, *new),
        uncut=tuple(column for _, column in uncut if column not in first),
        screened=screened,
        shielded=shielded,
        pairs=pairs,
        uncut_pairs=tuple(pairs_with_other_trends(unique_rows, columns, [column for _, column in uncut])),
    )


def helpers(engine: Counts, screened: Screened, kept: Sequence[int]) -> list[int]:
    """Columns that go with those of the window, the strongest first.

    They bring witnesses for arrows, and causes whose crude association with
    the outcome a confounder cancels.
    """
    asked = screened.asked
    if len(asked) == 0:
        return []
    support = engine.item_counts().support
    n = np.array([[engine.n_with + engine.n_without]])
    found = []
    for column in kept:
        items = asked[engine.column_of_item[asked] == column]
        if len(items) == 0:
            continue
        item = items[screened.p_values[items].argmin()]
        both = engine.overlaps(np.array([[item]], np.intp), asked)
        p_values = associate(n, support[[[item]]], support[asked][None], both).p_value
        p_values[engine.column_of_item[asked] == column] = 1.0
        strongest = np.argsort(p_values, kind="stable")[:HELPERS_OF_EACH]
        found += [
            (float(p_values[place]), int(engine.column_of_item[asked[place]]))
            for place in strongest
            if p_values[place] < HELPER_LEVEL
        ]
    return [column for column in _distinct(column for _, column in sorted(found)) if column not in kept]


def leaks(engine: Counts, n_columns: int) -> NDArray[np.bool_]:
    """Columns that nearly are the outcome: known before it, or written down because of it.

    Returns
    -------
    bool[n_columns]
        Whether the column takes away more than `LEAK_SHARE` of the outcome's entropy.
    """
    counts = engine.item_counts()
    column = engine.column_of_item
    everybody = np.array([engine.n_without, engine.n_with])
    cells = np.column_stack([counts.without_outcome, counts.with_outcome])
    known = np.zeros((n_columns, 2), np.int64)
    np.add.at(known, column, cells)
    left = _entropies(everybody - known)
    np.add.at(left, column, _entropies(cells))
    total = float(_entropies(everybody[None])[0])
    is_coarse = np.bincount(column, minlength=n_columns) * RECORDS_A_VALUE < everybody.sum()
    is_leak: NDArray[np.bool_] = is_coarse & known.any(axis=1) & (left < (1 - LEAK_SHARE) * total)
    return is_leak


def _entropies(cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """Entropy of the outcome among the records of each row, times their number, in nats."""
    size = cells.sum(axis=1, keepdims=True)
    share = cells / np.maximum(size, 1)
    entropies: NDArray[np.float64] = -(cells * np.log(np.where(cells > 0, share, 1.0))).sum(axis=1)
    return entropies


def _distinct(columns: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(columns))
