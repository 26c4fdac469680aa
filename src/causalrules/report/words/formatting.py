"""Names and numbers as people read them: nothing that disturbs a page, short, and folded to a width."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from rich.cells import cell_len, chop_cells

from causalrules.errors import one_line

if TYPE_CHECKING:
    from causalrules.domain import Estimate

LONGEST_NAME = 200

_BREAKS = tuple(
    map(re.compile, (r"(?<=& )", r"(?<=[^<>=]=)(?=[^\s=])", r"(?<= )(?=[^\s&])", r"(?<=\w[-_/,;:.])(?=\w)"))
)
"""Where a name may be broken, the best first: between items, after ``=``, between words, within them."""

_EVERY_BREAK = re.compile("|".join(one.pattern for one in _BREAKS))


def printable(text: str) -> str:
    r"""Text that cannot disturb a terminal: control characters are shown, very long names cut.

    Examples
    --------
    >>> printable("two\nlines")
    'two\\nlines'
    """
    shown = printable_text(text)
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"


def printable_text(text: str) -> str:
    """A sentence that names columns: nothing in it can disturb a terminal; it may be long."""
    return one_line(text)


def isolated(text: str) -> str:
    r"""Printable text that keeps its own direction: what is read from right to left turns nothing around it.

    Examples
    --------
    >>> isolated("city=Rome"), isolated("city=\u05d7\u05d9\u05e4\u05d4")
    ('city=Rome', '\u2066city=\u05d7\u05d9\u05e4\u05d4\u2069')
    """
    shown = printable(text)
    turns = any(bidirectional(character) in ("R", "AL", "AN") for character in shown)
    return f"\u2066{shown}\u2069" if turns else shown


def number(value: float) -> str:
    """Three significant digits, without exponents where people read none.

    Examples
    --------
    >>> number(1.234), number(123.4), number(4321.0), number(float("inf"))
    ('1.23', '123', '4,321', '∞')
    """
    if not isfinite(value):
        return "∞"
    if abs(value) >= 1e6 or 0 < abs(value) < 0.01:
        return f"{value:.2g}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 100 else f"{value:.2f}"


def p_text(p_value: float) -> str:
    """A p-value with two digits; one too small for a number is below the smallest, not nothing.

    Examples
    --------
    >>> p_text(0.0312), p_text(7.2e-48), p_text(0.0)
    ('p = 0.031', 'p = 7.2e-48', 'p < 1e-300')
    """
    return "p < 1e-300" if p_value < 1e-300 else f"p = {p_value:.2g}"


def interval(estimate: Estimate) -> str:
    """The limits of an interval.

    Examples
    --------
    >>> from causalrules.domain import Estimate
    >>> interval(Estimate(2.5, 1.2, 5.21))
    '1.20 – 5.21'
    """
    return f"{number(estimate.low)} – {number(estimate.high)}"


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
    _add(name, lines, max(width, 1), _BREAKS)
    return [line.rstrip() for line in lines if line.strip()]


def _add(piece: str, lines: list[str], width: int, breaks: tuple[re.Pattern[str], ...]) -> None:
    """Put a piece on the last line or a new one; if it fits neither, cut it at the next best breaks."""
    # Only a piece too long for a whole line is cut at breaks of the next kind, so an item is torn
    # apart when there is no other way, and its neighbours stay whole.
    if cell_len((lines[-1] + piece).rstrip()) <= width:
        lines[-1] += piece
    elif cell_len(piece.rstrip()) <= width:
        lines.append(piece)
    elif breaks:
        for part in breaks[0].split(piece):
            _add(part, lines, width, breaks[1:])
    else:
        lines += chop_cells(piece, width)


def longest_piece(name: str) -> int:
    """Cells that the name needs at least so that `fold` breaks it only where a reader would.

    Examples
    --------
    >>> longest_piece("occupation=Adm-clerical")
    11
    """
    return max(map(cell_len, _EVERY_BREAK.split(name)))
