"""What a reader must know about a whole result, in the same words in the terminal and on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from causalrules.domain import Result, Settings

NOTHING_FOUND = (
    "No association held up. Longer patterns (--max-length) or a smaller --min-support may show more; "
    "numbers can be cut differently (--bins quantile:4)."
)
INTERRUPTED = "The run was interrupted: this is what was finished by then."
GAMMA = "Γ: how much a hidden cause must multiply the odds of exposure to undo the rule."
HOW_TO_EXPLAIN = (
    "Which controls explain it away was not asked for in this run; mine with --explain tells it for every "
    "rejected rule, causalrules test … --exposure … --explain for one."
)
CHOSEN_BEFOREHAND = (
    "The p-value is that of one hypothesis, chosen before looking at this table; mine corrects for many."
)


def caution(settings: Settings) -> str:
    """What a causal rule rests on, and what it cannot know."""
    alike = (
        "that agree on its controls"
        if settings.matching == "exact"
        else f"that are alike in its controls, by {settings.matching} matching"
    )
    return (
        f"A causal rule held up among records {alike} (listed in the result). "
        "Causes that are not in the table can still stand behind it."
    )


def judged_how(settings: Settings) -> str:
    """Whether the verdicts account for the number of rules tried."""
    if settings.correction != "none":
        return f"Corrected for many tests ({settings.correction}, level {settings.alpha:g})."
    if settings.min_odds_ratio is not None:
        return "Judged by the size of the odds ratio alone; intervals may hold 1."
    return "Each rule was judged alone, without correction for many tests: expect some false ones."


def about_records(result: Result) -> list[str]:
    """What was done with the records before any rule was judged."""
    settings, data, lines = result.settings, result.data, []
    if settings.holdout:
        lines.append(
            f"Hypotheses came from {1 - settings.holdout:.0%} of the records and were tested on the rest."
        )
    if data.rows_without_outcome:
        lines.append(f"{data.rows_without_outcome:,} records without a known outcome were left out.")
    return lines
