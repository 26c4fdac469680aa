"""Company: pairs of items whose effects depend on each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.interaction_contrasts import contrast_pairs
from causalrules.kernels.special_functions import erfc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.engines.contract import Counts

FAMILY_LEVEL = 0.05
"""Chance that any pair is found where none interacts: Bonferroni over all pairs."""

LEAST_CELL = 10
"""Records that each of the four combinations must have: below, Woolf's variance is not to be trusted."""

MOST_PAIRS = 200

_PAIRS_AT_ONCE = 1 << 18
"""Pairs counted in one question: 8 MB of item numbers and counts."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class InteractingPair:
    """Two items whose odds ratios depend on each other.

    Parameters
    ----------
    p_value : float
        Of the contrast, two-sided and not corrected.
    first, second : int
        Items of different columns, in ascending order.
    contrast : float
        ln OR(first | second) - ln OR(first | not second); the same with the two exchanged.
    """

    p_value: float
    first: int
    second: int
    contrast: float


def interacting_pairs(engine: Counts, items: NDArray[np.intp]) -> tuple[InteractingPair, ...]:
    """All pairs of items whose interaction contrast is beyond Bonferroni's limit.

    A cause may show in company only (an exclusive or has no crude
    association), so every pair is asked about, however weak each is alone.
    One question of pairs costs one AND and one population count a word.

    Parameters
    ----------
    items : intp[n]
        Items of the hypotheses, in ascending order.

    Returns
    -------
    tuple of InteractingPair
        The smallest p-value first, at most `MOST_PAIRS`.
    """
    counts = engine.item_counts()
    single = np.column_stack([counts.without_outcome, counts.with_outcome])
    everybody = np.array([engine.n_without, engine.n_with])
    limit = FAMILY_LEVEL / max(1, len(items) * (len(items) - 1) / 2)
    found: list[InteractingPair] = []
    for pairs in _in_parts(items, engine.column_of_item):
        together = engine.pattern_counts(pairs)
        both = np.column_stack([together.without_outcome, together.with_outcome])
        contrast, variance = contrasts(pairs, both, single, everybody)
        p_values = erfc(np.abs(contrast) / np.sqrt(2 * variance))
        found += [
            InteractingPair(
                p_value=float(p_values[k]),
                first=int(pairs[k, 0]),
                second=int(pairs[k, 1]),
                contrast=float(contrast[k]),
            )
            for k in np.flatnonzero(p_values <= limit)
        ]
    return tuple(sorted(found)[:MOST_PAIRS])


def contrasts(
    pairs: NDArray[np.intp],
    both: NDArray[np.int64],
    single: NDArray[np.int64],
    everybody: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Interaction contrasts and their variances (Woolf 1955), with half a record added to every cell.

    Records with a missing value count as not having the item.

    Parameters
    ----------
    pairs : intp[n_pairs, 2]
        Items.
    both : int64[n_pairs, 2]
        Records with both items, without and with the outcome.
    single : int64[n_items, 2]
        Records with each item.
    everybody : int64[2]
        All records.

    Returns
    -------
    contrast, variance : float64[n_pairs]
        Infinite variance where one of the four combinations has fewer than `LEAST_CELL` records.

    Examples
    --------
    An exclusive or: the outcome is frequent with one of the two only.

    >>> contrast, variance = contrasts(
    ...     np.array([[0, 1]]), np.array([[40, 10]]), np.array([[50, 50], [50, 50]]), np.array([100, 100])
    ... )
    >>> contrast.round(1), variance.round(1)
    (array([-5.4]), array([0.5]))
    """
    contrast, variance = np.empty(len(pairs)), np.empty(len(pairs))
    contrast_pairs(pairs, both, single, everybody, LEAST_CELL, contrast, variance)
    return contrast, variance


def _in_parts(items: NDArray[np.intp], column_of_item: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """All pairs of different columns, those with the same first item side by side."""
    waiting: list[NDArray[np.intp]] = []
    n_waiting = 0
    columns = column_of_item[items]
    for place, item in enumerate(items):
        # Items of a column stand side by side, so those of later columns are the rest.
        rest = items[np.searchsorted(columns, columns[place], side="right") :]
        waiting.append(np.column_stack([np.full(len(rest), item), rest]))
        n_waiting += len(rest)
        if n_waiting >= _PAIRS_AT_ONCE or (place == len(items) - 1 and n_waiting):
            yield np.concatenate(waiting)
            waiting, n_waiting = [], 0
