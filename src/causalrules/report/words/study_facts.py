"""The study behind one rule of the default search, point by point: the same lines wherever it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from causalrules.assess.grade import Criterion, criteria_of
from causalrules.domain import Estimate
from causalrules.report.words.contrasts import (
    design_of,
    inseparable,
    listed,
    n_matched,
    own_difference,
    points_and_interval,
    standardised_risks,
)
from causalrules.report.words.formatting import number, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from causalrules.domain import Grade, Rule

ALIKE = 0.1
"""Standardised difference up to which two groups count as alike (Austin 2009)."""

_ALL = 40


class Fact(NamedTuple):
    """One point of a study: what it is about, and the lines that tell it."""

    name: str
    lines: tuple[str, ...]


def study_facts(rule: Rule, show: Callable[[str], str] = printable) -> list[Fact]:
    """Who was compared and how, what was left out, what other methods say, and what could undo it."""
    facts = [
        Fact("adjusted for", (_adjusted_for(rule, show),)),
        Fact("matched", (_matched(rule, show),)),
        Fact("speaks for", tuple(_speaks_for(rule, show))),
        Fact("left out", tuple(_left_out(rule))),
        Fact("not told apart", tuple(_not_told_apart(rule, show))),
        Fact("balance", tuple(_balance(rule, show))),
        Fact("second opinion", tuple(_second_opinion(rule))),
        Fact("hidden causes", tuple(_hidden(rule))),
        Fact("between strata", tuple(_between_strata(rule))),
    ]
    return [fact for fact in facts if fact.lines]


def _adjusted_for(rule: Rule, show: Callable[[str], str]) -> str:
    held = design_of(rule).held
    return listed(held, show, _ALL) if held else "nothing: no other column goes with the outcome"


def _matched(rule: Rule, show: Callable[[str], str]) -> str:
    design = design_of(rule)
    if not design.held:
        return "on nothing: all records are compared"
    if design.matching == "exact":
        on = "it" if len(design.held) == 1 else "all of them"
        return f"exactly on {on}: compared records have equal values"
    text = "by propensity and prognostic score over them: compared records were as likely to be exposed, and at equal risk"
    exact = f"; exactly on {listed(design.exact_on, show, _ALL)}" if design.exact_on else ""
    return text + exact


def _speaks_for(rule: Rule, show: Callable[[str], str]) -> list[str]:
    """The estimand, and how those it does not speak for differ."""
    design = design_of(rule)
    matched = f" ({design.share_matched:.0%} matched)" if design.share_matched < 1 else ""
    lines = [f"{design.estimand}{matched}"]
    if rule.balance is not None:
        lines += [
            f"unmatched more often {show(str(one.item))}: {one.unmatched_share:.0%}, {one.matched_share:.0%} of the matched"
            for one in rule.balance.unmatched[:3]
            if one.unmatched_share > one.matched_share
        ]
    return lines


def _left_out(rule: Rule) -> list[str]:
    design, lines = design_of(rule), []
    if design.exposure_unknown:
        lines.append(f"{_records(design.exposure_unknown)} in neither arm: the exposure is missing")
    if design.left_out:
        lines.append(f"{_records(design.left_out)} with a missing value in what is adjusted for")
    if design.missing_controls == "value":
        lines.append(
            "nobody for missing values of confounders: too few records are complete, so missing is a level"
        )
    return lines


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count:,} records"


def _not_told_apart(rule: Rule, show: Callable[[str], str]) -> list[str]:
    others = inseparable(rule)
    if not others:
        return []
    does = "it nearly determines" if len(others) == 1 else "they nearly determine"
    copies = design_of(rule).near_copies
    why = f": {does} the exposure and could not be adjusted for" if copies else ""
    return [f"{listed(others, show, _ALL)}{why}; any of them may be the cause"]


def _balance(rule: Rule, show: Callable[[str], str]) -> list[str]:
    design = design_of(rule)
    if rule.balance is None or not n_matched(rule):
        return []
    items = [one for one in rule.balance.items if one.item.column not in design.near_copies]
    before = max((abs(one.before) for one in items), default=0.0)
    after = max((abs(one.after) for one in items), default=0.0)
    lines = [f"largest standardised difference {number(before)} before matching, {number(after)} after"]
    apart = [name for name in design.imbalanced if name not in design.near_copies]
    held = [name for name in apart if name in design.held]
    others = [name for name in apart if name not in design.held]
    if held:
        lines.append(f"above {ALIKE} after, although adjusted for: {listed(held, show, _ALL)}")
    if others:
        lines.append(f"above {ALIKE} after, not adjusted for: {listed(others, show, _ALL)}")
    return lines


def _second_opinion(rule: Rule) -> list[str]:
    if rule.verdict == "untestable":
        return []
    opinion, agrees = design_of(rule).second_opinion, design_of(rule).opinions_agree
    value, limits = points_and_interval(Estimate(opinion.estimate, opinion.low, opinion.high))
    own = points_and_interval(own_difference(rule, rule.effects.risk_difference))[0]
    says = "agrees" if agrees else "does not agree"
    return [f"{says}: risk difference {value} ({limits}) by a doubly robust estimate, {own} by matching"]


def _hidden(rule: Rule) -> list[str]:
    if rule.verdict not in ("causal", "possible"):
        return []
    doubts = rule.doubts
    gamma = (
        f"Γ {number(doubts.gamma)}: something not recorded would have to multiply the odds of exposure by this"
        if doubts.gamma > 1
        else "Γ 1: the slightest hidden confounder could explain it away"
    )
    e_value = (
        f"E-value {number(doubts.e_value)}, for the limit of the interval {number(doubts.e_value_limit)}"
    )
    return [gamma, e_value]


def _between_strata(rule: Rule) -> list[str]:
    p_value = rule.doubts.heterogeneity_p
    if p_value is None or rule.verdict == "untestable":
        return []
    if rule.doubts.is_mixed:
        return [f"the effect changes its sign between strata (p = {p_value:.2g})"]
    differs = "differs" if p_value < 0.05 else "does not clearly differ"
    return [f"the effect {differs} between strata (p = {p_value:.2g})"]


GRADE_HEADINGS = ("criterion", "value", "says", "bounds")


def grade_criteria(rule: Rule) -> list[tuple[str, str, Grade, str]]:
    """Name, value, its grade and the bounds of each criterion of a graded rule; the weakest decides."""
    if rule.grade is None:
        return []
    design = design_of(rule)
    gamma, limit, balance, matched = criteria_of(
        rule.doubts.gamma, rule.adjusted_odds_ratio, _worst_held(rule), design.share_matched
    )
    unlike = [name for name in design.imbalanced if name in design.held]
    remaining = f"above {ALIKE} in {listed(unlike)}" if unlike else f"at most {ALIKE}"
    agreement: Grade = "strong" if design.opinions_agree else "fragile"
    away = "1/limit" if rule.direction == "lowers" else "limit"
    return [
        ("Γ, for a hidden confounder", number(gamma.value), gamma.grade, _from(gamma)),
        (f"{away} of the interval nearest to 1", number(limit.value), limit.grade, _from(limit)),
        (
            "difference left in what is adjusted for",
            remaining,
            balance.grade,
            f"strong up to {-balance.strong:g}, moderate up to {-balance.moderate:g}",
        ),
        (
            "exposed records matched",
            f"{matched.value:.0%}",
            matched.grade,
            f"strong from {matched.strong:.0%}, moderate from {matched.moderate:.0%}",
        ),
        (
            "second opinion",
            "agrees" if design.opinions_agree else "differs",
            agreement,
            "strong if it agrees, else fragile",
        ),
    ]


def _from(criterion: Criterion) -> str:
    return f"strong from {criterion.strong:g}, moderate from {criterion.moderate:g}"


def _worst_held(rule: Rule) -> float:
    """Largest standardised difference after matching among what was adjusted for, as far as it is known.

    Rules keep the differences of items; of numbers they keep whether it is
    above 0.1. Above 0.25 such a study is untestable unless its arms are small.
    """
    design = design_of(rule)
    shown = rule.balance.items if rule.balance is not None else ()
    known = max((abs(one.after) for one in shown if one.item.column in design.held), default=0.0)
    if not set(design.imbalanced) & set(design.held):
        return min(known, ALIKE)
    others = criteria_of(rule.doubts.gamma, rule.adjusted_odds_ratio, 0.0, design.share_matched)
    explains_grade = any(one.grade == "fragile" for one in others) or not design.opinions_agree
    is_worse = rule.grade == "fragile" and not explains_grade
    return max(known, 0.26 if is_worse else 0.11)
