"""A dose-response in words, and as rows of a table or a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.words.formatting import p_text, printable
from causalrules.report.words.subgroup_words import EstimateRow

if TYPE_CHECKING:
    from causalrules.domain.dose_response import DoseResponse

DOSE_CAUTION = (
    "Level by level: each is compared with the reference, within the strata of the study, of which cases and "
    "records are told. The reference is the lowest level with at least ten records with the outcome and ten "
    "without (else the one with most). The test of trend counts the levels 0, 1, 2, …"
)

_COURSES = {
    "rises": "the odds of the outcome rise from level to level",
    "falls": "the odds of the outcome fall from level to level",
    "mixed": "the odds of the outcome neither rise nor fall at every step",
}


def dose_rows(dose: DoseResponse) -> list[EstimateRow]:
    """Every level against the reference, from the lowest to the highest."""
    rows = []
    for place, level in enumerate(dose.levels):
        name = printable(level.name) + (" (reference)" if place == dose.reference else "")
        ratio = level.odds_ratio if level.is_informative else None
        rows.append(EstimateRow(name, ratio, f"{level.cases:,}", f"{level.records:,}"))
    return rows


def trend_line(dose: DoseResponse) -> str:
    """Which way it goes, and whether there is a trend."""
    told = _COURSES[dose.course]
    if dose.trend_p is None:
        return f"{printable(dose.column)}: {told}; no stratum can tell about a trend."
    return f"{printable(dose.column)}: {told}; test of trend within strata: {p_text(dose.trend_p)}."
