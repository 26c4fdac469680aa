"""What kind of run a result is of, and how many hypotheses it looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from causalrules.domain import Result


def is_single_study(result: Result) -> bool:
    """Whether one hypothesis was tested rather than a table mined."""
    return not result.by_length and len(result.tested) == 1


def hypotheses(result: Result) -> str:
    """How many hypotheses of one column there were, in words."""
    count = n_hypotheses(result)
    return "1 hypothesis" if count == 1 else f"{count:,} hypotheses"


def n_hypotheses(result: Result) -> int:
    """Contrasts of one column that might have been studied."""
    looked_at = result.by_length.get(1, {}).get("candidates", 0)
    return max(looked_at, sum(rule.length == 1 for rule in result.tested))
