"""The size of an effect in plain terms.

References
----------
Fleiss, Levin and Paik 2003, chapter 13 (difference of paired proportions).
Nam and Blackwelder, Statistics in Medicine 2002 (ratio of paired proportions).
"""

from __future__ import annotations

from math import exp, inf, log, sqrt

from causalrules.assess.odds import critical_value
from causalrules.domain import Effects, Estimate, PairCounts


def effects_of(
    pairs: PairCounts, with_outcome: int, without_outcome: int, n_with: int, n_without: int, confidence: float
) -> Effects:
    """Risk difference and ratios over matched pairs, beside the crude ones.

    Parameters
    ----------
    pairs : PairCounts
        The fair data set.
    with_outcome, without_outcome : int
        Exposed records with and without the direction's outcome.
    n_with, n_without : int
        All records with and without it.
    confidence : float
        Confidence of the intervals.

    Examples
    --------
    >>> effects = effects_of(PairCounts(n11=40, n12=25, n21=10, n22=125), 80, 120, 200, 800, 0.95)
    >>> round(effects.risk_difference.value, 3), round(effects.risk_ratio.value, 2)
    (0.075, 1.3)

    The chance of being spared is 135 in 200 against 150, which 1/1.3 would not tell:

    >>> effects.opposite_risk_ratio.value
    0.9
    """
    exposed, unexposed = with_outcome + without_outcome, n_with + n_without - with_outcome - without_outcome
    crude_exposed = with_outcome / max(exposed, 1)
    crude_unexposed = (n_with - with_outcome) / max(unexposed, 1)
    spared_exposed = without_outcome / max(exposed, 1)
    spared_unexposed = (n_without - without_outcome) / max(unexposed, 1)
    difference = _risk_difference(pairs, confidence)
    return Effects(
        risk_difference=difference,
        risk_ratio=risk_ratio_of(pairs, confidence),
        opposite_risk_ratio=risk_ratio_of(pairs.flipped(), confidence),
        crude_risk_difference=crude_exposed - crude_unexposed,
        crude_risk_ratio=ratio_of(crude_exposed, crude_unexposed),
        crude_opposite_risk_ratio=ratio_of(spared_exposed, spared_unexposed),
        attributable=pairs.n12 - pairs.n21,
        number_needed=1 / difference.value if difference.value != 0 else inf,
    )


def _risk_difference(pairs: PairCounts, confidence: float) -> Estimate:
    """(n12 - n21)/n with its normal interval; 0 within [-1, 1] when nothing was matched."""
    n = pairs.n_pairs
    if n == 0:
        return Estimate(0.0, -1.0, 1.0)
    value = (pairs.n12 - pairs.n21) / n
    variance = max(0.0, (pairs.n_discordant / n - value**2) / n)
    half_width = critical_value(confidence) * sqrt(variance)
    return Estimate(value, max(-1.0, value - half_width), min(1.0, value + half_width))


def risk_ratio_of(pairs: PairCounts, confidence: float) -> Estimate:
    """Outcomes among exposed over outcomes among unexposed partners, with an interval on the log scale."""
    exposed, unexposed = pairs.n11 + pairs.n12, pairs.n11 + pairs.n21
    if exposed == 0 or unexposed == 0:
        return Estimate(ratio_of(exposed, unexposed), 0.0, inf)
    half_width = critical_value(confidence) * sqrt(pairs.n_discordant / (exposed * unexposed))
    logarithm = log(exposed / unexposed)
    high = exp(logarithm + half_width) if logarithm + half_width < 700 else inf
    return Estimate(exposed / unexposed, exp(logarithm - half_width), high)


def ratio_of(above: float, below: float) -> float:
    """Above over below; 1 when both are nothing."""
    if below > 0:
        return above / below
    return inf if above > 0 else 1.0
