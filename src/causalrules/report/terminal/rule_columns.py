"""Tables of rules that fit a terminal's width: columns that may be left out, bars, and folded names."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Literal, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from causalrules.report.words.formatting import fold, printable

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_BAR_CELLS = 8
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEAST_NAME = 24


class Column(NamedTuple):
    """A column besides the names: what it is called, its heading, and its cells."""

    name: str
    heading: str
    cells: list[str]
    justify: Literal["left", "right"] = "right"

    @property
    def width(self) -> int:
        """Cells that it takes."""
        return max(map(cell_len, [self.heading, *self.cells]))


def columns_that_fit(
    columns: list[Column], max_width: int, dispensable: Collection[str], longest_name: int
) -> list[Column]:
    """The columns that leave enough width for the names; the first dispensable one goes first."""
    for name in dispensable:
        if width_left(columns, max_width) >= min(longest_name, _LEAST_NAME):
            break
        columns = [column for column in columns if column.name != name]
    return columns


def width_left(columns: Sequence[Column], max_width: int) -> int:
    """What other columns leave to the names; each column is followed by a blank."""
    return max_width - 1 - sum(column.width + 1 for column in columns)


def bar(odds: float, largest: float) -> str:
    """An odds ratio as a bar on a logarithmic scale, of eight cells at most.

    Examples
    --------
    >>> bar(4.0, 16.0), bar(16.0, 16.0), bar(1.0, 16.0), bar(1.01, 16.0)
    ('████', '████████', '', '▏')
    """
    if odds <= 1:
        return ""
    # On the logarithm an odds ratio of 4 is twice as much as 2, and effects are judged by ratios.
    share = 1.0 if odds >= largest else log(odds) / log(largest)
    eighths = max(1, round(share * _BAR_CELLS * 8))
    return (_EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def on_one_line(name: str, tags: Sequence[str]) -> str:
    """A name with its tags, if there is room."""
    return " · ".join([printable(name), *tags])


def folded(name: str, tags: Sequence[str], width: int) -> Text:
    """The name, then its tags: on the same line where they fit, else on lines of their own."""
    lines = [Text(line) for line in _indented(printable(name), width, "", "  ")]
    for tag in tags:
        addition = f" · {tag}"
        if lines[-1].cell_len + cell_len(addition) <= width:
            lines[-1].append(addition, style="yellow")
        else:
            lines += [Text(line, style="yellow") for line in _indented(tag, width, "  · ", "    ")]
    return Text("\n").join(lines)


def _indented(name: str, width: int, first: str, others: str) -> list[str]:
    """The folded name; later lines are indented, so that nobody takes them for another rule."""
    if cell_len(first + name) <= width:
        return [first + name]
    lines = fold(name, max(width - cell_len(others), 1))
    return [(others if place else first) + line for place, line in enumerate(lines)]
