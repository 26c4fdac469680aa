"""Whether exposed and unexposed records are alike.

The standardised mean difference of an item is (p1 - p0) / s, with p1 and p0
its shares among exposed and unexposed records and s² = (p1(1 - p1) +
p0(1 - p0)) / 2 taken before matching in both cases (Stuart, Statistical
Science 2010), so that a smaller value after matching is due to the shares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain import Balance, Item, ItemBalance, Unmatched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Shares = NDArray[np.floating[Any]]

ITEMS_SHOWN = 20
UNMATCHED_SHOWN = 5


def balance_of(
    items: Sequence[Item],
    counted: NDArray[np.bool_],
    before: tuple[Shares, Shares],
    after: tuple[Shares, Shares],
) -> Balance:
    """Balance over the items that count.

    Parameters
    ----------
    items : sequence of Item
        All items.
    counted : bool[n_items]
        Those that are not the pattern's own columns.
    before, after : pairs of float64[n_items]
        Shares among exposed and unexposed records, before and after matching.
    """
    difference_before = standardised_difference(*before, *before)
    difference_after = standardised_difference(*after, *before)
    chosen = np.flatnonzero(counted)
    sizes_before, sizes_after = np.abs(difference_before[chosen]), np.abs(difference_after[chosen])
    largest = chosen[np.argsort(-np.maximum(sizes_before, sizes_after), kind="stable")[:ITEMS_SHOWN]]
    return Balance(
        worst_before=float(sizes_before.max(initial=0.0)),
        mean_before=float(sizes_before.mean()) if len(chosen) else 0.0,
        worst_after=float(sizes_after.max(initial=0.0)),
        mean_after=float(sizes_after.mean()) if len(chosen) else 0.0,
        items=tuple(
            ItemBalance(items[i], float(difference_before[i]), float(difference_after[i])) for i in largest
        ),
    )


def unmatched_items(
    items: Sequence[Item],
    counted: NDArray[np.bool_],
    matched: NDArray[np.int64],
    exposed: NDArray[np.int64],
    n_matched: int,
    n_exposed: int,
) -> tuple[Unmatched, ...]:
    """The items in which exposed records without a partner differ most from those with one.

    Parameters
    ----------
    matched, exposed : int64[n_items]
        Matched exposed records, and all exposed records, with each item.
    n_matched, n_exposed : int
        All of them.
    """
    if n_matched in (0, n_exposed):
        return ()
    share_matched = matched / n_matched
    share_unmatched = (exposed - matched) / (n_exposed - n_matched)
    gap = np.where(counted, np.abs(share_unmatched - share_matched), 0.0)
    largest = np.argsort(-gap, kind="stable")[:UNMATCHED_SHOWN]
    return tuple(
        Unmatched(items[i], float(share_matched[i]), float(share_unmatched[i])) for i in largest if gap[i] > 0
    )


def standardised_difference(
    exposed: Shares, unexposed: Shares, exposed_before: Shares, unexposed_before: Shares
) -> Shares:
    """(p1 - p0) / s; where nobody varies (s = 0) the difference itself.

    Examples
    --------
    >>> share = np.array([0.6]), np.array([0.4])
    >>> standardised_difference(*share, *share).round(3)
    array([0.408])
    """
    variance = (exposed_before * (1 - exposed_before) + unexposed_before * (1 - unexposed_before)) / 2
    return (exposed - unexposed) / np.sqrt(np.where(variance > 0, variance, 1.0))
