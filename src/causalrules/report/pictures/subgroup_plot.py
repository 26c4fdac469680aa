"""Subgroup plot: the effect of one rule in the values of other columns, with tests of interaction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from causalrules.errors import PictureError
from causalrules.report.pictures.drawing import picture
from causalrules.report.pictures.estimate_rows import estimates_panel
from causalrules.report.words.measure import measure_of
from causalrules.report.words.subgroup_words import interaction_lines, subgroup_rows, subgroups_caution

if TYPE_CHECKING:
    from causalrules.domain import Result, Rule


def subgroup_chart(rule: Rule, result: Result) -> Any:
    """Effects in all subgroups, below that of the whole study."""
    if not rule.subgroups:
        raise PictureError(
            "effects in subgroups",
            rule.name,
            "no subgroups were asked for",
            "Name columns: causalrules test … --by sex,age.",
        )
    lines = interaction_lines(rule, result.settings.alpha)
    return picture(
        estimates_panel(
            subgroup_rows(rule), measure_of(rule), result.settings.confidence, ("exposed", "unexposed")
        ),
        title=f"Does the effect of {rule.name} on {result.data.outcome} differ between subgroups?",
        notes=[*lines, *re.split(r"(?<=\.) ", subgroups_caution(result))],
    )
