"""What a cohort study says: causal, rejected or untestable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from causalrules.assess.odds import fair_odds_ratio
from causalrules.assess.pairs import expected_pairs, random_pairs
from causalrules.domain import OddsRatio, PairCounts, Verdict

if TYPE_CHECKING:
    from causalrules.domain import Settings
    from causalrules.domain.histogram import StrataHistogram


@dataclass(frozen=True, slots=True)
class CohortVerdict:
    """The verdict of one cohort study, and the pairs it rests on.

    `causal_runs` is the number of random pairings in which the rule was
    causal; None when the average over all pairings was judged.
    """

    verdict: Verdict
    pairs: PairCounts
    odds_ratio: OddsRatio
    causal_runs: int | None = None


def judge_expected(strata: StrataHistogram, settings: Settings) -> CohortVerdict:
    """Judge the average over all pairings: nothing is left to chance."""
    return _judge(expected_pairs(strata), settings)


def judge_random(strata: StrataHistogram, settings: Settings, rule: str) -> CohortVerdict:
    """Judge repeated random pairings by vote.

    The verdict and the numbers are those of the decisive run: with v votes
    needed, the v-th best. It is causal exactly when at least v runs are.
    """
    runs = [
        _judge(random_pairs(strata, seed=settings.seed, run=run, rule=rule), settings)
        for run in range(settings.runs)
    ]
    best_first = sorted(runs, key=lambda run: _strength(run, settings), reverse=True)
    decisive = best_first[settings.votes - 1]
    causal_runs = sum(run.verdict == "causal" for run in runs)
    return CohortVerdict(decisive.verdict, decisive.pairs, decisive.odds_ratio, causal_runs)


def _judge(pairs: PairCounts, settings: Settings) -> CohortVerdict:
    odds_ratio = fair_odds_ratio(pairs, settings.confidence)
    verdict: Verdict
    if _is_above(odds_ratio, settings.min_odds_ratio):
        verdict = "causal"
    elif _could_be_causal(pairs.n_discordant, settings):
        verdict = "rejected"
    else:
        verdict = "untestable"
    return CohortVerdict(verdict, pairs, odds_ratio)


def _could_be_causal(n_discordant: float, settings: Settings) -> bool:
    """Whether so many discordant pairs, all of them in favour, would have been enough."""
    best = PairCounts(n11=0, n12=n_discordant, n21=0, n22=0)
    return _is_above(fair_odds_ratio(best, settings.confidence), settings.min_odds_ratio)


def _is_above(odds_ratio: OddsRatio, minimum: float | None) -> bool:
    return odds_ratio.low > 1 if minimum is None else odds_ratio.value > minimum


def _strength(run: CohortVerdict, settings: Settings) -> tuple[float, bool]:
    """What the verdict depends on; of equals, a rejected run stands before an untestable one."""
    odds_ratio = run.odds_ratio
    decisive = odds_ratio.low if settings.min_odds_ratio is None else odds_ratio.value
    return decisive, run.verdict != "untestable"
