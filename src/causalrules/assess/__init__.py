"""Integers → odds ratios, intervals and tests; never a look at a record."""

from causalrules.assess.odds import (
    OddsRatios,
    critical_value,
    crude_odds_ratios,
    fair_odds_ratio,
    odds_ratio_of_table,
)
from causalrules.assess.pairings import expected_pairs, random_pairs

__all__ = [
    "OddsRatios",
    "critical_value",
    "crude_odds_ratios",
    "expected_pairs",
    "fair_odds_ratio",
    "odds_ratio_of_table",
    "random_pairs",
]
