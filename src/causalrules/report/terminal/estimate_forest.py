"""Effects below one another in the terminal, each with its interval drawn on a common axis."""

from __future__ import annotations

from math import isfinite, log
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table

from causalrules.domain import Estimate
from causalrules.report.terminal.rule_columns import Column, columns_that_fit, folded, width_left
from causalrules.report.words.measure import Measure, differences_domain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions

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
    measure : Measure
        What effects are called, and how they are shown.
    confidence : float
        Of the intervals.
    counts : (str, str)
        Headings of the two columns of counts; one without a heading is left out.
    """

    def __init__(
        self, rows: Sequence[EstimateRow], measure: Measure, confidence: float, counts: tuple[str, str]
    ) -> None:
        self._rows, self._measure, self._confidence, self._counts = rows, measure, confidence, counts

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
            style = "" if row.effect is not None else "dim"
            table.add_row(folded(row.name, (), room), *cells, style=style)
        yield table

    def _columns(self) -> list[Column]:
        effects, measure = [row.effect for row in self._rows], self._measure
        is_ratio = measure.is_ratio
        known = [effect for effect in effects if effect is not None]
        outer = [limit for effect in known for limit in (effect.low, effect.high)]
        low, high = axis_of(known) if is_ratio else differences_domain(known, outer)
        ends = measure.shown(low), measure.shown(high)
        axis = ends[0].ljust(_CELLS - len(ends[1])) + ends[1]
        strips = [
            interval_strip(effect, low, high, is_ratio=is_ratio) if effect else "" for effect in effects
        ]
        heading = f"{100 * self._confidence:g} % interval"
        values = [measure.shown(effect.value) if effect else "–" for effect in effects]
        limits = [measure.limits(effect) if effect else "cannot tell" for effect in effects]
        columns = [
            Column("effect", measure.name, values),
            Column("interval", heading, limits),
            Column("strip", axis, strips, "left"),
            Column("exposed", self._counts[0], [row.exposed for row in self._rows]),
            Column("unexposed", self._counts[1], [row.unexposed for row in self._rows]),
        ]
        return [column for column in columns if column.heading]


def axis_of(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """An axis with 1 and all ratios on it, and their limits where these are not too far off."""
    inner = [1.0, *(one.value for one in estimates if isfinite(one.value) and one.value > 0)]
    least, most = min(inner) / _FURTHEST, max(inner) * _FURTHEST
    limits = [min(max(limit, least), most) for one in estimates for limit in (one.low, one.high)]
    return min([*inner, *limits]), max([*inner, *limits, 1.1])


def interval_strip(effect: Estimate, low: float, high: float, *, is_ratio: bool = True) -> str:
    """An interval as a line: a dot for the estimate, a bar where there is no effect, arrows off the axis.

    The axis is logarithmic for ratios, of which 1 is no effect, and even for differences.

    Examples
    --------
    >>> interval_strip(Estimate(2.0, 1.3, 3.1), 0.5, 4.0)
    '     │ ────●───  '
    >>> interval_strip(Estimate(2.0, 1.0, 3.0), -1.0, 3.0, is_ratio=False)
    '    │   ────●────'
    """

    def cell(value: float) -> int:
        within = min(max(value, low), high)
        share = log(within / low) / log(high / low) if is_ratio else (within - low) / (high - low)
        return round((_CELLS - 1) * share)

    strip = [" "] * _CELLS
    strip[cell(1.0 if is_ratio else 0.0)] = "│"
    for place in range(cell(effect.low), cell(effect.high) + 1):
        strip[place] = "┼" if strip[place] == "│" else "─"
    if low <= effect.value <= high:
        strip[cell(effect.value)] = "●"
    if effect.low < low:
        strip[0] = "←"
    if effect.high > high:
        strip[-1] = "→"
    return "".join(strip)
