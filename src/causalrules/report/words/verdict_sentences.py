"""The verdict on one rule in a sentence, and its tags: what was shown and what was assumed, never more."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from causalrules.domain import Outcome
from causalrules.report.words.contrast_words import (
    THE_OUTCOME_ITSELF,
    contrast_sentence,
    contrast_tag_meanings,
    contrast_tags,
    listed,
    of_it,
)
from causalrules.report.words.formatting import interval, number, p_text, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from causalrules.domain import Item, Rule
    from causalrules.paper.matching_comparison import MatchingComparison

UNBALANCED_FROM = 0.25
"""Standardised difference after matching from which a rule is tagged (Stuart 2010)."""

TAGS = {
    "∅": "∅: nothing could be held fixed, so this is the crude odds ratio",
    "mixed": "mixed: the effect differs between strata, so much that its sign may change",
    "≈": "≈: hardly occurs without this item, so it could not be held fixed and may be the cause instead",
    "≠": "≠: exposed and unexposed still differ in this item, on which they could not be made to agree",
    "=": "=: stands for (nearly) the same records as this other rule",
}

THE_OUTCOME = Outcome("", "", 0, 0, written=THE_OUTCOME_ITSELF)
"""Stands for what a rule by itself does not know."""

_DISTANCES = {
    "jaccard": "a Jaccard distance",
    "hamming": "a Hamming distance",
    "euclidean": "a Euclidean distance",
    "mahalanobis": "a Mahalanobis distance",
}


def sentence(rule: Rule, outcome: Outcome, show_name: Callable[[str], str] = printable) -> str:
    """The verdict on one rule; `show_name` makes names fit for where it is read."""
    if rule.design is not None:
        return contrast_sentence(rule, outcome, show_name)
    name, target = show_name(rule.name), show_name(str(outcome))
    pairs = f"{rule.pairs.n_pairs:,.0f} matched pairs {_partners_that_agree(rule)}"
    effect = f"{number(rule.adjusted_odds_ratio.value)} × ({interval(rule.adjusted_odds_ratio)})"
    if rule.verdict == "untestable":
        return f"{name} cannot be tested: {_why_untestable(rule, pairs, target)}."
    if rule.verdict == "rejected":
        return f"{name} is {_association(rule, target)}, {_why_rejected(rule)}: {effect} among {pairs}."
    hidden = (
        f"a hidden cause would need Γ ≥ {number(rule.doubts.gamma)} to explain it away"
        if rule.doubts.gamma > 1
        else "the slightest hidden cause could explain it away"
    )
    verb = "raises the odds of" if rule.direction == "raises" else "raises the odds of not having"
    return f"{name} {verb} {target} {effect} among {pairs}; {hidden}."


def _association(rule: Rule, target: str) -> str:
    crude = f"crude odds ratio {number(rule.odds_ratio.value)}"
    if rule.direction == "lowers":
        crude += " of not having it"
    if rule.odds_ratio.low <= 1 <= rule.odds_ratio.high:
        return f"not associated with {target} ({crude})"
    goes_with_more = (rule.direction == "raises") == (rule.odds_ratio.low > 1)
    return f"associated with {'more' if goes_with_more else 'less'} {of_it(target)} ({crude})"


def _why_rejected(rule: Rule) -> str:
    """In which way the cohort study does not support the rule."""
    if rule.adjusted_odds_ratio.high < 1:
        if rule.odds_ratio.value > 1:
            return "but among matched pairs it goes the other way"
        asked, found = ("raises", "lowers") if rule.direction == "raises" else ("lowers", "raises")
        return f"and also among matched pairs it {found} it, where it was asked whether it {asked} it"
    if rule.adjusted_odds_ratio.low > 1:
        if rule.q_value in (None, rule.p_value):
            return f"and the evidence is too weak for the level asked for ({p_text(rule.p_value)})"
        numbers = f"{p_text(rule.p_value)}, q = {rule.q_value:.2g}"
        return f"and the evidence is too weak for the number of rules tried ({numbers})"
    return "and not shown to cause it"


def _why_untestable(rule: Rule, pairs: str, target: str) -> str:
    if rule.exposed == 0 or rule.unexposed == 0:
        return f"{'no' if rule.exposed == 0 else 'every'} record has it, so there is no comparison group"
    if rule.closeness is not None and not rule.controls:
        return "no control is left to match on"
    if rule.pairs.n_pairs == 0:
        return f"no exposed record found a partner {_partner_that_agrees(rule)}"
    return f"only {rule.pairs.n_discordant:.3g} of {pairs} differ in {target}"


def _partners_that_agree(rule: Rule) -> str:
    return _partner_that_agrees(rule).replace("that agrees", "that agree")


def _partner_that_agrees(rule: Rule) -> str:
    """In what a partner is like the other record."""
    items, close = _items(len(rule.controls)), rule.closeness
    if close is None:
        return f"that agrees on {items}"
    if close.method == "almost-exact":
        given_up = f", giving up at most {close.caliper:.0%} of their importance" if close.given_up else ""
        return f"that agrees on nearly all of {items}{given_up}"
    if not isfinite(close.caliper):
        return f"that is nearest by {close.method} over {items}"
    if close.method == "propensity":
        spread = f"{close.caliper:g} standard deviations"
        return f"within {spread} of the propensity score's logit over {items}"
    return f"within {_DISTANCES[close.method]} of {close.caliper:g} over {items}"


def _items(count: int) -> str:
    return {0: "nothing (no item was held fixed)", 1: "1 item"}.get(count, f"{count} items")


def tags_of(rule: Rule) -> list[str]:
    """What a reader of this rule should not overlook, in short; `tag_meanings` tells what the tags mean."""
    if rule.design is not None:
        return [tag.text for tag in contrast_tags(rule)]
    tags = ["∅"] if rule.not_held and not rule.controls else []
    tags += ["mixed"] if rule.doubts.is_mixed else []
    same = rule.same_records_as[:3]
    unbalanced = most_unbalanced(rule)
    if unbalanced is not None:
        tags.append(f"≠ {printable(str(unbalanced))}")
    tags += [f"≈ {printable(str(other.item))}" for other in rule.entangled[:3] if str(other.item) not in same]
    return tags + [f"= {printable(other)}" for other in same]


def most_unbalanced(rule: Rule) -> Item | None:
    """The item associated with the outcome in which matched records differ most, if they differ much."""
    known = {other.item.column for other in rule.entangled}
    unlike = [
        one
        for one in (rule.balance.items if rule.balance else ())
        if abs(one.after) > UNBALANCED_FROM
        and one.item.column not in known
        and (one.item in rule.not_held or (rule.closeness is not None and one.item in rule.controls))
    ]
    return max(unlike, key=lambda one: abs(one.after)).item if unlike else None


def tag_meanings(rules: Iterable[Rule]) -> list[str]:
    """The meanings of the tags that occur."""
    rules = list(rules)
    of_items = [rule for rule in rules if rule.design is None]
    used = {tag.split(" ")[0] for rule in of_items for tag in tags_of(rule)}
    meanings = [meaning for tag, meaning in TAGS.items() if tag in used]
    return meanings + contrast_tag_meanings(rule for rule in rules if rule.design is not None)


def what_ways_hold(comparison: MatchingComparison) -> list[str]:
    """Whether all ways of matching by items hold the same, and what; then what the default holds."""
    held, default = comparison.held, comparison.default
    if held is None:
        told = "The ways do not hold the same controls."
    elif not held:
        told = "No way by items holds anything: nothing else is associated with the outcome."
    else:
        told = (
            f"All ways by items hold the same controls, items of {listed(held)}, as the paper chooses them."
        )
    if default is None or default.design is None:
        return [told]
    columns = listed(default.design.held) if default.design.held else "nothing"
    return [told, f"default: what causalrules test says; it adjusts for {columns}, by whole columns."]
