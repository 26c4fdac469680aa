"""Tables of a document in the terminal."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from causalrules.publish.document import shown
from causalrules.report.words.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from causalrules.publish.document import Sheet

_LONGEST_NAME, _LONGEST_CELL = 30, 30
"""Cells up to which names and numbers are shown on one line if the terminal is wide enough."""


def sheet_report(sheet: Sheet, width: int) -> RenderableType:
    """A table of a document as a terminal of this width shows it, title above and notes below.

    Where the groups of columns do not fit beside each other, they stand below one another.
    """
    widths = [_width(sheet, place) for place in range(len(sheet.columns))]
    tables = [_table(sheet, range(1, len(sheet.columns)), sheet.groups)]
    if sheet.groups and sum(widths) + 2 * len(widths) > width:
        tables, first = [], 1
        for group in sheet.groups:
            tables.append(_table(sheet, range(first, first + group[1]), (group,)))
            first += group[1]
    notes = [Text(printable_note(note), style="dim") for note in sheet.notes]
    return Group(Text(printable_note(sheet.title), style="bold"), *tables, *notes)


def _width(sheet: Sheet, place: int) -> int:
    """Cells that a column needs to be shown without folding."""
    if place == 0:
        names = [2 * line.is_part + len(line.name) for line in sheet.lines]
        return min(max(names, default=0), _LONGEST_NAME)
    cells = [len(shown(line.cells[place - 1])) for line in sheet.lines]
    heading = max(map(len, _heading(sheet.columns[place]).split("\n")))
    return max(min(max(cells, default=0), _LONGEST_CELL), heading, len("before"))


def _heading(name: str) -> str:
    plain = name.replace("\N{NO-BREAK SPACE}", " ")  # which a terminal would be shown as an escape
    return printable(plain).replace(" (", "\n(")  # narrow columns are worth more than short headings


def _table(sheet: Sheet, places: range, groups: Sequence[tuple[str, int]]) -> Table:
    """Some of the columns beside the names of the lines."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    words = (len(word) for line in sheet.lines for word in printable(line.name).split())
    # A name is folded between its words before a number is: half of a value's name is another value's.
    least = min(max(words, default=0), _LONGEST_NAME)
    table.add_column(Text(_heading(sheet.columns[0])), overflow="fold", min_width=least)
    above = [title.partition(" ")[0].lower() for title, n in groups for _ in range(n)] or [""] * len(places)
    for place, group in zip(places, above, strict=True):
        own = _heading(sheet.columns[place])
        table.add_column(Text(f"{group}\n{own}" if group else own), justify="right", overflow="fold")
    for line in sheet.lines:
        name = ("  " if line.is_part else "") + printable(line.name)
        cells = (Text(printable(shown(line.cells[place - 1]))) for place in places)
        table.add_row(Text(name), *cells)
    return table


def printable_note(text: str) -> str:
    """A sentence without control characters, however long."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def sheet_text(sheet: Sheet, width: int = 110) -> str:
    """A sheet as plain text, in lines of at most this width."""
    written = StringIO()
    Console(file=written, width=width, color_system=None, highlight=False).print(sheet_report(sheet, width))
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())
