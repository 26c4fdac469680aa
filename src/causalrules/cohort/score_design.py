"""How the controls of a study enter its models: levels of whole columns, and lines and squares of numbers.

Whole columns enter, every value a level, missing one of them. Numbers enter
by deciles, a line and a square: deciles alone leave confounding inside the
bins, a line alone bends nowhere, and the outer deciles are wide. The line of
a strongly skewed number is one of normal scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from causalrules.domain.unique_rows import first_of_each, number_combinations
from causalrules.kernels.joined_controls import join_controls
from causalrules.kernels.special_functions import ndtri

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.study_rows import Control, StudyRows

N_BINS = 10

SKEWED = 2.0
"""Skewness, that of an exponential distribution, beyond which a number enters by its normal scores.

A few large values stretch the line of a laboratory value, and leave little of it to most records. Of two
lognormal confounders (300 records) the log odds ratio of a null exposure was 0.12 on average, and is 0.01; of
exponential ones, which act as they are, it was 0 and is 0.
"""

MOST_LEVELS = 1000
"""Levels of the design; beyond, the rarest of all columns count as their column's most frequent one."""

# Penalties are inverse prior variances. They were chosen by trying about fifteen settings on
# simulated tables, so what is said here favours them; study_calibration.csv has later tables.
# Bins only bend a curve that is hardly penalised, so they may be shrunk: with four numbers and
# 300 records, bins penalised by 0.1 made 10 % of null exposures significant, by 5-50 about 6 %;
# but by 50 they follow a step too slowly (n 2,000: 15 % of 100 tables against 8 % by 10).
# Without the squares a U-shaped confounder made 34 % of 150, with them 5-7 %.
_LINE, _SQUARE, _BIN, LEVEL, LEVEL_OF_OUTCOME = 0.1, 5.0, 10.0, 0.5, 2.0
_RECORDS_PER_BIN = 150  # with fewer, bins are shrunk the more; chosen from 0, 50 and 150

_ARMS = (0.0, 1.0)  # the value of the unexposed and of the exposed arm


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Records that are alike in all that a model knows, told as `kernels.logistic` wants them.

    Parameters
    ----------
    slots : integer[n_kinds, n_controls]
        The value of every control, numbered over all controls.
    codes : int32[n_kinds, n_groups]
        The combination of values in every group of controls, numbered over all groups.
    slots_of_code : int32[n_codes, widest]
        The slots of every combination.
    """

    slots: NDArray[np.integer]
    codes: NDArray[np.integer]
    slots_of_code: NDArray[np.int32]

    def with_one_of(
        self, which: NDArray[np.intp], two_slots: NDArray[np.int64], is_second: NDArray[np.int64]
    ) -> Kinds:
        """Some kinds with one more control: the first or the second of two slots."""
        n_codes, widest = self.slots_of_code.shape
        own = np.full((len(two_slots), widest), -1, np.int32)
        own[:, 0] = two_slots
        return Kinds(
            _with_last(self.slots[which], two_slots[is_second]),
            _with_last(self.codes[which], n_codes + is_second),
            np.vstack([self.slots_of_code, own]),
        )


def _with_last(table: NDArray[np.integer], column: NDArray[np.int64]) -> NDArray[np.integer]:
    wider = np.empty((len(table), table.shape[1] + 1), table.dtype)
    wider[:, :-1], wider[:, -1] = table, column
    return wider


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The controls as `kernels.logistic` wants them; the arm is one more column after them.

    Records are told by their controls alone, sorted with the controls of few values first: a fit is
    fastest so.

    Parameters
    ----------
    names : tuple of str
        Of the controls.
    row_of : int64[n_rows]
        The kind of each of the study's rows: rows with equal controls are one.
    kinds : Kinds
        Them.
    first_slot : int64[n_controls + 2]
        Where the values of each control begin, and of the arm.
    level_of_slot : int32[n_slots]
        The design's column that is one for this value, -1 for the most frequent one.
    value_of_slot : float64[n_slots, 2]
        A number's standardised value and its standardised square; missing is 0, their mean.
    numbers : tuple of int
        Which controls are numbers.
    is_bin : bool[n_levels]
        Which levels are bins of a number; the intercept is not counted.
    n_records : int
        Of all rows.
    n_records_of_kind : float64[n_kinds]
        Of every kind.
    """

    names: tuple[str, ...]
    row_of: NDArray[np.int64]
    kinds: Kinds
    first_slot: NDArray[np.int64]
    level_of_slot: NDArray[np.int32]
    value_of_slot: NDArray[np.float64]
    numbers: tuple[int, ...]
    is_bin: NDArray[np.bool_]
    n_records: int
    n_records_of_kind: NDArray[np.float64]

    def penalties(self, level: float, n_free: int) -> NDArray[np.float64]:
        """Penalty of every coefficient, `n_free` nearly free ones at the end."""
        n_numbers = len(self.numbers)
        crowding = _RECORDS_PER_BIN * np.count_nonzero(self.is_bin) / max(self.n_records, 1)
        return np.concatenate(
            [
                [1e-6],
                np.where(self.is_bin, _BIN * max(1.0, crowding), level),
                np.full(n_numbers, _LINE),
                np.full(n_numbers, _SQUARE),
                np.full(n_free, _LINE),
            ]
        )

    def terms(self, *, with_arm: bool) -> NDArray[np.int64]:
        """The design's columns of lines, squares and, if it takes part, the arm: int64[n_columns, 2]."""
        first, n_numbers = 1 + len(self.is_bin), len(self.numbers)
        places = np.full((len(self.names) + with_arm, 2), -1, np.int64)
        for i, j in enumerate(self.numbers):
            places[j] = first + i, first + n_numbers + i
        if with_arm:
            places[-1, 0] = first + 2 * n_numbers
        return places

    def known_from(self, model: Model, n_free: int) -> NDArray[np.float64]:
        """Coefficients to start from: those of a model of other records or controls, 0 for what it has not.

        Standardised numbers and deciles of other records are a little different: a start need not be exact.
        Cells of several categories are numbered as they occur; where others occur, nothing is known of them.
        """
        start = np.zeros(1 + len(self.is_bin) + 2 * len(self.numbers) + n_free)
        start[0] = model.coefficients[0]
        terms = self.terms(with_arm=False)
        for j, name in enumerate(self.names):
            if name not in model.effects:
                continue
            own = self.level_of_slot[self.first_slot[j] : self.first_slot[j + 1]]
            levels, line_and_square = model.effects[name]
            if len(levels) != len(own):
                continue
            start[own[own > 0]] = levels[own > 0]
            if terms[j, 0] > 0:
                start[terms[j]] = line_and_square
        return start

    def sums(self, of_rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add up what the study's rows have, by their kinds."""
        return _sums(self.row_of, of_rows, len(self.kinds.slots))

    def with_arm(
        self, exposed: NDArray[np.bool_], *of_rows: NDArray[np.float64]
    ) -> tuple[Kinds, list[NDArray[np.float64]]]:
        """The kinds with their arm as the last slot, and the sums of what the study's rows have."""
        n_kinds = len(self.kinds.slots)
        cell = 2 * self.row_of + exposed
        filled = np.flatnonzero(np.bincount(cell, minlength=2 * n_kinds))
        arms = self.first_slot[-2] + np.arange(len(_ARMS))
        return self.kinds.with_one_of(filled >> 1, arms, filled & 1), [
            np.bincount(cell, values, 2 * n_kinds)[filled].astype(np.float64) for values in of_rows
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What a fit found, told by controls and their codes, so that other fits may start from it.

    Parameters
    ----------
    coefficients : float64[p]
        As the design lays them out.
    effects : dict of str to (float64[n_codes + 1], float64[2])
        Of every control: the level's coefficient of each code, and those of line and square.
    """

    coefficients: NDArray[np.float64]
    effects: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]

    @classmethod
    def of(cls, design: Design, coefficients: NDArray[np.float64]) -> Model:
        """Read the coefficients of a design."""
        level = design.level_of_slot
        of_slot = np.where(level > 0, coefficients[level], 0.0)
        terms = design.terms(with_arm=False)
        effects = {
            name: (of_slot[design.first_slot[j] : design.first_slot[j + 1]], coefficients[terms[j]])
            for j, name in enumerate(design.names)
        }
        return cls(coefficients, effects)


@dataclass(frozen=True, slots=True)
class Models:
    """What is known of a study's two models, or of nearly the same ones; None where nothing is."""

    exposure: Model | None = None
    outcome: Model | None = None


def design_of(rows: StudyRows) -> Design:
    """The design of the rows' controls, laid out once for all studies that share them."""
    if rows.shared.design is None:
        rows.shared.design = build_design(rows)
    return rows.shared.design


def build_design(rows: StudyRows) -> Design:
    """Lay out the controls: levels of every column, and a line and a square for every number.

    What a row gets depends on its codes only, so all is worked out once for
    every code, and the rows look it up.
    """
    n_records = rows.n_records
    sizes = [_records_of_codes(control, n_records) for control in rows.controls]
    joined = [
        _decile_of_code(size) if control.is_number else np.arange(len(size))
        for control, size in zip(rows.controls, sizes, strict=True)
    ]
    places, column_of_level = _number_levels(
        [np.bincount(level, size).astype(np.float64) for level, size in zip(joined, sizes, strict=True)]
    )
    order = sorted(range(len(sizes)), key=lambda j: np.count_nonzero(sizes[j]))
    first_slot = np.cumsum([0, *(len(sizes[j]) for j in order), len(_ARMS)])
    slots = np.empty((rows.n_rows, len(order)), np.uint16 if first_slot[-1] < 1 << 16 else np.int32)
    levels = np.full(first_slot[-1], -1, np.int32)
    values = np.zeros((first_slot[-1], 2))
    values[first_slot[-2] :, 0] = _ARMS
    for place, j in enumerate(order):
        control, own = rows.controls[j], slice(first_slot[place], first_slot[place + 1])
        slots[:, place] = control.codes + first_slot[place]
        levels[own] = places[j][joined[j]]
        if control.is_number:
            line = _line_of_codes(control, sizes[j])
            values[own] = np.column_stack([line, _standardised(line**2, sizes[j])])
    row_of = number_combinations([rows.controls[j].codes for j in order], rows.n_rows)
    slots = slots[first_of_each(row_of, int(row_of.max(initial=-1)) + 1)]
    is_number = np.array([control.is_number for control in rows.controls], np.bool_)
    return Design(
        names=tuple(rows.controls[j].name for j in order),
        row_of=row_of,
        kinds=Kinds(slots, *join_controls(slots, first_slot)),
        first_slot=first_slot,
        level_of_slot=levels,
        value_of_slot=values,
        numbers=tuple(place for place, j in enumerate(order) if is_number[j]),
        is_bin=is_number[column_of_level],
        n_records=int(n_records.sum()),
        n_records_of_kind=_sums(row_of, n_records, len(slots)),
    )


def _sums(row_of: NDArray[np.int64], of_rows: NDArray[Any], n_kinds: int) -> NDArray[np.float64]:
    return np.bincount(row_of, of_rows, n_kinds).astype(np.float64)


def line_of_codes(control: Control, n_records: NDArray[np.int64]) -> NDArray[np.float64]:
    """A number's standardised value for each of its codes; 0, the mean, for missing.

    That of a strongly skewed number is its normal score.
    """
    return _line_of_codes(control, _records_of_codes(control, n_records))


def _line_of_codes(control: Control, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    assert control.values is not None
    line = _standardised(np.append(0.0, control.values), sizes)
    known = np.append(0.0, sizes[1:])
    total = max(float(known.sum()), 1.0)
    if abs(float((known * line**3).sum())) <= SKEWED * total:
        return line
    middle = np.clip((np.cumsum(known) - known / 2) / total, 1e-9, 1 - 1e-9)
    return _standardised(ndtri(middle), sizes)


def deciles(control: Control, n_records: NDArray[np.int64]) -> NDArray[np.int64]:
    """Join a number's fine bins to ten with about as many records each; missing stays 0.

    Examples
    --------
    >>> from causalrules.cohort.study_rows import Control
    >>> age = Control("age", np.arange(21, dtype=np.int32), 20, np.arange(20.0))
    >>> deciles(age, np.ones(21, np.int64)).tolist()
    [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]
    """
    joined: NDArray[np.int64] = _decile_of_code(_records_of_codes(control, n_records))[control.codes]
    return joined


def _records_of_codes(control: Control, n_records: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.bincount(control.codes, n_records, control.n_codes + 1).astype(np.float64)


def _decile_of_code(per_code: NDArray[np.float64]) -> NDArray[np.int64]:
    """The decile of each code, from the records that have it; code 0, missing, stays 0."""
    per_bin = per_code[1:]
    if len(per_bin) <= N_BINS:
        return np.arange(len(per_code))
    middle = np.cumsum(per_bin) - per_bin / 2
    decile = np.minimum((N_BINS * middle / max(per_bin.sum(), 1.0)).astype(np.int64), N_BINS - 1)
    return np.append(np.int64(0), decile + 1)


def _number_levels(sizes: list[NDArray[np.float64]]) -> tuple[list[NDArray[np.int32]], NDArray[np.intp]]:
    """Give every level but the most frequent of its column a place in the design.

    Parameters
    ----------
    sizes : list of float64[n_levels]
        Records of each level, for each column.

    Returns
    -------
    list of int32[n_levels], intp[n_places]
        The place of each level, -1 for none; and the column of each place.
    """
    flat = np.concatenate(sizes) if sizes else np.empty(0)
    starts = np.cumsum([0, *(len(size) for size in sizes)])
    for start, size in zip(starts[:-1], sizes, strict=True):
        flat[start + np.argmax(size)] = 0  # the reference
    if np.count_nonzero(flat) > MOST_LEVELS:
        flat[np.argsort(-flat, kind="stable")[MOST_LEVELS:]] = 0
    place = np.full(len(flat), -1, np.int32)
    place[flat > 0] = 1 + np.arange(np.count_nonzero(flat))
    column_of_place = np.repeat(np.arange(len(sizes)), [len(size) for size in sizes])
    return np.split(place, starts[1:-1]) if sizes else [], column_of_place[flat > 0]


def _standardised(term: NDArray[np.float64], size: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean 0 and variance 1 over the records that have it; the others are put at the mean.

    Parameters
    ----------
    term : float64[n_codes + 1]
        Its value for each code, of which 0 is missing.
    size : float64[n_codes + 1]
        Records of each code.
    """
    weight = size.copy()
    weight[0] = 0.0
    total = max(float(weight.sum()), 1.0)
    mean = float((weight * term).sum()) / total
    centred = term - mean
    centred[0] = 0.0
    spread = float(np.sqrt((weight * centred**2).sum() / total))
    return centred / spread if spread > 1e-12 else np.zeros(len(term))
