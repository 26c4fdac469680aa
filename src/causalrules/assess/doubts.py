"""What could overturn a rule (sensitivity, heterogeneity, stability), computed from its strata."""

from __future__ import annotations

from math import erfc, log, sqrt
from typing import TYPE_CHECKING

from causalrules.assess.heterogeneity import Heterogeneity, both_signs_p, heterogeneity_of
from causalrules.assess.odds import critical_value
from causalrules.assess.significance import mantel_haenszel_test
from causalrules.assess.stratum_sums import sums_of
from causalrules.domain import Doubts, Estimate
from causalrules.domain.histogram import StrataHistogram
from causalrules.judge.sensitivity import e_value, e_value_of_limit, gamma_of

if TYPE_CHECKING:
    from causalrules.domain import PairCounts
    from causalrules.domain.histogram import StrataHistogram
    from causalrules.domain.table_settings import TableSettings


def doubts_of(
    strata: StrataHistogram,
    pairs: PairCounts,
    level: float,
    settings: TableSettings,
    risk_ratio: Estimate,
    *,
    design_effect: float = 1.0,
) -> Doubts:
    """Sensitivity, heterogeneity, stability and losses of one study.

    Γ is the bias that would take the study's own p-value above the level it
    had to meet. E-values are those of `risk_ratio`, which is the outcome's
    own, also for rules that lower it: a ratio of its absence would hide a
    strong effect on a rare outcome. Where records come in clusters, so many
    as `design_effect` are worth one pair to Γ.

    An effect is mixed where the strata's spread would turn its sign in some.
    """
    common = mantel_haenszel_test(strata, settings.confidence).odds_ratio.value
    heterogeneity = heterogeneity_of(strata, common, settings.alpha)
    # Its test takes records for independent and equal, and asks about odds.
    if settings.has_design or settings.outcome_as == "mean":
        heterogeneity = Heterogeneity(None, 0.0, is_mixed=False)
    return Doubts(
        gamma=gamma_of(pairs.worth(1 / design_effect), level / 2),
        e_value=e_value(risk_ratio.value),
        e_value_limit=e_value_of_limit(risk_ratio),
        heterogeneity_p=heterogeneity.p_value,
        is_mixed=heterogeneity.is_mixed,
        stability=pairing_stability(strata, settings.confidence),
        bootstrap=None,
        unmatched_exposed=strata.lonely_exposed,
        unmatched_unexposed=strata.lonely_unexposed,
    )


def shows_both_signs(strata: StrataHistogram, doubts: Doubts, level: float) -> bool:
    """Whether effects differ between strata, and strata of either sign show theirs."""
    p_value = doubts.heterogeneity_p
    return p_value is not None and p_value < level and both_signs_p(strata) < level


def pairing_stability(strata: StrataHistogram, confidence: float) -> float:
    """Share of random pairings whose matched-pairs interval lies above 1.

    Means and covariances of n12 and n21 over all maximal pairings are known
    in closed form; the distance of the lower limit from 1 is then taken as
    normal (delta method). With fewer than about ten pairs of either kind the
    share is rough.

    Parameters
    ----------
    strata : StrataHistogram
        The strata of the rule.
    confidence : float
        Confidence of the interval.

    Examples
    --------
    Strata of one against one leave no choice of partners:

    >>> strata = StrataHistogram.from_strata([(1, 0, 0, 1)] * 30 + [(0, 1, 1, 0)] * 10, 0, 0)
    >>> pairing_stability(strata, 0.95)
    1.0
    """
    sums = sums_of(strata)
    n12, n21 = max(sums.n12, 1.0), max(sums.n21, 1.0)
    critical = critical_value(confidence)
    error = sqrt(1 / n12 + 1 / n21)
    distance = log(n12 / n21) - critical * error
    slope12 = 1 / n12 + critical / (2 * error * n12**2) if sums.n12 > 1 else 0.0
    slope21 = -1 / n21 + critical / (2 * error * n21**2) if sums.n21 > 1 else 0.0
    variance = slope12**2 * sums.var12 + slope21**2 * sums.var21 + 2 * slope12 * slope21 * sums.covariance
    if variance <= 1e-15:
        return 1.0 if distance > 0 else 0.0
    return 0.5 * erfc(-distance / sqrt(2 * variance))
