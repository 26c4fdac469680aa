"""Why a finding has its grade: each criterion, its value and the bounds it was judged by."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from causalrules.assess.grade import Criterion, criteria_of
from causalrules.domain.marker_phrases import ADJUSTED_FOR, LEFT_OUT_DIFFER, NEARLY, NOT_ADJUSTED_FOR
from causalrules.domain.mean_effect import AS_ODDS_RATIO
from causalrules.report.words.contrast_words import listed
from causalrules.report.words.formatting import number
from causalrules.report.words.study_facts import ALIKE, difference_text

if TYPE_CHECKING:
    from causalrules.domain import Rule
    from causalrules.domain.rule import Grade

GRADE_HEADINGS = ("criterion", "value", "says", "bounds")


def grade_criteria(rule: Rule) -> list[tuple[str, str, Grade, str]]:
    """Name, value, its grade and the bounds of each criterion of a graded rule; the weakest decides."""
    if rule.grade is None:
        return []
    design = rule.design
    gamma, limit, balance, matched = criteria_of(
        rule.doubts.gamma, rule.strength, _worst_held(rule), design.share_matched
    )
    unlike = [name for name in design.imbalanced if name in design.held]
    remaining = f"above {ALIKE} in {listed(unlike, most=3)}" if unlike else f"within {ALIKE}"
    if design.worst_imbalance is not None:
        worst = difference_text(design.worst_imbalance)
        remaining = f"{worst}{f' in {listed(unlike, most=3)}' if unlike else ''}"
    if not design.held:
        remaining = "nothing to balance"
    agreement: Grade = "strong" if design.opinions_agree else "fragile"
    agrees = "agrees" if design.opinions_agree else "differs"
    within = f"strong within {-balance.strong:g}, moderate within {-balance.moderate:g}"
    shares = f"strong from {matched.strong:.0%}, moderate from {matched.moderate:.0%}"
    criteria: list[tuple[str, str, Grade, str]] = [
        ("Γ", number(gamma.value), gamma.grade, _from(gamma)),
        ("interval", *_limit(rule, limit)),
        ("balance", remaining, balance.grade, within),
        ("matched", f"{matched.value:.0%}", matched.grade, shares),
        ("second opinion", agrees, agreement, "strong if it agrees, else fragile"),
    ]
    if not design.second_opinion.is_made:
        criteria.pop()
    if rule.reason.startswith(LEFT_OUT_DIFFER):
        criteria.append(("missing values", "may bias", "fragile", "who is left out differs: see above"))
    if rule.reason.startswith((ADJUSTED_FOR, NOT_ADJUSTED_FOR)):
        criteria.append(("what came first", "not said", "fragile", "the answer depends on it: see above"))
    elif NEARLY in rule.reason:
        criteria.append(("what came first", "not said", "fragile", "it nearly settles the outcome: --before"))
    elif design.without_undecided is not None:
        criteria.append(("what came first", "not said", "fragile", "the answer depends on it: see above"))
    return criteria


def _limit(rule: Rule, limit: Criterion) -> tuple[str, Grade, str]:
    """How far the interval keeps away from no effect: of odds ratios a factor, of means in their spread."""
    if rule.mean is None:
        inverse = "1/limit" if rule.direction == "lowers" else "limit"
        return f"{inverse} {number(limit.value)}", limit.grade, _from(limit)
    strong, moderate = (log(bound) / AS_ODDS_RATIO for bound in (limit.strong, limit.moderate))
    bounds = f"strong from {strong:.2f}, moderate from {moderate:.2f} standard deviations"
    return f"limit {number(rule.mean.standardised.low)}", limit.grade, bounds


def _from(criterion: Criterion) -> str:
    return f"strong from {criterion.strong:g}, moderate from {criterion.moderate:g}"


def _worst_held(rule: Rule) -> float:
    """A standardised difference that stands for the largest one left in what was adjusted for.

    Files of earlier versions keep which columns are above 0.1, not by how much; that it
    is above 0.25 shows in a grade that nothing else explains.
    """
    design = rule.design
    if design.worst_imbalance is not None:
        return design.worst_imbalance
    if not set(design.imbalanced) & set(design.held):
        return ALIKE
    others = criteria_of(rule.doubts.gamma, rule.strength, 0.0, design.share_matched)
    explains_grade = any(one.grade == "fragile" for one in others) or not design.opinions_agree
    return 0.25 if explains_grade or rule.grade != "fragile" else 0.5
