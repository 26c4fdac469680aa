"""Patterns level by level: candidates, counts and prunings."""

from causalrules.mine.tree import Level, PatternTree

__all__ = ["Level", "PatternTree"]
