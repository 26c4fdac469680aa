"""What the numbers of one rule mean, and why it was rejected, in plain language; a short paragraph each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.words.formatting import interval, isolated, number, p_text, printable
from causalrules.report.words.study_facts import contrast_readings
from causalrules.report.words.verdict_sentences import TAGS, most_unbalanced

if TYPE_CHECKING:
    from causalrules.domain import Closeness, Outcome, Rule

FRAGILE_BELOW = 1.25
SOLID_FROM = 2.0
"""Γ* from which a hidden cause would have to be strong; below the first even a weak one would do."""


def explain_numbers(rule: Rule, outcome: Outcome) -> dict[str, str]:
    """A paragraph for each part of a rule's card; parts that have nothing to say are absent."""
    target = isolated(str(outcome))
    if rule.design is not None:
        return contrast_readings(rule, target, isolated)
    texts = {
        "pairs": _pairs(rule, target),
        "effect": _effect(rule, target),
        "balance": _balance(rule),
        "partners": _partners(rule),
        "hidden": _hidden(rule),
        "stability": _stability(rule),
        "controls": _controls(rule),
    }
    return {part: text for part, text in texts.items() if text}


def _pairs(rule: Rule, target: str) -> str:
    pairs = rule.pairs
    if not pairs.n_pairs:
        return "No exposed record found a partner, so there is no pair to look at."
    has = f"has {target}" if rule.direction == "raises" else f"does not have {target}"
    same = pairs.n11 + pairs.n22
    return (
        f"Of {pairs.n_pairs:,.0f} pairs, in {_count(pairs.n12)} only the exposed record {has}, in "
        f"{_count(pairs.n21)} only its partner. The other {same:,.0f} pairs end alike and say "
        "nothing about the effect."
    )


def _count(pairs: float) -> str:
    """Pairs of one kind: whole, or with tenths where an average over pairings is small."""
    return f"{pairs:.1f}".removesuffix(".0") if pairs < 10 else f"{pairs:,.0f}"


def _effect(rule: Rule, target: str) -> str:
    pairs, effects = rule.pairs, rule.effects
    if rule.verdict == "untestable":
        return ""
    exposed, unexposed = (pairs.n11 + pairs.n12) / pairs.n_pairs, (pairs.n11 + pairs.n21) / pairs.n_pairs
    sign = 1
    if rule.direction == "lowers":
        exposed, unexposed, sign = 1 - exposed, 1 - unexposed, -1
    text = (
        f"Among matched records {exposed:.1%} of the exposed and {unexposed:.1%} of the others have "
        f"{target}: {_points(exposed - unexposed)}, where without matching it was "
        f"{_points(sign * effects.crude_risk_difference)}."
    )
    if rule.verdict == "causal":
        change = "more" if rule.direction == "raises" else "fewer"
        text += (
            f" Taken as causal, that is one {change} for every {number(effects.number_needed)} exposed, "
            f"{effects.attributable:,.0f} among those who were matched."
        )
    return text


def _points(difference: float) -> str:
    return f"{100 * difference:+.1f} percentage points".replace("-", "−")


def _balance(rule: Rule) -> str:
    balance = rule.balance
    if balance is None or not rule.pairs.n_pairs:
        return ""
    text = (
        f"Largest difference between exposed and others: {number(balance.worst_before)} standard deviations "
        f"before matching, {number(balance.worst_after)} after (on average {number(balance.mean_before)} and "
        f"{number(balance.mean_after)}). Up to 0.1 counts as alike."
    )
    unlike = most_unbalanced(rule)
    if unlike is not None:
        text += f" Mind {isolated(str(unlike))}: it could not be held fixed, and partners still differ in it."
    return text


def _partners(rule: Rule) -> str:
    without = rule.doubts.unmatched_exposed
    if not rule.exposed:
        return ""
    found = f"{rule.exposed - without:,} of {rule.exposed:,} exposed records"
    if not without:
        return f"All {rule.exposed:,} exposed records have comparable unexposed ones."
    text = f"{found} have comparable unexposed ones. The rule says nothing about the other {without:,}."
    if rule.balance is not None and rule.balance.unmatched:
        text += " They differ from those who have most in the items below."
    return text


def _hidden(rule: Rule) -> str:
    if rule.verdict != "causal":
        return ""
    doubts = rule.doubts
    gamma, e_value, limit = number(doubts.gamma), number(doubts.e_value), number(doubts.e_value_limit)
    if doubts.gamma <= 1:
        first = "The slightest hidden difference between partners could explain this away: fragile."
    else:
        strength = (
            "fragile, a weak hidden cause would do"
            if doubts.gamma < FRAGILE_BELOW
            else "solid, only a strong hidden cause would do"
            if doubts.gamma >= SOLID_FROM
            else "it takes a hidden cause of middling strength"
        )
        first = (
            f"Something not recorded would have to make one partner {gamma} times as likely (in odds) to be "
            f"exposed as the other before chance could explain this: {strength}."
        )
    return (
        f"{first} Or, by the E-value, it would have to be associated with both exposure and outcome by a "
        f"risk ratio of {e_value} to explain the whole effect, of {limit} to bring the interval to 1."
    )


def _stability(rule: Rule) -> str:
    doubts = rule.doubts
    if rule.verdict == "untestable":
        return ""
    parts = [f"Causal in {doubts.stability:.0%} of random pairings"]
    if doubts.bootstrap is not None:
        parts.append(f"in {doubts.bootstrap:.0%} of resampled tables")
    text = ", ".join(parts) + "."
    if rule.causal_runs is not None:
        text += f" The verdict rests on random pairings; {rule.causal_runs} of them found it causal."
    if doubts.is_mixed:
        text += f" {TAGS['mixed'].partition(': ')[2].capitalize()}."
    elif doubts.heterogeneity_p is not None:
        differs = "differs" if doubts.heterogeneity_p < 0.05 else "does not clearly differ"
        text += f" Its size {differs} between strata ({p_text(doubts.heterogeneity_p)})."
    return text


def _controls(rule: Rule) -> str:
    if not rule.controls:
        return why_no_controls(rule, 3)
    how = (
        "Partners agree on"
        if rule.closeness is None
        else f"Partners were matched ({rule.closeness.method}) on"
    )
    count = len(rule.controls)
    text = f"{how} {'this item' if count == 1 else f'these {count} items'}."
    if rule.closeness is not None and rule.pairs.n_pairs:
        text += f" How alike they are: {describe_closeness(rule.closeness)}."
    return text


def describe_closeness(close: Closeness) -> str:
    """How alike partners are, and what was given up for it."""
    text = f"mean distance {number(close.mean_distance)}, worst {number(close.worst_distance)}"
    if close.overlap_exposed is not None and close.overlap_unexposed is not None:
        shares = f"{close.overlap_exposed:.1%} of the exposed, {close.overlap_unexposed:.1%} of the others"
        text += f"; scores overlap for {shares}"
    if close.is_optimal:
        text += "; the sum of distances is the smallest possible"
    if close.given_up:
        names = ", ".join(isolated(item.name) for item in close.given_up[:5])
        more = f" and {len(close.given_up) - 5} more" if len(close.given_up) > 5 else ""
        text += f"; given up, the least important first: {names}{more}"
    return text


def why_no_controls(rule: Rule, n_named: int) -> str:
    """Why a rule has no controls, with the first few items that could not be held fixed."""
    if not rule.not_held:
        return "No item was held fixed: nothing else is associated with the outcome."
    names = "; ".join(printable(item.name) for item in rule.not_held[:n_named])
    n_more = len(rule.not_held) - n_named
    return (
        "No item was held fixed, so the odds ratio is the crude one: those associated with the outcome are "
        f"too rare with or without the exposure ({names}{f'; and {n_more} more' if n_more > 0 else ''})."
    )


def why_rejected(rule: Rule) -> str:
    """Why an association was not called causal, as far as the result can tell."""
    crude, adjusted, explanation = rule.odds_ratio, rule.adjusted_odds_ratio, rule.explanation
    if crude.low <= 1:
        return "There is no association to begin with."
    if adjusted.low > 1:
        steps = " Held fixed one at a time, the strongest first:" if explanation and explanation.steps else ""
        return what_remains(rule) + steps
    change = (
        f"Without matching the odds ratio is {number(crude.value)} ({interval(crude)}); among matched pairs "
        f"it is {number(adjusted.value)} ({interval(adjusted)})"
    )
    ends = "below 1, so the association turned round" if adjusted.high < 1 else "which may be 1"
    text = f"{change}, {ends}."
    if explanation is None:
        return text
    if not explanation.steps:
        return f"{text} No single control lowers the odds ratio; there is too little to compare."
    return f"{text} Held fixed one at a time, these controls explain it away, the strongest first:"


def what_remains(rule: Rule) -> str:
    """How much of a rejected rule's odds ratio matching took, where the rest is still above 1."""
    crude, adjusted = number(rule.odds_ratio.value), rule.adjusted_odds_ratio
    return (
        f"Matching takes the odds ratio from {crude} to {number(adjusted.value)} ({interval(adjusted)}). "
        "What is left is not explained by a control, but the evidence is too weak for the level asked for."
    )
