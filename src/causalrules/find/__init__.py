"""What is directly linked to the outcome: an exact average over all networks of a few columns at a time."""

from causalrules.find.links import LinkedPair, Links, links

__all__ = ["LinkedPair", "Links", "links"]
