"""The effect of an exposure in the subgroups of a column, and whether it differs between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from causalrules.domain.estimate import Estimate
from causalrules.domain.file_layout import Saved
from causalrules.domain.mean_effect import with_lower_limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Subgroup:
    """The records with one value of a column; all numbers speak of the outcome itself.

    Parameters
    ----------
    name : str
        The column and its value, or the interval of a number.
    exposed, exposed_cases, unexposed, unexposed_cases : int
        Records that are compared, and those of them with the outcome.
    odds_ratio : Estimate
        Adjusted: Mantel and Haenszel's over the strata of this subgroup.
    risk_difference : Estimate
        Standardised to the exposed records of this subgroup.
    p_value : float
        Of no effect in this subgroup, by itself and not corrected.
    is_informative : bool
        Whether any stratum of it has both arms, and records with and without the outcome.
    mean_difference : Estimate, optional
        Adjusted, of a numeric outcome; cases, odds and risks are then those of its upper half.
    """

    name: str
    exposed: int
    exposed_cases: int
    unexposed: int
    unexposed_cases: int
    odds_ratio: Estimate
    risk_difference: Estimate
    p_value: float
    is_informative: bool
    mean_difference: Estimate | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean_difference", with_lower_limit(self.mean_difference))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subgroups:
    """The subgroups of one column, and the test of interaction.

    Parameters
    ----------
    column : str
        The column.
    groups : tuple of Subgroup
        In the order of its values.
    interaction_p : float or None
        Chance of odds ratios, or mean differences, that differ as much if they were the same in all
        subgroups; None where fewer than two subgroups can tell.
    interaction_q : float or None
        The same, corrected by Holm's method for all tests of interaction in the run.
    left_out : int
        Records of the study without a value of the column.
    """

    column: str
    groups: tuple[Subgroup, ...]
    interaction_p: Annotated[float | None, Saved(column=None)]
    interaction_q: Annotated[float | None, Saved(column=None)]
    left_out: int
