"""Integers → odds ratios, intervals and verdicts; never a look at a record."""

from causalrules.assess.odds import OddsRatios, critical_value, crude_odds_ratios
from causalrules.assess.pairs import expected_pairs, random_pairs
from causalrules.assess.verdict import CohortVerdict, judge_expected, judge_random

__all__ = [
    "CohortVerdict",
    "OddsRatios",
    "critical_value",
    "crude_odds_ratios",
    "expected_pairs",
    "judge_expected",
    "judge_random",
    "random_pairs",
]
