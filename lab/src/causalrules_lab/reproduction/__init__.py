"""The paper's experiments, made again: every table and figure of its Section 5, beside what it prints."""

from causalrules_lab.reproduction.experiments import EXPERIMENTS, Experiment, chosen_experiments
from causalrules_lab.reproduction.sheet import Sheet

__all__ = ["EXPERIMENTS", "Experiment", "Sheet", "chosen_experiments"]
