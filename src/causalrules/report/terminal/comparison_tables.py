"""Comparisons in the terminal: methods of finding causes side by side, and ways of matching."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rich.cells import cell_len
from rich.console import Group
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from causalrules.paper.matching_comparison import of_the_outcome
from causalrules.report.words.formatting import fold, interval, longest_piece, number, printable
from causalrules.report.words.verdict_sentences import what_ways_hold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType

    from causalrules.domain import DataSummary, Direction, Pattern
    from causalrules.paper.matching_comparison import MatchedStudy, MatchingComparison

HEADINGS = {
    "default": "default",
    "cr-cs": "cr-cs",
    "association": "assoc",
    "non-redundant": "nonred",
    "optimal": "optim",
    "ccc": "ccc",
    "ccu": "ccu",
    "pc-select": "pc",
    "hiton-pc": "hiton",
    "cr-pa": "cr-pa",
    "cdt": "cdt",
    "ml-hiton-pc": "ml",
    "hill-climbing": "hill",
    "miic": "miic",
}
"""Methods by name, and as the table heads their columns."""

MOST_CAUSES_SHOWN = 40
_NAME_EVERY_ASSOCIATION = frozenset({"ccc", "ccu", "pc-select", "hiton-pc", "cdt", "hill-climbing", "miic"})
"""Methods whose findings name all that goes with the outcome, also when they were stopped."""
_OWN = ("default", "cr-cs")
_KNOW_COMBINED_CAUSES = (*_OWN, "cr-pa", "ml-hiton-pc")

_ARROWS = {"raises": "↑", "lowers": "↓"}
_METHODS_LEGEND = (
    "↑ raises the odds, ↓ lowers them. agree: how many of the methods that look for causes say so; "
    "association rules (assoc, nonred, optim) only show what is associated with the outcome and do not count."
)
_STOPPED_LEGEND = "? the method was stopped before it could tell; it does not count in agree."
_MATCHING_LEGEND = (
    "worst, mean: standardised differences between exposed and unexposed over all other items; "
    "above 0.25 is much, and a bias the estimate carries.",
    "unmatched: records of either arm without a comparable one; the estimate does not apply to them.",
)


class Finding(Protocol):
    """What one method says of one pattern."""

    @property
    def pattern(self) -> Pattern:
        """What it is said of."""

    @property
    def verdict(self) -> str:
        """``rejected`` or ``undecided`` are told apart from all others."""


class MethodFindings(Protocol):
    """Everything that one method found."""

    @property
    def findings(self) -> Sequence[Finding]:
        """The method's verdicts on the patterns it looked at."""

    @property
    def n_tests(self) -> int:
        """How many tests it made."""


class FoundCause(Protocol):
    """A pattern that some method calls a cause."""

    @property
    def name(self) -> str:
        """The pattern as people write it."""

    @property
    def pattern(self) -> Pattern:
        """The items of the cause."""

    @property
    def directions(self) -> Mapping[str, Direction]:
        """What each method that calls it a cause says it does."""

    @property
    def n_agreeing(self) -> int:
        """How many methods say the same."""


class MethodComparison(Protocol):
    """What several methods found in one table, as far as it is printed."""

    @property
    def data(self) -> DataSummary:
        """What the table was."""

    @property
    def methods(self) -> Sequence[str]:
        """The methods by name, in the order of their columns."""

    @property
    def causes(self) -> Sequence[FoundCause]:
        """The rows."""

    @property
    def found(self) -> Mapping[str, MethodFindings]:
        """Everything each method found."""

    @property
    def n_causes(self) -> Mapping[str, int]:
        """In how many rows each method stands."""

    @property
    def seconds(self) -> Mapping[str, float]:
        """What each method took."""

    @property
    def stopped(self) -> Mapping[str, str]:
        """Why methods were stopped, of those that were."""


def methods_report(comparison: MethodComparison) -> RenderableType:
    """Causes by methods, then what each method took and whether it was stopped."""
    data = comparison.data
    heading = (
        f"{len(comparison.causes)} patterns that some method calls a cause of {data.outcome}, "
        f"in {data.rows:,} records with {data.items} items"
    )
    notes = [f"{_METHODS_LEGEND} {_methods_with_combined_causes(comparison)}"]
    if comparison.stopped:
        notes.append(_STOPPED_LEGEND)
    if data.rows_without_outcome:
        notes.append(f"{data.rows_without_outcome:,} records without a known outcome were left out.")
    parts: list[RenderableType] = [Text(printable(heading), style="bold"), Text()]
    if comparison.causes:
        parts.append(_causes(comparison))
        n_more = len(comparison.causes) - MOST_CAUSES_SHOWN
        parts += [Text(f"… and {n_more} more in --csv FILE"), Text()] if n_more > 0 else [Text()]
    parts += [_costs(comparison), Text()]
    return Group(*parts, *(Text(note, style="dim") for note in notes))


def _methods_with_combined_causes(comparison: MethodComparison) -> str:
    """The methods in whose columns combined causes may stand."""
    known = [HEADINGS[method] for method in _KNOW_COMBINED_CAUSES if method in comparison.methods]
    return f"Only {' and '.join(known)} {'knows' if len(known) == 1 else 'know'} combined causes."


def _causes(comparison: MethodComparison) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("rule", overflow="fold", ratio=1)
    for method in comparison.methods:
        table.add_column(HEADINGS[method], justify="center", no_wrap=True)
    table.add_column("agree", justify="right", no_wrap=True)
    for cause in sorted(comparison.causes, key=_most_agreed_first)[:MOST_CAUSES_SHOWN]:
        arrows = (_arrow(comparison, cause, method) for method in comparison.methods)
        table.add_row(_FoldedName(printable(cause.name)), *arrows, str(cause.n_agreeing))
    return table


def _arrow(comparison: MethodComparison, cause: FoundCause, method: str) -> str:
    """What one method says of one cause: its direction, nothing, or that it was stopped too early."""
    if method in cause.directions:
        return _ARROWS[cause.directions[method]]
    return "?" if method in comparison.stopped and _might_be_found(comparison, cause, method) else ""


def _might_be_found(comparison: MethodComparison, cause: FoundCause, method: str) -> bool:
    """Whether a method that was stopped, and does not call this a cause, might have done so later."""
    if len(cause.pattern) > 1 and (method in _OWN or method not in _KNOW_COMBINED_CAUSES):
        return False  # most methods do not know these, and the search for causal rules has named its own
    findings = comparison.found[method].findings
    verdict = next((finding.verdict for finding in findings if finding.pattern == cause.pattern), None)
    if findings and method in _NAME_EVERY_ASSOCIATION:
        return verdict == "undecided"
    return verdict != "rejected"


def _most_agreed_first(cause: FoundCause) -> tuple[int, bool, str]:
    is_own = bool(set(_OWN) & set(cause.directions))
    return -cause.n_agreeing, not is_own, cause.name


def _costs(comparison: MethodComparison) -> Table:
    """What each method found, how many tests and how long it took, and whether it was stopped."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("method", no_wrap=True)
    for name in ("rows", "tests", "seconds"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    n_causes = comparison.n_causes
    for method in comparison.methods:
        stopped = comparison.stopped.get(method)
        table.add_row(
            method,
            str(n_causes[method]),
            f"{comparison.found[method].n_tests:,}",
            f"{comparison.seconds[method]:.2f}",
            f"stopped: {stopped}; what it was sure of by then" if stopped else "",
            style="yellow" if stopped else None,
        )
    return table


class _FoldedName:
    """A cell of a table that is folded to the width its column gets."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """The lines, once the width is known."""
        yield Text("\n".join(fold(self._name, options.max_width)))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From the longest piece to the whole name on one line."""
        return Measurement(longest_piece(self._name), cell_len(self._name)).with_maximum(options.max_width)


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
    lines = (*problems, *what_ways_hold(comparison), *_MATCHING_LEGEND)
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
