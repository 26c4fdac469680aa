"""How the parts of a combined cause act together: adjusted risks, and what they are beyond a sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from causalrules.domain.estimate import Estimate
from causalrules.domain.file_layout import Saved


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinationRisk:
    """Records that have some parts of a pattern and are known not to have the others.

    Parameters
    ----------
    exposed : tuple of bool
        Which parts they have, in the order of the pattern.
    records, cases : int
        Among the records compared: all of them, and those with the outcome.
    risk : Estimate
        Of the outcome, adjusted: standardised to the records that have every part.
    """

    exposed: tuple[bool, ...]
    records: int
    cases: int
    risk: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """Measures of interaction on the adjusted scale; they always speak of the outcome itself.

    Of a pattern that lowers the outcome they are those of being without its
    parts, so that the reference is the combination with the lower risk (Knol
    et al. 2011). A number that is not defined, a synergy index where the
    parts together lower the risk, say, is infinite in memory and null in files.

    Parameters
    ----------
    contrast : Estimate
        The interaction contrast of log odds: of two parts ln OR(first | second) - ln OR(first | not second).
    reri : Estimate
        Relative excess risk due to interaction; 0 where risks add up.
    attributable_proportion : Estimate
        Share of the risk with all parts that is due to their interaction.
    synergy : Estimate
        Synergy index: the excess risk of all parts over the sum of their own; 1 where risks add up.
    standardised_to : int
        Records with every part that the risks are standardised to.
    risks : tuple of CombinationRisk
        From none of the parts to all of them.
    """

    contrast: Estimate
    reri: Annotated[Estimate, Saved(column="reri")]
    attributable_proportion: Annotated[Estimate, Saved(column="attributable_proportion", with_limits=False)]
    synergy: Annotated[Estimate, Saved(column="synergy", with_limits=False)]
    standardised_to: int
    risks: tuple[CombinationRisk, ...]

    def risk_of(self, *exposed: bool) -> CombinationRisk:
        """The records with exactly these parts."""
        return next(one for one in self.risks if one.exposed == exposed)
