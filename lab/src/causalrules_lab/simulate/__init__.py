"""Tables with a known truth."""

from causalrules.simulation import simulate
from causalrules_lab.simulate.bayesian import Network, NetworkTruth, Node
from causalrules_lab.simulate.bif import bif_table, format_bif, parse_bif, read_bif, write_bif
from causalrules_lab.simulate.combined import CombinedCause, CombinedTruth, combined_table
from causalrules_lab.simulate.confounded import ConfoundedTruth, confounded_table
from causalrules_lab.simulate.logistic_tables import LogisticTruth, logistic_table
from causalrules_lab.simulate.random_networks import NetworkPlan, network_table, random_network
from causalrules_lab.simulate.registry import KINDS, PAPER_TABLES

__all__ = [
    "KINDS",
    "PAPER_TABLES",
    "CombinedCause",
    "CombinedTruth",
    "ConfoundedTruth",
    "LogisticTruth",
    "Network",
    "NetworkPlan",
    "NetworkTruth",
    "Node",
    "bif_table",
    "combined_table",
    "confounded_table",
    "format_bif",
    "logistic_table",
    "network_table",
    "parse_bif",
    "random_network",
    "read_bif",
    "simulate",
    "write_bif",
]
