"""A study of one factor: adjusted risks of its levels, how sure they are, and one test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Levels:
    """The levels of a factor as a study compares them.

    Parameters
    ----------
    names : tuple of str
    level : int64[n_rows]
        The level of each row from 0; -1 where it has none.
    reference : int
    is_ordered : bool
        Whether the levels stand in an order that means more and less.
    n_joined : int
        Rare values that were joined to the last level, called ``other``.
    halves : tuple of (str, str)
        Of a number: how all levels below each are called together, and all from it on.
    cuts : tuple of float
        Of a number: the last value that each level holds, but for the last level.
    left_out : {'missing', 'other_levels'}
        Why rows have no level.
    apart : dict of str to bool[n_rows]
        Those that have none for another reason: ``rare``, ``does_not_apply``.
    """

    names: tuple[str, ...]
    level: NDArray[np.int64]
    reference: int
    is_ordered: bool = False
    n_joined: int = 0
    halves: tuple[tuple[str, str], ...] = ()
    cuts: tuple[float, ...] = ()
    left_out: str = "missing"
    apart: dict[str, NDArray[np.bool_]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slope:
    """By how much the outcome changes for one unit of a number, other things equal."""

    per_unit: float
    error: float
    sd: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study:
    """What a study found.

    Parameters
    ----------
    levels : Levels
    records : float64[k]
        Of each level, among those that risks are standardised to.
    crude : float64[k]
        Share of these with the outcome, or their mean.
    risk : float64[k]
        Adjusted; nan of a level that hardly any compared record could have.
    covariance : float64[k, k]
        Of the adjusted risks.
    effective : float64[k]
        As how many records a sample would need to know the risk of each level as well; infinite of means.
    shares : float64[k]
        Of the compared records, by level.
    p, p_crude : float
        Of the doubly robust test of no difference between levels; nothing held.
    n_compared : int
        Records that have a level and what is held.
    applies_to : int
        Records of them that risks are standardised to.
    left_out : dict of str to int
        Records that are not, by reason.
    slope : Slope, optional
        Of numbers and ordered levels.
    att : (float, float), optional
        Difference among those who have the other level, and its standard error; of two levels.
    explained : dict of str to float
        For each control the part of the crude association that it accounts for.
    products : tuple of (str, str)
        Products of controls that the models hold.
    treats_missing : {'complete', 'level'}
        Whether records with a missing control are left out, or missing is a level of its own.
    chances : float64[n_compared, k]
        Of every level, for each compared row.
    prognosis : float64[n_compared]
        Expected outcome of each compared row, given its controls.
    at_level : float64[n_compared, k]
        The same, had it each level.
    rows : intp[n_compared]
        Which rows those are.
    spread : float
        Standard deviation of the outcome.
    """

    levels: Levels
    records: NDArray[np.float64]
    crude: NDArray[np.float64]
    risk: NDArray[np.float64]
    covariance: NDArray[np.float64]
    effective: NDArray[np.float64]
    shares: NDArray[np.float64]
    p: float
    p_crude: float
    n_compared: int
    applies_to: int
    left_out: dict[str, int]
    slope: Slope | None
    att: tuple[float, float] | None
    explained: dict[str, float]
    products: tuple[tuple[str, ...], ...]
    treats_missing: str
    chances: NDArray[np.float64]
    prognosis: NDArray[np.float64]
    at_level: NDArray[np.float64]
    rows: NDArray[np.intp]
    spread: float
