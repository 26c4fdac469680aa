"""The design of a cohort study: which items to hold fixed."""

from causalrules.cohort.controls import Controls, hold_columns, hold_items

__all__ = ["Controls", "hold_columns", "hold_items"]
