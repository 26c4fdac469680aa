"""Why a rule was rejected, and what cannot be told apart from a cause."""

from causalrules.explain.companions import balance_and_entangled, same_records
from causalrules.explain.confounders import explain_away

__all__ = ["balance_and_entangled", "explain_away", "same_records"]
