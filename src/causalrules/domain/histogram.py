"""The strata histogram: all that a cohort study needs to know about the records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


WEIGHT_UNIT = 1 << 24
"""Weight of a record that is always matched; weights are whole parts of it, so that engines agree exactly."""

_OPPOSITE = [1, 0, 3, 2, 4]


@dataclass(frozen=True, slots=True, eq=False)
class StrataHistogram:
    """How many strata look alike, for one rule and its controls.

    Parameters
    ----------
    rows : int64[k, 5]
        One row for each kind of stratum that has both exposed and unexposed
        records: exposed with the outcome, exposed without, unexposed with,
        unexposed without, and the number of such strata. Rows are distinct
        and, as an engine gives them, in ascending order.
    lonely_exposed, lonely_unexposed : int
        Records in strata where the other side is absent.

    Examples
    --------
    >>> strata = StrataHistogram.from_strata([(1, 0, 0, 2), (1, 0, 0, 2), (0, 1, 1, 1)], 3, 0)
    >>> strata.rows.tolist()
    [[0, 1, 1, 1, 1], [1, 0, 0, 2, 2]]
    >>> strata.n_exposed, strata.n_unexposed
    (6, 6)
    """

    rows: NDArray[np.int64]
    lonely_exposed: int
    lonely_unexposed: int

    @classmethod
    def from_strata(
        cls,
        strata: Iterable[tuple[int, int, int, int]] | NDArray[np.int64],
        lonely_exposed: int,
        lonely_unexposed: int,
    ) -> StrataHistogram:
        """Gather single strata, each with both sides present, in any order."""
        rows = strata if isinstance(strata, np.ndarray) else list(strata)
        counts = np.asarray(rows, dtype=np.int64).reshape(-1, 4)
        kinds, multiplicity = np.unique(counts, axis=0, return_counts=True)
        return cls(np.column_stack([kinds, multiplicity]), lonely_exposed, lonely_unexposed)

    @property
    def n_exposed(self) -> int:
        """All exposed records, matched or not."""
        return self._matched_side(0) + self.lonely_exposed

    @property
    def n_unexposed(self) -> int:
        """All unexposed records, matched or not."""
        return self._matched_side(2) + self.lonely_unexposed

    def _matched_side(self, first: int) -> int:
        return int(((self.rows[:, first] + self.rows[:, first + 1]) * self.rows[:, 4]).sum())

    def flipped(self) -> StrataHistogram:
        """The same strata, in the same order, for the opposite outcome."""
        return StrataHistogram(
            np.take(self.rows, _OPPOSITE, axis=1), self.lonely_exposed, self.lonely_unexposed
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StrataHistogram):
            return NotImplemented
        return (
            np.array_equal(self.rows, other.rows)
            and self.lonely_exposed == other.lonely_exposed
            and self.lonely_unexposed == other.lonely_unexposed
        )

    __hash__ = None  # type: ignore[assignment]
