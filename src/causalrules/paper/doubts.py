"""What could overturn a rule of the paper's protocol: hidden causes, mixed effects, the luck of the draw."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.doubts import doubts_of
from causalrules.assess.pairings import stable_generator
from causalrules.domain.histogram import StrataHistogram
from causalrules.paper.judging import is_causal_alone, n_runs, run_test

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Doubts, Estimate, PairCounts
    from causalrules.paper.judging import Judgement
    from causalrules.paper.settings import PaperSettings


def paper_doubts(
    strata: StrataHistogram,
    pairs: PairCounts,
    judgement: Judgement,
    settings: PaperSettings,
    rule: str,
    risk_ratio: Estimate,
) -> Doubts:
    """Sensitivity, heterogeneity, stability and losses of one study, and the bootstrap of a causal rule."""
    doubts = doubts_of(strata, pairs, judgement.level, settings, risk_ratio)
    if not settings.bootstrap or judgement.verdict != "causal":
        return doubts

    def is_causal(resampled: StrataHistogram) -> bool:
        runs = (run_test([resampled], settings, rule, run) for run in range(n_runs(settings)))
        n_causal = sum(is_causal_alone(study.significance, settings) for study in runs)
        return n_causal >= min(settings.votes, n_runs(settings))

    share = bootstrap_stability(
        strata, is_causal, n_resamples=settings.bootstrap, seed=settings.seed, rule=rule
    )
    return replace(doubts, bootstrap=share)


def bootstrap_stability(
    strata: StrataHistogram,
    is_causal: Callable[[StrataHistogram], bool],
    *,
    n_resamples: int,
    seed: int,
    rule: str,
) -> float:
    """Share of resampled tables in which the rule is causal, its controls kept.

    Every record is drawn a Poisson(1) number of times, which for many records
    equals drawing with replacement.
    """
    cells = np.repeat(strata.rows[:, :4], strata.rows[:, 4], axis=0)
    n_causal = 0
    for resample in range(n_resamples):
        drawn = stable_generator(seed, resample, f"bootstrap {rule}").poisson(cells)
        has_both = (drawn[:, 0] + drawn[:, 1] > 0) & (drawn[:, 2] + drawn[:, 3] > 0)
        kinds, multiplicity = np.unique(drawn[has_both], axis=0, return_counts=True)
        n_causal += is_causal(StrataHistogram(np.column_stack([kinds, multiplicity]), 0, 0))
    return n_causal / n_resamples
