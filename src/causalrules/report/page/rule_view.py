"""One rule as the page needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.report.words.explanations import readings_of
from causalrules.report.words.sentences import TAGS, isolated, sentence, tags_of
from causalrules.report.words.why_not import why_not

if TYPE_CHECKING:
    from causalrules.domain import Balance, Outcome, Rule
    from causalrules.report.page.item_numbers import Shelf


def rule_view(place: int, rule: Rule, outcome: Outcome, shelf: Shelf) -> dict[str, Any]:
    """The rule's numbers and readings; items by their number on the shelf."""
    effects, doubts, pairs = rule.effects, rule.doubts, rule.pairs
    view = {
        "id": place,
        "pattern": shelf.numbers(rule.pattern),
        "direction": rule.direction,
        "verdict": rule.verdict,
        "sentence": sentence(rule, outcome, isolated),
        "tags": [_tag(text) for text in tags_of(rule)],
        "readings": readings_of(rule, outcome),
        "crude": rule.odds_ratio,
        "adjusted": rule.adjusted_odds_ratio,
        "p": rule.p_value,
        "q": rule.q_value,
        "pairs": [pairs.n11, pairs.n12, pairs.n21, pairs.n22],
        "n_pairs": pairs.n_pairs,
        "risk_ratio": effects.risk_ratio,
        "crude_risk_ratio": effects.crude_risk_ratio,
        "risk_difference": effects.risk_difference,
        "crude_risk_difference": effects.crude_risk_difference,
        "exposed": [rule.exposed, doubts.unmatched_exposed],
        "unexposed": [rule.unexposed, doubts.unmatched_unexposed],
        "hidden": [doubts.gamma, doubts.e_value, doubts.e_value_limit] if rule.verdict == "causal" else None,
        "stability": doubts.stability,
        "bootstrap": doubts.bootstrap,
        "balance": _balance(rule.balance, shelf) if pairs.n_pairs else None,
        "unmatched": [
            [shelf.number(one.item), one.matched_share, one.unmatched_share]
            for one in (rule.balance.unmatched if rule.balance else ())
        ],
        "controls": shelf.numbers(rule.controls),
        "not_held": shelf.numbers(rule.not_held),
        "columns_dropped": list(rule.columns_dropped),
        "entangled": [[shelf.number(other.item), other.overlap] for other in rule.entangled],
        "same_records_as": list(rule.same_records_as),
        "why_not": why_not(rule, shelf),
    }
    return {name: value for name, value in view.items() if value not in (None, [])}


def _tag(text: str) -> list[str]:
    """The tag and what it means."""
    return [text, TAGS[text.split(" ")[0]].partition(": ")[2]]


def _balance(balance: Balance | None, shelf: Shelf) -> list[list[Any]] | None:
    """Items that differ most between exposed and unexposed: number, before, after."""
    if balance is None:
        return None
    return [[shelf.number(one.item), one.before, one.after] for one in balance.items]
