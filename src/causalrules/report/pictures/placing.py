"""Room for names beside points: a name that would cover another, or a point, is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, chop_cells

from causalrules.report.words.sentences import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Box = tuple[float, float, float, float]

_CELL, _LINE, _GAP = 5.8, 12.0, 7.0
_LONGEST = 34


def place_labels(
    named: Iterable[tuple[str, float, float]], points: Sequence[tuple[float, float]], width: float
) -> list[dict[str, Any]]:
    """Put each name right or left of its point, the first ones first.

    Parameters
    ----------
    named : iterable of (name, x, y)
        What should be named, in pixels.
    points : sequence of (x, y)
        All points, none of which may be covered.
    width : float
        Of the plot; no name leaves it.

    Examples
    --------
    >>> [label["align"] for label in place_labels([("a=b", 10, 5), ("c=d", 12, 6)], [(10, 5), (12, 6)], 99)]
    ['left']
    """
    taken: list[Box] = []
    placed: list[dict[str, Any]] = []
    for name, x, y in named:
        text = _short(name)
        length = _CELL * cell_len(text)
        for align, left in (("left", x + _GAP), ("right", x - _GAP - length)):
            box = (left, y - _LINE / 2, left + length, y + _LINE / 2)
            if left >= 0 and box[2] <= width and not _is_covered(box, taken, points):
                taken.append(box)
                start = left if align == "left" else left + length
                placed.append({"text": text, "x": start, "y": y, "align": align})
                break
    return placed


def _short(name: str) -> str:
    start, *rest = chop_cells(printable(name), _LONGEST)
    return f"{start.rstrip()}…" if rest else start


def _is_covered(box: Box, taken: list[Box], points: Sequence[tuple[float, float]]) -> bool:
    left, top, right, bottom = box
    meets_name = any(left < b[2] and b[0] < right and top < b[3] and b[1] < bottom for b in taken)
    return meets_name or any(left - 3 < x < right + 3 and top < y < bottom for x, y in points)
