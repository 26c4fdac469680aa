"""How strong a hidden cause would have to be.

References
----------
Rosenbaum, *Observational Studies*, 2002, section 4.3. VanderWeele and Ding,
Annals of Internal Medicine 2017.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Protocol

from causalrules.kernels.special_functions import betainc, betainccinv, betaincinv


class Pairs(Protocol):
    """Matched pairs of which only one side has the outcome: the exposed one, and the other; averages too."""

    @property
    def n12(self) -> float:
        """Of which only the exposed record has the outcome."""

    @property
    def n21(self) -> float:
        """Of which only the other one has it."""


class Interval(Protocol):
    """An estimate's limits."""

    @property
    def low(self) -> float:
        """The lower one."""

    @property
    def high(self) -> float:
        """The upper one."""


def rosenbaum_p(pairs: Pairs, gamma: float) -> float:
    """Largest one-sided p-value when hidden bias multiplies the odds of exposure by at most gamma.

    P(X >= n12) for X binomial over the discordant pairs with probability
    gamma / (1 + gamma); an incomplete beta function, so averaged counts need
    not be whole.

    Examples
    --------
    >>> from causalrules.domain import PairCounts
    >>> smokers = PairCounts(n11=0, n12=110, n21=12, n22=0)
    >>> [float(f"{rosenbaum_p(smokers, gamma):.3g}") for gamma in (4, 5, 6)]
    [0.00196, 0.0232, 0.0969]
    """
    if pairs.n12 <= 0:
        return 1.0
    return float(betainc(pairs.n12, pairs.n21 + 1, gamma / (1 + gamma)))


def gamma_of(pairs: Pairs, alpha: float) -> float:
    """The smallest hidden bias whose one-sided p-value reaches alpha; 1 if none is needed.

    The p-value grows with gamma, so this is its inverse: the odds of a
    quantile of the beta distribution.

    Examples
    --------
    >>> from causalrules.domain import PairCounts
    >>> round(gamma_of(PairCounts(n11=0, n12=110, n21=12, n22=0), 0.05), 2)
    5.47
    """
    if pairs.n12 <= 0:
        return 1.0
    probability = betaincinv(pairs.n12, pairs.n21 + 1, alpha)
    complement = betainccinv(pairs.n21 + 1, pairs.n12, alpha)
    return max(1.0, float(probability / complement))


def e_value(risk_ratio: float) -> float:
    """How strongly a hidden cause would have to go with exposure and outcome, both as risk ratios.

    Examples
    --------
    >>> round(e_value(3.9), 2), e_value(1.0)
    (7.26, 1.0)
    """
    ratio = risk_ratio if risk_ratio >= 1 else (1 / risk_ratio if risk_ratio > 0 else inf)
    return ratio + sqrt(ratio * (ratio - 1)) if ratio < inf else inf


def e_value_of_limit(risk_ratio: Interval) -> float:
    """E-value of the limit nearer to 1; 1 when the interval holds 1."""
    if risk_ratio.low <= 1 <= risk_ratio.high:
        return 1.0
    return e_value(risk_ratio.low if risk_ratio.low > 1 else risk_ratio.high)
