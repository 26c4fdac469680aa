"""Tables with a known truth."""

from causalrules.simulate.planted import PLANTED, PlantedCause, planted_table

__all__ = ["PLANTED", "PlantedCause", "planted_table"]
