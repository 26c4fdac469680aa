"""Ways of matching side by side in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.paper.matching_comparison import of_the_outcome
from causalrules.report.notebook.markup import block, bullets, paragraph, table
from causalrules.report.words.formatting import interval, number
from causalrules.report.words.verdict_sentences import what_ways_hold

if TYPE_CHECKING:
    from causalrules.paper.matching_comparison import MatchedStudy, MatchingComparison

_LEGEND = (
    "worst, mean: standardised differences between exposed and unexposed over all other items; above 0.25 is "
    "much, and a bias that the estimate carries. unmatched: exposed and unexposed records without a partner."
)


def matching_html(comparison: MatchingComparison) -> str:
    """One row for each way of matching, the crude odds ratio first."""
    heading = f"{comparison.exposure} → {comparison.data.outcome}, by way of matching"
    level = f"{100 * comparison.settings.confidence:g} % interval"
    headings = ("matching", "pairs", "unmatched", "worst", "mean", "odds ratio", level)
    rows = [*_crude(comparison), *map(_row, comparison.studies)]
    problems = [f"{study.method}: {study.problem}" for study in comparison.studies if study.problem]
    return block(
        paragraph(heading, strong=True),
        table(headings, rows, numbers=range(1, 7)),
        bullets(problems),
        *(paragraph(line, quiet=True) for line in what_ways_hold(comparison)),
        paragraph(_LEGEND, quiet=True),
    )


def _crude(comparison: MatchingComparison) -> list[tuple[str, ...]]:
    first = next((study.rule for study in comparison.studies if study.rule), None)
    if first is None or first.balance is None:
        return []
    crude, before = of_the_outcome(first.odds_ratio, first.direction), first.balance
    worst, mean = number(before.worst_before), f"{before.mean_before:.3f}"
    return [("(crude)", "", "", worst, mean, number(crude.value), interval(crude))]


def _row(study: MatchedStudy) -> tuple[str, ...]:
    rule, odds = study.rule, study.odds_ratio
    if rule is None:
        return (study.method, "–", "", "", "", "", "")
    lost = f"{rule.doubts.unmatched_exposed:,} + {rule.doubts.unmatched_unexposed:,}"
    pairs = f"{rule.pairs.n_pairs:,.0f}"
    if rule.verdict == "untestable" or odds is None or rule.balance is None:
        return (study.method, pairs, lost, "", "", "untestable", "")
    worst, mean = number(rule.balance.worst_after), f"{rule.balance.mean_after:.3f}"
    return (study.method, pairs, lost, worst, mean, number(odds.value), interval(odds))
