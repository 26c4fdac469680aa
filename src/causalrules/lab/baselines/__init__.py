"""Other people's methods on the same table: association rules and discovery of causes by constraints."""

from causalrules.lab.baselines.association import association_rules
from causalrules.lab.baselines.ccc import ccc
from causalrules.lab.baselines.ccu import ccu
from causalrules.lab.baselines.compare import compare, compare_on
from causalrules.lab.baselines.comparison import Cause, Comparison
from causalrules.lab.baselines.findings import Finding, Findings
from causalrules.lab.baselines.hiton_pc import hiton_pc
from causalrules.lab.baselines.non_redundant import non_redundant_rules
from causalrules.lab.baselines.opening import code_table
from causalrules.lab.baselines.optimal import optimal_rules
from causalrules.lab.baselines.pc_select import pc_select

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
