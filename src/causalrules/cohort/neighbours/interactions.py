"""Company: pairs of items whose effects depend on each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine

FAMILY_LEVEL = 0.05
"""Chance that any pair is found where none interacts: Bonferroni over all pairs."""

LEAST_CELL = 10
"""Records that each of the four combinations must have: below, Woolf's variance is not to be trusted."""

MOST_PAIRS = 200

_PAIRS_AT_ONCE = 1 << 19
"""Pairs counted in one question: 12 MB of item numbers and counts."""


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


def interacting_pairs(engine: Engine, items: NDArray[np.intp]) -> tuple[InteractingPair, ...]:
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
    from scipy.special import erfc

    counts = engine.item_counts()
    single = np.column_stack([counts.without_outcome, counts.with_outcome])
    everybody = np.array([engine.n_without, engine.n_with])
    limit = FAMILY_LEVEL / max(1, len(items) * (len(items) - 1) / 2)
    found = []
    for pairs in _in_parts(items):
        apart = engine.column_of_item[pairs[:, 0]] != engine.column_of_item[pairs[:, 1]]
        asked = pairs[apart]
        together = engine.pattern_counts(asked)
        both = np.column_stack([together.without_outcome, together.with_outcome])
        contrast, variance = contrasts(both, single[asked[:, 0]], single[asked[:, 1]], everybody)
        p_values = erfc(np.abs(contrast) / np.sqrt(2 * variance))
        for k in np.flatnonzero(p_values <= limit):
            first, second = (int(item) for item in asked[k])
            p_value, value = float(p_values[k]), float(contrast[k])
            found.append(InteractingPair(p_value=p_value, first=first, second=second, contrast=value))
    return tuple(sorted(found)[:MOST_PAIRS])


def contrasts(
    both: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    everybody: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Interaction contrasts and their variances (Woolf 1955), with half a record added to every cell.

    Parameters
    ----------
    both, first, second : int64[n_pairs, 2]
        Records with both items, with the first, with the second; each without and with the outcome.
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
    ...     np.array([[40, 10]]), np.array([[50, 50]]), np.array([[50, 50]]), np.array([100, 100])
    ... )
    >>> contrast.round(1), variance.round(1)
    (array([-5.4]), array([0.5]))
    """
    cells = np.stack([both, first - both, second - both, everybody - first - second + both])
    odds = np.log(cells[:, :, 1] + 0.5) - np.log(cells[:, :, 0] + 0.5)
    variance = (1 / (cells + 0.5)).sum(axis=(0, 2))
    is_thin = cells.sum(axis=2).min(axis=0) < LEAST_CELL
    return odds[0] - odds[1] - odds[2] + odds[3], np.where(is_thin, np.inf, variance)


def _in_parts(items: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """All pairs, those with the same first item side by side."""
    waiting: list[NDArray[np.intp]] = []
    n_waiting = 0
    for place, item in enumerate(items[:-1]):
        rest = items[place + 1 :]
        waiting.append(np.column_stack([np.full(len(rest), item), rest]))
        n_waiting += len(rest)
        if n_waiting >= _PAIRS_AT_ONCE:
            yield np.concatenate(waiting)
            waiting, n_waiting = [], 0
    if waiting:
        yield np.concatenate(waiting)
