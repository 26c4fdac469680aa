"""What became of each rule from one result to another: where it is causal, and how its effect changed."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from causalrules.assess.effect_change import difference_of_differences, ratio_of_ratios
from causalrules.domain.estimate import Estimate
from causalrules.report.words.measure import measure_of

if TYPE_CHECKING:
    from causalrules.domain import Result, Rule

GROUPS = {
    "both": "Causal in both",
    "first": "Causal only in the first",
    "second": "Causal only in the second",
    "recut": "Causal in both, cut at other points",
    "neither": "Tested, causal in neither",
}
"""Where a rule may be causal, and the heading of those that are."""

_Key = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Change:
    """A rule in two results.

    Parameters
    ----------
    where : str
        One of `GROUPS`.
    first, second : Rule, optional
        What each result says of it, if anything.
    effect : Estimate, optional
        The second odds ratio over the first, or the second difference of means less the first. Its interval
        is that of other records and of the same adjustment; otherwise there is none.
    """

    where: str
    first: Rule | None
    second: Rule | None
    effect: Estimate | None

    @property
    def rule(self) -> Rule:
        """The rule to show: a causal one, whose direction is evidence, else the first there is."""
        there = [rule for rule in (self.first, self.second) if rule is not None]
        return next((rule for rule in there if rule.verdict == "causal"), there[0])

    @property
    def is_adjusted_otherwise(self) -> bool:
        """Whether the two were adjusted for different columns, by which alone odds ratios may differ."""
        return self.first is not None and self.second is not None and _held(self.first) != _held(self.second)

    @property
    def strength(self) -> float:
        """The limit of the stronger effect that is nearer to none, whichever its direction."""
        found = max(rule.fair_odds_ratio.low for rule in (self.first, self.second) if rule is not None)
        return found if isfinite(found) else inf


def have_same_records(first: Result, second: Result) -> bool:
    """Whether two results seem to be of one table, however it was asked about."""
    return first.data.source == second.data.source and first.data.rows == second.data.rows


def changes(first: Result, second: Result) -> list[Change]:
    """Every rule that either result tested, group by group, the strongest first."""
    rules, others = _by_pattern(first), _by_pattern(second)
    moved = {key_of(rule) for sides in first.diff(second).recut for side in sides for rule in side}
    confidence = None if have_same_records(first, second) else second.settings.confidence
    found = []
    for key in dict.fromkeys([*rules, *others]):
        pair = rules.get(key), others.get(key)
        where = _where(*pair)
        if key in moved and where in ("first", "second"):
            where = "recut"
        found.append(Change(where, *pair, _effect(*pair, confidence)))
    return sorted(found, key=lambda one: (list(GROUPS).index(one.where), *_beside(one), -one.strength))


def _beside(one: Change) -> tuple[str, str]:
    """Of numbers that were cut at other points, the former and the later intervals stand side by side."""
    if one.where != "recut":
        return "", ""
    return " ".join(sorted(item.column for item in one.rule.pattern)), one.rule.direction


def key_of(rule: Rule) -> _Key:
    """A rule's items: what lowers the odds in one result may raise them in the other."""
    return frozenset((item.column, item.value) for item in rule.pattern)


def _by_pattern(result: Result) -> dict[_Key, Rule]:
    return {key_of(rule): rule for rule in result.tested}


def _held(rule: Rule) -> frozenset[str]:
    """What a rule was adjusted for."""
    return frozenset(rule.design.held)


def _where(first: Rule | None, second: Rule | None) -> str:
    in_first, in_second = (rule is not None and rule.verdict == "causal" for rule in (first, second))
    if in_first and in_second:
        return "both"
    return "first" if in_first else "second" if in_second else "neither"


def _effect(first: Rule | None, second: Rule | None, confidence: float | None) -> Estimate | None:
    if first is None or second is None or (first.mean is None) != (second.mean is None):
        return None
    before, after = measure_of(first).adjusted, measure_of(second).adjusted
    is_ratio = first.mean is None
    if confidence is not None and _held(first) == _held(second):
        return (ratio_of_ratios if is_ratio else difference_of_differences)(before, after, confidence)
    if not (isfinite(before.value) and isfinite(after.value) and (before.value or not is_ratio)):
        return None
    return Estimate(after.value / before.value if is_ratio else after.value - before.value, nan, nan)


def changes_table(first: Result, second: Result) -> pa.Table:
    """A row for each rule that either result tested; numbers speak of the outcome itself."""
    rows = [_row(one) for one in changes(first, second)]
    texts = (
        "rule",
        "direction",
        "causal_in",
        "first_verdict",
        "second_verdict",
        "first_grade",
        "second_grade",
    )
    kinds = {**dict.fromkeys(texts, pa.string()), "same_adjustment": pa.bool_()}
    schema = pa.schema([(name, kinds.get(name, pa.float64())) for name in _row_names()])
    return pa.Table.from_pylist(rows, schema=schema)


def _row_names() -> list[str]:
    sides = [
        f"{side}_{name}"
        for side in ("first", "second")
        for name in ("verdict", "grade", "effect", "low", "high")
    ]
    return [
        "rule",
        "direction",
        "causal_in",
        *sides,
        "change",
        "change_low",
        "change_high",
        "same_adjustment",
    ]


def _row(one: Change) -> dict[str, Any]:
    row: dict[str, Any] = {"rule": one.rule.name, "direction": one.rule.direction, "causal_in": one.where}
    for side, rule in (("first", one.first), ("second", one.second)):
        if rule is not None:
            row |= {f"{side}_verdict": rule.verdict, f"{side}_grade": rule.grade}
            row |= _numbers(f"{side}_", "effect", measure_of(rule).adjusted)
    if one.first is not None and one.second is not None:
        row["same_adjustment"] = not one.is_adjusted_otherwise
    return row | ({} if one.effect is None else _numbers("change_", "", one.effect))


def _numbers(prefix: str, name: str, estimate: Estimate) -> dict[str, float | None]:
    """A number and its limits; what is not known is None."""
    values = {prefix + name: estimate.value, prefix + "low": estimate.low, prefix + "high": estimate.high}
    return {one.removesuffix("_"): None if value != value else value for one, value in values.items()}
