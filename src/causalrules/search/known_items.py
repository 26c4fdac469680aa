"""From an exposure as it is asked for to item numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.domain.notation import find_pattern, known_pattern

if TYPE_CHECKING:
    from causalrules.domain import Pattern
    from causalrules.encode import Vocabulary


def known_items(exposure: str | Pattern, vocabulary: Vocabulary) -> tuple[int, ...]:
    """The item numbers of an exposure, written as people do or given as items."""
    items = vocabulary.items[: vocabulary.n_items]
    summary = vocabulary.summary
    reasons = {entry.column: entry.reason for entry in summary.left_out}
    reasons[summary.outcome.column] = "it is the outcome"
    if isinstance(exposure, str):
        return tuple(items.index(item) for item in find_pattern(exposure, items, reasons))
    return tuple(items.index(item) for item in known_pattern(exposure, items, reasons))
