"""All frequent patterns of one direction, level by level, with nothing pruned but the infrequent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.odds import crude_odds_ratios
from causalrules.domain import largest_count_within
from causalrules.search.patterns import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from causalrules.assess.odds import OddsRatios
    from causalrules.domain import Direction
    from causalrules.engines.contract import Engine, OutcomeCounts
    from causalrules.lab.baselines.budget import Budget


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The frequent patterns of one length.

    Parameters
    ----------
    patterns : intp[n, length]
        Item numbers, ascending within a pattern, patterns in lexicographic order.
    counts : OutcomeCounts
        For the direction's outcome.
    odds_ratios : OddsRatios
        For the direction's outcome.
    parents : intp[n, length]
        Rows, in the level before, of the patterns with one item less; none for single items.
    """

    patterns: NDArray[np.intp]
    counts: OutcomeCounts
    odds_ratios: OddsRatios
    parents: NDArray[np.intp]


def frequent_levels(
    engine: Engine,
    direction: Direction,
    *,
    min_support: float,
    confidence: float,
    max_length: int,
    budget: Budget,
) -> Iterator[Level]:
    """Frequent patterns of length 1, 2, … up to the longest asked for."""
    lowers = direction == "lowers"
    n_z, n_not_z = (engine.n_without, engine.n_with) if lowers else (engine.n_with, engine.n_without)
    largest_rare_count = largest_count_within(min_support, n_z)

    def level(patterns: NDArray[np.intp], parents: NDArray[np.intp], counts: OutcomeCounts) -> Level:
        counts = counts.flipped() if lowers else counts
        is_frequent = counts.with_outcome > largest_rare_count
        counts = counts[is_frequent]
        ratios = crude_odds_ratios(counts.with_outcome, counts.without_outcome, n_z, n_not_z, confidence)
        return Level(patterns[is_frequent], counts, ratios, parents[is_frequent])

    n_items = len(engine.column_of_item)
    budget.spend(n_items)
    last = level(np.arange(n_items)[:, None], np.empty((n_items, 0), np.intp), engine.item_counts())
    yield last
    for _ in range(1, max_length):
        candidates, parents = join(last.patterns, engine.column_of_item)
        if len(candidates) == 0:
            return
        budget.spend(len(candidates))
        last = level(candidates, parents, engine.pattern_counts(candidates))
        yield last
