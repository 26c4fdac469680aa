"""Tables with a known truth."""

from causalrules.lab.simulate.bayesian import Network, NetworkTruth, Node
from causalrules.lab.simulate.bif import bif_table, format_bif, parse_bif, read_bif, write_bif
from causalrules.lab.simulate.combined import CombinedCause, CombinedTruth, combined_table
from causalrules.lab.simulate.confounded import ConfoundedTruth, confounded_table
from causalrules.lab.simulate.logistic_tables import LogisticTruth, logistic_table
from causalrules.lab.simulate.planted import (
    PLANTED,
    PlantedCause,
    PlantedTruth,
    hospital_table,
    planted_table,
)
from causalrules.lab.simulate.random_networks import NetworkPlan, network_table, random_network
from causalrules.lab.simulate.registry import KINDS, PAPER_TABLES, Kind, simulate
from causalrules.lab.simulate.simulated import Simulated, Truth

__all__ = [
    "KINDS",
    "PAPER_TABLES",
    "PLANTED",
    "CombinedCause",
    "CombinedTruth",
    "ConfoundedTruth",
    "Kind",
    "LogisticTruth",
    "Network",
    "NetworkPlan",
    "NetworkTruth",
    "Node",
    "PlantedCause",
    "PlantedTruth",
    "Simulated",
    "Truth",
    "bif_table",
    "combined_table",
    "confounded_table",
    "format_bif",
    "hospital_table",
    "logistic_table",
    "network_table",
    "parse_bif",
    "planted_table",
    "random_network",
    "read_bif",
    "simulate",
    "write_bif",
]
