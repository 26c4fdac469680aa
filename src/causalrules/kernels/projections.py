"""Tables of every small set of columns, counted from rows that shrink on the way.

All sets of at most five of twelve columns are 1,586 tables. Counted each from all rows, that is as many
passes over tens of thousands of rows. But rows that differ only in columns which no further table needs may
be put together, and most tables need few columns: sorted rows lose their last column in one pass, since equal
rows then stand side by side, or nearly so. With the most telling columns last, all passes over Adult and
Census Income together look at a quarter of the rows for each table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.kernels.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_KEYS = 1 << 20
"""Cells of the largest table, whether they occur or not; larger ones are left out."""


class Rows(NamedTuple):
    """Rows at every depth of the walk, and how many of them count.

    Parameters
    ----------
    n : int64[n_depths]
        Rows at each depth.
    sample : int32[n_depths, n_rows]
        One of the rows of the table that it stands for.
    key : int32[n_depths, n_rows]
        The cell that it belongs to, by the columns of the set so far.
    shared : uint8[n_depths, n_rows]
        Leading columns in which it is like the row before.
    counts : int64[n_depths, n_rows, 2]
        Records without and with the outcome.
    """

    n: NDArray[np.int64]
    sample: NDArray[np.int32]
    key: NDArray[np.int32]
    shared: NDArray[np.uint8]
    counts: NDArray[np.int64]


class Walk(NamedTuple):
    """A walk over the sets of columns, and where it is.

    Parameters
    ----------
    codes : uint8[n_columns, n_rows]
        Sorted by the first column, then by the second and so on; one more, if tables have a variable of
        their own.
    n_levels : int64[n_columns]
    rows : Rows
        Rows of the set so far at each depth; at the last depth the cells of its table.
    chosen : int64[most + 1]
        Columns of the set, the last column first; one more place for the column that is tried next.
    size : int64[most + 1]
        Cells of the table of the first so many columns, whether they occur or not.
    at : int64[3]
        Columns in the set, -1 before the empty one; the lowest column that a set may have first, and the
        first that it may not.
    owner : int32[MOST_KEYS]
        Scratch: the row that had a key last.
    as_it_is, nothing : int32[256]
        Every number, and zeros.
    """

    codes: NDArray[np.uint8]
    n_levels: NDArray[np.int64]
    rows: Rows
    chosen: NDArray[np.int64]
    size: NDArray[np.int64]
    at: NDArray[np.int64]
    owner: NDArray[np.int32]
    as_it_is: NDArray[np.int32]
    nothing: NDArray[np.int32]


def empty_rows(n_depths: int, n_rows: int) -> Rows:
    """Room for rows."""
    return Rows(
        np.zeros(n_depths, np.int64),
        np.empty((n_depths, n_rows), np.int32),
        np.empty((n_depths, n_rows), np.int32),
        np.empty((n_depths, n_rows), np.uint8),
        np.empty((n_depths, n_rows, 2), np.int64),
    )


def start_walk(
    codes: NDArray[np.uint8],
    counts: NDArray[np.int64],
    n_levels: NDArray[np.int64],
    most: int,
    *,
    variable: NDArray[np.uint8] | None = None,
    n_values: int = 1,
    tops: tuple[int, int] | None = None,
) -> Walk:
    """Stand before the first set, the empty one.

    Parameters
    ----------
    codes : uint8[n_columns, n_rows]
        Levels of rows that are sorted by the first column, then by the second and so on.
    counts : int64[n_rows, 2]
        Records without and with the outcome.
    n_levels : int64[n_columns]
    most : int
        Columns of a set.
    variable : uint8[n_rows], optional
        What is part of every table besides, below `n_values`.
    tops : (int, int), optional
        Only sets whose last column is from the first of these to the second, not included: others may be
        walked over elsewhere. The empty set goes with the last column.

    Examples
    --------
    Two columns, of which the second tells nothing of the outcome:

    >>> codes = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], np.uint8)
    >>> counts = np.array([[5, 1], [5, 1], [2, 8], [2, 8]])
    >>> walk = start_walk(codes, counts, np.array([2, 2]), 2)
    >>> while next_set(walk):
    ...     cells = walk.rows.counts[-1, : walk.rows.n[-1]]
    ...     print(walk.chosen[: walk.at[0]].tolist(), cells.tolist())
    [] [[14, 18]]
    [1] [[7, 9], [7, 9]]
    [1, 0] [[5, 1], [5, 1], [2, 8], [2, 8]]
    [0] [[10, 2], [4, 16]]
    """
    n_columns, n_rows = codes.shape
    differs = np.ones((n_columns + 1, n_rows), np.bool_)
    differs[:-1, 1:] = codes[:, 1:] != codes[:, :-1]
    rows = empty_rows(most + 2, n_rows)
    rows.n[0] = n_rows
    rows.sample[0] = np.arange(n_rows)
    rows.key[0] = 0 if variable is None else variable
    rows.shared[0] = differs.argmax(axis=0)
    rows.counts[0] = counts
    lowest, beyond = tops or (0, n_columns)
    chosen, size = np.zeros(most + 1, np.int64), np.full(most + 1, n_values, np.int64)
    chosen[0] = n_columns
    numbers = np.arange(256, dtype=np.int32)
    return Walk(
        codes=codes if variable is None else np.vstack([codes, variable]),
        n_levels=n_levels,
        rows=rows,
        chosen=chosen,
        size=size,
        at=np.array([-1 if beyond == n_columns else 0, lowest, beyond]),
        owner=np.zeros(MOST_KEYS, np.int32),
        as_it_is=numbers,
        nothing=np.zeros_like(numbers),
    )


@kernel
def next_set(walk):
    """Go to the next set of columns and count its table; False where there is none.

    The set is `chosen[: at[0]]`, its cells are the rows at the last depth.
    """
    rows, most = walk.rows, walk.size.shape[0] - 1
    cells = most + 1
    if walk.at[0] < 0:
        walk.at[0] = 0
        merge(walk, rows, 0, rows, cells, 0, 0, 1, walk.nothing)
        return True
    while True:
        depth = walk.at[0]
        column = walk.chosen[depth] - 1 if depth < most else -1
        if column < (walk.at[1] if depth == 0 else 0):
            if depth == 0:
                return False
            walk.at[0] -= 1
            continue
        walk.chosen[depth] = column
        n_levels = walk.n_levels[column]
        size = walk.size[depth] * n_levels
        is_asked = size <= MOST_KEYS and (depth > 0 or column < walk.at[2])
        if is_asked:
            walk.size[depth + 1] = size
            if depth + 1 < most and column > 0:
                merge(walk, rows, depth, rows, depth + 1, column, column, n_levels, walk.as_it_is)
                merge(walk, rows, depth + 1, rows, cells, 0, 0, 1, walk.nothing)
            else:
                merge(walk, rows, depth, rows, cells, column, 0, n_levels, walk.as_it_is)
        if column > 0:
            # What follows at this depth has no use for the column.
            merge(walk, rows, depth, rows, depth, column, column, 1, walk.nothing)
        if is_asked:
            walk.at[0] += 1
            if depth + 1 < most:
                walk.chosen[depth + 1] = column
            return True


@kernel
def merge(walk, source, i, target, k, column, n_leading, factor, value):
    """Put rows together that agree on the leading columns and on their new key: key · factor + value[code].

    source, i   : Rows and the depth that rows are taken from
    target, k   : where they are put; may be the same
    column      : whose codes enter the key
    n_leading   : int, columns that rows must agree on; they are sorted by them
    value       : int32[256], of every code
    """
    m, first = 0, 0
    codes, owner = walk.codes[column], walk.owner
    key, shared, sample, counts = source.key[i], source.shared[i], source.sample[i], source.counts[i]
    to_key, to_shared, to_sample = target.key[k], target.shared[k], target.sample[k]
    to_counts = target.counts[k]
    for r in range(source.n[i]):
        if shared[r] < n_leading:
            first = m
        new = key[r] * factor + value[codes[sample[r]]]
        place = owner[new]
        if first <= place < m and to_key[place] == new:
            to_counts[place, 0] += counts[r, 0]
            to_counts[place, 1] += counts[r, 1]
        else:
            owner[new] = m
            to_key[m], to_sample[m], to_shared[m] = new, sample[r], min(shared[r], n_leading)
            to_counts[m, 0], to_counts[m, 1] = counts[r, 0], counts[r, 1]
            m += 1
    target.n[k] = m
