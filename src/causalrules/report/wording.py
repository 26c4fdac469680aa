"""What was shown and what was assumed, in words, never more."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules.domain import Estimate, Outcome, Rule

LONGEST_NAME = 200


def printable(text: str) -> str:
    r"""Text that cannot disturb a terminal: control characters are shown, very long names cut.

    Examples
    --------
    >>> printable("two\nlines")
    'two\\nlines'
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"


def number(value: float) -> str:
    """Three significant digits, without exponents where people read none.

    Examples
    --------
    >>> number(1.234), number(123.4), number(4321.0), number(float("inf"))
    ('1.23', '123', '4,321', '∞')
    """
    if not isfinite(value):
        return "∞"
    if abs(value) >= 1e6 or 0 < abs(value) < 0.01:
        return f"{value:.2g}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 100 else f"{value:.2f}"


def interval(estimate: Estimate) -> str:
    """The limits of an interval.

    Examples
    --------
    >>> from causalrules.domain import Estimate
    >>> interval(Estimate(2.5, 1.2, 5.21))
    '1.20 – 5.21'
    """
    return f"{number(estimate.low)} – {number(estimate.high)}"


def sentence(rule: Rule, outcome: Outcome) -> str:
    """The verdict on one rule."""
    name, odds = printable(rule.name), rule.adjusted_odds_ratio
    target = printable(str(outcome))
    pairs = f"{rule.pairs.n_pairs:,.0f} matched pairs that agree on {_items(len(rule.controls))}"
    if rule.verdict == "untestable":
        return f"{name} cannot be tested: only {rule.pairs.n_discordant:.3g} of {pairs} differ in {target}."
    effect = f"{number(odds.value)} × ({interval(odds)})"
    if rule.verdict == "rejected":
        crude = number(rule.odds_ratio.value)
        return (
            f"{name} is associated with {_sense(rule)} {target} (crude odds ratio {crude}), but not shown "
            f"to cause it: {effect} among {pairs}."
        )
    hidden = (
        f"a hidden cause would need Γ ≥ {number(rule.doubts.gamma)} to explain it away"
        if rule.doubts.gamma > 1
        else "the slightest hidden cause could explain it away"
    )
    verb = "raises the odds of" if rule.direction == "raises" else "raises the odds of not having"
    return f"{name} {verb} {target} {effect} among {pairs}; {hidden}."


def _sense(rule: Rule) -> str:
    return "more" if rule.direction == "raises" else "less"


def _items(count: int) -> str:
    return {0: "nothing (no item was held fixed)", 1: "1 item"}.get(count, f"{count} items")


def tags_of(rule: Rule) -> list[str]:
    """What a reader of this rule should not overlook, in short; `TAGS` tells what the tags mean."""
    tags = ["mixed"] if rule.doubts.is_mixed else []
    same = rule.same_records_as[:3]
    tags += [f"≈ {printable(str(other.item))}" for other in rule.entangled[:3] if str(other.item) not in same]
    return tags + [f"= {printable(other)}" for other in same]


TAGS = {
    "mixed": "mixed: the effect changes its sign between strata",
    "≈": "≈: hardly occurs without this item, so it could not be held fixed and may be the cause instead",
    "=": "=: stands for (nearly) the same records as this other rule",
}


def tag_meanings(rules: Iterable[Rule]) -> list[str]:
    """The meanings of the tags that occur."""
    used = {tag.split(" ")[0] for rule in rules for tag in tags_of(rule)}
    return [meaning for tag, meaning in TAGS.items() if tag in used]
