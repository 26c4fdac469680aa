"""Risks in words: their ratio and difference, the number needed, and the E-value, which is of a ratio.

Of records that were gathered by the outcome there are none: how many have it was decided by who
gathered them.
"""

from __future__ import annotations

from math import ceil, inf, isfinite, sqrt
from typing import TYPE_CHECKING, NamedTuple

from causalrules.domain import Estimate
from causalrules.domain.mean_effect import AS_RISK_RATIO
from causalrules.judge.sensitivity import e_value, e_value_of_limit
from causalrules.report.words.contrast_words import percent_points, points_and_interval
from causalrules.report.words.formatting import interval, number

if TYPE_CHECKING:
    from causalrules.domain import Rule


NO_RISKS_TOLD = (
    "The sets were gathered by the outcome, so the table cannot tell risks: the odds ratio is the effect."
)


class RiskRow(NamedTuple):
    """A size of the effect on risks, about the outcome itself: its name, value and limits, and a remark."""

    name: str
    value: str
    limits: str
    remark: str


def risk_ratio_row(rule: Rule) -> RiskRow:
    """The standardised risk ratio."""
    effects = rule.of_the_outcome().effects
    ratio, crude = effects.risk_ratio, effects.crude_risk_ratio
    return RiskRow("risk ratio", number(ratio.value), interval(ratio), f"crude {number(crude)}")


def risk_difference_row(rule: Rule) -> RiskRow:
    """The standardised risk difference."""
    effects = rule.of_the_outcome().effects
    (crude,) = percent_points(effects.crude_risk_difference)
    return RiskRow("risk difference", *points_and_interval(effects.risk_difference), f"crude {crude}")


def number_needed_row(rule: Rule) -> RiskRow | None:
    """The number needed to treat or to harm, in whole records; None where the difference may be nothing."""
    difference = rule.of_the_outcome().effects.risk_difference
    if not (difference.low > 0 or difference.high < 0) or not isfinite(difference.value):
        return None
    value, *limits = (
        ceil(1 / abs(one)) if one else inf for one in (difference.value, difference.low, difference.high)
    )
    amount = "more" if difference.value > 0 else "fewer"
    told = f"{min(limits):,} – {max(limits):,}"
    return RiskRow("number needed", f"{value:,}", told, f"exposed for one {amount}")


def e_value_line(rule: Rule) -> str:
    """The E-value, and of which ratio and interval it is."""
    doubts, limit = rule.doubts, "for the limit of its interval"
    values = f"E-value {number(doubts.e_value)} for the {{}}, {number(doubts.e_value_limit)} {limit}"
    own = rule.of_the_outcome()
    if rule.mean is not None:
        ratio = rule.mean.as_ratio(AS_RISK_RATIO)
        return f"{values.format(f'mean difference as a risk ratio, {_with_interval(ratio)}')}"
    if rule.has_risks:
        ratio = own.effects.risk_ratio
        holds = ", which holds 1" if ratio.low <= 1 <= ratio.high else ""
        return f"{values.format(f'risk ratio {_with_interval(ratio)}')}{holds}"
    common = Estimate(*(sqrt(one) for one in _limits(own.adjusted_odds_ratio)))
    if_common = f"{number(e_value(common.value))} and {number(e_value_of_limit(common))}"
    ratio_of_odds = _with_interval(own.adjusted_odds_ratio)
    return (
        f"{values.format(f'odds ratio {ratio_of_odds}')}, if the outcome is rare where the sets come from; "
        f"{if_common} if it is common"
    )


def _limits(ratio: Estimate) -> tuple[float, float, float]:
    return ratio.value, ratio.low, ratio.high


def _with_interval(ratio: Estimate) -> str:
    return f"{number(ratio.value)} ({interval(ratio)})"
