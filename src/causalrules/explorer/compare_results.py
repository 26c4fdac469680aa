"""Two results side by side: which rules both have, which only one, and how effects changed."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from causalrules.report.words.formatting import interval, number

if TYPE_CHECKING:
    from causalrules.domain import Result, Rule

_Key = tuple[frozenset[tuple[str, str]], str]
_GROUPS = (
    ("both", "Causal in both"),
    ("first", "Causal only in the first"),
    ("second", "Causal only in the second"),
    ("neither", "Tested, causal in neither"),
)


def compare(first: Result, second: Result) -> dict[str, Any]:
    """Rules in groups, strongest first, and the settings in which the two differ."""
    rules, others = _by_pattern(first), _by_pattern(second)
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name, _ in _GROUPS}
    for key in dict.fromkeys([*rules, *others]):
        pair = rules.get(key), others.get(key)
        rows[_group(*pair)].append(_row(*pair))
    for group in rows.values():
        group.sort(key=lambda row: -row["strength"])
    return {
        "same_outcome": first.data.outcome == second.data.outcome,
        "same_table": first.data.source == second.data.source and first.data.rows == second.data.rows,
        "settings": _differences(first, second),
        "groups": [{"name": name, "title": title, "rules": rows[name]} for name, title in _GROUPS],
    }


def _by_pattern(result: Result) -> dict[_Key, Rule]:
    return {
        (frozenset((item.column, item.value) for item in rule.pattern), rule.direction): rule
        for rule in result.tested
    }


def _group(first: Rule | None, second: Rule | None) -> str:
    in_first, in_second = (rule is not None and rule.verdict == "causal" for rule in (first, second))
    return {(True, True): "both", (True, False): "first", (False, True): "second"}.get(
        (in_first, in_second), "neither"
    )


def _row(first: Rule | None, second: Rule | None) -> dict[str, Any]:
    rule = first or second
    assert rule is not None
    return {
        "pattern": [{"column": item.column, "value": item.value} for item in rule.pattern],
        "direction": rule.direction,
        "first": _side(first),
        "second": _side(second),
        "change": _change(first, second),
        "strength": max(_finite(one.fair_odds_ratio.low) for one in (first, second) if one is not None),
    }


def _side(rule: Rule | None) -> dict[str, Any] | None:
    if rule is None:
        return None
    return {
        "verdict": rule.verdict,
        "grade": rule.grade,
        "odds_ratio": number(rule.adjusted_odds_ratio.value),
        "interval": interval(rule.adjusted_odds_ratio),
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
    before, after = first.adjusted_odds_ratio, second.adjusted_odds_ratio
    if not (isfinite(before.value) and isfinite(after.value) and before.value > 0):
        return ""
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
