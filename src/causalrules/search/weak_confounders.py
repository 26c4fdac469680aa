"""Confounders that are each too weak to be seen next to the outcome, but not all of them together.

A dozen columns that each raise the odds of exposure and outcome by a little confound as one strong column
does. None of them need stand out beside the others, and no more than a window of columns is looked at side by
side. So a study is done once more, holding besides what still differs between its arms and goes with the
outcome within them. Where that moves the estimate, it is the study that counts: of the user's own hypothesis
also where lost precision would explain the change, as in a small table, whose bias hides in the interval.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.association import stratified_p
from causalrules.cohort.fallback_controls import most_held, p_value_within, tables_within_arms
from causalrules.cohort.near_copies import coarser_copies
from causalrules.cohort.stratify import MOST_LEFT
from causalrules.cohort.study_records import RowsBeside
from causalrules.search.contrast_verdicts import ALONE, HARDLY_APART, LEAST_POSSIBLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.domain.unique_rows import HeldColumn
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine
    from causalrules.search.contrast_study import ContrastStudy
    from causalrules.search.outcome_neighbourhoods import OutcomeNeighbourhoods
    from causalrules.search.study_contrasts import ContrastStudies

LEVEL, STANDARD_ERRORS = 0.2, 1.28
"""Of the association with the outcome and of the difference between the arms from which a column is held.

With the usual 5 % too many weak confounders are missed (Maldonado and Greenland 1993).
"""

MOST_COLUMNS = 24
"""That are held besides."""

MOST_CELLS = 20_000_000
"""Of the tables of a column within all strata: 160 MB."""

MOST_RECORDS = 50_000
"""Of tables that are mined. With more of them the search sees each weak column by itself: of 25 with odds
ratios of 1.2 all were held (60,000 records). On Census Income these studies took three times as long as all
others."""


class WeakConfounders:
    """Finds the columns that may confound a study together, and does it again with them held.

    Parameters
    ----------
    engine : Engine
        The records of the studies.
    vocabulary : Vocabulary
        Items and columns.
    around : OutcomeNeighbourhoods
        What is known of the columns around the outcome, and whether hypotheses were searched for: then only
        those count that may stand next to it.
    studies : ContrastStudies
        Of the same records.
    """

    def __init__(
        self,
        engine: Engine,
        vocabulary: Vocabulary,
        around: OutcomeNeighbourhoods,
        studies: ContrastStudies,
    ) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._around = around
        self._studies = studies

    def held_too(self, done: Sequence[ContrastStudy]) -> list[ContrastStudy]:
        """The studies, each with these columns held where that moves its estimate."""
        if self._around.is_mined and self._engine.n_with + self._engine.n_without > MOST_RECORDS:
            return list(done)
        asked = {}
        for place, study in enumerate(done):
            more = self._of(study) if self._counts(study) else []
            if more:
                asked[place] = study, (*study.held, *more)
        if self._around.is_mined:
            tried = self._studies.study_again(list(asked.values()), estimate_only=True)
            asked = {
                place: asked[place]
                for place, again in zip(asked, tried, strict=True)
                if takes_back(asked[place][0], again)
            }
        wider = zip(asked, self._studies.study_again(list(asked.values())), strict=True)
        found = {place: again for place, again in wider if moves(asked[place][0], again)}
        return [found.get(place, study) for place, study in enumerate(done)]

    def _counts(self, study: ContrastStudy) -> bool:
        """Whether what a study says counts: of the user's own hypothesis in any case."""
        if study.untestable or not self._around.is_mined:
            return not study.untestable
        names = self._vocabulary.columns_of(study.pattern)
        is_near = len(names) > 1 or self._around.p_next(names[0]) >= LEAST_POSSIBLE
        return is_near and study.compared.p_value <= ALONE

    def _of(self, study: ContrastStudy) -> list[HeldColumn]:
        """What is not held, differs between the arms beyond chance, and goes with the outcome within them."""
        own = self._vocabulary.columns_of(study.pattern)
        around = self._around.of(own).controls
        known = {*(column.name for column in study.held), *study.near_copies, *own}
        known.update(other for name in own for other in around.group_of(name))
        others = [
            column
            for column in around.may_be_held(own)
            if column.name not in known and _differs(study, column.name)
        ]
        n_free = most_held(self._engine) - len(study.held)
        if not others or n_free < 1:
            return []
        assert study.sums is not None
        found, first_item = [], self._vocabulary.first_item
        tables = tables_within_arms(self._engine, study.pattern, others, first_item)
        for column, table in zip(others, tables, strict=True):
            p_value = stratified_p(table, column.values, study.compared.design_effect)
            if p_value <= LEVEL and self._goes_with_outcome(own, column, study):
                sums = study.sums[self._vocabulary.items_in(column.place)]
                found.append((p_value, column.name, column, abs(confounding(table, sums))))
        found = sorted(found, key=lambda one: one[:2])[: min(n_free, MOST_COLUMNS)]
        if sum(moved for *_, moved in found) <= self._may_stay(study):
            return []
        chosen = [column for _, _, column, _ in found]
        copies = self._coarser_copies(own, chosen)
        return [column for column in chosen if column.name not in copies]

    def _may_stay(self, study: ContrastStudy) -> float:
        """By how much the columns may move the log odds ratio without being held.

        Of what was mined by half a tenth: within the arms alone a column shows less of what it does than
        beside the others. Of the user's own hypothesis by a quarter of the standard error, as confounding may
        that is left within strata: what is noise moves it by far less.
        """
        if self._around.is_mined:
            return log(HARDLY_APART) / 2
        information = study.compared.odds_ratio.information / study.compared.design_effect
        return MOST_LEFT / sqrt(information) if information > 0 else inf

    def _goes_with_outcome(self, own: Sequence[str], column: HeldColumn, study: ContrastStudy) -> bool:
        """Whether a column tells of the outcome what the exposure's own column does not, nor what is held.

        Among all who weigh more than 90 kg, who exercise weigh less than the others. Within the arms they
        differ in risk, therefore; among those of the same weight they do not. And who is treated although the
        doctor seldom treats is more ill than others: what moves the exposure alone goes with the outcome
        within the arms, not among those who are equally ill.
        """
        if not self._around.is_mined and self._p_within_strata(column, study) > LEVEL:
            return False
        exposure = self._only(own)
        if exposure is None or exposure.n_codes <= 2:
            return True
        return p_value_within(self._engine, exposure, column) <= LEVEL

    def _p_within_strata(self, column: HeldColumn, study: ContrastStudy) -> float:
        """The p-value of a column's association with the outcome within the arms of every stratum of a study.

        0 where the tables would not fit: of millions of records the arms alone are asked.
        """
        records = RowsBeside.of(self._engine, study.columns, study.arms, [column.place])
        stratum, value = study.compared.stratum[records.row], records.codes[0].astype(np.int64)
        known = np.flatnonzero((stratum >= 0) & (value > 0))
        arm = 2 * stratum[known] + study.arms.rows.exposed[records.row[known]]
        arms, place = np.unique(arm, return_inverse=True)
        if 2 * len(arms) * column.n_codes > MOST_CELLS:
            return 0.0
        tables = np.zeros((len(arms), column.n_codes, 2), np.int64)
        np.add.at(tables, (place, value[known] - 1), records.counts[known])
        return stratified_p(tables, column.values, study.compared.design_effect)

    def _coarser_copies(self, own: Sequence[str], chosen: Sequence[HeldColumn]) -> set[str]:
        """What says the exposure's own column in coarser words; of several columns none does."""
        exposure = self._only(own)
        return set() if exposure is None else coarser_copies(self._engine, exposure, chosen)

    def _only(self, own: Sequence[str]) -> HeldColumn | None:
        """The column of an exposure as studies hold it; None if there are several."""
        columns = [column for column in self._vocabulary.held_columns if column.name in own]
        return columns[0] if len(own) == len(columns) == 1 else None


def _differs(study: ContrastStudy, name: str) -> bool:
    """Whether the arms differ in a column beyond chance, before matching and after it.

    What differs after it only does so because of what is held, as a measurement at the start of a trial does
    among patients who are alike in a later one: it is no confounder.
    """
    rows, found = study.arms.rows, study.imbalance[name]
    by_chance = sqrt(1 / rows.n_exposed + 1 / rows.n_unexposed)
    enough = STANDARD_ERRORS * sqrt(study.compared.design_effect)
    return found.before > enough * by_chance and found.after > enough * found.standard_error


def confounding(table: NDArray[np.int64], sums: NDArray[np.int64]) -> float:
    """By how much a column that is not held moves the log odds ratio, as far as it is known by itself.

    The log odds of the outcome of each value, averaged over the arms, by how much more frequent it is among
    the exposed.

    Parameters
    ----------
    table : int64[2, n_values, 2]
        Records of each arm without and with the outcome.
    sums : int64[n_values, 5]
        Their weights after matching, see `cohort.imbalance`.

    Examples
    --------
    >>> table = np.array([[[90, 10], [50, 50]], [[90, 10], [50, 50]]])
    >>> sums = np.array([[0, 0, 40, 60, 0], [0, 0, 60, 40, 0]])
    >>> round(confounding(table, sums), 2)
    0.43
    """
    shares = sums[:, 2:4] / np.maximum(sums[:, 2:4].sum(axis=0), 1)
    log_odds = np.log((table[:, :, 1] + 0.5) / (table[:, :, 0] + 0.5))
    sizes = table.sum(axis=(1, 2))
    return float((sizes / sizes.sum()) @ log_odds @ (shares[:, 0] - shares[:, 1]))


def moves(study: ContrastStudy, wider: ContrastStudy) -> bool:
    """Whether holding more changes an estimate so that it matters.

    It matters by a tenth, or where no effect is shown any more: of many records a bias of a twentieth is
    significant.
    """
    (value, half_width), (other, its) = _estimate(study.compared), _estimate(wider.compared)
    if wider.untestable or max(half_width, its) == inf:
        return False
    enough = log(HARDLY_APART) if study.compared.mean is None else (HARDLY_APART - 1) * abs(value)
    if study.compared.p_value <= ALONE < wider.compared.p_value:
        enough = 0.0
    return abs(value - other) > enough


def takes_back(study: ContrastStudy, wider: ContrastStudy) -> bool:
    """Whether holding more makes less of what was mined, by more than lost records explain.

    Of two estimates of one effect, of which the first is the more precise, the difference has the difference
    of their variances (Hausman 1978); so have the squares of the half widths of their intervals. What was
    mined stood out among many, so it is only taken back: some choice of columns makes more of noise, too.
    """
    (value, half_width), (other, its) = _estimate(study.compared), _estimate(wider.compared)
    if not moves(study, wider) or (abs(other) > abs(value) and other * value > 0):
        return False
    return abs(value - other) > sqrt(max(its**2 - half_width**2, 0.0))


def _estimate(compared: ArmsCompared) -> tuple[float, float]:
    """The log odds ratio, or the difference of means, and half of its interval's width."""
    if compared.mean is not None:
        found = compared.mean.adjusted.difference
        return found.value, (found.high - found.low) / 2
    ratio = compared.odds_ratio.odds_ratio
    if not 0 < ratio.low <= ratio.high < inf:
        return 0.0, inf
    return log(ratio.value), log(ratio.high / ratio.low) / 2
