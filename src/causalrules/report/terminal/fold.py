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

_PLACES = tuple(
    map(re.compile, (r"(?<=& )", r"(?<=[^<>=]=)(?=[^\s=])", r"(?<= )(?=[^\s&])", r"(?<=\w[-_/,;:.])(?=\w)"))
)
"""Where a name may be broken, the best first: between items, after ``=``, between words, within them."""

_EVERYWHERE = re.compile("|".join(place.pattern for place in _PLACES))


def fold(name: str, width: int) -> list[str]:
    """Lines of at most `width` cells, broken between items, after ``=`` or between words where possible.

    Examples
    --------
    >>> fold("marital-status=Married-civ-spouse & sex=Male", 20)
    ['marital-status=', 'Married-civ-spouse &', 'sex=Male']
    >>> fold("workclass=Private & occupation=Adm-clerical", 38)
    ['workclass=Private &', 'occupation=Adm-clerical']
    >>> fold("incomprehensibilities", 10)
    ['incomprehe', 'nsibilitie', 's']
    """
    lines = [""]
    _add(name, lines, max(width, 1), _PLACES)
    return [line.rstrip() for line in lines if line.strip()]


def _add(piece: str, lines: list[str], width: int, places: tuple[re.Pattern[str], ...]) -> None:
    """Put a piece on the last line or a new one; if it fits neither, cut it at the next best places."""
    if cell_len((lines[-1] + piece).rstrip()) <= width:
        lines[-1] += piece
    elif cell_len(piece.rstrip()) <= width:
        lines.append(piece)
    elif places:
        for part in places[0].split(piece):
            _add(part, lines, width, places[1:])
    else:
        lines += chop_cells(piece, width)


class FoldedName:
    """A cell of a table that is folded to the width its column gets."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """The lines, once the width is known."""
        yield Text("\n".join(fold(self._name, options.max_width)))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From the longest piece to the whole name on one line."""
        least = max(map(cell_len, _EVERYWHERE.split(self._name)))
        return Measurement(least, cell_len(self._name)).with_maximum(options.max_width)
