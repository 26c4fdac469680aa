"""Which items a cohort study holds fixed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import smallest_count_reaching

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine


@dataclass(frozen=True, slots=True, eq=False)
class Controls:
    """The controls of several patterns.

    Parameters
    ----------
    items : bool[n_patterns, n_items]
        The items held fixed.
    dropped_columns : bool[n_patterns, n_columns]
        Columns that might have been held fixed but leave too little to compare.
    """

    items: NDArray[np.bool_]
    dropped_columns: NDArray[np.bool_]


def hold_items(
    engine: Engine,
    patterns: NDArray[np.intp],
    candidates: NDArray[np.intp],
    largest_exclusive_overlap: int,
) -> Controls:
    """Hold single items fixed, as the paper's text says.

    An item is exclusive of a pattern when hardly any record has both, or
    hardly any has the item without the pattern; holding it fixed would leave
    nobody to compare.

    Parameters
    ----------
    candidates : intp[k]
        Frequent and relevant items.
    largest_exclusive_overlap : int
        The ε of the paper, in records.
    """
    controls = np.zeros((len(patterns), len(engine.column_of_item)), np.bool_)
    dropped = np.zeros((len(patterns), _n_columns(engine)), np.bool_)
    if len(candidates) and len(patterns):
        both = engine.overlaps(patterns, candidates)
        item_only = engine.item_counts().support[candidates] - both
        is_exclusive = np.minimum(both, item_only) <= largest_exclusive_overlap
        controls[:, candidates] = ~is_exclusive
        controls &= ~_in_columns_of(engine, patterns)[:, engine.column_of_item]
    return Controls(controls, dropped)


def hold_columns(
    engine: Engine,
    patterns: NDArray[np.intp],
    associated: NDArray[np.intp],
    min_support: float,
) -> Controls:
    """Hold whole columns fixed, as the authors' released program does.

    A column is held fixed when one of its items is associated with the
    outcome, unless one of these splits the pattern's records, or the others,
    too unevenly (by `min_support`, as a share of each).

    Parameters
    ----------
    associated : intp[k]
        Items associated with the outcome in either direction.
    """
    column_of_item = engine.column_of_item
    n_records = engine.n_with + engine.n_without
    is_candidate = np.zeros(_n_columns(engine), np.bool_)
    is_candidate[column_of_item[associated]] = True
    held = np.repeat(is_candidate[None, :], len(patterns), axis=0)
    held &= ~_in_columns_of(engine, patterns)
    dropped = np.zeros_like(held)
    if len(associated) and len(patterns):
        both = engine.overlaps(patterns, associated)
        support = engine.pattern_counts(patterns).support
        item_only = engine.item_counts().support[associated] - both
        enough_with = _counts_reaching(min_support, support)
        enough_without = _counts_reaching(min_support, n_records - support)
        is_uneven = np.minimum(both, support[:, None] - both) < enough_with
        is_uneven |= item_only < enough_without
        for position, item in enumerate(associated):
            dropped[:, column_of_item[item]] |= is_uneven[:, position]
    dropped &= held
    held &= ~dropped
    return Controls(held[:, column_of_item], dropped)


def _counts_reaching(share: float, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array([smallest_count_reaching(share, int(count)) for count in counts], np.int64)[:, None]


def _in_columns_of(engine: Engine, patterns: NDArray[np.intp]) -> NDArray[np.bool_]:
    """For each pattern and column, whether the pattern has an item of it."""
    own = np.zeros((len(patterns), _n_columns(engine)), np.bool_)
    np.put_along_axis(own, engine.column_of_item[patterns], True, axis=1)
    return own


def _n_columns(engine: Engine) -> int:
    return int(engine.column_of_item[-1]) + 1
