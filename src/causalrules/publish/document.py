"""What a document is made of, whatever kind of file it becomes: headings, paragraphs, tables, pictures."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Cell = str | int | float | None
"""What stands in a table: text, a whole number, a number with two digits, or nothing."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: its name and its cells.

    `is_part` says that it belongs to the line above it, as a value belongs to its column.
    """

    name: str
    cells: tuple[Cell, ...]
    is_part: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table as it is printed.

    Parameters
    ----------
    title : str
        Its caption.
    columns : tuple of str
        Headings, the first one over the names of the lines.
    lines : tuple of Line
        The body.
    notes : tuple of str
        Footnotes.
    groups : tuple of (str, int)
        Headings over several columns each, from the second column on; none if empty.
    name : str
        Of a sheet in a spreadsheet.
    """

    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()
    groups: tuple[tuple[str, int], ...] = ()
    name: str = "Table"

    @property
    def full_headings(self) -> tuple[str, ...]:
        """Every column's heading with that of its group, for kinds of files that have one line of them."""
        above = [title for title, n_columns in self.groups for _ in range(n_columns)]
        if not above:
            return self.columns
        rest = zip(above, self.columns[1:], strict=True)
        return (self.columns[0], *(f"{group}: {name}" if group else name for group, name in rest))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of some level, 1 for the largest below the title."""

    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Points below one another, numbered or not."""

    points: tuple[str, ...]
    is_numbered: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing and its caption."""

    svg: str
    caption: str


Block = Heading | Paragraph | Listing | Sheet | Picture


@dataclass(frozen=True, slots=True)
class Document:
    """A title and what follows."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The tables of the document."""
        return tuple(block for block in self.blocks if isinstance(block, Sheet))


def shown(cell: Cell) -> str:
    """A cell as text.

    Examples
    --------
    >>> shown(1234), shown(0.0349), shown(None), shown("61 (12)")
    ('1,234', '0.03', '', '61 (12)')
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    return "∞" if cell == inf else f"{cell:,.2f}"


PAGE_WIDTH = 17.0
_LETTER, _MARGINS = 0.17, 0.42
"""Centimetres of a page's text, of a letter and of the space at both sides of a cell."""


_LONGEST_WHOLE = (16, 14, 12, 11)
"""Letters of the longest word that has a line, the first that leaves room for all columns."""


def column_widths(texts: Sequence[Sequence[str]]) -> list[float]:
    """Centimetres for each column of a page: room for its longest word, and more for longer texts.

    Parameters
    ----------
    texts : sequence of sequences of str
        The headings, which are bold, then every line.

    Examples
    --------
    >>> texts = [["name", "SMD"], ["a long name that may be broken", "0.12"]]
    >>> [round(one, 1) for one in column_widths(texts)]
    [14.2, 2.8]
    """
    columns = list(zip(*texts, strict=True))
    words = [max(len(word) for text in column for word in (text.split() or [""])) for column in columns]
    heads = [1.15 * max(map(len, column[0].split() or [""])) for column in columns]
    longest = [max(pair) for pair in zip(words, heads, strict=True)]
    for most in _LONGEST_WHOLE:  # names are broken before our own words are
        least = [_MARGINS + _LETTER * min(one, most) for one in longest]
        if sum(least) <= PAGE_WIDTH:
            break
    more = [_LETTER * (min(max(map(len, column)), 40)) for column in columns]
    left = max(PAGE_WIDTH - sum(least), 0.0)
    wide = [one + left * share / max(sum(more), 1.0) for one, share in zip(least, more, strict=True)]
    return [PAGE_WIDTH * one / sum(wide) for one in wide]


def fits_a_page(texts: Sequence[Sequence[str]]) -> bool:
    """Whether no text of a table needs to be broken."""
    longest = (max(map(len, column)) for column in zip(*texts, strict=True))
    return sum(_MARGINS + _LETTER * one for one in longest) <= PAGE_WIDTH
