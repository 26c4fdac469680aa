"""Which variables stand next to the outcome, and what to hold fixed to see it."""

from causalrules.cohort.network.network import Network, learn_network

__all__ = ["Network", "learn_network"]
