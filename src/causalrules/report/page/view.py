"""A result as the page needs it: numbers to draw, and every text that is read."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import TYPE_CHECKING, Any

from causalrules.domain.estimate import Estimate
from causalrules.report.page.item_numbers import Shelf
from causalrules.report.page.rule_view import rule_view
from causalrules.report.words.about import about
from causalrules.report.words.answer import answer_of, is_single_study
from causalrules.report.words.sentences import isolated, tag_meanings
from causalrules.report.words.warnings import GAMMA, HOW_TO_EXPLAIN

if TYPE_CHECKING:
    from causalrules.domain import Result

_DIGITS = 6
"""Significant digits of numbers on the page: more than are ever shown, fewer than are stored."""


def view_of(result: Result) -> dict[str, Any]:
    """Everything the page shows, as values that JSON can hold; infinite numbers are null."""
    shelf = Shelf()
    outcome = result.data.outcome
    rules = [rule_view(place, rule, outcome, shelf) for place, rule in enumerate(result.tested, start=1)]
    view = {
        "answer": answer_of(result),
        "outcome": isolated(str(outcome)),
        "is_single": is_single_study(result),
        "interval": f"{100 * result.settings.interval_confidence:g}\u00a0%",
        "test": result.settings.test,
        "legend": [GAMMA, *tag_meanings(result.tested)],
        "how_to_explain": HOW_TO_EXPLAIN,
        "rules": rules,
        "items": shelf.entries,
        "funnel": [{"length": length, **counts} for length, counts in sorted(result.by_length.items())],
        "about": about(result),
    }
    plain: dict[str, Any] = _plain(view)
    return plain


def _plain(value: Any) -> Any:
    """The value with estimates as lists and every number finite and short."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, Estimate):
        return [_short(value.value), _short(value.low), _short(value.high)]
    return _short(value) if isinstance(value, float) else value


def _short(value: float) -> float | int | None:
    """A number with six significant digits, or None if it has none.

    Examples
    --------
    >>> _short(1234.56789), _short(2.0), _short(5.6e-07), _short(float("nan"))
    (1234.57, 2, 5.6e-07, None)
    """
    if not isfinite(value):
        return None
    if value == 0:
        return 0
    rounded = round(value, _DIGITS - 1 - floor(log10(abs(value))))
    return int(rounded) if rounded.is_integer() else rounded
