"""Odds ratios below one another in the terminal, each with its interval drawn on a common axis."""

from __future__ import annotations

from math import isfinite, log
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table

from causalrules.report.terminal.rule_columns import Column, columns_that_fit, folded, width_left
from causalrules.report.words.formatting import interval, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions

    from causalrules.domain import Estimate
    from causalrules.report.words.subgroup_words import EstimateRow

_CELLS = 17
_DISPENSABLE = ("unexposed", "exposed", "strip")
_FURTHEST = 3.0
"""Limits this many times beyond all estimates are cut off, with an arrow."""


class EstimateForest:
    """A table of estimates with a drawn interval in each row, as wide as the terminal allows.

    Parameters
    ----------
    rows : sequence of EstimateRow
        What to show; a row without an estimate says so.
    confidence : float
        Of the intervals.
    counts : (str, str)
        Headings of the two columns of counts.
    """

    def __init__(self, rows: Sequence[EstimateRow], confidence: float, counts: tuple[str, str]) -> None:
        self._rows, self._confidence, self._counts = rows, confidence, counts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """The table, once the width is known; counts go first where it is too narrow, then the drawing."""
        longest = max(cell_len(row.name) for row in self._rows)
        fixed = columns_that_fit(self._columns(), options.max_width, _DISPENSABLE, longest)
        room = max(width_left(fixed, options.max_width), 1)
        table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
        table.add_column("", width=min(room, longest))
        for column in fixed:
            table.add_column(column.heading, width=column.width, justify=column.justify, no_wrap=True)
        for place, row in enumerate(self._rows):
            cells = [column.cells[place] for column in fixed]
            style = "" if row.odds_ratio is not None else "dim"
            table.add_row(folded(row.name, (), room), *cells, style=style)
        yield table

    def _columns(self) -> list[Column]:
        ratios = [row.odds_ratio for row in self._rows]
        low, high = axis_of([ratio for ratio in ratios if ratio is not None])
        axis = number(low).ljust(_CELLS - len(number(high))) + number(high)
        strips = [interval_strip(ratio, low, high) if ratio else "" for ratio in ratios]
        heading = f"{100 * self._confidence:g} % interval"
        return [
            Column("ratio", "odds ratio", [number(ratio.value) if ratio else "–" for ratio in ratios]),
            Column("interval", heading, [interval(ratio) if ratio else "cannot tell" for ratio in ratios]),
            Column("strip", axis, strips, "left"),
            Column("exposed", self._counts[0], [row.exposed for row in self._rows]),
            Column("unexposed", self._counts[1], [row.unexposed for row in self._rows]),
        ]


def axis_of(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """An axis with 1 and all estimates on it, and their limits where these are not too far off."""
    inner = [1.0, *(one.value for one in estimates if isfinite(one.value) and one.value > 0)]
    least, most = min(inner) / _FURTHEST, max(inner) * _FURTHEST
    limits = [min(max(limit, least), most) for one in estimates for limit in (one.low, one.high)]
    return min([*inner, *limits]), max([*inner, *limits, 1.1])


def interval_strip(ratio: Estimate, low: float, high: float) -> str:
    """An interval as a line on a logarithmic axis: a dot for the estimate, a bar at 1, arrows off the axis.

    Examples
    --------
    >>> from causalrules.domain import Estimate
    >>> interval_strip(Estimate(2.0, 1.3, 3.1), 0.5, 4.0)
    '     │ ────●───  '
    """

    def cell(value: float) -> int:
        return round((_CELLS - 1) * log(min(max(value, low), high) / low) / log(high / low))

    strip = [" "] * _CELLS
    strip[cell(1.0)] = "│"
    for place in range(cell(ratio.low), cell(ratio.high) + 1):
        strip[place] = "┼" if strip[place] == "│" else "─"
    if low <= ratio.value <= high:
        strip[cell(ratio.value)] = "●"
    if ratio.low < low:
        strip[0] = "←"
    if ratio.high > high:
        strip[-1] = "→"
    return "".join(strip)
