"""Two results side by side: which rules both have, which only one, and how effects changed."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from causalrules.report.words.contrast_words import listed
from causalrules.report.words.formatting import number, printable, printable_text
from causalrules.report.words.measure import measure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from causalrules.domain import Estimate, Result, Rule

_MOST_SENTENCES = 8
_Key = frozenset[tuple[str, str]]
_GROUPS = (
    ("both", "Causal in both"),
    ("first", "Causal only in the first"),
    ("second", "Causal only in the second"),
    ("recut", "Causal in both, cut at other points"),
    ("neither", "Tested, causal in neither"),
)


def compare(
    first: Result, second: Result, first_name: str = "the first", second_name: str = "the second"
) -> dict[str, Any]:
    """Rules in groups, strongest first, the settings in which the two differ, and the difference in words."""
    rules, others = _by_pattern(first), _by_pattern(second)
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name, _ in _GROUPS}
    recut = first.diff(second).recut
    moved = {_key(rule) for sides in recut for side in sides for rule in side}
    for key in dict.fromkeys([*rules, *others]):
        pair = rules.get(key), others.get(key)
        name = _group(*pair)
        rows["recut" if key in moved and name in ("first", "second") else name].append(_row(*pair))
    for group in rows.values():
        group.sort(key=lambda row: -row["strength"])
    return {
        "same_outcome": first.data.outcome == second.data.outcome,
        "same_table": first.data.source == second.data.source and first.data.rows == second.data.rows,
        "settings": _differences(first, second),
        "words": [
            *(_recut(before, after, first_name, second_name) for before, after in recut),
            *_in_words(
                {key: rule for key, rule in rules.items() if key in others or key not in moved},
                {key: rule for key, rule in others.items() if key in rules or key not in moved},
                first_name,
                second_name,
            ),
        ],
        "groups": [{"name": name, "title": title, "rules": rows[name]} for name, title in _GROUPS],
    }


def _by_pattern(result: Result) -> dict[_Key, Rule]:
    """Rules by their items: what lowers the odds in one result may raise them in the other."""
    return {_key(rule): rule for rule in result.tested}


def _key(rule: Rule) -> _Key:
    return frozenset((item.column, item.value) for item in rule.pattern)


def _recut(before: Sequence[Rule], after: Sequence[Rule], first: str, second: str) -> str:
    """A number that is causal in both, cut at other points."""
    named = [listed([rule.name for rule in rules]) for rules in (before, after)]
    return f"Cut at other points, but causal in both: {named[0]} in {first}, {named[1]} in {second}."


def _group(first: Rule | None, second: Rule | None) -> str:
    in_first, in_second = (rule is not None and rule.verdict == "causal" for rule in (first, second))
    return {(True, True): "both", (True, False): "first", (False, True): "second"}.get(
        (in_first, in_second), "neither"
    )


def _row(first: Rule | None, second: Rule | None) -> dict[str, Any]:
    rule = _telling(first, second)
    return {
        "pattern": [{"column": item.column, "value": item.value} for item in rule.pattern],
        "direction": rule.direction,
        "first": _side(first),
        "second": _side(second),
        "change": _change(first, second),
        "strength": max(_finite(one.fair_odds_ratio.low) for one in (first, second) if one is not None),
    }


def _telling(first: Rule | None, second: Rule | None) -> Rule:
    """The rule that a line is about: the causal one, whose direction is evidence, else the first there is."""
    there = [rule for rule in (first, second) if rule is not None]
    return next((rule for rule in there if rule.verdict == "causal"), there[0])


def _in_words(rules: dict[_Key, Rule], others: dict[_Key, Rule], first: str, second: str) -> list[str]:
    """What changed from one result to the other, the strongest rules first, in sentences."""
    told: list[tuple[float, str]] = []
    n_same = 0
    for key in dict.fromkeys([*rules, *others]):
        one, other = rules.get(key), others.get(key)
        group = _group(one, other)
        shown = _telling(one, other)
        strength = max(_finite(rule.fair_odds_ratio.low) for rule in (one, other) if rule is not None)
        if group == "first":
            told.append((strength, _lost(shown, other, first, second)))
        elif group == "second":
            told.append((strength, _lost(shown, one, second, first)))
        elif group == "both" and one is not None and other is not None:
            change = _changed(one, other, first, second)
            n_same += not change
            told += [(strength, change)] if change else []
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


def _change(first: Rule | None, second: Rule | None) -> str:
    """How the effect differs, in words."""
    if first is None:
        return "not tested in the first"
    if second is None:
        return "not tested in the second"
    if "untestable" in (first.verdict, second.verdict):
        return "" if first.verdict == second.verdict else "untestable in one"
    if first.direction != second.direction:
        return "the other way"
    before, after = _own(first), _own(second)
    if not (isfinite(before.value) and isfinite(after.value) and before.value):
        return ""
    if (first.mean is None) != (second.mean is None):
        return "measured otherwise"
    ratio = after.value / before.value
    if f"{ratio:.2f}" == "1.00":
        return "the same"
    overlap = after.low <= before.high and before.low <= after.high
    return f"× {number(ratio)}" + ("" if overlap else ", intervals apart")


def _differences(first: Result, second: Result) -> list[dict[str, str]]:
    mine, others = first.settings.to_dict(), second.settings.to_dict()
    return [
        {"name": name, "first": _shown(mine[name]), "second": _shown(others[name])}
        for name in mine
        if mine[name] != others[name]
    ]


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "by itself" if value is None else str(value)


def _finite(value: float) -> float:
    return value if isfinite(value) else 1e300
