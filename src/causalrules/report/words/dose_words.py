"""A dose-response in words, and as rows of a table or a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.report.words.formatting import p_text, printable
from causalrules.report.words.subgroup_words import EstimateRow

if TYPE_CHECKING:
    from causalrules.domain import Result
    from causalrules.domain.dose_response import DoseResponse

_COURSES = {
    ("rises", False): "the odds of the outcome rise from level to level",
    ("falls", False): "the odds of the outcome fall from level to level",
    ("mixed", False): "the odds of the outcome neither rise nor fall at every step",
    ("rises", True): "the mean of the outcome rises from level to level",
    ("falls", True): "the mean of the outcome falls from level to level",
    ("mixed", True): "the mean of the outcome neither rises nor falls at every step",
}


def dose_caution(result: Result) -> str:
    """How to read the levels of a column."""
    counts, enough = "cases and records", "ten records with the outcome and ten without"
    if result.data.outcome.is_mean:
        counts, enough = "records", "ten records"
    return (
        "Level by level: each is compared with the reference, within the strata of the study, whose "
        f"{counts} are shown. The reference is the lowest level with at least {enough} (else the one "
        "with most). The test of trend counts the levels 0, 1, 2, …"
    )


def dose_counts(dose: DoseResponse) -> tuple[str, str]:
    """The headings of the counts; of a number there are no cases to tell."""
    return ("", "records") if is_of_means(dose) else ("cases", "records")


def dose_rows(dose: DoseResponse) -> list[EstimateRow]:
    """Every level against the reference, from the lowest to the highest."""
    rows = []
    for place, level in enumerate(dose.levels):
        name = printable(level.name) + (" (reference)" if place == dose.reference else "")
        effect, cases = level.odds_ratio, f"{level.cases:,}"
        if level.mean_difference is not None:
            effect, cases = level.mean_difference, ""
        rows.append(EstimateRow(name, effect if level.is_informative else None, cases, f"{level.records:,}"))
    return rows


def is_of_means(dose: DoseResponse) -> bool:
    """Whether the outcome is a number."""
    return dose.levels[0].mean_difference is not None


def trend_line(dose: DoseResponse) -> str:
    """Which way it goes, and whether there is a trend."""
    told = _COURSES[dose.course, is_of_means(dose)]
    if dose.trend_p is None:
        return f"{printable(dose.column)}: {told}; no stratum can tell about a trend."
    return f"{printable(dose.column)}: {told}; test of trend within strata: {p_text(dose.trend_p)}."
