"""How the odds change with every unit of a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from causalrules.domain.estimate import Estimate
from causalrules.domain.file_layout import Saved


@dataclass(frozen=True, slots=True, kw_only=True)
class PerUnit:
    """The effect of a number, if every unit changes the odds alike; it speaks of the outcome itself.

    Parameters
    ----------
    column : str
        The number.
    unit : float
        A round one, the power of ten next below the standard deviation: 10 for ages, 1 for body mass indices.
    odds_ratio : Estimate
        Of so much more of it, within the strata of the study.
    standard_deviation : float
        Of the number among the records in these strata.
    per_deviation : Estimate
        The odds ratio of a standard deviation more.
    p_value : float
        Two-sided.
    """

    column: str
    unit: Annotated[float, Saved(column="unit")]
    odds_ratio: Annotated[Estimate, Saved(column="odds_ratio_per_unit", column_stem="per_unit")]
    standard_deviation: float
    per_deviation: Estimate
    p_value: float
