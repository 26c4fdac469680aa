"""The levels of a factor: what is compared with what."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.words import constants
from causalrules.words.studies import Levels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.words.records import Column, Records

N_SHOWN = 5
"""Levels of a number."""

_NEAR = 0.05
"""How far a cut may stand from its quantile, as a share of the records, to be a rounder number."""

OTHER = "other"


def levels_of(records: Records, column: Column, reference: str | None = None) -> Levels:
    """The levels of one column: of a category its values, of a number five parts of it.

    Parameters
    ----------
    reference : str, optional
        The level that the user compares with; else the most frequent one of a category, the lowest of a
        number.
    """
    if column.shown is not None:
        column = column.shown
    found = _parts(records, column) if column.is_number else _counts(records, column)
    found = found or _values(records, column)
    if reference is not None and reference in found.names:
        return _compared_with(found, found.names.index(reference))
    return found


def _compared_with(levels: Levels, reference: int) -> Levels:
    return replace(levels, reference=reference)


def _counts(records: Records, column: Column) -> Levels | None:
    """Values 0, 1, 2, … of which those at the ends are rare: these are one level, or part of the next one.

    None of other columns: where no rare value is last or first, whole numbers may be names.
    """
    if (
        column.kind != "category"
        or len(column.levels) < 2
        or not all(name.isdecimal() for name in column.levels)
    ):
        return None
    values = np.array([int(name) for name in column.levels])
    first, last = int(values.min()), int(values.max())
    size = np.bincount(values - first, column.sizes(records.count)[1:])
    least = max(constants.LEAST_RECORDS, constants.RARE * records.n_records)
    often = np.flatnonzero(size >= least)
    if len(values) != len(size) or len(often) in (0, len(size)) or np.ptp(often) >= len(often):
        return None
    low, high = int(often[0]), int(often[-1])
    low -= bool(size[:low].sum() >= least)
    high += bool(size[high + 1 :].sum() >= least)
    if low == high:
        return None
    names = [str(first + place) for place in range(low, high + 1)]
    names[0] = f"≤{names[0]}" if low else names[0]
    names[-1] = f"≥{names[-1]}" if first + high < last else names[-1]
    level = np.append(-1, np.clip(values - first, low, high) - low)[column.codes]
    cuts = tuple(float(first + place) for place in range(low, high))
    return Levels(names=tuple(names), level=level, reference=0, is_ordered=len(names) > 2, cuts=cuts)


def _values(records: Records, column: Column) -> Levels:
    """Values that enough records have; rare ones of a category are one level, of an ordered one they stay."""
    size = np.bincount(column.codes, records.count, column.n_codes)[1:]
    least = (
        max(constants.LEAST_RECORDS, constants.RARE * records.n_records) if column.kind == "category" else 1
    )
    is_rare = (size < least) & (size > 0)
    kept = np.flatnonzero(size >= least)
    names = [column.levels[place] for place in kept.tolist()]
    level_of = np.full(column.n_codes, -1, np.int64)
    level_of[kept + 1] = np.arange(len(kept))
    joined = np.flatnonzero(is_rare)
    if len(joined) == 1:
        names.append(column.levels[int(joined[0])])
    elif len(joined):
        names.append(OTHER if OTHER not in names else f"{OTHER} values")
    is_apart = 0 < size[joined].sum() < min(constants.LEAST_RECORDS, least)
    level_of[joined + 1] = -1 if is_apart else len(kept)
    if is_apart:
        names.pop()
    is_ordered = column.kind == "ordered"
    reference = 0 if is_ordered or not len(kept) else int(size[kept].argmax())
    return Levels(
        names=tuple(names),
        level=level_of[column.codes],
        reference=reference,
        is_ordered=is_ordered,
        n_joined=len(joined) if len(names) > len(kept) else 0,
        apart={"rare": np.isin(column.codes, joined + 1)} if is_apart else {},
    )


def _parts(records: Records, column: Column) -> Levels:
    """A number cut near its quantiles, at the roundest bound there is."""
    size = np.bincount(column.codes, records.count, column.n_codes)[1:].astype(np.float64)
    cuts = shown_cuts(size, column.cuts)
    part = np.searchsorted(np.array(cuts), np.arange(len(size)), side="left")
    level_of = np.append(-1, part).astype(np.int64)
    names = part_names(column, cuts)
    halves = (("", ""), *(bounds(column, cut) for cut in cuts)) if column.cuts else ()
    return Levels(
        names=names,
        level=level_of[column.codes],
        reference=0,
        is_ordered=True,
        halves=halves,
        cuts=tuple(column.cuts[cut] for cut in cuts) if column.cuts else (),
    )


def shown_cuts(size: NDArray[np.float64], bounds: Sequence[float]) -> list[int]:
    """The bins after which a number is cut.

    Examples
    --------
    The fifth part ends at 21 or 19; near it stands a rounder bound:

    >>> shown_cuts(np.ones(10), [3, 7, 10, 21, 33, 40, 47, 50, 61])[:2]
    [1, 3]
    """
    below = np.cumsum(size)[:-1] / max(float(size.sum()), 1.0)
    found = set()
    for wanted in np.arange(1, N_SHOWN) / N_SHOWN:
        if not len(below):
            break
        near = np.flatnonzero(np.abs(below - wanted) <= _NEAR)
        if not len(near):
            near = np.array([np.abs(below - wanted).argmin()])
        best = min(near.tolist(), key=lambda b: (_digits(bounds[b]) if bounds else 0, abs(below[b] - wanted)))
        found.add(int(best))
    return sorted(found)


def _digits(bound: float) -> int:
    """Digits that matter in a number as it is written."""
    return len(f"{bound:.10g}".lstrip("-").replace(".", "").strip("0"))


def part_names(column: Column, cuts: Sequence[int]) -> tuple[str, ...]:
    """How people write the parts of a number, ``≤24``, ``25–40``, ``≥41``."""
    if not cuts or not column.cuts:
        return tuple(f"part {place + 1}" for place in range(len(cuts) + 1))
    below, above = zip(*(bounds(column, cut) for cut in cuts), strict=True)
    values = column.values
    assert values is not None
    to = " to " if "−" in "".join(above) else "–"
    middle = [
        low.lstrip("≥>")
        if low.lstrip("≥") == high.lstrip("≤")
        else f"{low.lstrip('≥>')}{to}{high.lstrip('≤')}"
        for low, high in zip(above[:-1], below[1:], strict=True)
    ]
    return (below[0], *middle, above[-1])


def bounds(column: Column, cut: int) -> tuple[str, str]:
    """How people write a number up to a bound, and beyond it: ``≤24`` and ``≥25``, ``0`` and ``>0``."""
    values = column.values
    assert values is not None
    if column.is_whole:
        low, high = _written(float(values[cut]), column), _written(float(values[cut + 1]), column)
        return (f"≤{low}" if cut else low), f"≥{high}"
    if cut == 0 and values[0] == 0:
        return "0", ">0"
    text = _written(column.cuts[cut], column)
    return f"≤{text}", f">{text}"


def _written(value: float, column: Column) -> str:
    if column.is_date:
        return str(np.datetime64(int(value), "s").astype("datetime64[D]"))
    return f"{'−' if value < 0 else ''}{abs(value):.10g}"
