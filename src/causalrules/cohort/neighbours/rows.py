"""The records of a window: a few whole columns and the outcome, with few levels each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb, log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    UniqueRows = Callable[[NDArray[np.intp]], tuple[NDArray[np.uint16], NDArray[np.int64]]]
    """From columns to the different rows among them: codes, uint16[k, n_rows], 0 for missing; and
    counts, int64[n_rows, 2], records without and with the outcome."""

NUMBER_BINS = 10
"""Bins of a number. Four leave so much of a confounder that 3 of 4 null exposures look causal at 50,000 records."""

RARE = 0.01
LEAST_RECORDS = 5
MOST_LEVELS = 30


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WindowRows:
    """Different rows of a window, and how often each occurs.

    Parameters
    ----------
    columns : tuple of int
        The columns, in the order of the variables; the outcome is the last variable.
    codes : int64[n_rows, n_columns]
        Levels from 0.
    counts : int64[n_rows, 2]
        Records without and with the outcome.
    n_levels : int64[n_columns]
    is_number : bool[n_columns]
    """

    columns: tuple[int, ...]
    codes: NDArray[np.int64]
    counts: NDArray[np.int64]
    n_levels: NDArray[np.int64]
    is_number: NDArray[np.bool_]

    @property
    def n_variables(self) -> int:
        """The columns and the outcome."""
        return len(self.columns) + 1

    def with_outcome(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The same with the outcome as one more variable: codes, counts of rows that occur, levels."""
        codes = np.concatenate([np.column_stack([self.codes, np.full(len(self.codes), z)]) for z in (0, 1)])
        counts = self.counts.T.ravel()
        occurs = counts > 0
        return np.ascontiguousarray(codes[occurs]), counts[occurs], np.append(self.n_levels, 2)


def window_rows(unique_rows: UniqueRows, columns: Columns, chosen: Sequence[int]) -> WindowRows:
    """The rows of some columns: numbers by ten bins, rare values together, missing as a level.

    Examples
    --------
    A category with two rare values, and a number of which some are missing:

    >>> def unique_rows(columns):
    ...     codes = np.array([[1, 2, 3, 4], [0, 1, 2, 3]], np.uint16)
    ...     return codes[columns], np.array([[400, 100], [300, 200], [2, 1], [1, 2]])
    >>> table = Columns(names=("ward", "age"), is_number=np.array([False, True]))
    >>> rows = window_rows(unique_rows, table, [0])
    >>> rows.n_levels, rows.counts.tolist()
    (array([3]), [[400, 100], [300, 200], [3, 3]])
    """
    wanted = np.asarray(chosen, np.intp)
    codes, counts = unique_rows(wanted)
    size = counts.sum(axis=1)
    merged = np.empty((codes.shape[1], len(wanted)), np.int64)
    for place, column in enumerate(chosen):
        levels = _number_levels if columns.is_number[column] else _category_levels
        in_code = np.zeros(int(codes[place].max(initial=0)) + 1, np.int64)
        np.add.at(in_code, codes[place], size)
        merged[:, place] = levels(in_code)[codes[place]]
    n_levels = merged.max(axis=0, initial=0) + 1
    key = np.zeros(len(merged), np.int64)  # 30 levels of 12 columns have room in 63 bits
    for place in range(len(wanted)):
        key = key * n_levels[place] + merged[:, place]
    _, first, member = np.unique(key, return_index=True, return_inverse=True)
    together = np.zeros((len(first), 2), np.int64)
    np.add.at(together, member, counts)
    return WindowRows(
        columns=tuple(int(c) for c in chosen),
        codes=np.ascontiguousarray(merged[first]),
        counts=together,
        n_levels=n_levels,
        is_number=columns.is_number[wanted],
    )


def _category_levels(in_code: NDArray[np.int64]) -> NDArray[np.int64]:
    """Level of each code: the frequent ones in order, missing among them, then all rare ones as one."""
    least = max(LEAST_RECORDS, RARE * in_code.sum())
    frequent = np.flatnonzero(in_code >= least)
    if len(frequent) > MOST_LEVELS - 1 and len(frequent) < np.count_nonzero(in_code):
        frequent = np.sort(frequent[np.argsort(-in_code[frequent], kind="stable")][: MOST_LEVELS - 1])
    level = np.full(len(in_code), len(frequent), np.int64)
    level[frequent] = np.arange(len(frequent))
    return level


def _number_levels(in_code: NDArray[np.int64]) -> NDArray[np.int64]:
    """Level of each code: about equal bins in order; missing a level of its own, or rare and with the largest."""
    known = in_code[1:]
    middle = np.cumsum(known) - known / 2
    tenth = np.minimum(NUMBER_BINS * middle / max(known.sum(), 1), NUMBER_BINS - 1).astype(np.int64)
    _, level = np.unique(tenth, return_inverse=True)
    n_levels = int(level.max(initial=-1)) + 1
    if in_code[0] >= max(LEAST_RECORDS, RARE * in_code.sum()):
        return np.append(n_levels, level)
    largest = int(np.bincount(level, known).argmax()) if n_levels else 0
    return np.append(largest, level)


@dataclass(frozen=True, slots=True, eq=False)
class CoarseCodes:
    """Columns told by one or two of their values, or cuts, and the rest.

    Parameters
    ----------
    codes : int64[n_rows, n_columns]
    n_levels : int64[n_columns]
    extra : float64[n_columns]
        What it costs, in nats, to say which values are meant; 0 where the column is told in full.
    """

    codes: NDArray[np.int64]
    n_levels: NDArray[np.int64]
    extra: NDArray[np.float64]


def coarse_codes(rows: WindowRows) -> CoarseCodes:
    """For every column of more than two levels the values, or cuts, that tell most of the outcome.

    A cause that acts through one of its values would pay for all of them;
    told by that value and the rest, it pays for the choice only. Choosing by
    the outcome is what the extra price is for.
    """
    codes, n_levels = rows.codes.copy(), rows.n_levels.copy()
    extra = np.zeros(len(n_levels))
    for place, k in enumerate(rows.n_levels):
        if k > 2:
            table = np.zeros((k, 2), np.int64)
            np.add.at(table, rows.codes[:, place], rows.counts)
            level, extra[place] = _best_coarse(table, bool(rows.is_number[place]))
            codes[:, place], n_levels[place] = level[rows.codes[:, place]], level.max() + 1
    return CoarseCodes(codes, n_levels, extra)


def _best_coarse(table: NDArray[np.int64], is_number: bool) -> tuple[NDArray[np.int64], float]:
    """Level of each value, and the price; the second value or cut only where it is worth its price."""
    from scipy.special import betaln

    k = len(table)
    choices = np.arange(1, k) if is_number else np.arange(k)

    def marked(chosen: tuple[int, ...]) -> NDArray[np.int64]:
        values = np.arange(k)
        if is_number:
            return np.searchsorted(np.sort(chosen), values, side="right")
        return sum((int(place) * (values == v) for place, v in enumerate(chosen, 1)), np.zeros(k, np.int64))

    def told(chosen: tuple[int, ...]) -> float:
        parts = np.zeros((len(chosen) + 1, 2), np.int64)
        np.add.at(parts, marked(chosen), table)
        return float((betaln(parts[:, 0] + 0.5, parts[:, 1] + 0.5) - betaln(0.5, 0.5)).sum())

    one = max(((int(v),) for v in choices), key=told)
    price = log(len(choices))
    two = max(((*one, int(v)) for v in choices if v != one[0]), key=told, default=one)
    price_of_two = log(max(comb(len(choices), 2), 1))
    if len(two) == 2 and k > 3 and told(two) - price_of_two > told(one) - price:
        return marked(two), price_of_two
    return marked(one), price
