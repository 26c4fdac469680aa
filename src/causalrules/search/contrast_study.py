"""The study of one contrast: what was adjusted for, who was compared, and the estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.odds import odds_ratio_of_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.arms import Arms
    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.cohort.imbalance import ColumnImbalance
    from causalrules.domain import Estimate
    from causalrules.domain.unique_rows import HeldColumn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ContrastStudy:
    """A pattern, the columns held, the records compared and how alike they are.

    Parameters
    ----------
    pattern : tuple of int
        Item numbers.
    columns : tuple of int
        The coded columns that its rows are made of, ascending.
    held : tuple of HeldColumn
        What records of a stratum are alike in.
    near_copies : tuple of str
        Columns that could not be held because they nearly determine the exposure.
    arms, compared
        The records, and what their comparison says.
    sums : int64[n_items, 5] or None
        Records and weights of each item, see `cohort.imbalance`; None where only an estimate was asked for.
    imbalance : dict of str to ColumnImbalance
        Of every column but the pattern's own, or of those held where only an estimate was asked for.
    untestable : str
        Why no answer can be had; empty if one can.
    other_missing : ArmsCompared, optional
        The comparison with missing controls treated the other way; None where none is missing.
    combinations : int64[n_strata, 2**k, 2] or None
        Of a pattern of several parts: see `cohort.combinations`.
    is_remembered : bool
        Whether its counts were taken from a checkpoint.
    """

    pattern: tuple[int, ...]
    columns: tuple[int, ...]
    held: tuple[HeldColumn, ...]
    near_copies: tuple[str, ...]
    arms: Arms
    compared: ArmsCompared
    sums: NDArray[np.int64] | None
    imbalance: dict[str, ColumnImbalance]
    untestable: str
    other_missing: ArmsCompared | None = None
    combinations: NDArray[np.int64] | None = None
    is_remembered: bool = False

    @property
    def crude_cells(self) -> tuple[int, int, int, int]:
        """All records of the arms: exposed with and without the outcome, unexposed likewise."""
        rows = self.arms.rows
        without, with_it = (rows.exposed.astype(np.int64) @ rows.counts).tolist()
        n_without, n_with = rows.counts.sum(axis=0).tolist()
        return with_it, without, n_with - with_it, n_without - without

    def crude_odds_ratio(self, confidence: float) -> Estimate:
        """The odds ratio of all records of the arms, weighted where they are a weighted sample."""
        crude = self.compared.crude
        return odds_ratio_of_table(self.crude_cells, confidence) if crude is None else crude.odds_ratio
