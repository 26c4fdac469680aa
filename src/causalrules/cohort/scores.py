"""The two scores that a study compares records by: P(exposed | C) and the risk without exposure.

Whole columns enter, every value a level, missing one of them. Numbers enter
by deciles, a line and a square: deciles alone leave confounding inside the
bins, a line alone bends nowhere, and the outer deciles are wide.

References
----------
Rosenbaum and Rubin, Biometrika 1983 (propensity score).
Hansen, Biometrika 2008 (prognostic score).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.logistic import fit_logistic, linear_predictor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.study_rows import Control, StudyRows

N_BINS = 10

MOST_LEVELS = 1000
"""Levels of the design; beyond, the rarest of all columns count as their column's most frequent one."""

# Penalties are inverse prior variances. They were chosen by trying about fifteen settings on
# simulated tables, so what is said here favours them; study_calibration.csv has later tables.
# Bins only bend a curve that is hardly penalised, so they may be shrunk: with four numbers and
# 300 records, bins penalised by 0.1 made 10 % of null exposures significant, by 5-50 about 6 %;
# but by 50 they follow a step too slowly (n 2,000: 15 % of 100 tables against 8 % by 10).
# Without the squares a U-shaped confounder made 34 % of 150, with them 5-7 %.
_LINE, _SQUARE, _BIN, _LEVEL, _LEVEL_OF_OUTCOME = 0.1, 5.0, 10.0, 0.5, 2.0
_RECORDS_PER_BIN = 150  # with fewer, bins are shrunk the more; chosen from 0, 50 and 150

_ARMS = (0.0, 1.0)  # the value of the unexposed and of the exposed arm
_MOST_STEPS = 60


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The controls as `kernels.logistic` wants them; the arm is one more column after them.

    Parameters
    ----------
    slots : int32[n_rows, n_controls]
        The value of every control, numbered over all controls.
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
    """

    slots: NDArray[np.int32]
    first_slot: NDArray[np.int64]
    level_of_slot: NDArray[np.int32]
    value_of_slot: NDArray[np.float64]
    numbers: tuple[int, ...]
    is_bin: NDArray[np.bool_]
    n_records: int

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
        """The design's columns of lines, squares and, if it takes part, the arm: int64[n_controls + 1, 2]."""
        first, n_numbers = 1 + len(self.is_bin), len(self.numbers)
        places = np.full((len(self.first_slot) - 1, 2), -1, np.int64)
        for i, j in enumerate(self.numbers):
            places[j] = first + i, first + n_numbers + i
        if with_arm:
            places[-1, 0] = first + 2 * n_numbers
        return places

    def with_arm(self, exposed: NDArray[np.bool_]) -> NDArray[np.int32]:
        """The slots of every row, the arm's last."""
        slots = np.empty((len(self.slots), self.slots.shape[1] + 1), np.int32)
        slots[:, :-1] = self.slots
        slots[:, -1] = self.first_slot[-2] + exposed
        return slots


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Both scores of every unique row, as logits.

    Parameters
    ----------
    propensity : float64[n_rows]
        Logit of P(exposed | C).
    prognosis : float64[n_rows]
        Logit of P(outcome | C, unexposed), from a model with the exposure in it.
    exposure_effect : float
        The exposure's coefficient in that model.
    """

    propensity: NDArray[np.float64]
    prognosis: NDArray[np.float64]
    exposure_effect: float


def fit_scores(rows: StudyRows) -> Scores:
    """Fit both models on the unique rows.

    Examples
    --------
    One control of two values; half of the records with it are exposed, a tenth of the others:

    >>> from causalrules.cohort.study_rows import Control, StudyRows
    >>> sex = Control("sex", np.array([1, 1, 2, 2], np.int32), 2)
    >>> counts = np.array([[300, 200], [400, 100], [60, 40], [800, 100]])
    >>> scores = fit_scores(StudyRows(np.array([True, False, True, False]), counts, (sex,)))
    >>> np.round(1 / (1 + np.exp(-scores.propensity)), 2).tolist()
    [0.5, 0.5, 0.1, 0.1]
    """
    design = rows.shared.once("design", lambda: build_design(rows))
    n_records = rows.n_records.astype(np.float64)
    exposed = rows.exposed.astype(np.float64)
    slots = design.with_arm(rows.exposed)
    of_exposure = _fit(design, slots, exposed * n_records, n_records, design.penalties(_LEVEL, 0))
    with_outcome = rows.counts[:, 1].astype(np.float64)
    penalties = design.penalties(_LEVEL_OF_OUTCOME, 1)
    of_outcome = _fit(
        design, slots, with_outcome, n_records, penalties, start=rows.shared.seen("prognosis"), with_arm=True
    )
    # Another exposure hardly moves the controls' effects: the next study of these rows starts from them.
    rows.shared.once("prognosis", lambda: np.append(of_outcome[:-1], 0.0))
    return Scores(
        _predict(design, slots, of_exposure), _predict(design, slots, of_outcome[:-1]), float(of_outcome[-1])
    )


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
    first_slot = np.cumsum([0, *(len(size) for size in sizes), len(_ARMS)])
    slots = np.empty((rows.n_rows, len(rows.controls)), np.int32)
    levels = np.full(first_slot[-1], -1, np.int32)
    values = np.zeros((first_slot[-1], 2))
    values[first_slot[-2] :, 0] = _ARMS
    for j, control in enumerate(rows.controls):
        own = slice(first_slot[j], first_slot[j + 1])
        np.add(control.codes, np.int32(first_slot[j]), out=slots[:, j])
        levels[own] = places[j][joined[j]]
        if control.values is not None:
            line = _standardised(np.append(0.0, control.values), sizes[j])
            values[own] = np.column_stack([line, _standardised(line**2, sizes[j])])
    is_number = np.array([control.is_number for control in rows.controls], np.bool_)
    numbers = tuple(np.flatnonzero(is_number).tolist())
    is_bin = is_number[column_of_level]
    return Design(slots, first_slot, levels, values, numbers, is_bin, int(n_records.sum()))


def _fit(
    design: Design,
    slots: NDArray[np.int32],
    successes: NDArray[np.float64],
    totals: NDArray[np.float64],
    penalties: NDArray[np.float64],
    *,
    start: NDArray[np.float64] | None = None,
    with_arm: bool = False,
) -> NDArray[np.float64]:
    """Coefficients of one model; without a start, from the intercept that alone would fit best."""
    if start is None:
        share = (successes.sum() + 0.5) / (totals.sum() + 1.0)
        start = np.zeros(len(penalties))
        start[0] = np.log(share / (1.0 - share))
    found: NDArray[np.float64] = fit_logistic(
        slots,
        design.first_slot,
        design.level_of_slot,
        design.value_of_slot,
        design.terms(with_arm=with_arm),
        successes,
        totals,
        penalties,
        start,
        _MOST_STEPS,
    )
    return found


def _predict(
    design: Design, slots: NDArray[np.int32], coefficients: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The predictor of every row, its arm left out."""
    predictor = np.empty(len(slots))
    linear_predictor(
        slots,
        design.first_slot,
        design.level_of_slot,
        design.value_of_slot,
        design.terms(with_arm=False),
        coefficients,
        predictor,
    )
    return predictor


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
