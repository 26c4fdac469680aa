"""What is only told: values that may mean that nothing is known, dates, records met twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.look.missing_codes import is_often, lone_codes, says_missing
from causalrules.words.findings import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.look.sketches import Sketch

_FEWEST_COLUMNS, _EXPECTED_TWINS, _LEAST_SHARE, _MOST_ALIKE = 10, 0.01, 0.3, 100
"""Records met twice are told where so many columns would hardly agree by chance, and so many records do."""


def missing_codes(sketches: Sequence[Sketch]) -> Iterator[Note]:
    """Levels that may stand for a missing value: ``don't know``, -99, 9 beside 0 and 1."""
    for sketch in sketches:
        n_records = int(sketch.counts.sum())
        for code in _suspects(sketch, n_records):
            value, share = sketch.column.levels[code - 1], float(sketch.counts[code] / n_records)
            yield Note("missing_code", {"column": sketch.name, "value": value, "share": round(share, 4)})


def _suspects(sketch: Sketch, n_records: int) -> list[int]:
    """Codes of a column that may mean a missing value, in the order of how many records have them."""
    column, counts = sketch.column, sketch.counts
    if column.is_date:
        return []
    numbers = _numbers(sketch)
    if numbers is None:
        often = [code for code in range(1, len(counts)) if is_often(counts[code], n_records)]
        found = (
            [code for code in often if says_missing(column.levels[code - 1])] if sketch.n_levels > 2 else []
        )
    else:
        met = np.flatnonzero(counts[1:])
        order = met[np.argsort(numbers[met], kind="stable")]
        lone = lone_codes(numbers[order], counts[1:][order].astype(np.int64), n_records)
        found = [int(place) + 1 for place in order if numbers[place] in lone]
    return sorted(found, key=lambda code: tuple(-sketch.table[code]))


def _numbers(sketch: Sketch) -> NDArray[np.float64] | None:
    """The values of a column as numbers; None if any is a text."""
    if sketch.column.values is not None:
        return sketch.column.values
    try:
        return np.array([float(level) for level in sketch.column.levels])
    except ValueError:
        return None


def dates(sketches: Sequence[Sketch]) -> Iterator[Note]:
    """Columns of dates."""
    return (Note("date", {"column": sketch.name}) for sketch in sketches if sketch.column.is_date)


def repeated_records(sketches: Sequence[Sketch], count: NDArray[np.float64]) -> Iterator[Note]:
    """Many records that equal another one in every column, where chance would give hardly any.

    If columns were independent, a record would have n Π Σ p² others like it. Where these are less than one in
    a hundred, and yet three records in ten are not alone, several records of one person are likelier than
    chance.
    """
    n_records = float(count.sum())
    agree = [float(((sketch.counts / n_records) ** 2).sum()) for sketch in sketches]
    if len(sketches) < _FEWEST_COLUMNS or n_records * np.prod(agree) > _EXPECTED_TWINS:
        return
    rows = np.zeros(len(count), np.uint64)
    draw = np.random.default_rng(2)
    for sketch in sketches:
        numbers = draw.integers(0, 2**64, sketch.column.n_codes, np.uint64)
        rows += numbers[sketch.column.codes]
    alike = np.bincount(np.unique(rows, return_inverse=True)[1], count)
    n_twins = int(alike[(alike > 1) & (alike <= _MOST_ALIKE)].sum())
    if n_twins >= _LEAST_SHARE * n_records:
        yield Note("repeated_records", {"records": n_twins, "of": int(n_records)})
