"""The two scores that a study compares records by: P(exposed | C) and the risk without exposure.

Whole columns enter, every value a level, missing one of them; numbers by
deciles and a linear term: deciles alone leave confounding inside the bins, a
line alone bends nowhere.
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
LEVEL_PENALTY = 0.1
LINE_PENALTY = 0.01
MOST_LEVELS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The controls as `kernels.logistic` wants them.

    Parameters
    ----------
    levels : int32[n_rows, n_controls]
        The design's column that is one, -1 for the most frequent level.
    lines : float64[n_rows, n_lines]
        Standardised numbers; missing is 0, their mean.
    n_levels : int
        Columns of the levels, the intercept not counted.
    """

    levels: NDArray[np.int32]
    lines: NDArray[np.float64]
    n_levels: int


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Both scores of every unique row, as logits.

    Parameters
    ----------
    propensity : float64[n_rows]
        Logit of P(exposed | C) (Rosenbaum and Rubin 1983).
    prognosis : float64[n_rows]
        Logit of P(outcome | C, unexposed), from a model with the exposure in
        it (Hansen 2008).
    """

    propensity: NDArray[np.float64]
    prognosis: NDArray[np.float64]


def build_design(rows: StudyRows) -> Design:
    """Lay out the controls: levels of every column, and a line for numbers of many values."""
    n_records = rows.n_records
    codes = [_levels_of(control, n_records) for control in rows.controls]
    levels, n_levels = _number_levels(codes, n_records)
    lines = [_line_of(c, n_records) for c in rows.controls if c.is_number and c.n_codes > 2]
    dense = np.column_stack(lines) if lines else np.empty((rows.n_rows, 0))
    return Design(levels, np.ascontiguousarray(dense), n_levels)


def fit_scores(rows: StudyRows, design: Design) -> Scores:
    """Fit both models on the unique rows."""
    n_records = rows.n_records.astype(np.float64)
    exposed = rows.exposed.astype(np.float64)
    propensity = _fit(design, design.lines, exposed * n_records, n_records)
    with_exposure = np.ascontiguousarray(np.column_stack([design.lines, exposed]))
    outcomes = rows.counts[:, 1].astype(np.float64)
    prognosis = _fit(design, with_exposure, outcomes, n_records)
    without = with_exposure.copy()
    without[:, -1] = 0.0
    return Scores(_predict(design, design.lines, propensity), _predict(design, without, prognosis))


def _fit(
    design: Design,
    dense: NDArray[np.float64],
    successes: NDArray[np.float64],
    totals: NDArray[np.float64],
) -> NDArray[np.float64]:
    penalty = np.full(1 + design.n_levels + dense.shape[1], LINE_PENALTY)
    penalty[0] = 1e-6
    penalty[1 : 1 + design.n_levels] = LEVEL_PENALTY
    coefficients: NDArray[np.float64] = fit_logistic(design.levels, dense, successes, totals, penalty)
    return coefficients


def _predict(
    design: Design, dense: NDArray[np.float64], coefficients: NDArray[np.float64]
) -> NDArray[np.float64]:
    predictor = np.empty(len(design.levels))
    linear_predictor(design.levels, dense, coefficients, predictor)
    return predictor


def _levels_of(control: Control, n_records: NDArray[np.int64]) -> NDArray[np.int64]:
    """Codes from 0, missing is 0; the fine bins of numbers are joined to deciles by their records."""
    codes = control.codes.astype(np.int64)
    if not control.is_number or control.n_codes <= N_BINS:
        return codes
    per_bin = np.bincount(codes, n_records, control.n_codes + 1)[1:]
    middle = np.cumsum(per_bin) - per_bin / 2
    decile = np.minimum((N_BINS * middle / max(per_bin.sum(), 1.0)).astype(np.int64), N_BINS - 1)
    return np.append(0, decile + 1)[codes]


def _number_levels(
    codes: list[NDArray[np.int64]], n_records: NDArray[np.int64]
) -> tuple[NDArray[np.int32], int]:
    """Give every level but the most frequent of each column a column of the design."""
    levels = np.full((len(n_records), len(codes)), -1, np.int32)
    n_levels = 0
    for j, column in enumerate(codes):
        used = np.flatnonzero(np.bincount(column, n_records) > 0)
        size = np.bincount(column, n_records)[used]
        others = np.delete(used, np.argmax(size))
        column_of = np.full(used[-1] + 1 if len(used) else 1, -1, np.int32)
        column_of[others] = 1 + n_levels + np.arange(len(others))
        levels[:, j] = column_of[column]
        n_levels += len(others)
    return levels, n_levels


def _line_of(control: Control, n_records: NDArray[np.int64]) -> NDArray[np.float64]:
    """The number, standardised over the records that have it."""
    assert control.values is not None
    known = control.codes > 0
    line = np.append(0.0, control.values)[control.codes]
    weight = n_records * known
    total = max(float(weight.sum()), 1.0)
    mean = float(weight @ line) / total
    spread = float(np.sqrt(weight @ (line - mean) ** 2 / total))
    return np.where(known, (line - mean) / spread, 0.0) if spread > 0 else np.zeros(len(line))
