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


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The controls as `kernels.logistic` wants them.

    Parameters
    ----------
    levels : int32[n_rows, n_controls]
        The design's column that is one, -1 for the most frequent level.
    is_bin : bool[n_levels]
        Which levels are bins of a number; the intercept is not counted.
    terms : float64[n_rows, n_terms]
        Standardised numbers, then their standardised squares; missing is 0, their mean.
    n_records : int
        Of all rows.
    """

    levels: NDArray[np.int32]
    is_bin: NDArray[np.bool_]
    terms: NDArray[np.float64]
    n_records: int

    def penalties(self, level: float, n_free: int) -> NDArray[np.float64]:
        """Penalty of every coefficient, `n_free` nearly free ones at the end."""
        n_numbers = self.terms.shape[1] // 2
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
    design = build_design(rows)
    n_records = rows.n_records.astype(np.float64)
    exposed = rows.exposed.astype(np.float64)
    of_exposure = fit_logistic(
        design.levels, design.terms, exposed * n_records, n_records, design.penalties(_LEVEL, 0)
    )
    with_exposure = np.column_stack([design.terms, exposed])
    of_outcome = fit_logistic(
        design.levels,
        with_exposure,
        rows.counts[:, 1].astype(np.float64),
        n_records,
        design.penalties(_LEVEL_OF_OUTCOME, 1),
    )
    return Scores(_predict(design, of_exposure), _predict(design, of_outcome[:-1]), float(of_outcome[-1]))


def build_design(rows: StudyRows) -> Design:
    """Lay out the controls: levels of every column, and a line and a square for every number."""
    n_records = rows.n_records
    codes = [_levels_of(control, n_records) for control in rows.controls]
    levels, column_of_level = _number_levels(codes, n_records)
    numbers = [control for control in rows.controls if control.is_number]
    lines = [_standardised(_filled(control), control.codes > 0, n_records) for control in numbers]
    squares = [
        _standardised(line**2, control.codes > 0, n_records)
        for line, control in zip(lines, numbers, strict=True)
    ]
    terms = np.column_stack([*lines, *squares]) if numbers else np.empty((rows.n_rows, 0))
    is_number = np.array([control.is_number for control in rows.controls], np.bool_)
    return Design(levels, is_number[column_of_level], np.ascontiguousarray(terms), int(n_records.sum()))


def _predict(design: Design, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
    predictor = np.empty(len(design.levels))
    linear_predictor(design.levels, design.terms, coefficients, predictor)
    return predictor


def _levels_of(control: Control, n_records: NDArray[np.int64]) -> NDArray[np.int64]:
    """Codes from 0, missing is 0; the fine bins of numbers are joined to deciles."""
    return deciles(control, n_records) if control.is_number else control.codes.astype(np.int64)


def deciles(control: Control, n_records: NDArray[np.int64]) -> NDArray[np.int64]:
    """Join a number's fine bins to ten with about as many records each; missing stays 0.

    Examples
    --------
    >>> from causalrules.cohort.study_rows import Control
    >>> age = Control("age", np.arange(21, dtype=np.int32), 20, np.arange(20.0))
    >>> deciles(age, np.ones(21, np.int64)).tolist()
    [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]
    """
    codes = control.codes.astype(np.int64)
    if control.n_codes <= N_BINS:
        return codes
    per_bin = np.bincount(codes, n_records, control.n_codes + 1)[1:]
    middle = np.cumsum(per_bin) - per_bin / 2
    decile = np.minimum((N_BINS * middle / max(per_bin.sum(), 1.0)).astype(np.int64), N_BINS - 1)
    joined: NDArray[np.int64] = np.append(0, decile + 1)[codes]
    return joined


def _number_levels(
    codes: list[NDArray[np.int64]], n_records: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """Give every level but the most frequent of its column a place in the design; return also its column."""
    sizes = [np.bincount(column, n_records) for column in codes]
    for size in sizes:
        if len(size):
            size[np.argmax(size)] = 0  # the reference
    flat = np.concatenate(sizes) if sizes else np.empty(0)
    if np.count_nonzero(flat) > MOST_LEVELS:
        flat[np.argsort(-flat, kind="stable")[MOST_LEVELS:]] = 0
    place = np.full(len(flat), -1, np.int32)
    place[flat > 0] = 1 + np.arange(np.count_nonzero(flat))
    starts = np.cumsum([0, *(len(size) for size in sizes)])
    levels = np.full((len(n_records), len(codes)), -1, np.int32)
    for j, column in enumerate(codes):
        levels[:, j] = place[starts[j] + column]
    column_of_place = np.repeat(np.arange(len(codes)), [len(size) for size in sizes])
    return levels, column_of_place[flat > 0]


def _filled(control: Control) -> NDArray[np.float64]:
    assert control.values is not None
    filled: NDArray[np.float64] = np.append(0.0, control.values)[control.codes]
    return filled


def _standardised(
    term: NDArray[np.float64], known: NDArray[np.bool_], n_records: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Mean 0 and variance 1 over the records that have it; the others are put at the mean."""
    weight = n_records * known
    total = max(float(weight.sum()), 1.0)
    mean = float(weight @ term) / total
    spread = float(np.sqrt(weight @ (term - mean) ** 2 / total))
    return np.where(known, (term - mean) / spread, 0.0) if spread > 1e-12 else np.zeros(len(term))
