"""One study in one call: from unique rows to the odds ratio, the risks and a second opinion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Literal

import numpy as np

from causalrules.assess.doubly_robust import doubly_robust_difference
from causalrules.assess.mantel_haenszel import MantelHaenszel, mantel_haenszel
from causalrules.assess.standardised import StandardisedRisks, standardise
from causalrules.cohort.scores import NOTHING_KNOWN, Scores, fit_scores
from causalrules.cohort.stratify import MatchingName, Method, Strata, share_matched, stratify
from causalrules.cohort.study_rows import Control, StudyRows
from causalrules.domain import Estimate
from causalrules.domain.histogram import StrataHistogram
from causalrules.domain.unique_rows import number_combinations
from causalrules.kernels.arms_in_strata import count_cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.mean_study import MeansCompared
    from causalrules.cohort.score_design import Models


MissingName = Literal["auto", "drop", "value"]
MissingUsed = Literal["none", "drop", "value"]

LEAST_COMPLETE_SHARE = 0.2
LEAST_COMPLETE_RECORDS = 50
NEARLY_ALL_COMPLETE = 0.95
"""Of a smaller arm that has fewer records to begin with: next to nothing is lost."""


_MOST_CELLS = 500
"""Of categories that act together in the second opinion; with more, a fit takes longer than the rest."""


@dataclass(frozen=True, slots=True)
class CrudeComparison:
    """All records of the arms, nothing held: the odds ratio and both risks of the outcome."""

    odds_ratio: Estimate
    exposed_risk: float
    unexposed_risk: float
    is_weighted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ArmsCompared:
    """What a study found, and whom it speaks for.

    Parameters
    ----------
    stratum : int64[n_rows]
        Of every unique row; -1 for rows without partners or left out. Without scores int32.
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
    opposite_ratio : Estimate
        Their risk ratio of being without the outcome.
    second_opinion : Estimate
        The doubly robust risk difference of the same records.
    matched_exposed, matched_unexposed : float
        Share of each arm, missing values left out, that found partners.
    missing : {"none", "drop", "value"}
        What became of records with missing controls.
    n_left_out : int
        Records left out for missing controls.
    propensity, unexposed_risk : float64[n_rows]
        Fitted P(exposed | controls) and P(outcome | controls, unexposed); nan for rows left out. Empty
        without scores.
    models : Models
        Of the scores that complete records were matched by, or of their second opinion, where fits that are
        nearly the same start.
    complete : Strata, optional
        Of the complete records: also those of this study if missing values were treated in the other way.
    n_clusters : int
        Clusters that intervals and p-value rest on; 0 where every record stands for itself.
    design_effect : float
        Variance of the log odds ratio over that of independent records; at least 1 (Kish 1965).
    crude : CrudeComparison, optional
        Where records are a weighted sample or belong together; else the counts of the arms tell it.
    mean : MeansCompared, optional
        Where the outcome is a number whose mean is asked for; all else is of its upper half.
    gathered_by_outcome : bool
        Matched sets were gathered by the outcome: odds ratios can be told, risks cannot.
    """

    stratum: NDArray[np.signedinteger]
    strata: StrataHistogram
    method: Method
    exact_on: tuple[str, ...]
    odds_ratio: MantelHaenszel
    risks: StandardisedRisks
    opposite_ratio: Estimate
    second_opinion: Estimate
    matched_exposed: float
    matched_unexposed: float
    missing: MissingUsed
    n_left_out: int
    propensity: NDArray[np.float64]
    unexposed_risk: NDArray[np.float64]
    models: Models = NOTHING_KNOWN
    complete: Strata | None = None
    n_clusters: int = 0
    design_effect: float = 1.0
    crude: CrudeComparison | None = None
    mean: MeansCompared | None = None
    gathered_by_outcome: bool = False

    def without_scores(self) -> ArmsCompared:
        """What is looked at once the study is done; of millions of rows, scores take most of the memory."""
        nothing, stratum = np.empty(0), self.stratum.astype(np.int32)
        return replace(self, propensity=nothing, unexposed_risk=nothing, stratum=stratum, complete=None)

    @property
    def p_value(self) -> float:
        """The p-value of no effect: on the mean where one is asked for, else on the odds."""
        return self.odds_ratio.p_value if self.mean is None else self.mean.adjusted.p_value

    @property
    def raises(self) -> bool:
        """Whether the exposure is associated with more of the outcome."""
        if self.mean is not None:
            return self.mean.adjusted.difference.value >= 0
        return self.odds_ratio.odds_ratio.value >= 1 - 1e-12  # 1 itself may come out a last bit below

    @property
    def is_informative(self) -> bool:
        """Whether the outcome varies among records that are alike."""
        return self.odds_ratio.information > 0 if self.mean is None else self.mean.varies


def compare_arms(
    rows: StudyRows,
    matching: MatchingName = "auto",
    missing: MissingName = "auto",
    confidence: float = 0.95,
    *,
    with_opinion: bool = True,
    near: Models = NOTHING_KNOWN,
    weighted: NDArray[np.float64] | None = None,
    complete: Strata | None = None,
) -> ArmsCompared:
    """Compare exposed with unexposed records that are alike.

    Parameters
    ----------
    rows : StudyRows
        Unique rows in any order.
    matching : {"auto", "exact", "propensity"}
        See `cohort.stratify.stratify`.
    missing : {"auto", "drop", "value"}
        Records with missing controls: left out, or compared with each other, missing as a value of
        its own. ``auto`` leaves them out while at least 20 % and 50 records of the
        smaller arm stay, or 95 %: as a value, missing stands for all the values it hides.
    confidence : float
        Confidence of all intervals.
    with_opinion : bool
        Whether to fit the models of the second opinion; without them it is not a number.
    near : Models
        The `models` of a study of nearly the same records, or what is known of them.
    weighted : float64[n_rows, 2], optional
        What the records of a row count in the models of exposure and outcome, and so in strata of scores,
        where they are a weighted sample; estimates here are of the records as they are.
    complete : Strata, optional
        What a study that left the others out found of the complete records.

    Notes
    -----
    Complete records are never compared with others, whose missing values may be anything (the pattern of what
    is missing belongs to the score, D'Agostino and Rubin 2000). So either way of treating missing values has
    the same strata of complete records, and the second costs only what the others take.

    Examples
    --------
    >>> from causalrules.cohort.study_rows import Control, StudyRows
    >>> sex = Control("sex", np.array([1, 1, 2, 2], np.int32), 2)
    >>> counts = np.array([[300, 200], [400, 100], [60, 40], [800, 100]])
    >>> study = compare_arms(StudyRows(np.array([True, False, True, False]), counts, (sex,)))
    >>> study.method, round(study.odds_ratio.odds_ratio.value, 2), round(study.risks.difference.value, 3)
    ('exact', 3.11, 0.215)
    """
    policy, parts = _treat_missing(rows, missing)
    stratum, risk = np.full(rows.n_rows, -1, np.int64), np.zeros(rows.n_rows)
    propensity, unexposed_risk = np.full((2, rows.n_rows), np.nan)
    found: list[Strata] = []
    models = near
    for part in parts:
        own = rows.take(part)
        if weighted is not None:
            own = StudyRows(own.exposed, weighted[part], own.controls)
        strata = stratify(own, matching, near) if found or complete is None else complete
        stratum[part] = np.where(strata.numbers >= 0, strata.numbers + stratum.max(initial=-1) + 1, -1)
        fitted = strata.scores
        if fitted is not None:
            risk[part] = _probability(fitted.prognosis)
        if with_opinion and len(part):
            scores = _opinion_scores(own, strata, near)
            propensity[part] = _probability(scores.propensity)
            unexposed_risk[part] = _probability(scores.prognosis)
            fitted = fitted or scores
        if not found and fitted is not None:
            models = fitted.models
        found.append(strata)
    used, kept = rows, np.arange(rows.n_rows)
    if policy == "drop":
        used, kept = rows.take(parts[0]), parts[0]
    numbers = stratum[kept]
    histogram = histogram_of(used, numbers)
    opinion = Estimate(np.nan, np.nan, np.nan)
    if with_opinion:
        opinion = _second_opinion(used, numbers, propensity[kept], unexposed_risk[kept], confidence)
    remaining = 0.0
    if any(one.scores is not None for one in found):
        remaining = remaining_difference(used, numbers, risk[kept])
    return ArmsCompared(
        stratum=stratum,
        strata=histogram,
        method="exact" if all(one.method == "exact" for one in found) else "propensity",
        exact_on=tuple(name for name in found[0].exact_on if all(name in one.exact_on for one in found)),
        odds_ratio=mantel_haenszel(histogram, confidence),
        risks=standardise(histogram, confidence, remaining),
        opposite_ratio=standardise(histogram.flipped(), confidence, -remaining).ratio,
        second_opinion=opinion,
        matched_exposed=share_matched(used, numbers, used.exposed),
        matched_unexposed=share_matched(used, numbers, ~used.exposed),
        missing=policy,
        n_left_out=int(rows.n_records.sum() - used.n_records.sum()),
        propensity=propensity,
        unexposed_risk=unexposed_risk,
        models=models,
        complete=found[0],
    )


def remaining_difference(rows: StudyRows, stratum: NDArray[np.int64], risk: NDArray[np.float64]) -> float:
    """How much riskier the exposed are than their partners by the prognostic score.

    Strata of scores have a width, and the riskier half of each has more exposed records. Taking the
    mean difference off (Abadie and Imbens 2011) brought the error of the risk difference from +.038 to
    +.013 with a U-shaped confounder, from +.011 to -.003 with four numbers (n 300, outcome 10 %).

    Parameters
    ----------
    rows : StudyRows
        Of the study.
    stratum : int64[n_rows]
        -1 for rows without partners.
    risk : float64[n_rows]
        Of every row without exposure; 0 in strata of equal values, which leave nothing.
    """
    is_compared = stratum >= 0
    n_strata = int(stratum.max(initial=-1)) + 1
    n_records = rows.n_records.astype(np.float64)

    def mean_risk(arm: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        here = is_compared & arm
        size = np.bincount(stratum[here], n_records[here], n_strata).astype(np.float64)
        return size, np.bincount(stratum[here], (n_records * risk)[here], n_strata) / np.maximum(size, 1)

    (n_exposed, exposed), (_, unexposed) = mean_risk(rows.exposed), mean_risk(~rows.exposed)
    # To nine digits, as scores are compared: the rest depends on the order of the rows.
    return round(float((n_exposed * (exposed - unexposed)).sum()) / max(float(n_exposed.sum()), 1.0), 9)


def cells_of(rows: StudyRows, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Records of every stratum: exposed with and without the outcome, unexposed with and without.

    Examples
    --------
    >>> from causalrules.cohort.study_rows import StudyRows
    >>> rows = StudyRows(np.array([True, False, True]), np.array([[1, 2], [3, 4], [5, 6]]), ())
    >>> cells_of(rows, np.array([0, 0, -1])).tolist()
    [[2, 1, 4, 3]]
    """
    cells = np.zeros((int(numbers.max(initial=-1)) + 1, 4), np.int64)
    count_cells(numbers, rows.exposed, rows.counts, cells)
    return cells


def histogram_of(rows: StudyRows, numbers: NDArray[np.int64]) -> StrataHistogram:
    """Gather equal strata, and count the records without partners."""
    cells = cells_of(rows, numbers)
    lonely = rows.n_records * (numbers < 0)
    exposed, unexposed = int(lonely[rows.exposed].sum()), int(lonely[~rows.exposed].sum())
    if not len(cells):
        return StrataHistogram(np.empty((0, 5), np.int64), exposed, unexposed)
    return StrataHistogram.from_strata(cells, exposed, unexposed)


def _treat_missing(rows: StudyRows, missing: MissingName) -> tuple[MissingUsed, list[NDArray[np.intp]]]:
    """What to do with records whose controls are missing, and the rows that are compared with each other."""
    is_complete = rows.is_complete
    complete = np.flatnonzero(is_complete)
    if len(complete) == rows.n_rows:
        return "none", [complete]
    n_records, arm = rows.n_records, rows.smaller_arm
    n_complete, n_arm = int(n_records[arm & is_complete].sum()), int(n_records[arm].sum())
    is_enough = n_complete >= NEARLY_ALL_COMPLETE * n_arm or (
        n_complete >= LEAST_COMPLETE_SHARE * n_arm and n_complete >= LEAST_COMPLETE_RECORDS
    )
    if missing == "drop" or (missing == "auto" and is_enough):
        return "drop", [complete]
    return "value", [complete, np.flatnonzero(~is_complete)]


def _opinion_scores(rows: StudyRows, strata: Strata, near: Models) -> Scores:
    """The scores of the second opinion, in which categories that strata hold exactly may act together.

    Scores that only add up miss what two categories do together, which the strata do
    not: the opinion of such tables covered the truth in 78-80 % only. Cells of the
    two are one more column, shrunk towards what the categories say each by itself.
    """
    rows = strata.modelled or rows
    wider = with_cells(rows, strata.exact_on)
    if wider is rows:
        return strata.scores if strata.scores is not None else fit_scores(rows, near)
    near = strata.scores.models if strata.scores is not None else near
    return fit_scores(wider, near)


def with_cells(rows: StudyRows, exact_on: tuple[str, ...]) -> StudyRows:
    """The rows with the cells of their exactly held categories as one more control, if they are few."""
    held = [control for control in rows.controls if control.name in exact_on and not control.is_number]
    if len(held) < 2 or prod(control.n_codes for control in held) > _MOST_CELLS:
        return rows
    name = " & ".join(control.name for control in held)
    if name not in rows.shared.with_cells:
        cells = number_combinations([control.codes for control in held], rows.n_rows)
        together = Control(name, (cells + 1).astype(np.int32), int(cells.max(initial=-1)) + 1)
        wider = StudyRows(rows.exposed, rows.counts, (*rows.controls, together))
        rows.shared.with_cells[name] = wider
    return rows.shared.with_cells[name].with_arm(rows.exposed)


def _second_opinion(
    rows: StudyRows,
    numbers: NDArray[np.int64],
    propensity: NDArray[np.float64],
    unexposed_risk: NDArray[np.float64],
    confidence: float,
) -> Estimate:
    """The doubly robust estimate over the records in strata."""
    compared = numbers >= 0
    return doubly_robust_difference(
        rows.exposed[compared],
        rows.counts[compared],
        propensity[compared],
        unexposed_risk[compared],
        confidence,
    )


def _probability(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 * (1 + np.tanh(logit / 2))
