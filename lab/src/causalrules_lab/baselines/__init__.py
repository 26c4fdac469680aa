"""Other people's methods on the same table: association rules and discovery of causes by constraints."""

from causalrules_lab.baselines.association_rules import association_rules, non_redundant_rules, optimal_rules
from causalrules_lab.baselines.causal_tree import causal_decision_tree
from causalrules_lab.baselines.coded_tables import code_table
from causalrules_lab.baselines.combined_neighbours import ml_hiton_pc
from causalrules_lab.baselines.comparison import Cause, Comparison, compare, compare_on
from causalrules_lab.baselines.correlations import pc_select_by_correlation
from causalrules_lab.baselines.findings import Finding, Findings
from causalrules_lab.baselines.learned_networks import hill_climbing, miic
from causalrules_lab.baselines.neighbours import hiton_pc, pc_select
from causalrules_lab.baselines.partial_association import cr_pa
from causalrules_lab.baselines.triplets import ccc, ccu

__all__ = [
    "Cause",
    "Comparison",
    "Finding",
    "Findings",
    "association_rules",
    "causal_decision_tree",
    "ccc",
    "ccu",
    "code_table",
    "compare",
    "compare_on",
    "cr_pa",
    "hill_climbing",
    "hiton_pc",
    "miic",
    "ml_hiton_pc",
    "non_redundant_rules",
    "optimal_rules",
    "pc_select",
    "pc_select_by_correlation",
]
