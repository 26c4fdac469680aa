"""The design of a cohort study: which items to hold fixed, and who is compared with whom."""

from causalrules.cohort.controls import Controls, hold_columns, hold_items
from causalrules.cohort.fair_data import FairDataSet, FairDataSets

__all__ = ["Controls", "FairDataSet", "FairDataSets", "hold_columns", "hold_items"]
