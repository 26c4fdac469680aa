"""The two scores that a study compares records by: P(exposed | C) and the risk without exposure.

References
----------
Rosenbaum and Rubin, Biometrika 1983 (propensity score).
Hansen, Biometrika 2008 (prognostic score).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.score_design import (
    LEVEL,
    LEVEL_OF_OUTCOME,
    Design,
    Kinds,
    Model,
    Models,
    design_of,
)
from causalrules.kernels.logistic import fit_logistic, linear_predictor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.study_rows import StudyRows

_MOST_STEPS = 60

NOTHING_KNOWN = Models()
"""Fits start from the intercept alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Both scores of every unique row, as logits.

    Parameters
    ----------
    propensity : float64[n_rows]
        Logit of P(exposed | C).
    prognosis : float64[n_rows]
        Logit of P(outcome | C, unexposed), from a model with the exposure in it.
    models : Models
        The fits themselves.
    """

    propensity: NDArray[np.float64]
    prognosis: NDArray[np.float64]
    models: Models


def fit_scores(rows: StudyRows, near: Models = NOTHING_KNOWN) -> Scores:
    """Fit both models on the unique rows.

    Parameters
    ----------
    rows : StudyRows
        The records.
    near : Models
        Of the same exposure or outcome with some controls more or less, or of most of the same records: fits
        that start from them end where others do, after fewer steps.

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
    design = design_of(rows)
    n_records = rows.n_records.astype(np.float64)
    with_outcome = rows.counts[:, 1].astype(np.float64)
    of_exposure = _fit(
        design,
        design.kinds,
        design.sums(rows.exposed * n_records),
        design.n_records_of_kind,
        design.penalties(LEVEL, 0),
        start=design.known_from(near.exposure, 0) if near.exposure else None,
    )
    # Another exposure hardly moves the controls' effects: the next study of these rows starts from them.
    start = rows.shared.outcome_start
    if start is None and near.outcome:
        start = design.known_from(near.outcome, 1)
    kinds, (successes, totals) = design.with_arm(rows.exposed, with_outcome, n_records)
    penalties = design.penalties(LEVEL_OF_OUTCOME, 1)
    of_outcome = _fit(design, kinds, successes, totals, penalties, start=start, with_arm=True)
    if rows.shared.outcome_start is None:
        rows.shared.outcome_start = np.append(of_outcome[:-1], 0.0)
    return Scores(
        _predict(design, of_exposure),
        _predict(design, of_outcome[:-1]),
        Models(Model.of(design, of_exposure), Model.of(design, of_outcome)),
    )


def _fit(
    design: Design,
    kinds: Kinds,
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
        kinds.slots,
        kinds.codes,
        kinds.slots_of_code,
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


def _predict(design: Design, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
    """The predictor of every row of the study, its arm left out."""
    predictor = np.empty(len(design.kinds.slots))
    linear_predictor(
        design.kinds.slots,
        design.first_slot,
        design.level_of_slot,
        design.value_of_slot,
        design.terms(with_arm=False),
        coefficients,
        predictor,
    )
    return predictor[design.row_of]
