"""The words of the product as frozen values: items, rules, settings, results.

`StrataHistogram` is in `domain.histogram`: it needs NumPy, and the terminal's
help should not wait for that.
"""

from causalrules.domain.data_summary import DataSummary, LeftOut
from causalrules.domain.declared import Declared
from causalrules.domain.estimate import Estimate
from causalrules.domain.evidence import (
    Balance,
    Closeness,
    Doubts,
    Effects,
    Entangled,
    Explanation,
    ExplanationStep,
    ItemBalance,
    StratumTable,
    Unmatched,
)
from causalrules.domain.item import Item, Outcome, Pattern
from causalrules.domain.pairs import PairCounts
from causalrules.domain.result import Result
from causalrules.domain.rule import Direction, Rule, Verdict
from causalrules.domain.settings import Settings
from causalrules.domain.threshold import largest_count_within, smallest_count_reaching

__all__ = [
    "Balance",
    "Closeness",
    "DataSummary",
    "Declared",
    "Direction",
    "Doubts",
    "Effects",
    "Entangled",
    "Estimate",
    "Explanation",
    "ExplanationStep",
    "Item",
    "ItemBalance",
    "LeftOut",
    "Outcome",
    "PairCounts",
    "Pattern",
    "Result",
    "Rule",
    "Settings",
    "StratumTable",
    "Unmatched",
    "Verdict",
    "largest_count_within",
    "smallest_count_reaching",
]
