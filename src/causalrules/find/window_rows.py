"""The records of a window: a few whole columns and the outcome, with few levels each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.domain.unique_rows import first_of_each, number_combinations
from causalrules.kernels.special_functions import ndtri
from causalrules.words import constants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FINE_BINS = 3
"""Bins in one standard deviation of a number's normal scores, for what is smooth in them."""

MOST_LEVELS = 30

MOST_RECORDS, LEAST_OF_RARER = 50_000, 5_000
"""Records that a window is looked at with, and how many of the rarer outcome must be among them."""


class LevelsOfCodes(NamedTuple):
    """The level of each code of a column.

    Parameters
    ----------
    ten : int64[n_codes]
        Of a number its ten bins, of a category its frequent values.
    fine : int64[n_codes]
        Of a number finer bins; of a category the same.
    has_missing : bool
        Of a number, whether the last level is that of missing values.
    """

    ten: NDArray[np.int64]
    fine: NDArray[np.int64]
    has_missing: bool

    @classmethod
    def of(cls, codes: NDArray[np.integer], size: NDArray[np.int64], is_number: bool) -> LevelsOfCodes:
        """From codes, 0 for missing, and how often each row counts."""
        in_code = np.zeros(int(codes.max(initial=0)) + 1, np.int64)
        np.add.at(in_code, codes, size)
        if is_number:
            return cls(*_number_levels(in_code))
        level = _category_levels(in_code)
        return cls(level, level, False)


class Levels(NamedTuple):
    """Different rows and how often each occurs.

    Parameters
    ----------
    codes : int64[n_rows, n_columns]
        Levels from 0.
    counts : int64[n_rows, 2]
        Records without and with the outcome.
    n_levels : int64[n_columns]
    """

    codes: NDArray[np.int64]
    counts: NDArray[np.int64]
    n_levels: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WindowRows:
    """Different rows of a window, and how often each occurs.

    Parameters
    ----------
    columns : tuple of int
        The columns, in the order of the variables; the outcome is the last variable.
    is_number : bool[n_columns]
    levels : Levels
        Numbers in ten bins.
    fine : Levels
        Numbers in finer bins, narrow in the tails too; the same where there are no numbers.
    has_missing_level : bool[n_columns]
        For numbers, whether the last level is that of missing values.
    """

    columns: tuple[int, ...]
    is_number: NDArray[np.bool_]
    levels: Levels
    fine: Levels
    has_missing_level: NDArray[np.bool_]

    @property
    def n_variables(self) -> int:
        """The columns and the outcome."""
        return len(self.columns) + 1

    @property
    def n_levels_with_outcome(self) -> NDArray[np.int64]:
        """Levels of every variable."""
        return np.append(self.levels.n_levels, 2)

    def with_outcome(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The same with the outcome as one more variable: codes, counts of rows that occur, levels."""
        codes, counts, _ = self.levels
        both = np.concatenate([np.column_stack([codes, np.full(len(codes), z)]) for z in (0, 1)])
        of_both = counts.T.ravel()
        occurs = of_both > 0
        return np.ascontiguousarray(both[occurs]), of_both[occurs], self.n_levels_with_outcome


def rows_of(
    columns: Sequence[int],
    codes: NDArray[np.integer] | Sequence[NDArray[np.integer]],
    counts: NDArray[np.int64],
    is_number: NDArray[np.bool_],
) -> WindowRows:
    """The rows of some columns: numbers by ten bins, rare values together, missing as a level.

    Parameters
    ----------
    columns : sequence of int
        The window's columns.
    codes : integer[k, n_rows]
        Of these columns, 0 for missing.
    counts : int64[n_rows, 2]
        Records without and with the outcome.
    is_number : bool[k]
        Whether the codes are bins in ascending order.

    Examples
    --------
    A category with two rare values:

    >>> codes = np.array([[1, 2, 3, 4]])
    >>> counts = np.array([[400, 100], [300, 200], [2, 1], [1, 2]])
    >>> rows = rows_of([0], codes, counts, np.array([False]))
    >>> rows.levels.n_levels, rows.levels.counts.tolist()
    (array([3]), [[400, 100], [300, 200], [3, 3]])
    """
    size = counts.sum(axis=1)
    known = [LevelsOfCodes.of(own, size, bool(number)) for own, number in zip(codes, is_number, strict=True)]
    return put_rows_together(columns, codes, counts, is_number, known)


def put_rows_together(
    columns: Sequence[int],
    codes: NDArray[np.integer] | Sequence[NDArray[np.integer]],
    counts: NDArray[np.int64],
    is_number: NDArray[np.bool_],
    known: Sequence[LevelsOfCodes],
) -> WindowRows:
    """The rows of some columns whose levels are known; parameters as in `rows_of`."""
    merged = np.empty((len(counts), len(known)), np.int64)
    fine = np.empty_like(merged)
    for place, levels in enumerate(known):
        merged[:, place], fine[:, place] = levels.ten[codes[place]], levels.fine[codes[place]]
    together = put_together(merged, counts)
    return WindowRows(
        columns=tuple(int(c) for c in columns),
        is_number=is_number,
        levels=together,
        fine=put_together(fine, counts) if is_number.any() else together,
        has_missing_level=np.array([levels.has_missing for levels in known], np.bool_),
    )


def fixed_sample(counts: NDArray[np.int64], most: int = MOST_RECORDS) -> NDArray[np.int64]:
    """A sample of many records, the same in every run and on every engine; few are taken as they are.

    What a window costs grows with its different rows, and tables of millions have as many. Every
    so-many-eth record is drawn in the order of the rows, first of those without the outcome, so that every
    column keeps its shares. `MOST_RECORDS` tell which columns stand next to the outcome; how much
    each changes it is asked of all records. A rare outcome keeps more of them, `LEAST_OF_RARER` with it.

    Parameters
    ----------
    counts : int64[n_rows, 2]
        Records without and with the outcome.
    most : int
        Records to draw; a rare outcome keeps a tenth as many.

    Examples
    --------
    >>> fixed_sample(np.array([[60_000, 10_000], [30_000, 0]])).tolist()
    [[30000, 5000], [15000, 0]]
    """
    n_records, n_rarer = int(counts.sum()), int(counts.sum(axis=0).min())
    least = most * LEAST_OF_RARER // MOST_RECORDS
    share = max(most / max(n_records, 1), least / max(n_rarer, 1))
    if share >= 1:
        return counts
    running = np.cumsum(counts.T.ravel())
    drawn = np.diff(np.floor(running * share + 0.5), prepend=0.0).astype(np.int64)
    return np.ascontiguousarray(drawn.reshape(2, -1).T)


def put_together(codes: NDArray[np.int64], counts: NDArray[np.int64]) -> Levels:
    """Count equal rows together, sorted by the first column, then by the second and so on."""
    member = number_combinations(codes.T, len(codes))
    first = first_of_each(member, int(member.max(initial=-1)) + 1)
    together = np.column_stack([np.bincount(member, of_rows, len(first)) for of_rows in counts.T])
    return Levels(
        np.ascontiguousarray(codes[first]), together.astype(np.int64), codes.max(axis=0, initial=0) + 1
    )


def _category_levels(in_code: NDArray[np.int64]) -> NDArray[np.int64]:
    """Level of each code: the frequent ones in order, missing among them, then all rare ones as one."""
    least = max(constants.LEAST_RECORDS, constants.RARE * in_code.sum())
    frequent = np.flatnonzero(in_code >= least)
    has_rare = len(frequent) < np.count_nonzero(in_code)
    if len(frequent) + has_rare > MOST_LEVELS:
        frequent = np.sort(frequent[np.argsort(-in_code[frequent], kind="stable")][: MOST_LEVELS - 1])
    level = np.full(len(in_code), len(frequent), np.int64)
    level[frequent] = np.arange(len(frequent))
    return level


def _number_levels(in_code: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """Level of each code among ten equal bins, and among fine ones; and whether missing is a level.

    Fine bins are equally wide in normal scores: of ten equal bins, the outer
    two hold most of what is left of a confounder within bins.
    """
    known = in_code[1:]
    middle = (np.cumsum(known) - known / 2) / max(int(known.sum()), 1)
    tenth = np.minimum(constants.BINS * middle, constants.BINS - 1).astype(np.int64)
    width = np.floor(FINE_BINS * ndtri(np.clip(middle, 1e-4, 1 - 1e-4))).astype(np.int64)
    is_level = bool(in_code[0] >= max(constants.LEAST_RECORDS, constants.RARE * in_code.sum()))
    found = []
    for bins in (tenth, width):
        _, level = np.unique(bins, return_inverse=True)
        # A few missing values are put where most records are.
        missing = (
            level.max(initial=-1) + 1 if is_level else np.bincount(level, known).argmax() if len(level) else 0
        )
        found.append(np.append(missing, level))
    return found[0], found[1], is_level
