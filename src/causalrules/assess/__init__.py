"""Integers → odds ratios, intervals, tests and verdicts; never a look at a record."""

from causalrules.assess.odds import (
    OddsRatios,
    critical_value,
    crude_odds_ratios,
    fair_odds_ratio,
    odds_ratio_of_table,
)
from causalrules.assess.pairings import expected_pairs, random_pairs
from causalrules.assess.verdict import Judgement, Study, is_causal_alone, judge, run_test

__all__ = [
    "Judgement",
    "OddsRatios",
    "Study",
    "critical_value",
    "crude_odds_ratios",
    "expected_pairs",
    "fair_odds_ratio",
    "is_causal_alone",
    "judge",
    "odds_ratio_of_table",
    "random_pairs",
    "run_test",
]
