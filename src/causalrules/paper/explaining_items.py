"""Which controls explain an association away, in the paper's protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess import expected_pairs, fair_odds_ratio, odds_ratio_of_table
from causalrules.domain import Explanation, ExplanationStep, Item, StratumTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine

MOST_STEPS = 5
_NO_LONGER_MOVES = 0.01


def explain_away(
    engine: Engine,
    pattern: NDArray[np.intp],
    controls: NDArray[np.bool_],
    items: Sequence[Item],
    confidence: float,
) -> Explanation:
    """Add controls one at a time, always the one that moves the odds ratio furthest down.

    The odds ratio is that of matched pairs, averaged over all pairings; with
    no control held it is close to the crude one. The path ends when the
    interval holds 1, when no control lowers it by a hundredth any more, or
    after five steps. It is empty when no control lowers it at all.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    pattern : intp[length]
        The exposure.
    controls : bool[n_items]
        The controls of the rejected study.
    items : sequence of Item
        Names of the items.
    confidence : float
        Confidence of the intervals.
    """
    held = np.zeros_like(controls)
    remaining: list[int] = np.flatnonzero(controls).tolist()
    steps: list[ExplanationStep] = []
    (uncontrolled,) = engine.strata(pattern[None, :], held[None, :])
    start = expected_pairs(uncontrolled)
    last = fair_odds_ratio(start, confidence).value
    while remaining and len(steps) < MOST_STEPS:
        trials = np.repeat(held[None, :], len(remaining), axis=0)
        trials[np.arange(len(remaining)), remaining] = True
        pairs = [
            expected_pairs(strata)
            for strata in engine.strata(np.repeat(pattern[None, :], len(remaining), axis=0), trials)
        ]
        odds = [fair_odds_ratio(one, confidence) for one in pairs]
        best = min(range(len(odds)), key=lambda i: odds[i].value)
        if odds[best].value > last - _NO_LONGER_MOVES:
            break
        last = odds[best].value
        control = remaining.pop(best)
        held[control] = True
        steps.append(ExplanationStep(items[control], odds[best], pairs[best].n_pairs))
        if odds[best].low <= 1:
            break
    named = tuple(items[item] for item in pattern)
    tables = _tables(engine, pattern, items, steps[0].control) if steps else ()
    return Explanation(named, tuple(steps), tables)


def _tables(
    engine: Engine, pattern: NDArray[np.intp], items: Sequence[Item], confounder: Item
) -> tuple[StratumTable, ...]:
    """The crude table among records with the confounder and among those without it."""
    number = list(items).index(confounder)
    exposed = engine.pattern_counts(pattern[None, :])
    exposed_present = engine.pattern_counts(np.sort(np.append(pattern, number))[None, :])
    present = engine.item_counts()[np.array([number])]
    cells_present = (
        int(exposed_present.with_outcome[0]),
        int(exposed_present.without_outcome[0]),
        int(present.with_outcome[0] - exposed_present.with_outcome[0]),
        int(present.without_outcome[0] - exposed_present.without_outcome[0]),
    )
    cells_all = (
        int(exposed.with_outcome[0]),
        int(exposed.without_outcome[0]),
        int(engine.n_with - exposed.with_outcome[0]),
        int(engine.n_without - exposed.without_outcome[0]),
    )
    cells_absent = [whole - part for whole, part in zip(cells_all, cells_present, strict=True)]
    return tuple(
        StratumTable(
            confounder,
            is_present,
            cells[0],
            cells[1],
            cells[2],
            cells[3],
            odds_ratio_of_table(cells, 0.95).value,
        )
        for is_present, cells in ((True, cells_present), (False, cells_absent))
    )
