"""One value of a studied column against some of its others, within the strata of the value's own study."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.mantel_haenszel import mantel_haenszel
from causalrules.cohort.compare_arms import histogram_of
from causalrules.cohort.stratify import keep_compared
from causalrules.cohort.study_records import Design, RowsBeside
from causalrules.cohort.study_rows import StudyRows
from causalrules.search.effects_by_design import GroupByDesign
from causalrules.search.numeric_outcome_parts import values_beside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.mean_parts import ValuesInStrata
    from causalrules.domain import Estimate, Settings
    from causalrules.domain.unique_rows import UniqueRows
    from causalrules.engines.contract import Opened
    from causalrules.search.contrast_study import ContrastStudy


@dataclass(frozen=True, slots=True)
class ValueContrast:
    """A value compared with the others that are not set aside.

    Parameters
    ----------
    effect : Estimate
        The odds ratio; of a numeric outcome the difference of means.
    p_value : float
        Two-sided.
    is_informative : bool
        Whether comparable records can tell.
    is_mean : bool
        Whether the effect is a difference.
    """

    effect: Estimate
    p_value: float
    is_informative: bool
    is_mean: bool = False

    @property
    def raises(self) -> bool:
        """Whether the value is associated with more of the outcome."""
        return self.effect.value >= (0 if self.is_mean else 1)

    @property
    def distance(self) -> float:
        """How far the effect is from none."""
        value = self.effect.value
        if self.is_mean:
            return abs(value)
        return abs(log(value)) if 0 < value < inf else inf

    @property
    def told(self) -> str:
        """The effect with its interval, by name."""
        name, digits = ("mean difference", ".3g") if self.is_mean else ("odds ratio", ".2f")
        effect = self.effect
        return f"{name} {effect.value:{digits}} ({effect.low:{digits}} to {effect.high:{digits}})"


class ValueContrasts:
    """Compares values of one column.

    Parameters
    ----------
    opened : Opened
        Vocabulary and engines.
    settings : Settings
        Confidence, and whether records belong together, have weights, or a number for an outcome.
    done : sequence of ContrastStudy
        One for each value that is asked about.
    """

    def __init__(self, opened: Opened, settings: Settings, done: Sequence[ContrastStudy]) -> None:
        self._opened = opened
        self._settings = settings
        self._study_of = {study.pattern[0]: study for study in done}
        vocabulary = opened.vocabulary
        self._place, _ = vocabulary.column_and_code(done[0].pattern[0])
        first, end = vocabulary.first_item[self._place : self._place + 2].tolist()
        self.items = range(first, end)
        self._rows: dict[tuple[int, ...], UniqueRows] = {}
        self._divided: dict[int, _ByValue | _MeansByValue] = {}

    def without(self, item: int, aside: Sequence[int]) -> ValueContrast:
        """Compare one value with those that are neither it nor set aside."""
        if item not in self._divided:
            study = self._study_of[item]
            is_mean = self._settings.outcome_as == "mean"
            self._divided[item] = self._means(study) if is_mean else self._counts(study)
        codes = [other - self.items.start + 1 for other in aside]
        return self._divided[item].without(codes, self._settings.confidence)

    def _means(self, study: ContrastStudy) -> _MeansByValue:
        strata = study.compared.stratum.astype(np.int64)
        return _MeansByValue(values_beside(study, self._place, strata, self._opened))

    def _counts(self, study: ContrastStudy) -> _ByValue:
        engine, vocabulary = self._opened.judge_engine, self._opened.vocabulary
        columns = study.columns
        if columns not in self._rows:  # values of a column mostly hold the same
            self._rows[columns] = engine.unique_rows(np.array(columns, np.intp))
        places = Design.places(vocabulary) if self._settings.has_design else []
        records = RowsBeside.of(engine, columns, study.arms, [self._place, *places], self._rows[columns])
        stratum = study.compared.stratum[records.row].astype(np.int64)
        kept = np.flatnonzero(stratum >= 0)
        design = Design.of(vocabulary, records.codes[1:], records.counts) if places else None
        return _ByValue(
            stratum=stratum[kept],
            code=records.codes[0][kept],
            exposed=study.arms.rows.exposed[records.row[kept]],
            counts=records.counts[kept],
            design=design and design.take(kept),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ByValue:
    """The compared records of a study, with the values of its column.

    Parameters
    ----------
    stratum, code : integer[n]
        Of each kind of record.
    exposed : bool[n]
        Whether it has the value that is asked about.
    counts : int64[n, 2]
        Records without and with the outcome.
    design : Design, optional
        Where records belong together or are a weighted sample.
    """

    stratum: NDArray[np.int64]
    code: NDArray[np.uint16]
    exposed: NDArray[np.bool_]
    counts: NDArray[np.int64]
    design: Design | None

    def without(self, codes: Sequence[int], confidence: float) -> ValueContrast:
        """Compare the arms, the records of some values set aside."""
        here = np.flatnonzero(~np.isin(self.code, codes))
        rows = StudyRows(self.exposed[here], self.counts[here], ())
        numbers = keep_compared(rows, self.stratum[here])
        test = mantel_haenszel(histogram_of(rows, numbers), confidence)
        if self.design is None or not test.information > 0:
            return ValueContrast(test.odds_ratio, test.p_value, test.information > 0)
        found = GroupByDesign.of(rows, numbers, self.design.take(here), confidence)
        return ValueContrast(found.odds_ratio, found.p_value, is_informative=True)


@dataclass(frozen=True, slots=True, eq=False)
class _MeansByValue:
    """The compared records of a study of means, with the values of its column."""

    values: ValuesInStrata

    def without(self, codes: Sequence[int], confidence: float) -> ValueContrast:
        """Compare the means of the arms, the records of some values set aside."""
        chosen = ~np.isin(self.values.records.beside[0], codes)
        found = self.values.compare(chosen, self.values.exposed, confidence)
        return ValueContrast(found.means.difference, found.means.p_value, found.is_informative, is_mean=True)
