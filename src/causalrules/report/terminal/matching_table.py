"""Ways of matching side by side, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from causalrules.paper.matching_comparison import of_the_outcome
from causalrules.report.words.formatting import interval, number, printable
from causalrules.report.words.verdict_sentences import what_ways_hold

if TYPE_CHECKING:
    from rich.console import RenderableType

    from causalrules.paper.matching_comparison import MatchedStudy, MatchingComparison

_LEGEND = (
    "worst, mean: standardised differences between exposed and unexposed over all other items; "
    "above 0.25 is much, and a bias the estimate carries.",
    "unmatched: records of either arm without a comparable one; the estimate does not apply to them.",
)


def matching_report(comparison: MatchingComparison) -> RenderableType:
    """One row for each way of matching."""
    confidence = f"{100 * comparison.settings.confidence:g}"
    heading = f"{comparison.exposure} → {comparison.data.outcome}, by way of matching"
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("matching", no_wrap=True)
    for name in ("pairs", "unmatched", "worst", "mean", "odds ratio", f"{confidence} % interval", "s"):
        table.add_column(name, justify="right", no_wrap=True)
    first = next((study.rule for study in comparison.studies if study.rule), None)
    if first is not None and first.balance is not None:
        before = first.balance
        imbalance = number(before.worst_before), number(before.mean_before)
        crude = of_the_outcome(first.odds_ratio, first.direction)
        table.add_row("(crude)", "", "", *imbalance, number(crude.value), interval(crude), "", style="dim")
    for study in comparison.studies:
        _add_study(table, study)
    problems = [f"{study.method}: {study.problem}" for study in comparison.studies if study.problem]
    lines = (*problems, *what_ways_hold(comparison), *_LEGEND)
    notes = [Text(printable(line), style="dim") for line in lines]
    return Group(Text(printable(heading), style="bold"), table, Text(), *notes)


def _add_study(table: Table, study: MatchedStudy) -> None:
    rule = study.rule
    if rule is None:
        table.add_row(study.method, "–", "", "", "", "", "", "", style="dim")
        return
    lost = f"{rule.doubts.unmatched_exposed:,} + {rule.doubts.unmatched_unexposed:,}"
    cells: tuple[str, ...]
    if rule.verdict == "untestable":
        cells = ("", "", "untestable", "")
    else:
        assert rule.balance is not None
        worst, mean = rule.balance.worst_after, rule.balance.mean_after
        odds = study.odds_ratio
        assert odds is not None
        cells = (number(worst), f"{mean:.3f}", number(odds.value), interval(odds))
    table.add_row(study.method, f"{rule.pairs.n_pairs:,.0f}", lost, *cells, f"{study.seconds:.3f}")
