"""Names too long for their column, folded where people would."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells
from rich.measure import Measurement
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions

_PLACES = re.compile(r"(?<=[= &])(?=[^\s&])|(?<=\w-)(?=\w)")


def fold(name: str, width: int) -> list[str]:
    """Lines of at most `width` cells, broken after ``=``, ``&``, ``-`` or a space where that is possible.

    Examples
    --------
    >>> fold("marital-status=Married-civ-spouse & sex=Male", 20)
    ['marital-status=', 'Married-civ-spouse &', 'sex=Male']
    >>> fold("incomprehensibilities", 10)
    ['incomprehe', 'nsibilitie', 's']
    """
    lines = [""]
    for piece in _PLACES.split(name):
        if cell_len((lines[-1] + piece).rstrip()) <= width:
            lines[-1] += piece
        elif cell_len(piece.rstrip()) <= width:
            lines.append(piece)
        else:
            lines += chop_cells(piece, width)
    return [line.rstrip() for line in lines if line.strip()]


class FoldedName:
    """A cell of a table that is folded to the width its column gets."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """The lines, once the width is known."""
        yield Text("\n".join(fold(self._name, options.max_width)))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From the longest piece to the whole name on one line."""
        least = max(map(cell_len, _PLACES.split(self._name)))
        return Measurement(least, cell_len(self._name)).with_maximum(options.max_width)
