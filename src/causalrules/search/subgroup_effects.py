"""The effect of a studied exposure within the values of further columns (effect modification)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.assess.conditional_odds import interaction_p
from causalrules.assess.correction import corrected
from causalrules.assess.equal_effects import interaction_between
from causalrules.assess.mantel_haenszel import mantel_haenszel
from causalrules.assess.standardised import standardise
from causalrules.cohort.compare_arms import histogram_of
from causalrules.cohort.stratify import keep_compared
from causalrules.cohort.study_records import Design, RowsBeside
from causalrules.cohort.study_rows import StudyRows
from causalrules.domain.subgroups import Subgroup, Subgroups
from causalrules.domain.unique_rows import number_combinations
from causalrules.errors import SettingsError, UnknownColumnError, quoted
from causalrules.search.effects_by_design import GroupByDesign
from causalrules.search.numeric_outcome_parts import values_beside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.mean_parts import PartCompared
    from causalrules.domain import Rule, Settings
    from causalrules.domain.histogram import StrataHistogram
    from causalrules.encode import Vocabulary
    from causalrules.engines.contract import Engine, Opened
    from causalrules.search.contrast_study import ContrastStudy

MOST_SUBGROUPS = 20
_QUARTERS = ("lowest quarter", "second quarter", "third quarter", "highest quarter")


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """How a column divides records into subgroups.

    Parameters
    ----------
    column : str
        Its name.
    place : int
        Its number among the coded columns.
    names : tuple of str
        Of the groups.
    group_of_code : intp[n_codes + 1]
        The group of each code; -1 for missing.
    """

    column: str
    place: int
    names: tuple[str, ...]
    group_of_code: NDArray[np.intp]


def groupings(names: Sequence[str], opened: Opened) -> list[Grouping]:
    """The subgroups that columns make; what cannot divide records is refused."""
    return [_grouping(name, opened.vocabulary, opened.judge_engine) for name in names]


def _grouping(name: str, vocabulary: Vocabulary, engine: Engine) -> Grouping:
    known = [column.name for column in vocabulary.held_columns]
    if name not in known:
        left_out = vocabulary.summary.why_left_out
        if name == vocabulary.summary.outcome.column:
            raise SettingsError("by", "columns other than the outcome's", name)
        if name in left_out:
            raise SettingsError("by", "columns that take part", f"{quoted(name)}, left out: {left_out[name]}")
        raise UnknownColumnError("by", name, [*known, *left_out])
    items = vocabulary.items_of_column.get(name)
    if items is None:
        return _quarters(name, vocabulary, engine)
    values = tuple(vocabulary.items[item].name for item in items)
    if len(values) > MOST_SUBGROUPS:
        raise SettingsError(
            "by", f"columns of at most {MOST_SUBGROUPS} values", f"{quoted(name)} with {len(values)}"
        )
    place, _ = vocabulary.column_and_code(items[0])
    return Grouping(name, place, values, np.arange(-1, len(values)))


def _quarters(name: str, vocabulary: Vocabulary, engine: Engine) -> Grouping:
    """A number without intervals of its own, divided into four parts of about equal size."""
    column = next(column for column in vocabulary.held_columns if column.name == name)
    assert column.values is not None
    place = column.place
    counts = engine.item_counts().support[vocabulary.items_in(place)]
    middle = np.cumsum(counts) - counts / 2
    quarter = np.minimum(np.floor(4 * middle / max(int(counts.sum()), 1)), 3).astype(np.intp)
    used, group = np.unique(quarter, return_inverse=True)
    means = [
        float(column.values[quarter == one] @ counts[quarter == one] / counts[quarter == one].sum())
        for one in used
    ]
    names = tuple(
        f"{name}: {_QUARTERS[one]} (mean {mean:.4g})" for one, mean in zip(used, means, strict=True)
    )
    return Grouping(name, place, names, np.append(-1, group).astype(np.intp))


@dataclass(frozen=True, slots=True, eq=False)
class DividedStudy:
    """A study's strata, divided by the subgroups of another column as well.

    Parameters
    ----------
    column : str
        Its name.
    strata : dict of str to StrataHistogram
        Of each subgroup.
    left_out : int
        Compared records whose subgroup is not known.
    interaction_p : float or None
        Of one effect in all subgroups; None where that cannot be tested.
    by_design : dict of str to GroupByDesign
        The effect in each subgroup, where records belong together or are a weighted sample.
    means : dict of str to PartCompared
        The difference of means in each subgroup, where the outcome is a number; the interaction is then
        that of means.
    """

    column: str
    strata: dict[str, StrataHistogram]
    left_out: int
    interaction_p: float | None
    by_design: dict[str, GroupByDesign]
    means: dict[str, PartCompared]


def divide(study: ContrastStudy, grouping: Grouping, opened: Opened, settings: Settings) -> DividedStudy:
    """Divide the strata of a study by the subgroups of another column.

    Parameters
    ----------
    study : ContrastStudy
        The exposure in all records.
    grouping : Grouping
        The subgroups.
    opened : Opened
        The records, and which of their columns say what belongs together and what it is worth.
    settings : Settings
        Confidence of the intervals, and whether there are clusters or weights.
    """
    vocabulary = opened.vocabulary
    places = Design.places(vocabulary) if settings.has_design else []
    records = RowsBeside.of(opened.judge_engine, study.columns, study.arms, [grouping.place, *places])
    # Of all groups at once: a cluster has one number, whichever groups its records are in.
    design = Design.of(vocabulary, records.codes[1:], records.counts) if places else None
    group = grouping.group_of_code[records.codes[0]]
    stratum = study.compared.stratum[records.row]
    left_out = int(records.counts[(group < 0) & (stratum >= 0)].sum())
    strata, by_design = {}, {}
    for number, name in enumerate(grouping.names):
        here = np.flatnonzero((group == number) & (stratum >= 0))
        rows = StudyRows(study.arms.rows.exposed[records.row[here]], records.counts[here], ())
        numbers = keep_compared(rows, number_combinations([stratum[here]], len(here)))
        strata[name] = histogram_of(rows, numbers)
        if design is not None and (numbers >= 0).any():
            by_design[name] = GroupByDesign.of(rows, numbers, design.take(here), settings.confidence)
    means = {}
    if settings.outcome_as == "mean":
        means = _means(study, grouping, opened, settings.confidence)
    if means or design is not None:
        p_value = interaction_between([one.effect for one in (means or by_design).values()])
    else:
        p_value = interaction_p([histogram.rows for histogram in strata.values()])
    return DividedStudy(grouping.column, strata, left_out, p_value, by_design, means)


def _means(
    study: ContrastStudy, grouping: Grouping, opened: Opened, confidence: float
) -> dict[str, PartCompared]:
    """The difference of means in each subgroup."""
    values = values_beside(study, grouping.place, study.compared.stratum, opened)
    group = grouping.group_of_code[values.records.beside[0]]
    return {
        name: values.compare(group == number, values.exposed, confidence)
        for number, name in enumerate(grouping.names)
    }


def subgroups_of(divided: DividedStudy, confidence: float) -> Subgroups:
    """The effect in each subgroup."""
    found = []
    for name, histogram in divided.strata.items():
        cells = (histogram.rows[:, :4] * histogram.rows[:, 4:]).sum(axis=0).tolist()
        test = mantel_haenszel(histogram, confidence)
        robust, means = divided.by_design.get(name), divided.means.get(name)
        p_value = test.p_value if robust is None else robust.p_value
        found.append(
            Subgroup(
                name=name,
                exposed=cells[0] + cells[1],
                exposed_cases=cells[0],
                unexposed=cells[2] + cells[3],
                unexposed_cases=cells[2],
                odds_ratio=test.odds_ratio if robust is None else robust.odds_ratio,
                risk_difference=(
                    standardise(histogram, confidence).difference if robust is None else robust.difference
                ),
                p_value=p_value if means is None else means.means.p_value,
                is_informative=test.information > 0 if means is None else means.is_informative,
                mean_difference=None if means is None else means.means.difference,
            )
        )
    return Subgroups(
        column=divided.column,
        groups=tuple(found),
        interaction_p=divided.interaction_p,
        interaction_q=divided.interaction_p,
        left_out=divided.left_out,
    )


def with_corrected_interactions(rules: Sequence[Rule]) -> list[Rule]:
    """The rules with tests of interaction corrected for all of them; those that cannot tell do not count."""
    tests = [one.interaction_p for rule in rules for one in rule.subgroups if one.interaction_p is not None]
    q_values = iter(corrected(np.array(tests), "holm", len(tests)).tolist())

    def with_q_value(one: Subgroups) -> Subgroups:
        return one if one.interaction_p is None else replace(one, interaction_q=next(q_values))

    return [replace(rule, subgroups=tuple(map(with_q_value, rule.subgroups))) for rule in rules]
