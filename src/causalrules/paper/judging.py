"""From the strata of many rules to verdicts: when an association rule is a causal rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.correction import corrected, could_be_significant
from causalrules.assess.doubts import doubts_of
from causalrules.assess.pairings import expected_pairs, random_pairs, stable_generator
from causalrules.assess.significance import (
    Significance,
    exact_test,
    mantel_haenszel_test,
    matched_pairs_test,
)
from causalrules.domain.histogram import StrataHistogram

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Doubts, Estimate, PairCounts
    from causalrules.paper.rule import PaperVerdict
    from causalrules.paper.settings import PaperSettings


@dataclass(frozen=True, slots=True)
class Study:
    """One cohort study, tested but not yet judged among the others."""

    pairs: PairCounts
    significance: Significance


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one study, its corrected p-value, and the level its own p-value had to meet.

    The level is two-sided; with a correction it is alpha over the factor by
    which the p-value was corrected.
    """

    verdict: PaperVerdict
    q_value: float | None
    level: float


def draws_pairs(settings: PaperSettings) -> bool:
    """Whether chance decides who is paired; the Mantel-Haenszel test needs no pairs."""
    return settings.pairs == "random" and settings.test != "mantel-haenszel"


def n_runs(settings: PaperSettings) -> int:
    """How often the whole search is repeated: once where no pairs are drawn."""
    return settings.runs if draws_pairs(settings) else 1


def run_test(matchings: Sequence[StrataHistogram], settings: PaperSettings, rule: str, run: int = 0) -> Study:
    """Run the chosen test on one rule's strata, with the pairs of one run.

    Parameters
    ----------
    matchings : sequence of StrataHistogram
        One for all runs where matching draws no lots, else one for each run.
    settings : PaperSettings
        The test, and whether pairs are drawn.
    rule : str
        What chance is drawn from, beside the seed and the run.
    run : int
        The number of the run.
    """
    strata = matchings[run % len(matchings)]
    if settings.test == "mantel-haenszel":
        return Study(expected_pairs(strata), mantel_haenszel_test(strata, settings.confidence))
    if settings.pairs == "expected":
        return _test_pairs(expected_pairs(strata), settings)
    return _test_pairs(random_pairs(strata, seed=settings.seed, run=run, rule=rule), settings)


def judge(studies: Sequence[Study], settings: PaperSettings, n_hypotheses: int) -> list[Judgement]:
    """Give each study its verdict, taking into account how many hypotheses there were.

    Parameters
    ----------
    studies : sequence of Study
        The studies of one length and direction.
    settings : PaperSettings
        Correction, level, minimum odds ratio.
    n_hypotheses : int
        All patterns from which the studied ones were chosen by their crude
        association, at least as many as studies.
    """
    if settings.judge == "interval":
        level = 1 - settings.confidence
        return [Judgement(_verdict_alone(study, settings), None, level) for study in studies]
    smallest = np.array([study.significance.smallest_p for study in studies])
    is_testable = could_be_significant(smallest, settings.alpha, n_hypotheses - len(studies))
    p_values = np.array([_directed_p(study.significance) for study in studies])
    n_tests = n_hypotheses - int((~is_testable).sum())
    q_values = corrected(p_values[is_testable], settings.correction, n_tests)
    return _judgements(studies, settings, is_testable, q_values, n_tests)


def _judgements(
    studies: Sequence[Study],
    settings: PaperSettings,
    is_testable: NDArray[np.bool_],
    q_values: NDArray[np.float64],
    n_tests: int,
) -> list[Judgement]:
    """Verdicts by corrected p-values.

    A p-value too small for a float is 0 and tells no factor; the level is
    then that of the smallest of all, which is on the safe side.
    """
    remaining = iter(q_values.tolist())
    judgements = []
    for study, can_tell in zip(studies, is_testable, strict=True):
        if not can_tell:
            judgements.append(Judgement("untestable", None, settings.alpha))
            continue
        q_value = next(remaining)
        p_value = _directed_p(study.significance)
        level = settings.alpha * (p_value / q_value if q_value > 0 else 1 / n_tests)
        is_causal = q_value <= settings.alpha and study.significance.odds_ratio.value > 1
        judgements.append(Judgement("causal" if is_causal else "rejected", q_value, level))
    return judgements


def is_causal_alone(outcome: Significance, settings: PaperSettings) -> bool:
    """Definition of causal rules: the odds ratio on the fair data set is above 1, or above the minimum."""
    if settings.min_odds_ratio is not None:
        return outcome.odds_ratio.value > settings.min_odds_ratio
    return outcome.is_above_one


def _verdict_alone(study: Study, settings: PaperSettings) -> PaperVerdict:
    if is_causal_alone(study.significance, settings):
        return "causal"
    if settings.min_odds_ratio is not None:
        # Only the paper's test counts a missing pair as one; the others reach any odds ratio.
        needed = settings.min_odds_ratio if settings.test == "matched-pairs" else 0
        could_be = study.pairs.n_discordant > needed
    else:
        could_be = study.significance.smallest_p < 1 - settings.confidence
    return "rejected" if could_be else "untestable"


def _directed_p(outcome: Significance) -> float:
    """The p-value if the effect has the rule's direction; an opposite effect is no evidence for it."""
    return outcome.p_value if outcome.odds_ratio.value > 1 else 1.0


def strength_of(study: Study) -> tuple[float, float]:
    """What orders studies of one rule by their evidence: the p-value, then the odds ratio."""
    return -_directed_p(study.significance), study.significance.odds_ratio.value


def _test_pairs(pairs: PairCounts, settings: PaperSettings) -> Study:
    if settings.test == "exact":
        return Study(pairs, exact_test(pairs, settings.confidence, mid_p=settings.mid_p))
    return Study(pairs, matched_pairs_test(pairs, settings.confidence))


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
