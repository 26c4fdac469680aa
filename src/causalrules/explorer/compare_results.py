"""Two results side by side: which rules both have, which only one, and how effects changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.report.changes import GROUPS, changes, have_same_records
from causalrules.report.words.change_words import change_text, settings_that_differ
from causalrules.report.words.contrast_words import listed
from causalrules.report.words.formatting import printable, printable_text
from causalrules.report.words.measure import measure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Estimate, Result, Rule
    from causalrules.report.changes import Change

_MOST_SENTENCES = 8


def compare(
    first: Result, second: Result, first_name: str = "the first", second_name: str = "the second"
) -> dict[str, Any]:
    """Rules in groups, strongest first, the settings in which the two differ, and the difference in words."""
    found = changes(first, second)
    recut = first.diff(second).recut
    return {
        "same_outcome": first.data.outcome == second.data.outcome,
        "same_table": have_same_records(first, second),
        "settings": [
            {"name": name, "first": one, "second": other}
            for name, one, other in settings_that_differ(first, second)
        ],
        "words": [
            *(_recut(before, after, first_name, second_name) for before, after in recut),
            *_in_words(found, first_name, second_name),
        ],
        "groups": [
            {"name": name, "title": title, "rules": [_row(one) for one in found if one.where == name]}
            for name, title in GROUPS.items()
        ],
    }


def _recut(before: Sequence[Rule], after: Sequence[Rule], first: str, second: str) -> str:
    """A number that is causal in both, cut at other points."""
    named = [listed([rule.name for rule in rules]) for rules in (before, after)]
    return f"Cut at other points, but causal in both: {named[0]} in {first}, {named[1]} in {second}."


def _row(one: Change) -> dict[str, Any]:
    return {
        "pattern": [{"column": item.column, "value": item.value} for item in one.rule.pattern],
        "direction": one.rule.direction,
        "first": _side(one.first),
        "second": _side(one.second),
        "change": change_text(one),
    }


def _in_words(found: Sequence[Change], first: str, second: str) -> list[str]:
    """What changed from one result to the other, the strongest rules first, in sentences."""
    told: list[tuple[float, str]] = []
    n_same = 0
    for one in found:
        if one.where == "first":
            told.append((one.strength, _lost(one.rule, one.second, first, second)))
        elif one.where == "second":
            told.append((one.strength, _lost(one.rule, one.first, second, first)))
        elif one.where == "both" and one.first is not None and one.second is not None:
            change = _changed(one.first, one.second, first, second)
            n_same += not change
            told += [(one.strength, change)] if change else []
    lines = [text for _, text in sorted(told, key=lambda entry: -entry[0])]
    if len(lines) > _MOST_SENTENCES:
        lines[_MOST_SENTENCES:] = [f"And {len(lines) - _MOST_SENTENCES} more; the tables below have all."]
    if n_same:
        same = "1 rule is" if n_same == 1 else f"{n_same} rules are"
        lines.append(f"{same} causal in both, with about the same effect and the same grade.")
    return lines


def _lost(rule: Rule, other: Rule | None, where: str, elsewhere: str) -> str:
    """A rule that is causal in one result only."""
    does = f"{printable(rule.name)} {rule.direction} the {measure_of(rule).moves} in {where}"
    if other is None:
        return f"{does}; {elsewhere} did not study it."
    reason = f": {printable_text(other.reason).removesuffix('.')}" if other.reason else ""
    return f"{does}; in {elsewhere} it is {other.verdict}{reason}."


def _changed(one: Rule, other: Rule, first: str, second: str) -> str:
    """How a rule that is causal in both differs; empty if it does not."""
    ratios, what = [_own(rule) for rule in (one, other)], measure_of(one)
    parts = (
        [] if one.direction == other.direction else [f"it {one.direction} the {what.moves} in {first} only"]
    )
    if not (ratios[1].low <= ratios[0].high and ratios[0].low <= ratios[1].high):
        parts.append(
            f"its {what.name} is {what.shown(ratios[0].value)} in {first}, "
            f"{measure_of(other).shown(ratios[1].value)} in {second}"
        )
    if one.grade != other.grade:
        grades = [rule.grade or "not graded" for rule in (one, other)]
        parts.append(f"the evidence is {grades[0]} in {first}, {grades[1]} in {second}")
    if one.arrow != other.arrow and "cause" in (one.arrow, other.arrow):
        parts.append(f"only {first if one.arrow == 'cause' else second} shows that it is no consequence")
    return f"{printable(one.name)} is causal in both, but {'; '.join(parts)}." if parts else ""


def _own(rule: Rule) -> Estimate:
    """The adjusted effect on the outcome itself."""
    return measure_of(rule).adjusted


def _side(rule: Rule | None) -> dict[str, Any] | None:
    if rule is None:
        return None
    return {
        "verdict": rule.verdict,
        "grade": rule.grade,
        "odds_ratio": measure_of(rule).shown(_own(rule).value),
        "interval": measure_of(rule).limits(_own(rule)),
        "pairs": f"{rule.pairs.n_pairs:,.0f}",
    }
