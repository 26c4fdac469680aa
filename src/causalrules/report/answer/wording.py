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

_SPACES = re.compile(r"(?<!\bp)(?<!\bp [=<]) (?!%)")
"""Where a sentence may be broken: not within ``44 %`` or ``p = 0.03``."""

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
    >>> shown("two\nlines"), shown("systolic_blood_pressure_at_visit_17", 20)
    ('two\\nlines', 'systolic_blo…isit_17')
    """
    text = one_line(name)
    if cell_len(text) > width:
        tail = "" if at_end else _last(text, (width - 1) * 2 // 5)
        text = f"{first_cells(text, width - 1 - cell_len(tail))}…{tail}"
    turns = any(bidirectional(sign) in ("R", "AL", "AN") for sign in text)
    return f"\u2066{text}\u2069" if turns else text


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
    for word in _SPACES.split(text):
        fits = shown(word, width - indent) if cell_len(word) > width - indent else word
        grown = f"{lines[-1]} {fits}" if lines[-1].strip() else lines[-1] + fits
        if cell_len(grown) > width:
            lines.append(" " * indent + fits)
        else:
            lines[-1] = grown
    return lines


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
    return shown(text, max(width, 4))


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
    """
    if triple is None or not isfinite(triple[0]):
        return ""
    digits = 2 if triple[0] < 2 else 1 if triple[0] < 20 else 0
    value, low, high = (_ratio_part(part, digits) for part in triple)
    return f"{value} ({low}–{high})"


def _ratio_part(number: float, digits: int) -> str:
    if not isfinite(number):
        return "…"
    if number >= 1e5 or 0 < number < 0.01:
        return f"{number:.0e}"
    return f"{number:,.{digits}f}"
