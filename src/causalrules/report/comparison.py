"""Methods side by side, in the terminal: which calls what a cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from causalrules.report.wording import printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from causalrules.baselines.comparison import Cause, Comparison

_HEADINGS = {
    "cr-cs": "cr-cs",
    "association": "assoc",
    "non-redundant": "nonred",
    "optimal": "optim",
    "ccc": "ccc",
    "ccu": "ccu",
    "pc-select": "pc",
    "hiton-pc": "hiton",
}
_MARKS = {"raises": "↑", "lowers": "↓"}
_MEANINGS = (
    "↑ raises the odds, ↓ lowers them. agree: how many of the methods that look for causes say so; "
    "association rules (assoc, nonred, optim) only tell what goes with the outcome and do not count. "
    "Only cr-cs knows combined causes."
)


def comparison_report(comparison: Comparison) -> RenderableType:
    """Causes by methods, then what each method took and whether it was stopped."""
    data = comparison.data
    heading = (
        f"{len(comparison.causes)} patterns that some method calls a cause of {data.outcome}, "
        f"in {data.rows:,} records with {data.items} items"
    )
    notes = [_MEANINGS]
    if data.rows_without_outcome:
        notes.append(f"{data.rows_without_outcome:,} records without a known outcome were left out.")
    parts: list[RenderableType] = [Text(printable(heading), style="bold"), Text()]
    if comparison.causes:
        parts += [_causes(comparison), Text()]
    parts += [_methods(comparison), Text()]
    return Group(*parts, *(Text(note, style="dim") for note in notes))


def _causes(comparison: Comparison) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("rule", overflow="fold", ratio=1)
    for method in comparison.methods:
        table.add_column(_HEADINGS[method], justify="center", no_wrap=True)
    table.add_column("agree", justify="right", no_wrap=True)
    for cause in sorted(comparison.causes, key=_most_agreed_first):
        marks = (_MARKS.get(cause.directions.get(method, ""), "") for method in comparison.methods)
        table.add_row(printable(cause.name), *marks, str(cause.n_agreeing))
    return table


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
