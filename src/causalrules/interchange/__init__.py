"""Results in the hands of other tools: which records have a rule, frames, SQL, graphs."""

from causalrules.interchange.record_masks import mask_of, states_of_pattern

__all__ = ["mask_of", "states_of_pattern"]
