"""Negative controls: effects that cannot exist, estimated by the same studies as the others.

Where one is found all the same, something that is not adjusted for stands behind it, and may
stand behind the findings as well.

References
----------
Lipsitch, Tchetgen Tchetgen and Cohen, Epidemiology 2010.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.correction import corrected
from causalrules.cohort.compare_arms import compare_arms
from causalrules.cohort.design_study import with_design
from causalrules.cohort.study_records import Design, RowsBeside, StudyRecords
from causalrules.cohort.study_rows import StudyRows
from causalrules.domain.falsification import NegativeControl
from causalrules.domain.notation import find_pattern
from causalrules.errors import CausalRulesError, SettingsError, UnknownColumnError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from causalrules.cohort.compare_arms import ArmsCompared
    from causalrules.domain import Settings
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine
    from causalrules.search.contrast_study import ContrastStudy
    from causalrules.search.crude_screen import Screen
    from causalrules.search.study_contrasts import ContrastStudies


def negative_outcomes(settings: Settings, vocabulary: Vocabulary) -> list[int]:
    """The items that are negative outcomes."""
    items = vocabulary.hypotheses
    left_out = vocabulary.summary.why_left_out | {vocabulary.summary.outcome.column: "it is the outcome"}
    found = []
    for text in settings.negative_outcome:
        try:
            pattern = find_pattern(text, items, left_out)
        except UnknownColumnError as error:
            raise UnknownColumnError("negative_outcome", error.name, error.available) from None
        except CausalRulesError as error:
            demand = f"values of a column that takes part, such as 'injury=yes' ({error})".replace(". ", "; ")
            raise SettingsError("negative_outcome", demand.replace(".)", ")"), text) from None
        if len(pattern) > 1:
            raise SettingsError("negative_outcome", "single values, one of a column", text)
        found.append(items.index(pattern[0]))
    return found


def negative_columns(settings: Settings, vocabulary: Vocabulary) -> frozenset[str]:
    """The columns that are there for checks only; a name that cannot be used is refused."""
    items = negative_outcomes(settings, vocabulary)
    known, left_out = set(vocabulary.items_of_column), vocabulary.summary.why_left_out
    for name in settings.negative_exposure:
        if name in left_out:
            found = f"{quoted(name)}, left out: {left_out[name]}"
            raise SettingsError("negative_exposure", "columns that take part", found)
        if name == vocabulary.summary.outcome.column:
            raise SettingsError("negative_exposure", "columns other than the outcome's", name)
        if name not in known:
            raise UnknownColumnError("negative_exposure", name, sorted(known))
    return frozenset([*vocabulary.columns_of(items), *settings.negative_exposure])


class NegativeControls:
    """Studies effects that cannot exist.

    Parameters
    ----------
    engine : Engine
        The records that are compared.
    vocabulary : Vocabulary
        Items and columns.
    settings : Settings
        The negative controls, and how to compare.
    studies : ContrastStudies
        Of the run.
    """

    def __init__(
        self, engine: Engine, vocabulary: Vocabulary, settings: Settings, studies: ContrastStudies
    ) -> None:
        self._engine, self._vocabulary, self._settings = engine, vocabulary, settings
        self._studies = studies

    def found(self, patterns: Sequence[tuple[int, ...]], screen: Screen) -> tuple[NegativeControl, ...]:
        """All checks: of patterns on the negative outcomes, and of negative exposures on the outcome."""
        checks = [*self._of_outcomes(patterns), *self._of_exposures(screen)]
        able = [check for check in checks if not check.untestable]
        q_values = iter(corrected(np.array([check.p_value for check in able]), "holm", len(able)).tolist())

        def with_q_value(check: NegativeControl) -> NegativeControl:
            if check.untestable:
                return check
            q_value = next(q_values)
            return replace(check, q_value=q_value, is_alarm=q_value <= self._settings.alpha)

        return tuple(map(with_q_value, checks))

    def _of_outcomes(self, patterns: Sequence[tuple[int, ...]]) -> Iterator[NegativeControl]:
        items = negative_outcomes(self._settings, self._vocabulary)
        for pattern in patterns if items else ():
            study = self._studies.study(pattern)
            for item in items:
                name = self._vocabulary.items[item].name
                yield self._check("outcome", study, name, self._with_outcome(study, item), study.untestable)

    def _of_exposures(self, screen: Screen) -> Iterator[NegativeControl]:
        items = self._vocabulary.items
        for contrast in screen.contrasts:
            if items[contrast.item].column in self._settings.negative_exposure:
                study = self._studies.study((contrast.item,))
                outcome = str(self._vocabulary.summary.outcome)
                yield self._check("exposure", study, outcome, study.compared, study.untestable)

    def _check(
        self, kind: str, study: ContrastStudy, outcome: str, compared: ArmsCompared, untestable: str
    ) -> NegativeControl:
        if not untestable and compared.odds_ratio.information <= 0:
            untestable = "it does not vary among records that are alike"
        p_value = 1.0 if untestable else compared.odds_ratio.p_value
        return NegativeControl(
            kind="outcome" if kind == "outcome" else "exposure",
            exposure=self._vocabulary.name_of(study.pattern),
            outcome=outcome,
            held=tuple(column.name for column in study.held),
            odds_ratio=compared.odds_ratio.odds_ratio,
            p_value=p_value,
            q_value=p_value,
            is_alarm=False,
            untestable=untestable,
        )

    def _with_outcome(self, study: ContrastStudy, item: int) -> ArmsCompared:
        """The study of the same arms and controls with another outcome, one value of a coded column."""
        vocabulary, settings = self._vocabulary, self._settings
        place, code = vocabulary.column_and_code(item)
        beside = [place, *Design.places(vocabulary)]
        records = RowsBeside.of(self._engine, study.columns, study.arms, beside)
        known = np.flatnonzero(records.codes[0] > 0)
        has_it = records.codes[0][known] == code
        n_records = records.counts[known].sum(axis=1)
        counts = np.stack([n_records * ~has_it, n_records * has_it], axis=1)
        kept, row = np.unique(records.row[known], return_inverse=True)
        rows = study.arms.rows.take(kept)
        summed = np.stack([np.bincount(row, side, len(kept)) for side in counts.T], axis=1).astype(np.int64)
        rows = StudyRows(rows.exposed, summed, rows.controls)
        compared = compare_arms(
            rows,
            settings.matching,
            settings.missing_controls,
            settings.confidence,
            with_opinion=len(beside) > 1,
        )
        if len(beside) == 1:
            return compared
        design = Design.of(vocabulary, records.codes[1:][:, known], counts)
        return with_design(rows, compared, StudyRecords.of(row, counts, design), settings.confidence)
