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
    from rich.console import RenderableType

    from causalrules.publish.document import Sheet

_LEAST_NAME, _WHOLE_CELL = 18, 14
"""Where a terminal is narrow, names are folded sooner than counts with their shares."""


def sheet_report(sheet: Sheet, width: int) -> RenderableType:
    """A table of a document as a terminal of this width shows it, title above and notes below."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    widths = [
        min(max((len(shown(line.cells[place])) for line in sheet.lines), default=0), _WHOLE_CELL)
        for place in range(len(sheet.columns) - 1)
    ]
    has_room = _LEAST_NAME + sum(max(one, len("before")) + 1 for one in widths) + 2 <= width
    above = ["", *(title for title, n in sheet.groups for _ in range(n))]
    for place, name in enumerate(sheet.columns):
        group = above[place].partition(" ")[0].lower() if sheet.groups else ""
        own = printable(name).replace(" (", "\n(")  # narrow columns are worth more than short headings
        heading = Text(f"{group}\n{own}" if group else own)
        if place == 0:
            table.add_column(heading, overflow="fold", min_width=_LEAST_NAME)
        else:
            least = widths[place - 1] if has_room else None
            table.add_column(heading, justify="right", overflow="fold", min_width=least)
    for line in sheet.lines:
        own = ("  " if line.is_part else "") + printable(line.name)
        table.add_row(Text(own), *(Text(printable(shown(cell))) for cell in line.cells))
    notes = [Text(printable_note(note), style="dim") for note in sheet.notes]
    return Group(Text(printable_note(sheet.title), style="bold"), table, *notes)


def printable_note(text: str) -> str:
    """A sentence without control characters, however long."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def sheet_text(sheet: Sheet, width: int = 110) -> str:
    """The same as plain text."""
    written = StringIO()
    Console(file=written, width=width, color_system=None, highlight=False).print(sheet_report(sheet, width))
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())
