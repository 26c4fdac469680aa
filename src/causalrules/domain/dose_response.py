"""How the outcome changes along an ordered column, level by level, or with every unit of a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from causalrules.domain.estimate import Estimate
from causalrules.domain.file_layout import Saved
from causalrules.domain.mean_effect import with_lower_limit

Course = Literal["rises", "falls", "mixed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoseLevel:
    """The records with one level; numbers speak of the outcome itself.

    Parameters
    ----------
    name : str
        The column and its value, or the interval of a number.
    records, cases : int
        Records in the strata of the study, and those of them with the outcome.
    odds_ratio : Estimate
        Adjusted, against the reference: Mantel and Haenszel's over the strata that have both levels.
    is_informative : bool
        Whether any stratum can tell; True for the reference, whose odds ratio is 1.
    mean_difference : Estimate, optional
        Adjusted, against the reference, of a numeric outcome; cases and odds are those of its upper half.
    """

    name: str
    records: int
    cases: int
    odds_ratio: Estimate
    is_informative: bool
    mean_difference: Estimate | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean_difference", with_lower_limit(self.mean_difference))


@dataclass(frozen=True, slots=True, kw_only=True)
class DoseResponse:
    """All levels of a column as one finding.

    Parameters
    ----------
    column : str
        The column.
    levels : tuple of DoseLevel
        In their order, from the lowest to the highest.
    trend_p : float or None
        Two-sided p-value of Mantel's extension test of a trend over the levels, counted 0, 1, 2, …; None
        where no stratum can tell.
    course : {'rises', 'falls', 'mixed'}
        Whether the odds ratios, or mean differences, go one way from level to level.
    reference : int
        The place of the level that all others are compared with: the lowest one with enough records.
    """

    column: str
    levels: tuple[DoseLevel, ...]
    trend_p: float | None
    course: Course
    reference: int = 0


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
