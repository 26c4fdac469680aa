"""The records of a window, as an engine gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.find.window_rows import fixed_sample, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from causalrules.find.window_rows import WindowRows

    UniqueRows = Callable[[NDArray[np.intp]], tuple[NDArray[np.uint16], NDArray[np.int64]]]
    """From columns to the different rows among them: codes, uint16[k, n_rows], 0 for missing; and
    counts, int64[n_rows, 2], records without and with the outcome."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """What is known of a table's columns.

    Parameters
    ----------
    names : tuple of str
    is_number : bool[n_columns]
        Whether the codes are bins in ascending order.
    """

    names: tuple[str, ...]
    is_number: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.names)


def window_rows(
    unique_rows: UniqueRows, columns: Columns, chosen: Sequence[int], complete: Sequence[int] = ()
) -> WindowRows:
    """The rows of some columns: numbers by ten bins, rare values together, missing as a level.

    Parameters
    ----------
    unique_rows : callable
        From columns to their different rows: codes and counts.
    columns : Columns
    chosen : sequence of int
        The window's columns.
    complete : sequence of int
        Columns of these whose value must be known; other records are left out.

    Examples
    --------
    A category with two rare values, and a number of which some are missing:

    >>> def unique_rows(columns):
    ...     codes = np.array([[1, 2, 3, 4], [0, 1, 2, 3]], np.uint16)
    ...     return codes[columns], np.array([[400, 100], [300, 200], [2, 1], [1, 2]])
    >>> table = Columns(names=("ward", "age"), is_number=np.array([False, True]))
    >>> rows = window_rows(unique_rows, table, [0])
    >>> rows.levels.n_levels, rows.levels.counts.tolist()
    (array([3]), [[400, 100], [300, 200], [3, 3]])
    """
    wanted = np.asarray(chosen, np.intp)
    # Sorted, so that the sample does not depend on the order of the window.
    in_order, place_of = np.unique(wanted, return_inverse=True)
    codes, counts = unique_rows(in_order)
    codes, counts = codes[place_of], fixed_sample(counts)
    is_drawn = counts.any(axis=1)
    if not is_drawn.all():
        codes, counts = codes[:, is_drawn], counts[is_drawn]
    if complete:
        is_known = (codes[np.isin(wanted, complete)] > 0).all(axis=0)
        codes, counts = codes[:, is_known], counts[is_known]
    return rows_of(wanted.tolist(), codes, counts, columns.is_number[wanted])
