"""Tables for a paper of what else a study tells: the effect in subgroups, and level by level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.publish.document import Line, Sheet
from causalrules.publish.journal_p import bare_p
from causalrules.report.words.dose_words import dose_caution, dose_counts, dose_rows, trend_line
from causalrules.report.words.formatting import printable
from causalrules.report.words.measure import measure_of
from causalrules.report.words.subgroup_words import rows_of_column, subgroups_caution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from causalrules.domain import Estimate, Result, Rule
    from causalrules.report.words.measure import Measure

_CANNOT_TELL = "cannot tell"


def effect_sheets(result: Result, rules: Iterable[Rule]) -> Iterator[Sheet]:
    """The tables of these rules: subgroups where they were asked for, levels where there is an order."""
    for rule in rules:
        if rule.subgroups:
            yield subgroup_sheet(result, rule)
        if rule.dose is not None:
            yield dose_sheet(result, rule)


def subgroup_sheet(result: Result, rule: Rule) -> Sheet:
    """The effect in the values of every column asked for, with the test of interaction."""
    measure, n_tests = measure_of(rule), sum(one.interaction_p is not None for one in rule.subgroups)
    lines = [Line("All compared", ("", "", _with_interval(measure, measure.adjusted), ""))]
    for one in rule.subgroups:
        p = one.interaction_q if n_tests > 1 else one.interaction_p
        lines.append(Line(printable(one.column), ("", "", "", _CANNOT_TELL if p is None else bare_p(p))))
        for row in rows_of_column(one):
            value = row.name.removeprefix(printable(one.column)).lstrip("=: ")
            cells = (row.exposed, row.unexposed, _with_interval(measure, row.effect), "")
            lines.append(Line(value, cells, is_part=True))
    corrected = ["P values are corrected for the number of columns (Holm)."] if n_tests > 1 else []
    return Sheet(
        title=f"Effect of {printable(rule.name)} in subgroups",
        columns=(
            "Subgroup",
            "Exposed",
            "Unexposed",
            _heading(measure, result),
            "P for interaction",
        ),
        lines=tuple(lines),
        notes=(" ".join([subgroups_caution(result), *corrected, *_abbreviations(measure)]),),
        name="Subgroups",
    )


def dose_sheet(result: Result, rule: Rule) -> Sheet:
    """Every level of the exposure's column against the reference, with the test of trend."""
    assert rule.dose is not None
    measure, counts = measure_of(rule), dose_counts(rule.dose)
    kept = [place for place, heading in enumerate(counts) if heading]
    lines = []
    for place, row in enumerate(dose_rows(rule.dose)):
        is_reference = place == rule.dose.reference
        shown = "reference" if is_reference else _with_interval(measure, row.effect)
        lines.append(Line(row.name.removesuffix(" (reference)"), (*_some(row[2:], kept), shown)))
    return Sheet(
        title=f"{printable(rule.dose.column)}, level by level",
        columns=("Level", *map(str.capitalize, _some(counts, kept)), _heading(measure, result)),
        lines=tuple(lines),
        notes=(" ".join([trend_line(rule.dose), dose_caution(result), *_abbreviations(measure)]),),
        name="Levels",
    )


def _some(texts: tuple[str, ...], places: list[int]) -> tuple[str, ...]:
    return tuple(texts[place] for place in places)


def _with_interval(measure: Measure, effect: Estimate | None) -> str:
    if effect is None:
        return _CANNOT_TELL
    low, high = measure.shown(effect.low), measure.shown(effect.high)
    return f"{measure.shown(effect.value)} ({low} to {high})"


def _heading(measure: Measure, result: Result) -> str:
    name = "OR" if measure.is_ratio else measure.name
    return f"Adjusted {name} ({100 * result.settings.confidence:g}% CI)"


def _abbreviations(measure: Measure) -> list[str]:
    return [f"{'OR: odds ratio; ' if measure.is_ratio else ''}CI: confidence interval."]
