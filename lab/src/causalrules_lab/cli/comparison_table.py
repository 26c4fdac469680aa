"""Methods of finding causes side by side, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from causalrules.report.words.formatting import fold, longest_piece, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderableType

    from causalrules_lab.baselines import Cause, Comparison

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


def methods_report(comparison: Comparison) -> RenderableType:
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


def _methods_with_combined_causes(comparison: Comparison) -> str:
    """The methods in whose columns combined causes may stand."""
    known = [HEADINGS[method] for method in _KNOW_COMBINED_CAUSES if method in comparison.methods]
    return f"Only {' and '.join(known)} {'knows' if len(known) == 1 else 'know'} combined causes."


def _causes(comparison: Comparison) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("rule", overflow="fold", ratio=1)
    for method in comparison.methods:
        table.add_column(HEADINGS[method], justify="center", no_wrap=True)
    table.add_column("agree", justify="right", no_wrap=True)
    for cause in sorted(comparison.causes, key=_most_agreed_first)[:MOST_CAUSES_SHOWN]:
        arrows = (_arrow(comparison, cause, method) for method in comparison.methods)
        table.add_row(_FoldedName(printable(cause.name)), *arrows, str(cause.n_agreeing))
    return table


def _arrow(comparison: Comparison, cause: Cause, method: str) -> str:
    """What one method says of one cause: its direction, nothing, or that it was stopped too early."""
    if method in cause.directions:
        return _ARROWS[cause.directions[method]]
    return "?" if method in comparison.stopped and _might_be_found(comparison, cause, method) else ""


def _might_be_found(comparison: Comparison, cause: Cause, method: str) -> bool:
    """Whether a method that was stopped, and does not call this a cause, might have done so later."""
    if len(cause.pattern) > 1 and (method in _OWN or method not in _KNOW_COMBINED_CAUSES):
        return False  # most methods do not know these, and the search for causal rules has named its own
    findings = comparison.found[method].findings
    verdict = next((finding.verdict for finding in findings if finding.pattern == cause.pattern), None)
    if findings and method in _NAME_EVERY_ASSOCIATION:
        return verdict == "undecided"
    return verdict != "rejected"


def _most_agreed_first(cause: Cause) -> tuple[int, bool, str]:
    is_own = bool(set(_OWN) & set(cause.directions))
    return -cause.n_agreeing, not is_own, cause.name


def _costs(comparison: Comparison) -> Table:
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
