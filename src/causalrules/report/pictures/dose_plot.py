"""Dose plot: the effect at each level of an ordered column against the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from causalrules.errors import PictureError
from causalrules.report.pictures.drawing import picture
from causalrules.report.pictures.estimate_rows import estimates_panel
from causalrules.report.words.dose_words import dose_caution, dose_counts, dose_rows, trend_line
from causalrules.report.words.measure import measure_of

if TYPE_CHECKING:
    from causalrules.domain import Result, Rule


def dose_chart(rule: Rule, result: Result) -> Any:
    """All levels of the rule's column."""
    if rule.dose is None:
        raise PictureError(
            "the dose-response",
            rule.name,
            "its column has no order of three levels or more, or another rule of the column has it",
            "Give the order: causalrules test … --ordered 'dose=none<some<much'.",
        )
    return picture(
        estimates_panel(
            dose_rows(rule.dose), measure_of(rule), result.settings.confidence, dose_counts(rule.dose)
        ),
        title=f"How {result.data.outcome} changes along {rule.dose.column}",
        notes=[trend_line(rule.dose), dose_caution(result)],
    )
