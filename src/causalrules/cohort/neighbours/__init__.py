"""Which columns stand next to the outcome, which way the arrows point, and what bears witness."""

from causalrules.cohort.neighbours.interactions import InteractingPair
from causalrules.cohort.neighbours.learn import learn
from causalrules.cohort.neighbours.neighbourhood import Neighbour, Neighbourhood
from causalrules.cohort.neighbours.window_rows import Columns
from causalrules.find.direction import Arrow, Witness

__all__ = ["Arrow", "Columns", "InteractingPair", "Neighbour", "Neighbourhood", "Witness", "learn"]
