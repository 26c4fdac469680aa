"""Who gets a look: items that go with the outcome at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.neighbours.within_strata import associate
from causalrules.kernels.special_functions import chdtrc, erfc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.contract import Counts

LEAST_RECORDS = 10
"""Records that must have an item, and be known not to have it, for it to be asked about."""

N_PARTS = 10

SCREEN_LEVEL = 0.05
"""Two-sided and not corrected: it decides only who gets a look, not what is found."""


@dataclass(frozen=True, slots=True, eq=False)
class Screened:
    """Every item's own association with the outcome.

    Parameters
    ----------
    asked : intp[n]
        Items that stand for a hypothesis, in ascending order: one of a two-valued column, all of another.
    p_values : float64[n_items]
        Two-sided, among records whose column is known; 1 for items that are not asked about.
    has_missing : bool[n_columns]
        Whether some record's value is missing.
    """

    asked: NDArray[np.intp]
    p_values: NDArray[np.float64]
    has_missing: NDArray[np.bool_]

    @property
    def passed(self) -> NDArray[np.intp]:
        """The items within the level, the strongest first."""
        inside = self.asked[self.p_values[self.asked] <= SCREEN_LEVEL]
        return inside[np.argsort(self.p_values[inside], kind="stable")]


def screen(engine: Counts, n_columns: int) -> Screened:
    """Test every item against the outcome, among the records whose column is known.

    Records with a missing value are in neither arm: counted as unexposed they
    would dilute an effect, or make one where values are missing more often
    among the ill.

    Parameters
    ----------
    engine : Counts
        Where records are counted.
    n_columns : int
        Columns of the table, with or without items.
    """
    column = engine.column_of_item
    counts = engine.item_counts()
    known = np.zeros((n_columns, 2), np.int64)
    np.add.at(known[:, 0], column, counts.without_outcome)
    np.add.at(known[:, 1], column, counts.with_outcome)
    n_known = known.sum(axis=1)
    tested = associate(
        n_known[column][None], counts.support[None], known[column, 1][None], counts.with_outcome[None]
    )
    is_asked = np.minimum(counts.support, n_known[column] - counts.support) >= LEAST_RECORDS
    # Of two values, one is the other's absence: the first item stands for the column.
    n_items = np.bincount(column, minlength=n_columns)
    is_first = np.append(True, column[1:] != column[:-1])
    is_asked &= (n_items[column] != 2) | is_first
    return Screened(
        asked=np.flatnonzero(is_asked),
        p_values=np.where(is_asked, tested.p_value, 1.0),
        has_missing=n_known < engine.n_with + engine.n_without,
    )


def trend_p_value(codes: NDArray[np.uint16], counts: NDArray[np.int64]) -> float:
    """Test whether the outcome becomes more or less frequent along a number's bins.

    The test of Cochran (1954) and Armitage (1955) with midranks as scores, for
    numbers of which no cut became an item.

    Parameters
    ----------
    codes : uint16[n_rows]
        Bins in ascending order from 1; 0 is missing and left out.
    counts : int64[n_rows, 2]
        Records without and with the outcome.

    Examples
    --------
    >>> bins = np.array([1, 2, 3, 4], np.uint16)
    >>> trend_p_value(bins, np.array([[40, 10], [35, 15], [30, 20], [25, 25]])) < 0.001
    True
    >>> trend_p_value(bins, np.array([[40, 10], [30, 20], [30, 20], [40, 10]]))
    1.0
    """
    known, size = _known_bins(codes, counts)
    n, n_with = int(size.sum()), int(known[:, 1].sum())
    if n_with in (0, n) or np.count_nonzero(size) < 2:
        return 1.0
    rank = np.cumsum(size) - size / 2
    centred = rank - float(rank @ size) / n
    excess = float(centred @ known[:, 1])
    variance = float(centred**2 @ size) * n_with * (n - n_with) / n / (n - 1)
    return float(erfc(abs(excess) / np.sqrt(2 * variance)))


def course_p_value(codes: NDArray[np.uint16], counts: NDArray[np.int64]) -> float:
    """Test whether the outcome's frequency differs between a number's deciles, in whatever order.

    Pearson's test of independence, for what rises and falls again: a U, or the seasons of a date.

    Examples
    --------
    >>> bins = np.array([1, 2, 3, 4], np.uint16)
    >>> course_p_value(bins, np.array([[40, 10], [20, 30], [20, 30], [40, 10]])) < 0.001
    True
    """
    known, size = _known_bins(codes, counts)
    n, n_with = int(size.sum()), int(known[:, 1].sum())
    if n_with in (0, n):
        return 1.0
    decile = np.minimum((N_PARTS * (np.cumsum(size) - size / 2) / n).astype(np.int64), N_PARTS - 1)
    with_outcome, size = np.bincount(decile, known[:, 1]), np.bincount(decile, size)
    with_outcome, size = with_outcome[size > 0], size[size > 0]
    if len(size) < 2:
        return 1.0
    share = n_with / n
    statistic = float(((with_outcome - share * size) ** 2 / size).sum()) / (share * (1 - share))
    return float(chdtrc(len(size) - 1, statistic))


def _known_bins(
    codes: NDArray[np.uint16], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Records without and with the outcome in each bin, and both together; missing left out."""
    of_bin = np.zeros((int(codes.max(initial=0)) + 1, 2), np.int64)
    np.add.at(of_bin, codes, counts)
    return of_bin[1:], of_bin[1:].sum(axis=1)
