"""Methods side by side, in the terminal: which calls what a cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from causalrules.report.terminal.fold import FoldedName
from causalrules.report.words.sentences import printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from causalrules.lab.baselines.comparison import Cause, Comparison

HEADINGS = {
    "cr-cs": "cr-cs",
    "association": "assoc",
    "non-redundant": "nonred",
    "optimal": "optim",
    "ccc": "ccc",
    "ccu": "ccu",
    "pc-select": "pc",
    "hiton-pc": "hiton",
}
"""Methods by name, and as the table heads their columns."""

_MOST_ROWS = 40
_LOOK_AT_EVERY_ASSOCIATION = frozenset({"ccc", "ccu", "pc-select", "hiton-pc"})
"""Methods whose findings name all that goes with the outcome, also when they were stopped."""

_MARKS = {"raises": "↑", "lowers": "↓"}
_MEANINGS = (
    "↑ raises the odds, ↓ lowers them. agree: how many of the methods that look for causes say so; "
    "association rules (assoc, nonred, optim) only tell what goes with the outcome and do not count. "
    "Only cr-cs knows combined causes."
)
_STOPPED = "? the method was stopped before it could tell; it does not count in agree."


def comparison_report(comparison: Comparison) -> RenderableType:
    """Causes by methods, then what each method took and whether it was stopped."""
    data = comparison.data
    heading = (
        f"{len(comparison.causes)} patterns that some method calls a cause of {data.outcome}, "
        f"in {data.rows:,} records with {data.items} items"
    )
    notes = [_MEANINGS]
    if comparison.stopped:
        notes.append(_STOPPED)
    if data.rows_without_outcome:
        notes.append(f"{data.rows_without_outcome:,} records without a known outcome were left out.")
    parts: list[RenderableType] = [Text(printable(heading), style="bold"), Text()]
    if comparison.causes:
        parts.append(_causes(comparison))
        n_more = len(comparison.causes) - _MOST_ROWS
        parts += [Text(f"… and {n_more} more in --csv FILE"), Text()] if n_more > 0 else [Text()]
    parts += [_methods(comparison), Text()]
    return Group(*parts, *(Text(note, style="dim") for note in notes))


def _causes(comparison: Comparison) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("rule", overflow="fold", ratio=1)
    for method in comparison.methods:
        table.add_column(HEADINGS[method], justify="center", no_wrap=True)
    table.add_column("agree", justify="right", no_wrap=True)
    for cause in sorted(comparison.causes, key=_most_agreed_first)[:_MOST_ROWS]:
        marks = (_mark(comparison, cause, method) for method in comparison.methods)
        table.add_row(FoldedName(printable(cause.name)), *marks, str(cause.n_agreeing))
    return table


def _mark(comparison: Comparison, cause: Cause, method: str) -> str:
    if method in cause.directions:
        return _MARKS[cause.directions[method]]
    return "?" if method in comparison.stopped and _is_open(comparison, cause, method) else ""


def _is_open(comparison: Comparison, cause: Cause, method: str) -> bool:
    """Whether a method that was stopped, and does not call this a cause, might have done so later."""
    if len(cause.pattern) > 1:
        return False  # only the search for causal rules knows these, and it has named them
    findings = comparison.found[method].findings
    verdict = next((finding.verdict for finding in findings if finding.pattern == cause.pattern), None)
    if findings and method in _LOOK_AT_EVERY_ASSOCIATION:
        return verdict == "undecided"
    return verdict != "rejected"


def _most_agreed_first(cause: Cause) -> tuple[int, bool, str]:
    return -cause.n_agreeing, "cr-cs" not in cause.directions, cause.name


def _methods(comparison: Comparison) -> Table:
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
