"""Other people's methods on the same table: association rules and discovery of causes by constraints."""

from causalrules.lab.baselines.association_rules import association_rules, non_redundant_rules, optimal_rules
from causalrules.lab.baselines.comparison import Cause, Comparison, compare, compare_on
from causalrules.lab.baselines.findings import Finding, Findings
from causalrules.lab.baselines.neighbours import hiton_pc, pc_select
from causalrules.lab.baselines.opening import code_table
from causalrules.lab.baselines.triplets import ccc, ccu

__all__ = [
    "Cause",
    "Comparison",
    "Finding",
    "Findings",
    "association_rules",
    "ccc",
    "ccu",
    "code_table",
    "compare",
    "compare_on",
    "hiton_pc",
    "non_redundant_rules",
    "optimal_rules",
    "pc_select",
]
