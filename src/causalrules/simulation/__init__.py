"""Tables with a known truth: the hospital, and what further kinds are made of."""

from causalrules.simulation.kinds import Kind, all_kinds, simulate
from causalrules.simulation.planted import PLANTED, PlantedCause, PlantedTruth, hospital_table, planted_table
from causalrules.simulation.simulated import Simulated, Truth

__all__ = [
    "PLANTED",
    "Kind",
    "PlantedCause",
    "PlantedTruth",
    "Simulated",
    "Truth",
    "all_kinds",
    "hospital_table",
    "planted_table",
    "simulate",
]
