"""One study in one call: from unique rows to the odds ratio, the risks and a second opinion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from causalrules.assess.doubly_robust import doubly_robust_difference
from causalrules.assess.mantel_haenszel import MantelHaenszel, mantel_haenszel
from causalrules.assess.standardised import StandardisedRisks, standardise
from causalrules.cohort.scores import Scores, fit_scores
from causalrules.cohort.stratify import MatchingName, Method, share_matched, stratify
from causalrules.domain import Estimate
from causalrules.domain.histogram import StrataHistogram

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.study_rows import StudyRows

MissingName = Literal["auto", "drop", "value"]
MissingUsed = Literal["none", "drop", "value"]

LEAST_COMPLETE_SHARE = 0.2
LEAST_COMPLETE_RECORDS = 50


@dataclass(frozen=True, slots=True, eq=False)
class ArmsCompared:
    """What a study found, and whom it speaks for.

    Parameters
    ----------
    stratum : int64[n_rows]
        Of every unique row; -1 for rows without partners or left out.
    strata : StrataHistogram
        The strata as counts.
    method : {"exact", "propensity"}
        Alike in all controls, or in both scores.
    exact_on : tuple of str
        Controls on which all records of a stratum agree.
    odds_ratio : MantelHaenszel
        Estimate, interval and p-value.
    risks : StandardisedRisks
        Of the exposed records in the strata: with exposure, and without.
    second_opinion : Estimate
        The doubly robust risk difference of the same records.
    matched_exposed, matched_unexposed : float
        Share of each arm, missing values left out, that found partners.
    missing : {"none", "drop", "value"}
        What became of records with missing controls.
    n_left_out : int
        Records left out for missing controls.
    """

    stratum: NDArray[np.int64]
    strata: StrataHistogram
    method: Method
    exact_on: tuple[str, ...]
    odds_ratio: MantelHaenszel
    risks: StandardisedRisks
    second_opinion: Estimate
    matched_exposed: float
    matched_unexposed: float
    missing: MissingUsed
    n_left_out: int


def compare_arms(
    rows: StudyRows,
    matching: MatchingName = "auto",
    missing: MissingName = "auto",
    confidence: float = 0.95,
) -> ArmsCompared:
    """Compare exposed with unexposed records that are alike.

    Parameters
    ----------
    rows : StudyRows
        Unique rows in any order.
    matching : {"auto", "exact", "propensity"}
        See `cohort.stratify.stratify`.
    missing : {"auto", "drop", "value"}
        Records with missing controls: left out, or missing as a value of its
        own. ``auto`` leaves them out while at least 20 % and 50 records of the
        smaller arm stay: as a value, missing stands for all the values it hides.
    confidence : float
        Confidence of all intervals.

    Examples
    --------
    >>> from causalrules.cohort.study_rows import Control, StudyRows
    >>> sex = Control("sex", np.array([1, 1, 2, 2], np.int32), 2)
    >>> counts = np.array([[300, 200], [400, 100], [60, 40], [800, 100]])
    >>> study = compare_arms(StudyRows(np.array([True, False, True, False]), counts, (sex,)))
    >>> study.method, round(study.odds_ratio.odds_ratio.value, 2), round(study.risks.difference.value, 3)
    ('exact', 3.11, 0.215)
    """
    policy, kept = _treat_missing(rows, missing)
    used = rows.take(kept)
    found = stratify(used, matching)
    histogram = histogram_of(used, found.numbers)
    stratum = np.full(rows.n_rows, -1, np.int64)
    stratum[kept] = found.numbers
    return ArmsCompared(
        stratum=stratum,
        strata=histogram,
        method=found.method,
        exact_on=found.exact_on,
        odds_ratio=mantel_haenszel(histogram, confidence),
        risks=standardise(histogram, confidence),
        second_opinion=_second_opinion(used, found.numbers, found.scores, confidence),
        matched_exposed=share_matched(used, found.numbers, used.exposed),
        matched_unexposed=share_matched(used, found.numbers, ~used.exposed),
        missing=policy,
        n_left_out=int(rows.n_records.sum() - used.n_records.sum()),
    )


def histogram_of(rows: StudyRows, numbers: NDArray[np.int64]) -> StrataHistogram:
    """Count the records of every stratum; -1 is nobody's partner."""
    placed = numbers >= 0
    n_strata = int(numbers.max(initial=-1)) + 1
    cells = np.zeros((n_strata, 4), np.int64)
    cell = np.where(rows.exposed, 0, 2)[placed]
    np.add.at(cells, (numbers[placed], cell), rows.counts[placed, 1])
    np.add.at(cells, (numbers[placed], cell + 1), rows.counts[placed, 0])
    lonely = rows.n_records * ~placed
    if not n_strata:
        no_rows = np.empty((0, 5), np.int64)
        return StrataHistogram(no_rows, int(lonely[rows.exposed].sum()), int(lonely[~rows.exposed].sum()))
    return StrataHistogram.from_strata(
        cells, int(lonely[rows.exposed].sum()), int(lonely[~rows.exposed].sum())
    )


def _treat_missing(rows: StudyRows, missing: MissingName) -> tuple[MissingUsed, NDArray[np.intp]]:
    """What to do with records whose controls are missing, and the rows that stay."""
    everybody = np.arange(rows.n_rows)
    is_complete = np.ones(rows.n_rows, np.bool_)
    for control in rows.controls:
        is_complete &= control.codes > 0
    if is_complete.all():
        return "none", everybody
    n_records, arm = rows.n_records, rows.smaller_arm
    n_complete = int(n_records[arm & is_complete].sum())
    is_enough = (
        n_complete >= LEAST_COMPLETE_SHARE * int(n_records[arm].sum())
        and n_complete >= LEAST_COMPLETE_RECORDS
    )
    if missing == "drop" or (missing == "auto" and is_enough):
        return "drop", np.flatnonzero(is_complete)
    return "value", everybody


def _second_opinion(
    rows: StudyRows, numbers: NDArray[np.int64], scores: Scores | None, confidence: float
) -> Estimate:
    """The doubly robust estimate over the records in strata."""
    compared = np.flatnonzero(numbers >= 0)
    if not len(compared):
        return Estimate(0.0, -1.0, 1.0)
    scores = fit_scores(rows) if scores is None else scores
    return doubly_robust_difference(
        rows.exposed[compared],
        rows.counts[compared],
        _probability(scores.propensity[compared]),
        _probability(scores.prognosis[compared]),
        confidence,
    )


def _probability(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 * (1 + np.tanh(logit / 2))
