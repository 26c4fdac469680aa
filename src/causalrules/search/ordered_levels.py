"""The dose-response of a studied column: all its levels, in order, within the strata of the study."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.mantel_haenszel import mantel_haenszel
from causalrules.assess.trend import course_of, trend_p
from causalrules.cohort.compare_arms import histogram_of
from causalrules.cohort.stratify import keep_compared, strata_of_controls
from causalrules.cohort.study_records import Design, RowsBeside
from causalrules.cohort.study_rows import StudyRows
from causalrules.domain import Estimate
from causalrules.domain.cut_points import interval_over
from causalrules.domain.dose_response import DoseLevel, DoseResponse
from causalrules.domain.quoted_names import in_list
from causalrules.domain.unique_rows import number_combinations
from causalrules.errors import SettingsError, UnknownColumnError, quoted
from causalrules.search.effects_by_design import GroupByDesign, trend_by_design
from causalrules.search.numeric_outcome_parts import values_beside, with_mean_levels

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Item, Settings
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Opened
    from causalrules.search.contrast_study import ContrastStudy

FEWEST_LEVELS, MOST_LEVELS = 3, 10
"""Of a dose-response; more are shown where the user chose them."""

ENOUGH_CASES = 10
"""Of records with the outcome, and of those without it, that a reference must have (Peduzzi et al. 1996)."""


def ordered_columns(settings: Settings, vocabulary: Vocabulary) -> dict[str, tuple[int, ...]]:
    """The columns whose items have an order, with these items from the lowest level to the highest.

    Those that the user names, those that the source declares, and numbers that are cut into intervals; all
    of three levels or more.
    """
    items = vocabulary.items
    numbers = {column.name for column in vocabulary.held_columns if column.is_number}
    asked, declared, found = settings.orders, vocabulary.orders, {}
    for name, own in vocabulary.items_of_column.items():
        order: Sequence[str] = ()
        if name in asked or name in declared or name in numbers:
            values = [items[item].value for item in own]
            order = asked.get(name) or declared.get(name) or _natural_order(name, values, name in numbers)
            if asked.get(name):
                _check_all_there(name, order, values)
            found[name] = tuple(own[values.index(value)] for value in order if value in values)
    _check_names(asked, {item.column for item in items}, vocabulary)
    return {name: levels for name, levels in found.items() if len(levels) >= FEWEST_LEVELS}


def _check_names(asked: Iterable[str], known: Collection[str], vocabulary: Vocabulary) -> None:
    """Refuse columns that are not there, or take no part."""
    left_out = vocabulary.summary.why_left_out
    for name in asked:
        if name in known or name == vocabulary.summary.outcome.column:
            continue
        if name not in left_out:
            raise UnknownColumnError("ordered", name, [*known, *left_out])
        raise SettingsError("ordered", "columns with levels", f"{quoted(name)}: {left_out[name]}")


def _natural_order(name: str, values: list[str], is_number: bool) -> list[str]:
    """Numbers and intervals have an order of their own; texts have none that could be guessed."""
    try:
        return values if is_number else sorted(values, key=float)
    except ValueError:
        whole = in_list(f"{name}={'<'.join(values)}")
        raise SettingsError(
            "ordered", f"written with its order where values are texts: '{whole}'", name
        ) from None


def _check_all_there(name: str, order: Sequence[str], values: Sequence[str]) -> None:
    """An order must name every value once."""
    if sorted(order) != sorted(values):
        odd = [value for value in (*order, *values) if (value in order) != (value in values)]
        which = ", ".join(odd) or "one of them twice"
        raise SettingsError("ordered", f"all {len(values)} values of {name}, each once", which)


def dose_response(
    study: ContrastStudy, levels: tuple[int, ...], opened: Opened, settings: Settings
) -> DoseResponse:
    """All levels of the column that a study's exposure is one level of.

    Parameters
    ----------
    study : ContrastStudy
        Of one item of the column: its controls and strata are used.
    levels : tuple of int
        The column's items in their order.
    opened : Opened
        Names, and the records.
    settings : Settings
        Confidence of all intervals, and whether records belong together or have weights.
    """
    vocabulary = opened.vocabulary
    compared, rows = study.compared, study.arms.rows
    strata = strata_of_controls(rows, compared.stratum, compared.method, compared.missing)
    divided = _ByLevel.of(study, strata, levels, opened, settings)
    items = [vocabulary.items[item] for item in levels]
    if vocabulary.is_chosen_cut(levels[0]):
        _, records = divided.cases_and_records()
        starts = _starts_of_joined(records.sum(axis=0).tolist())
        divided = divided.joined(starts)
        items = [
            replace(items[first], value=interval_over(items[first].value, items[end - 1].value))
            for first, end in pairwise([*starts, len(items)])
        ]
    if settings.outcome_as != "mean":
        return _dose_of_odds(items, divided)
    dose = _dose_of_odds(items, divided, of_mean=True)
    place, _ = vocabulary.column_and_code(study.pattern[0])
    values = values_beside(study, place, strata, opened)
    return with_mean_levels(
        dose, values, divided.level_of_code[values.records.beside[0]], settings.confidence
    )


def _dose_of_odds(items: Sequence[Item], divided: _ByLevel, *, of_mean: bool = False) -> DoseResponse:
    """Odds ratios of all levels against a reference, and of each against the next.

    The reference needs enough cases; `of_mean`, whose upper half the odds are of, enough records.
    """
    cases, records = (counts.sum(axis=0) for counts in divided.cases_and_records())
    reference = lowest_with_enough(records) if of_mean else reference_level(cases, records)
    ratios = [divided.compared(number, reference) for number in range(len(items))]
    steps = [divided.compared(number + 1, number)[0] for number in range(len(items) - 1)]
    levels = [
        DoseLevel(
            name=item.name,
            records=int(records[number]),
            cases=int(cases[number]),
            odds_ratio=ratio,
            is_informative=is_informative,
        )
        for number, (item, (ratio, is_informative)) in enumerate(zip(items, ratios, strict=True))
    ]
    is_known = all(one.is_informative for one in levels)
    return DoseResponse(
        column=items[0].column,
        levels=tuple(levels),
        trend_p=divided.trend_p(),
        course=course_of([one.odds_ratio for one in levels], steps, 1.0) if is_known else "mixed",
        reference=reference,
    )


def _starts_of_joined(n_records: list[int]) -> list[int]:
    """Where levels begin, the smallest joined with the smaller of their neighbours until ten are left.

    Of a large table MDL finds cuts by the dozen, and a reader no course in them.

    Examples
    --------
    >>> _starts_of_joined([90, 2, 80, 3, 70, 60, 50, 40, 30, 20, 10, 99])
    [0, 1, 3, 5, 6, 7, 8, 9, 10, 11]
    """
    starts, sizes = list(range(len(n_records))), list(n_records)
    while len(sizes) > MOST_LEVELS:
        smallest = sizes.index(min(sizes))
        beside = [place for place in (smallest - 1, smallest + 1) if 0 <= place < len(sizes)]
        joined = max(smallest, min(beside, key=sizes.__getitem__))
        sizes[joined - 1] += sizes.pop(joined)
        starts.pop(joined)
    return starts


def reference_level(cases: NDArray[np.int64], records: NDArray[np.int64]) -> int:
    """The lowest level with enough records with and without the outcome; if none has, that with most.

    A level of a few cases as reference makes every other one's interval wide, and their course one of chance.

    Examples
    --------
    >>> reference_level(np.array([2, 40, 90]), np.array([800, 900, 1000]))
    1
    >>> reference_level(np.array([2, 5, 4]), np.array([8, 30, 40]))
    1
    """
    return lowest_with_enough(np.minimum(cases, records - cases))


def lowest_with_enough(sizes: NDArray[np.int64]) -> int:
    """The lowest level with enough records of the kind that counts; if none has, that with most."""
    has_enough = sizes >= ENOUGH_CASES
    return int(np.argmax(has_enough if has_enough.any() else sizes))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ByLevel:
    """The records of a study by stratum and level.

    Parameters
    ----------
    stratum, level : int64[n]
        Of each kind of record; -1 for those without partners, or without a level.
    level_of_code : int64[n_codes + 1]
        The level of each code of the column; -1 for missing.
    counts : int64[n, 2]
        Records of each kind without and with the outcome.
    n_levels : int
        All levels.
    design : Design, optional
        Where records belong together or are a weighted sample.
    confidence : float
        Confidence of all intervals.
    """

    stratum: NDArray[np.int64]
    level: NDArray[np.int64]
    level_of_code: NDArray[np.int64]
    counts: NDArray[np.int64]
    n_levels: int
    design: Design | None
    confidence: float

    @classmethod
    def of(
        cls,
        study: ContrastStudy,
        strata: NDArray[np.int64],
        levels: tuple[int, ...],
        opened: Opened,
        settings: Settings,
    ) -> _ByLevel:
        """Count the records of a study by the levels of its exposure's column; `strata` are of its rows."""
        vocabulary = opened.vocabulary
        place, _ = vocabulary.column_and_code(study.pattern[0])
        items = vocabulary.items_in(place)
        level_of_code = np.full(len(items) + 1, -1)
        level_of_code[np.array(levels) - items.start + 1] = np.arange(len(levels))
        places = Design.places(vocabulary) if settings.has_design else []
        records = RowsBeside.of(opened.judge_engine, study.columns, study.arms, [place, *places])
        return cls(
            stratum=strata[records.row],
            level=level_of_code[records.codes[0]],
            level_of_code=level_of_code,
            counts=records.counts,
            n_levels=len(levels),
            design=Design.of(vocabulary, records.codes[1:], records.counts) if places else None,
            confidence=settings.confidence,
        )

    def joined(self, starts: Sequence[int]) -> _ByLevel:
        """The same records with neighbouring levels joined, each from its start to the next."""
        joined, of_code = (
            np.searchsorted(starts, levels, side="right") - 1  # -1 stays what it is
            for levels in (self.level, self.level_of_code)
        )
        return replace(self, level=joined, level_of_code=of_code, n_levels=len(starts))

    def cases_and_records(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """int64[n_strata, n_levels]: records with the outcome, and all."""
        is_in = (self.stratum >= 0) & (self.level >= 0)
        n_strata = int(self.stratum.max(initial=-1)) + 1
        cell = self.stratum[is_in] * self.n_levels + self.level[is_in]
        cases, records = (
            np.bincount(cell, values, n_strata * self.n_levels).astype(np.int64).reshape(-1, self.n_levels)
            for values in (self.counts[is_in, 1], self.counts[is_in].sum(axis=1))
        )
        return cases, records

    def compared(self, number: int, reference: int) -> tuple[Estimate, bool]:
        """The odds ratio of one level against another, and whether any stratum can tell."""
        if number == reference:
            return Estimate(1.0, 1.0, 1.0), True
        is_either = (self.level == number) | (self.level == reference)
        here = np.flatnonzero((self.stratum >= 0) & is_either)
        rows = StudyRows(self.level[here] == number, self.counts[here], ())
        numbers = keep_compared(rows, self.stratum[here])
        test = mantel_haenszel(histogram_of(rows, numbers), self.confidence)
        if self.design is not None and test.information > 0:
            return GroupByDesign.of(rows, numbers, self.design.take(here), self.confidence).odds_ratio, True
        return test.odds_ratio, test.information > 0

    def trend_p(self) -> float | None:
        """The p-value of no trend, by the design where there is one; None where no stratum can tell."""
        of_records = trend_p(*self.cases_and_records(), np.arange(float(self.n_levels)))
        if self.design is None or of_records is None:
            return of_records
        here = np.flatnonzero((self.stratum >= 0) & (self.level >= 0))
        numbers = number_combinations([self.stratum[here]], len(here))
        scores = self.level[here].astype(np.float64)
        return trend_by_design(numbers, scores, self.counts[here], self.design.take(here))
