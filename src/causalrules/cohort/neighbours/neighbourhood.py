"""What is known of the columns around the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from causalrules.cohort.neighbours.window_search import MOST_COLUMNS, WEAK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from causalrules.cohort.neighbours.interactions import InteractingPair
    from causalrules.cohort.neighbours.uncut_numbers import OtherTrends
    from causalrules.find.direction import Arrow


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """What is known of one column.

    Parameters
    ----------
    column : int
    name : str
    p_cause, p_effect : float
        Probability of the arrow to the outcome, and from it; 0 for columns that no window held.
    arrow : Arrow
        `cause`, `effect` or `undecided`, and the witness.
    explained_by : tuple of int
        Items within whose strata the column's association is gone.
    is_leak : bool
        Whether it nearly is the outcome.
    is_associated : bool
        Whether one of its items goes with the outcome, by the screen.
    """

    column: int
    name: str
    p_cause: float
    p_effect: float
    arrow: Arrow
    explained_by: tuple[int, ...]
    is_leak: bool
    is_associated: bool

    @property
    def p_next(self) -> float:
        """Probability that it stands next to the outcome."""
        return min(1.0, self.p_cause + self.p_effect)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Neighbourhood:
    """The columns around the outcome.

    Parameters
    ----------
    columns : tuple of Neighbour
        One for every column of the table, in order.
    pairs : tuple of InteractingPair
        Items whose effects depend on each other, beyond Bonferroni's limit over all pairs.
    uncut_pairs : tuple of OtherTrends
        Numbers without items, and columns within whose values their trends differ, the clearest first.
    groups : tuple of tuple of int
        Columns that cannot be told apart, each group one finding.
    window : tuple of int
        The columns of the last window.
    arrows : float64[d, d]
        Probabilities of all arrows of the last window; the outcome is the last variable.
    """

    columns: tuple[Neighbour, ...]
    pairs: tuple[InteractingPair, ...]
    uncut_pairs: tuple[OtherTrends, ...]
    groups: tuple[tuple[int, ...], ...]
    window: tuple[int, ...]
    arrows: NDArray[np.float64]

    @property
    def is_crowded(self) -> bool:
        """Whether more columns may stand next to the outcome than are looked at side by side.

        Which of several that say much the same keep their places then hangs on the records: of 33 columns
        of Census Income, 7 had a probability above one half in one half of the table and below in the other.
        """
        n_strong = sum(column.p_next >= WEAK for column in self.columns)
        return n_strong >= MOST_COLUMNS < len(self.columns)

    def causes_of(self, column: int) -> dict[int, float]:
        """Columns of the last window and the probability that each causes this one."""
        if column not in self.window:
            return {}
        into = self.arrows[:-1, self.window.index(column)]
        return {other: float(p) for other, p in zip(self.window, into, strict=True) if other != column}
