"""The STROBE checklist for observational studies: what this program fills in, and what authors must write.

Items and their numbers are those of von Elm et al. 2007; the words are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from causalrules.publish.design_words import design_kind, design_words, is_case_control
from causalrules.publish.document import Line, Sheet
from causalrules.report.words.result_kinds import is_single_study

if TYPE_CHECKING:
    from causalrules.domain import Outcome, Result, Rule


CHECKLIST = "STROBE"
"""The name of its sheet."""


class StrobeItem(NamedTuple):
    """One item: what the program gives, and what is left to the authors (either may be empty)."""

    number: str
    topic: str
    given: str
    left: str


def strobe_items(result: Result, *, has_table_one: bool = False) -> list[StrobeItem]:
    """The checklist for this result, in a document that has Table 1 or not."""
    return [
        *_introduction(result),
        *_methods(result),
        *_results(result, has_table_one=has_table_one),
        *_discussion(result),
    ]


def _introduction(result: Result) -> list[StrobeItem]:
    """Title, abstract and introduction."""
    hypothesis = "one hypothesis" if is_single_study(result) else "that hypotheses were searched for"
    kind = "case-control" if is_case_control(result) else "cohort or cross-sectional"
    return [
        StrobeItem(
            "1",
            "Title and abstract",
            "",
            f"Name the design ({kind} study); summarise what was done and found.",
        ),
        StrobeItem("2", "Background", "", "Explain the scientific background and reason."),
        StrobeItem(
            "3", "Objectives", f"Methods: {hypothesis}.", "State objectives, and whether they came first."
        ),
    ]


def _methods(result: Result) -> list[StrobeItem]:
    """How the study was done."""
    data, settings = result.data, result.settings
    design = f"; clusters by {settings.cluster}" if settings.cluster else ""
    design += f"; survey weights {settings.weights}" if settings.is_sampled else ""
    return [
        StrobeItem(
            "4",
            "Study design",
            f"Methods: {design_words(result)}.",
            ""
            if is_case_control(result)
            else "Cohort (exposure recorded before the outcome) or cross-sectional?",
        ),
        StrobeItem(
            "5",
            "Setting",
            "",
            "Where and when records were made; periods of exposure and, if there was any, follow-up.",
        ),
        StrobeItem(
            "6",
            "Participants",
            "Methods: who counts as exposed and unexposed, how they were matched.",
            "How people came to be in the table, and who could not.",
        ),
        StrobeItem(
            "7",
            "Variables",
            f"Methods: outcome ({data.outcome}), exposures, columns adjusted for.",
            "How each was defined and diagnosed; which could be affected by the exposure.",
        ),
        StrobeItem(
            "8", "Data sources and measurement", "", "How each column was measured, alike in both groups?"
        ),
        StrobeItem(
            "9",
            "Bias",
            "Methods: adjustment, balance, bounds for unmeasured confounding.",
            "Selection, misclassification, time at risk.",
        ),
        StrobeItem("10", "Study size", f"Methods: {data.rows:,} records.", "Why there are so many."),
        StrobeItem(
            "11",
            "Quantitative variables",
            "Methods: cut points that the authors chose." if settings.cut else "",
            "How numbers were cut, and why." if not settings.cut else "Why they were cut so.",
        ),
        StrobeItem(
            "12",
            "Statistical methods",
            f"Methods: {_statistics(result)}{design}.",
            "Loss to follow-up, if there was any; of a sample, how it was drawn.",
        ),
    ]


def _results(result: Result, *, has_table_one: bool) -> list[StrobeItem]:
    """What was found."""
    data = result.data
    return [
        StrobeItem(
            "13",
            "Participants (results)",
            f"Participant flow; {data.rows_without_outcome:,} records without a known outcome.",
            "Reasons for not taking part before the table was made.",
        ),
        StrobeItem(
            "14",
            "Descriptive data",
            "Table 1: characteristics and missing values by exposure." if has_table_one else "",
            ("" if has_table_one else "Characteristics and missing values by exposure (Table 1). ")
            + "Follow-up time, if there was any.",
        ),
        StrobeItem("15", "Outcome data", f"Methods: {_outcome_data(data.outcome)}.", ""),
        StrobeItem(
            "16",
            "Main results",
            f"Results: crude and adjusted {_measures(result)}.",
            "Why these columns were adjusted for, if you chose them.",
        ),
        StrobeItem("17", "Other analyses", _others(result), "Any others."),
    ]


def _discussion(result: Result) -> list[StrobeItem]:
    """What it means, and who paid for it."""
    return [
        StrobeItem("18", "Key results", "", "Summarise with reference to the objectives."),
        StrobeItem(
            "19",
            "Limitations",
            "Results: Γ, E-value." if result.causal else "",
            "Direction and size of likely bias.",
        ),
        StrobeItem("20", "Interpretation", "", "A cautious overall interpretation."),
        StrobeItem(
            "21",
            "Generalisability",
            "Methods: to whom the numbers apply." if result.settings.matched_set is None else "",
            "To whom else they may apply.",
        ),
        StrobeItem("22", "Funding", "", "Sources of funding and the role of funders."),
    ]


def strobe_sheet(result: Result, *, has_table_one: bool = False) -> Sheet:
    """The checklist as a table, in a document that has Table 1 or not."""
    items = strobe_items(result, has_table_one=has_table_one)
    return Sheet(
        title=f"STROBE checklist for {design_kind(result)} studies",
        columns=("Item", "Topic", "Given here", "For the authors"),
        lines=tuple(Line(item.number, (item.topic, item.given, item.left)) for item in items),
        notes=("STROBE statement: von Elm E et al. Lancet 2007;370:1453-1457.",),
        name=CHECKLIST,
    )


def _statistics(result: Result) -> str:
    """The parts of the analysis that the methods describe."""
    settings, parts = result.settings, ["confounding"]
    if settings.matched_set is None:
        parts.append("missing data")
    if not is_single_study(result):
        parts.append("correction for many tests")
    return ", ".join([*parts, "sensitivity"])


def _others(result: Result) -> str:
    """The analyses that are reported besides the main ones."""
    rules = result.tested
    kinds = [
        ("subgroups and interactions", any(rule.subgroups for rule in rules)),
        ("tests of trend", any(rule.dose is not None for rule in rules)),
        ("negative controls", bool(result.negative_controls)),
        ("runs with a dealt-out outcome", result.placebo is not None),
        ("second opinion", any(_has_opinion(rule) for rule in _rules_in_sentences(result))),
        ("sensitivity", bool(result.causal)),
    ]
    reported = [name for name, is_there in kinds if is_there]
    return f"Results: {', '.join(reported)}." if reported else ""


def _rules_in_sentences(result: Result) -> tuple[Rule, ...]:
    """The rules that results speak of in sentences."""
    return result.tested if is_single_study(result) else result.causal


def _has_opinion(rule: Rule) -> bool:
    return rule.design.second_opinion.is_made and rule.verdict != "untestable"


def _measures(result: Result) -> str:
    """The measures in which the main results are given."""
    if result.data.outcome.is_mean:
        return "mean differences with intervals"
    risks = "" if is_case_control(result) else ", absolute risk differences"
    return f"odds ratios with intervals{risks}"


def _outcome_data(outcome: Outcome) -> str:
    weighted = outcome.weighted_mean
    if outcome.mean is not None and weighted is not None:
        return f"weighted mean {weighted:.4g}, plain mean {outcome.mean:.4g} in {outcome.n_records:,} records"
    if outcome.mean is not None:
        return f"mean {outcome.mean:.4g} in {outcome.n_records:,} records"
    share = "" if weighted is None else f", weighted share {weighted:.1%}"
    return f"{outcome.n_with:,} records with the outcome{share}"
