"""Why an association was not called causal, as far as the result can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.report.words.sentences import interval, number, what_is_left

if TYPE_CHECKING:
    from causalrules.domain import Rule
    from causalrules.report.page.item_numbers import Shelf


def why_not(rule: Rule, shelf: Shelf) -> dict[str, Any] | None:
    """The path from the crude odds ratio to the adjusted one, with the strongest confounder's two tables."""
    if rule.verdict != "rejected":
        return None
    explanation = rule.explanation
    view: dict[str, Any] = {"reading": _reading(rule)}
    if explanation is None:
        view["missing"] = True
        return view
    if rule.odds_ratio.low > 1 and explanation.steps:
        view["steps"] = [
            [shelf.number(step.control), step.odds_ratio, step.pairs] for step in explanation.steps
        ]
        view["tables"] = [
            [
                shelf.number(table.item),
                table.is_present,
                [
                    table.exposed_with,
                    table.exposed_without,
                    table.unexposed_with,
                    table.unexposed_without,
                ],
                table.odds_ratio,
            ]
            for table in explanation.tables
        ]
    return view


def _reading(rule: Rule) -> str:
    crude, adjusted, explanation = rule.odds_ratio, rule.adjusted_odds_ratio, rule.explanation
    if crude.low <= 1:
        return "There is no association to begin with."
    if adjusted.low > 1:
        steps = " Held fixed one at a time, the strongest first:" if explanation and explanation.steps else ""
        return what_is_left(rule) + steps
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
