"""Two results side by side in the terminal: where rules are causal, and how effects changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from causalrules.report.changes import changes
from causalrules.report.terminal.rule_columns import Column, folded, width_left
from causalrules.report.words.change_words import (
    KEEP_CUTS,
    SHOWN,
    asked_differently,
    change_text,
    counted_changes,
    how_to_read_changes,
    sides_of,
    title_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType

    from causalrules.domain import Result
    from causalrules.report.changes import Change


def changes_report(first: Result, second: Result, names: tuple[str, str]) -> RenderableType:
    """What changed, for people; `names` are what the two results are called."""
    found = changes(first, second)
    shown = [one for one in found if one.where in SHOWN]
    parts: list[RenderableType] = [Text(counted_changes(found, *names), style="bold")]
    parts += map(Text, asked_differently(first, second))
    for name in SHOWN:
        group = [one for one in shown if one.where == name]
        if group:
            parts += [Text(), Text(title_of(name, names), style="bold cyan"), ChangesTable(group, names)]
    if shown:
        parts += [Text(), *(Text(line, style="dim") for line in how_to_read_changes(shown))]
    if any(one.where == "recut" for one in shown):
        parts.append(Text(KEEP_CUTS, style="dim"))
    return Group(*parts)


class ChangesTable:
    """A group of rules as a table that fits the terminal."""

    def __init__(self, group: Sequence[Change], names: tuple[str, str]) -> None:
        self._group = group
        self._names = names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Draw it; names are folded to what the numbers leave."""
        sides = list(zip(*map(sides_of, self._group), strict=True))
        columns = [Column(name, name, list(cells)) for name, cells in zip(self._names, sides, strict=True)]
        if {one.where for one in self._group} & {"both"}:
            columns.append(Column("change", "change", [change_text(one) for one in self._group]))
        table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
        width = max(width_left(columns, options.max_width), 12)
        table.add_column("", max_width=width)
        for column in columns:
            table.add_column(Text(column.heading), justify="right")
        for place, one in enumerate(self._group):
            cells = (Text(column.cells[place]) for column in columns)
            table.add_row(folded(one.rule.name, (), width), *cells)
        yield table
