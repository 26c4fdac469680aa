"""Other people's methods on the same table: association rules and discovery of causes by constraints."""

from causalrules.baselines.association import association_rules
from causalrules.baselines.ccc import ccc
from causalrules.baselines.ccu import ccu
from causalrules.baselines.compare import compare, compare_on
from causalrules.baselines.comparison import Cause, Comparison
from causalrules.baselines.findings import Finding, Findings
from causalrules.baselines.hiton_pc import hiton_pc
from causalrules.baselines.non_redundant import non_redundant_rules
from causalrules.baselines.opening import code_table
from causalrules.baselines.optimal import optimal_rules
from causalrules.baselines.pc_select import pc_select

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
