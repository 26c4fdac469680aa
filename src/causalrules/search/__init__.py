"""The search: patterns level by level, each put to its cohort study."""

from causalrules.search.search import Search

__all__ = ["Search"]
