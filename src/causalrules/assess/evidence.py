"""What could undo a rule, gathered from its strata."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.assess.heterogeneity import heterogeneity_of
from causalrules.assess.pairs import expected_pairs
from causalrules.assess.sensitivity import e_value, e_value_of_limit, gamma_of
from causalrules.assess.significance import mantel_haenszel_test
from causalrules.assess.stability import bootstrap_stability, pairing_stability
from causalrules.assess.verdict import is_causal_alone, run_test
from causalrules.domain import Doubts

if TYPE_CHECKING:
    from causalrules.domain import Estimate, PairCounts, Settings
    from causalrules.domain.histogram import StrataHistogram


def doubts_of(
    strata: StrataHistogram, pairs: PairCounts, risk_ratio: Estimate, settings: Settings, rule: str
) -> Doubts:
    """Sensitivity, heterogeneity, stability and losses of one study, without the bootstrap."""
    mean = expected_pairs(strata) if settings.pairs == "random" else pairs
    common = mantel_haenszel_test(strata, settings.interval_confidence).odds_ratio.value
    heterogeneity = heterogeneity_of(strata, common, settings.alpha)
    return Doubts(
        gamma=gamma_of(pairs, settings.alpha),
        e_value=e_value(risk_ratio.value),
        e_value_limit=e_value_of_limit(risk_ratio),
        heterogeneity_p=heterogeneity.p_value,
        is_mixed=heterogeneity.is_mixed,
        stability=pairing_stability(strata, mean, settings.interval_confidence),
        bootstrap=_bootstrap(strata, settings, rule) if settings.bootstrap else None,
        unmatched_exposed=strata.lonely_exposed,
        unmatched_unexposed=strata.lonely_unexposed,
    )


def _bootstrap(strata: StrataHistogram, settings: Settings, rule: str) -> float:
    def is_causal(resampled: StrataHistogram) -> bool:
        return is_causal_alone(run_test(resampled, settings, rule).significance, settings)

    return bootstrap_stability(
        strata, is_causal, n_resamples=settings.bootstrap, seed=settings.seed, rule=rule
    )
