"""What is held in the study of a factor? One rule for every study, mined or asked for."""

from causalrules.adjust.controls import Held, held_for

__all__ = ["Held", "held_for"]
