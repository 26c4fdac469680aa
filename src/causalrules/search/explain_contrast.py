"""How a rejected association dwindles while other items are held, one after the other."""

from __future__ import annotations

from math import inf, log
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess import expected_pairs, odds_ratio_of_table
from causalrules.assess.mantel_haenszel import mantel_haenszel
from causalrules.cohort.arms import arms_of
from causalrules.cohort.compare_arms import histogram_of
from causalrules.cohort.stratify import keep_compared
from causalrules.domain import Explanation, ExplanationStep, StratumTable
from causalrules.domain.unique_rows import number_combinations
from causalrules.search.contrast_verdicts import MOSTLY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.study_rows import StudyRows
    from causalrules.domain import Direction, Estimate, Item
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine


MOST_STEPS = 3
_NO_LONGER_MOVES = 0.01


def explain_contrast(
    engine: Engine,
    vocabulary: Vocabulary,
    pattern: tuple[int, ...],
    candidates: Sequence[int],
    direction: Direction,
    confidence: float,
) -> Explanation:
    """Hold items one after the other, always the one that brings the odds ratio nearest to 1.

    The path ends when most of the association is gone and the interval holds 1, when no item changes the
    odds ratio by a hundredth of it any more, or after three steps. Records are those whose exposure is known.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    vocabulary : Vocabulary
        Items and columns.
    pattern : tuple of int
        The exposure's items.
    candidates : sequence of int
        Items of other columns that may be held, present or absent.
    direction : {'raises', 'lowers'}
        In whose sense the numbers are.
    confidence : float
        Confidence of the intervals.
    """
    named = tuple(vocabulary.items[item] for item in pattern)
    coded = {item: vocabulary.column_and_code(item) for item in (*pattern, *candidates)}
    places = sorted({column for column, _ in coded.values()})
    rows = engine.unique_rows(np.array(places, np.intp))
    arms = arms_of(rows, [coded[item] for item in pattern], ())
    study = arms.rows
    has = {item: rows.codes[places.index(coded[item][0])][arms.kept] == coded[item][1] for item in candidates}

    def step_with(strata_of: NDArray[np.int64], item: int) -> ExplanationStep:
        numbers = number_combinations([strata_of, has[item].astype(np.int64)], study.n_rows)
        strata = histogram_of(study, keep_compared(study, numbers))
        strata = strata if direction == "raises" else strata.flipped()
        ratio = mantel_haenszel(strata, confidence).odds_ratio
        return ExplanationStep(vocabulary.items[item], ratio, expected_pairs(strata).n_pairs)

    steps: list[ExplanationStep] = []
    held, left = np.zeros(study.n_rows, np.int64), list(candidates)
    crude = odds_ratio_of_table(_cells(study, np.ones(study.n_rows, np.bool_), direction), confidence)
    at_first = last = _away_from_1(crude)
    strongest = -1
    while left and len(steps) < MOST_STEPS:
        trials = {item: step_with(held, item) for item in left}
        away, best = min((_away_from_1(trials[item].odds_ratio), item) for item in left)
        if away > last - _NO_LONGER_MOVES:
            break
        last = away
        strongest = best if strongest < 0 else strongest
        steps.append(trials[best])
        left.remove(best)
        held = number_combinations([held, has[best].astype(np.int64)], study.n_rows)
        if trials[best].odds_ratio.low <= 1 <= trials[best].odds_ratio.high and away <= MOSTLY * at_first:
            break
    tables = [
        _table(study, vocabulary.items[strongest], has[strongest] == is_present, is_present, direction)
        for is_present in (True, False)
        if strongest >= 0
    ]
    return Explanation(named, tuple(steps), tuple(tables))


def _away_from_1(ratio: Estimate) -> float:
    return abs(log(ratio.value)) if 0 < ratio.value < inf else inf


def _cells(study: StudyRows, inside: NDArray[np.bool_], direction: Direction) -> tuple[int, int, int, int]:
    """Exposed with the direction's outcome and without it, unexposed likewise, among some rows."""
    sides = (1, 0) if direction == "raises" else (0, 1)
    exposed, unexposed = (study.counts[inside & arm].sum(axis=0) for arm in (study.exposed, ~study.exposed))
    return int(exposed[sides[0]]), int(exposed[sides[1]]), int(unexposed[sides[0]]), int(unexposed[sides[1]])


def _table(
    study: StudyRows, item: Item, inside: NDArray[np.bool_], is_present: bool, direction: Direction
) -> StratumTable:
    cells = _cells(study, inside, direction)
    return StratumTable(item, is_present, *cells, odds_ratio_of_table(cells, 0.95).value)
