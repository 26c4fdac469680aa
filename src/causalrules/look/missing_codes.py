"""Codes and texts that people write where a value is not known: -99, 9 beside 0 and 1, "don't know".

A number is taken for such a code only where it stands apart from all other values of its column.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FEWEST_RECORDS, _LEAST_SHARE = 5, 0.005

_SAY_SO = frozenset(
    (
        "unknown|unk|not known|don't know|dont know|do not know|doesn't know|dk|refused|refuses|refusal|"
        "declined to answer|prefer not to say|prefer not to answer|not stated|not available|n/a|n.a.|na|nan|"
        "null|not reported|not recorded|not answered|no answer|no response|missing|not specified|n.d.|n/d|"
        "no data|not determined|"
        "keine angabe|keine angaben|k.a.|k. a.|weiß nicht|weiss nicht|unbekannt|nicht bekannt|fehlt|fehlend|"
        "verweigert|nicht erhoben|keine antwort|inconnu|ne sait pas|sans réponse|desconocido|no sabe|"
        "no contesta|sconosciuto|non so"
    )
    .casefold()
    .split("|")
)
_NUMBER_BEFORE = re.compile(r"^[\[(]?-?\d+[\])]?\s*[.:=–-]?\s+")

_SMALL_STEP = 3
_MOST_CATEGORIES = 15
_MANY_NUMBERS = 10
_FAR = 0.25
_FEW_NUMBERS = 1000
_MANY_STEPS = 10
_OUTLANDISH = 2
"""Beyond so many times the range of all other values a code counts even where it is rare."""


def says_missing(text: str) -> bool:
    """Whether a text says that a value is not known.

    Examples
    --------
    >>> [says_missing(text) for text in ("Don’t know", "98 refused", "(9) Weiß nicht", "none", "unknown sea")]
    [True, True, True, False, False]
    """
    plain = _NUMBER_BEFORE.sub("", text.strip()).replace("’", "'").casefold().strip(" .!?()[]<>-*_")
    return plain in _SAY_SO or f"{plain}." in _SAY_SO


_LOW = frozenset({-1.0, -7.0, -8.0, -9.0, -77.0, -88.0, -97.0, -98.0, -99.0, -999.0, -9999.0, -99999.0})
_HIGH = {
    1: frozenset({7.0, 8.0, 9.0}),
    2: frozenset({77.0, 88.0, 97.0, 98.0, 99.0}),
    3: frozenset({777.0, 888.0, 997.0, 998.0, 999.0}),
    4: frozenset({7777.0, 8888.0, 9997.0, 9998.0, 9999.0}),
    5: frozenset({77777.0, 88888.0, 99997.0, 99998.0, 99999.0}),
    6: frozenset({999999.0}),
}
EVERY_CODE = frozenset(_LOW.union(*_HIGH.values()))


def may_have_codes(values: NDArray[np.float64]) -> bool:
    """Whether to look for codes among numbers: not if there are many, and none of them is at an end."""
    known = values[~np.isnan(values)]
    is_few = len(known) <= _FEW_NUMBERS
    return len(known) > 0 and (is_few or not EVERY_CODE.isdisjoint((float(known.min()), float(known.max()))))


def lone_codes(values: NDArray[np.float64], counts: NDArray[np.int64], n_records: int) -> list[float]:
    """Numbers at an end of a column that are codes rather than values.

    Parameters
    ----------
    values : float64[n]
        The different numbers, ascending.
    counts : int64[n]
        Records with each.

    Examples
    --------
    >>> def codes(*values):
    ...     return lone_codes(np.array(values, float), np.full(len(values), 50), 50 * len(values))
    >>> codes(0, 1, 9), codes(1, 2, 3, 4, 5, 8, 9), codes(*range(10)), codes(1, 2, 4, 8)
    ([9.0], [8.0, 9.0], [], [])
    >>> codes(*range(20, 60), 99), codes(*range(20, 97), 99), codes(-99, *range(20, 60)), codes(-1, 0, 1)
    ([99.0], [], [-99.0], [])
    >>> codes(-1, *range(18, 60)), codes(-1, *range(2, 60))
    ([-1.0], [])
    >>> counts = np.append(np.full(40, 500), 8)  # rare, but far from all others
    >>> lone_codes(np.append(np.arange(160.0, 200.0), 9999), counts, int(counts.sum()))
    [9999.0]
    """
    values = values[~np.isnan(values)]
    n_low, n_high = _n_low(values), _n_high(values)
    low, rest, high = values[:n_low], values[n_low : len(values) - n_high], values[len(values) - n_high :]
    found = list(low) if _is_apart_below(low, rest, counts[n_low : n_low + len(rest)], counts[:n_low]) else []
    found += list(high) if _is_apart_above(rest, high) else []
    n_having = counts[np.searchsorted(values, found)]
    return [
        float(one)
        for one, count in zip(found, n_having, strict=True)
        if is_often(count, n_records) or (count >= _FEWEST_RECORDS and _is_outlandish(float(one), rest))
    ]


def _is_outlandish(code: float, rest: NDArray[np.float64]) -> bool:
    """Whether a code is so far off that a few records with it move means, as 9999 among temperatures does."""
    span, gap = float(rest[-1] - rest[0]), max(float(rest[0] - code), float(code - rest[-1]))
    return len(rest) >= _MANY_NUMBERS and gap >= _OUTLANDISH * span


def _n_low(values: NDArray[np.float64]) -> int:
    """How many of the smallest are codes below 0; none where any other value is below 0."""
    below = values[values < 0]
    return len(below) if all(value in _LOW for value in below.tolist()) else 0


def _n_high(values: NDArray[np.float64]) -> int:
    """How many of the largest are codes of as many digits as the largest of all."""
    if not len(values) or values[-1] < 1:
        return 0
    codes = _HIGH.get(len(f"{values[-1]:.0f}"), frozenset())
    n_high = 0
    while n_high < len(values) and float(values[-1 - n_high]) in codes:
        n_high += 1
    return n_high


def _is_apart_below(
    low: NDArray[np.float64],
    rest: NDArray[np.float64],
    counts: NDArray[np.int64],
    counts_low: NDArray[np.int64],
) -> bool:
    """Whether codes below 0 are apart from all others, which are not."""
    if not len(low) or len(rest) < 2:
        return False
    if low[-1] < -1:
        return bool(rest[0] - low[-1] >= _SMALL_STEP)
    if len(rest) >= _MANY_NUMBERS:
        # -1 before a gap, as of ages from 18; or beside 0, 1, 2 …, but met far more often than they.
        gap = float(rest[0] - low[-1])
        is_lone = gap >= max(_SMALL_STEP, _MANY_STEPS * float(np.median(np.diff(rest))))
        return is_lone or bool(counts_low[-1] >= 5 * np.median(counts))
    return _are_consecutive(rest) and bool(rest[0] >= 1)


def _is_apart_above(rest: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
    """Whether codes are far above all others, or above a gap that a row of small categories leaves."""
    if not len(high) or len(rest) < 2:
        return False
    gap, span = float(high[0] - rest[-1]), float(rest[-1] - rest[0])
    if _are_consecutive(rest) and len(rest) <= _MOST_CATEGORIES and rest[0] in (0, 1):
        is_usual = high[-1] != 7 and (high[-1] != 8 or gap > _SMALL_STEP)
        return gap >= _SMALL_STEP and is_usual
    return bool(high[-1] >= 10 and len(rest) > 2 and gap >= max(_SMALL_STEP, _FAR * span))


def _are_consecutive(values: NDArray[np.float64]) -> bool:
    return bool((np.diff(values) == 1).all()) and float(values[0]).is_integer()


def is_often(count: float, n_records: int) -> bool:
    """Whether so many records have a value that it is no slip."""
    return count >= max(_FEWEST_RECORDS, _LEAST_SHARE * n_records)
