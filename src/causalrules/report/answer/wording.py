"""Names, numbers and lines of the answer: whatever a table holds, they fit into 80 columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import bidirectional

from rich.cells import cell_len

from causalrules.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from causalrules.words.findings import Triple
    from causalrules.words.result import OutcomeFacts

WIDTH = 80
"""Cells of a line."""

LONGEST = 60
"""Cells of a name within a sentence; longer ones lose their middle."""

_ISOLATE, _END_ISOLATE = "\u2066", "\u2069"
"""Signs that keep what is read from right to left to itself."""

LISTED = 32
"""Cells of a name in a list of many."""

_SPACES = re.compile(r"(?<!\bp)(?<!\bp [=<]) (?!%)")
"""Where a sentence may be broken: not within ``44 %`` or ``p = 0.03``."""

GLUE = "\u00a0"
"""A space at which `wrapped` breaks no line if it can: commands are pasted."""

_BLOCKS = "▁▂▃▄▅▆▇█"


class Line(NamedTuple):
    """One line; the characters from `start` to `stop` are emphasised where that is possible."""

    text: str
    start: int = 0
    stop: int = 0


def shown(name: str, width: int = LONGEST, *, at_end: bool = False) -> str:
    r"""A name that disturbs no terminal: one line, cut in its middle or at its end, its direction kept.

    Examples
    --------
    >>> shown("two\nlines"), shown("systolic_blood_pressure_at_visit_17", 20), shown(" ")
    ('two\\nlines', 'systolic_blo…isit_17', '" "')
    """
    text = one_line(name)
    if not text.strip():
        text = f'"{text}"'
    if cell_len(text) > width:
        tail = "" if at_end else _last(text, (width - 1) * 2 // 5)
        text = f"{first_cells(text, width - 1 - cell_len(tail))}…{tail}"
    turns = any(bidirectional(sign) in ("R", "AL", "AN") for sign in text)
    return f"{_ISOLATE}{text}{_END_ISOLATE}" if turns else text


def cut(text: str, width: int) -> str:
    """A sentence of printable names, cut at its end if it is too long.

    Examples
    --------
    >>> cut("age could stand in its place", 12)
    'age could s…'
    """
    if cell_len(text) <= width:
        return text
    kept = first_cells(text, max(width - 1, 0)) + "…"
    return kept + _END_ISOLATE * (kept.count(_ISOLATE) - kept.count(_END_ISOLATE))


def first_cells(text: str, width: int) -> str:
    """The beginning of a text, as much as fits."""
    while text and cell_len(text) > width:
        text = text[: min(len(text) - 1, max(width, 0))]
    return text


def _last(text: str, width: int) -> str:
    text = text[-width:] if width else ""
    while cell_len(text) > width:
        text = text[1:]
    return text


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A text with spaces up to a width, after it or before it."""
    spaces = " " * max(width - cell_len(text), 0)
    return spaces + text if right else text + spaces


def wrapped(text: str, indent: int = 2, width: int = WIDTH) -> list[str]:
    """A sentence as lines of at most so many cells, those after the first indented.

    Examples
    --------
    >>> [len(line) for line in wrapped("word " * 20)]
    [79, 22]
    """
    lines = [""]
    words = [word for part in _SPACES.split(text) for word in _unglued(part, width - indent)]
    for word in words:
        fits = cut(word, width - indent)
        grown = f"{lines[-1]} {fits}" if lines[-1].strip() else lines[-1] + fits
        if cell_len(grown) > width:
            lines.append(" " * indent + fits)
        else:
            lines[-1] = grown
    return lines


def _unglued(part: str, width: int) -> list[str]:
    """What is better not broken, in one piece if that fits."""
    whole = part.replace(GLUE, " ")
    return [whole] if cell_len(whole) <= width else whole.split(" ")


def listing(head: str, parts: Sequence[str], most_lines: int | None = 2) -> list[str]:
    """Parts after a heading, as many as fit into so many lines, and how many there are more.

    Examples
    --------
    >>> listing("No difference: ", [f"column_{number}" for number in range(40)], 1)
    ['No difference: column_0, column_1, column_2, column_3 and 36 more (--all)']
    """
    most = len(parts) if most_lines is None else min(len(parts), WIDTH * most_lines // 3)
    for n_shown in range(most, 0, -1):
        more = len(parts) - n_shown
        text = head + ", ".join(parts[:n_shown]) + (f" and {more} more (--all)" if more else "")
        if most_lines is None or cell_len(text) <= WIDTH * most_lines:
            lines = wrapped(text)
            if most_lines is None or len(lines) <= most_lines:
                return lines
    return [f"{head}{len(parts)} (--all)"] if parts else []


def fitting(texts: Iterable[str], width: int) -> str:
    """The first text that fits, else the last one cut.

    Examples
    --------
    >>> fitting(["44 %, expected 30 %", "44 %"], 10)
    '44 %'
    """
    text = ""
    for text in texts:
        if cell_len(text) <= width:
            return text
    return cut(text, width)


def curve(values: Sequence[float]) -> str:
    """Levels in their order as bars between the lowest and the highest.

    Examples
    --------
    >>> curve([0.12, 0.18, 0.24, 0.33, 0.47])
    '▁▂▃▅█'
    """
    if not all(map(isfinite, values)) or len(set(values)) < 2:
        return ""
    low, high = min(values), max(values)
    return "".join(_BLOCKS[floor((value - low) / (high - low) * 7 + 0.5)] for value in values)


@dataclass(frozen=True)
class Scale:
    """How risks, or means, and their differences are written: with how many digits, and in which unit.

    Examples
    --------
    >>> Scale(True, 0).value(0.442), Scale(True, 1).difference(-0.0123), Scale(False, 0).value(2944.2)
    ('44 %', '−1.2', '2,944')
    """

    is_event: bool
    digits: int

    @classmethod
    def of(cls, outcome: OutcomeFacts) -> Scale:
        """Digits that show a fifth of the rarer outcome, or a twentieth of a mean's standard deviation.

        Examples
        --------
        >>> from causalrules.words.result import OutcomeFacts
        >>> facts = {"name": "ill=yes", "column": "ill", "with_it": 12, "spread": 0.1}
        >>> Scale.of(OutcomeFacts(kind="event", mean=0.004, **facts)).value(0.0121)
        '1.21 %'
        """
        is_event = outcome.kind == "event"
        unit = 20 * min(outcome.mean, 1 - outcome.mean) if is_event else outcome.spread / 20
        return cls(is_event, _digits(unit))

    def finer(self, widths: Iterable[float]) -> Scale:
        """With digits that show half of the narrowest of these widths, at most two more."""
        known = [self.factor * width for width in widths if isfinite(width) and width > 0]
        wanted = _digits(min(known) / 2) if known else 0
        return Scale(self.is_event, min(max(self.digits, wanted), self.digits + 2))

    @property
    def factor(self) -> int:
        """Per cent of a share, else itself."""
        return 100 if self.is_event else 1

    def value(self, number: float) -> str:
        """A risk in per cent, or a mean."""
        if not isfinite(number):
            return "–"
        text = _signed_off(f"{self.factor * number:,.{self.digits}f}")
        return f"{text} %" if self.is_event else text

    def possible(self, number: float) -> str:
        """A risk that a sum of differences would give, which may be none.

        Examples
        --------
        >>> Scale(True, 0).possible(-0.03), Scale(True, 0).possible(0.3), Scale(False, 0).possible(-3.0)
        ('below 0 %', '30 %', '−3')
        """
        if self.is_event and number < 0:
            return f"below {self.value(0.0)}"
        return f"above {self.value(1.0)}" if self.is_event and number > 1 else self.value(number)

    def difference(self, number: float) -> str:
        """A difference, with its sign, in points or in the unit of the mean."""
        if not isfinite(number):
            return "–"
        return _signed_off(f"{self.factor * number:+,.{self.digits}f}")

    def amount(self, number: float) -> str:
        """A difference without a sign."""
        return self.difference(abs(number)).lstrip("+")

    def spread(self, number: float) -> str:
        """How far risks spread, ``±15``; a small one keeps a digit that is not 0."""
        is_small = self.factor * abs(number) < 0.95
        return f"±{Scale(self.is_event, max(self.digits, int(is_small))).amount(number)}"

    def with_limits(self, triple: Triple, *, signed: bool = False) -> str:
        """An estimate and its interval."""
        write: Callable[[float], str] = self.difference if signed else self.value
        value, low, high = map(write, triple)
        if not (isfinite(triple[1]) and isfinite(triple[2])):
            return value
        between = " to " if signed or not self.is_event else "–"
        return f"{value} ({low.removesuffix(' %')}{between}{high.removesuffix(' %')})"

    @property
    def unit(self) -> str:
        """What differences are counted in, as it stands after a number."""
        return " points" if self.is_event else ""


def _digits(unit: float) -> int:
    return max(0, min(6, ceil(-log10(unit) - 1e-9))) if unit > 0 else 0


def _signed_off(text: str) -> str:
    """A minus of its own width, and none before a zero."""
    if not text.strip("+-0.,"):
        return text.lstrip("+-")
    return text.replace("-", "−")


def ratio(triple: Triple | None) -> str:
    """A ratio with its interval.

    Examples
    --------
    >>> ratio((4.456, 3.6, 5.58)), ratio((120.0, 12.3, float("inf"))), ratio((1.04, 0.97, 1.1))
    ('4.5 (3.6–5.6)', '120 (12–…)', '1.04 (0.97–1.10)')
    >>> ratio((0.17, 0.0042, 7.73)), ratio((0.001, 1e-9, 2.0))
    ('0.17 (0.004–7.73)', '0.001 (<0.001–2.00)')
    """
    if triple is None or not isfinite(triple[0]):
        return ""
    digits = 2 if triple[0] < 2 else 1 if triple[0] < 20 else 0
    value, low, high = (_ratio_part(part, digits) for part in triple)
    return f"{value} ({low}–{high})"


def _ratio_part(number: float, digits: int) -> str:
    if not isfinite(number) or number >= 1e5:
        return "…"
    if 0 < number < 0.01:
        return f"{number:.3f}" if number >= 0.0005 else "<0.001"
    return f"{number:,.{digits}f}"
