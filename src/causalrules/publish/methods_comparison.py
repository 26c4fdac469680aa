"""The methods of a run: who was compared with whom, and what was adjusted for.

Names in brackets are cited, see `references`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.publish.design_words import listed
from causalrules.report.words.formatting import printable
from causalrules.report.words.result_kinds import is_single_study

if TYPE_CHECKING:
    from causalrules.domain import Result


def comparison(result: Result) -> str:
    """Who was compared with whom, and what was adjusted for."""
    settings = result.settings
    text = (
        "Records with every part of the exposure were exposed, those known to differ in at least one part "
        "unexposed; records in which neither was known were excluded. "
        if _has_combinations(result)
        else "Records with the exposure were exposed, those known to be without it unexposed; records in "
        "which it was not known were excluded. "
    )
    if settings.matched_set is not None:
        others = f", and also adjusted for {listed(settings.adjusted_for)}" if settings.adjust else ""
        return text + (
            f"Records were compared within the sets in which they had been matched when the data were "
            f"collected (equal {printable(settings.matched_set)}){others}; sets without both exposed and "
            "unexposed records do not take part."
        )
    if settings.adjust:
        also = "" if settings.adjusts_for_nothing_else else ", besides those chosen from the data as follows"
        text += f"Studies adjusted for {listed(settings.adjusted_for)}, chosen by the authors{also}. "
    if not settings.adjusts_for_nothing_else:
        is_one = is_single_study(result)
        # Of a search it is said where its hypotheses are.
        median = ", which was cut at its median for this" if is_one and result.data.outcome.is_mean else ""
        text += (
            f"{'The' if is_one else 'Each'} study adjusted for all other columns with a "
            f"posterior probability of at least 0.2 of a direct link to the outcome{median}, unless they "
            "follow it or nearly determine it, and for columns that remained imbalanced and may confound. "
        )
    text += f"{_missing(result)} {_matching(result)}"
    return text + (
        " Estimates apply to the exposed records that were matched. Balance was judged by "
        "standardised differences; those above 0.1 were marked [Austin 2009]."
    )


def _has_combinations(result: Result) -> bool:
    """Whether exposures of several parts were studied, or looked for."""
    n_sought = sum(counts.get("candidates", 0) for length, counts in result.by_length.items() if length > 1)
    return n_sought > 0 or any(rule.length > 1 for rule in result.tested)


def _missing(result: Result) -> str:
    """What became of missing controls: of one study what was done, of many the rule."""
    design = result.tested[0].design if is_single_study(result) else None
    if design is None:
        return _MISSING[result.settings.missing_controls]
    if design.missing_controls == "none":
        return "No record lacked a value in any of them."
    return _MISSING[design.missing_controls]


def _matching(result: Result) -> str:
    """How records were compared: of one study what was done, of many the rule."""
    design = result.tested[0].design if is_single_study(result) else None
    if design is None:
        return _MATCHING[result.settings.matching]
    if not design.held:
        return "No column was found to confound; all records were compared."
    return _MATCHING[design.matching]


_MISSING = {
    "auto": "Records with a missing value in a column adjusted for were excluded as long as at least a "
    "fifth, and 50, of the records of the smaller group remained; otherwise a missing value counted as a "
    "level of its own.",
    "drop": "Records with a missing value in a column adjusted for were excluded.",
    "value": "A missing value in a column adjusted for counted as a level of its own.",
}
_SCORES = (
    "strata of similar propensity to be exposed [Rosenbaum and Rubin 1983] and similar prognosis without "
    "exposure [Hansen 2008], used together [Leacy and Stuart 2014], with about 20 records per stratum and "
    "exact agreement on as many of the strongest categories as leave matches for 80% of the smaller group"
)
_MATCHING = {
    "auto": "Exposed and unexposed records were compared within strata that agree exactly on all of these "
    "columns where they are categories, at least 80% of the smaller group find matches and strata have five "
    "records on average, and otherwise within " + _SCORES + ".",
    "exact": "Exposed and unexposed records were compared within strata that agree exactly on all of these "
    "columns (numbers, if any, by deciles).",
    "propensity": "Exposed and unexposed records were compared within " + _SCORES + ".",
}
