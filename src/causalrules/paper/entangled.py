"""What goes together with a causal pattern: balance, entangled items, rules for the same records."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.balance import balance_of, unmatched_items
from causalrules.domain import Balance, Entangled, Item
from causalrules.domain.histogram import WEIGHT_UNIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine, MatchedItems

ENTANGLED_FROM = 0.8
"""Share of records with item or pattern that have both, from which the two are called entangled."""

SAME_FROM = 0.95
"""The same share, from which two rules are said to stand for the same records."""


def balance_and_entangled(
    engine: Engine,
    matched: MatchedItems,
    own_columns: NDArray[np.bool_],
    excluded: NDArray[np.bool_],
    items: Sequence[Item],
    n_exposed: int,
    n_lonely: int,
    n_pairs: float,
) -> tuple[Balance, tuple[Entangled, ...]]:
    """Balance over all items of other columns, and the excluded ones that nearly coincide with the pattern.

    Parameters
    ----------
    matched : MatchedItems
        Counts and weights of one rule.
    own_columns : bool[n_items]
        Items of the pattern's own columns.
    excluded : bool[n_items]
        Items that would have been controls but are exclusive of the pattern.
    n_exposed, n_lonely : int
        Exposed records, and those of them without a partner.
    n_pairs : float
        Matched pairs.
    """
    support = engine.item_counts().support
    n_unexposed = engine.n_with + engine.n_without - n_exposed
    before = matched.exposed / max(n_exposed, 1), (support - matched.exposed) / max(n_unexposed, 1)
    per_pair = 1 / (WEIGHT_UNIT * n_pairs) if n_pairs > 0 else 0.0
    after = matched.weight_exposed * per_pair, matched.weight_unexposed * per_pair
    overlap = matched.exposed / np.maximum(n_exposed + support - matched.exposed, 1)
    close = np.flatnonzero(excluded & (overlap >= ENTANGLED_FROM))
    entangled = tuple(
        Entangled(items[i], float(overlap[i])) for i in close[np.argsort(-overlap[close], kind="stable")]
    )
    unmatched = unmatched_items(
        items, ~own_columns, matched.matched_exposed, matched.exposed, n_exposed - n_lonely, n_exposed
    )
    balance = replace(balance_of(items, ~own_columns, before, after), unmatched=unmatched)
    return balance, entangled


def same_records(
    engine: Engine, patterns: Sequence[tuple[int, ...]], supports: Sequence[int]
) -> list[tuple[int, ...]]:
    """For each pattern the others that (nearly) the same records have.

    Parameters
    ----------
    patterns : sequence of tuple of int
        Item numbers.
    supports : sequence of int
        Records that have each pattern.
    """
    column = engine.column_of_item
    unions: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for i, j in _similar_in_size(supports):
        union = tuple(sorted({*patterns[i], *patterns[j]}))
        if len({int(column[item]) for item in union}) == len(union):
            unions.setdefault(union, []).append((i, j))
    alike: list[list[int]] = [[] for _ in patterns]
    for length in {len(union) for union in unions}:
        asked = [union for union in unions if len(union) == length]
        for union, both in zip(asked, engine.pattern_counts(np.array(asked)).support, strict=True):
            for i, j in unions[union]:
                if both >= SAME_FROM * (supports[i] + supports[j] - both):
                    alike[i].append(j)
                    alike[j].append(i)
    return [tuple(sorted(others)) for others in alike]


def _similar_in_size(supports: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs whose supports differ by so little that their records could be the same."""
    order = sorted(range(len(supports)), key=lambda i: supports[i])
    pairs = []
    for position, i in enumerate(order):
        for j in order[position + 1 :]:
            if supports[i] < SAME_FROM * supports[j]:
                break
            pairs.append((min(i, j), max(i, j)))
    return pairs
