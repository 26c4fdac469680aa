"""Columns neither tested nor held: constants, identifiers, times of observation, leaks, survey weights."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from causalrules.look.names import says_observation_time, says_survey_weight, says_time, says_weight
from causalrules.look.sketches import FEWEST
from causalrules.words import constants
from causalrules.words.findings import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.look.looked import TableHints
    from causalrules.look.sketches import Sketch
    from causalrules.words.records import Records

_BEYOND_CHANCE, _CLEAR = 3.0, 0.1
"""A time of observation differs by outcome beyond so many standard errors; where its name says no more than
that it is a time, the chance that one record's is shorter than the other's differs from one half by so much,
too."""


def set_aside(records: Records, sketches: Sequence[Sketch], hints: TableHints) -> dict[str, Note]:
    """Columns to be set aside, each with the reason that comes first."""
    found: dict[str, Note] = {}
    for sketch in sketches:
        note = _why(sketch, records, hints)
        if note is not None:
            found[sketch.name] = note
    for name, reason in hints.left_out.items():
        if reason in ("identifier", "constant"):
            found.setdefault(name, Note(reason, {"column": name}))
    return found


def _why(sketch: Sketch, records: Records, hints: TableHints) -> Note | None:
    if sketch.n_levels <= 1:
        return Note("constant", {"column": sketch.name})
    if hints.is_settled(sketch.name):
        return None
    found = (
        _identifier(sketch, hints),
        None if records.is_mean else observation_time(sketch),
        leak(sketch),
        None if records.weight is not None else survey_weight(sketch),
    )
    return next((note for note in found if note is not None), None)


def _identifier(sketch: Sketch, hints: TableHints) -> Note | None:
    """Of a column that tells records, or persons, apart."""
    name, records = sketch.name, int(sketch.n_known)
    if name in hints.persons:
        values = hints.persons[name] or sketch.n_levels
        return Note("repeated_identifier", {"column": name, "values": values, "records": records})
    is_own = sketch.n_levels >= max(FEWEST, (1 - constants.NEARLY) * records)
    if sketch.column.kind != "category" or not is_own:
        return None
    return Note("identifier", {"column": name, "values": sketch.n_levels, "records": records})


def leak(sketch: Sketch) -> Note | None:
    """Of a column that is the outcome in other words, or is known only for records of one outcome."""
    share = explained(sketch)
    known_for = known_only_for(sketch.table)
    if share <= constants.LEAK_SHARE and not known_for:
        return None
    return Note("leak", {"column": sketch.name, "share": round(share, 3), "known_for": known_for})


def explained(sketch: Sketch) -> float:
    """Share of the outcome's entropy that a column takes away, told of each record by the others only.

    A number is cut where a tenth more of the records with the outcome, or without it, are below: with a rare
    outcome tenths of all records would not see it decided.
    """
    table = sketch.table
    if sketch.column.is_number:
        below = np.cumsum(table[1:], axis=0) - table[1:] / 2
        tenth = np.floor(10 * below / np.maximum(table[1:].sum(axis=0), 1)).sum(axis=1).astype(np.intp)
        cut = np.stack([np.bincount(tenth, side, 21) for side in table[1:].T], axis=1)
        table = np.concatenate([table[:1], cut])
    whole = surprise(table.sum(axis=0, keepdims=True))
    return 1 - surprise(table) / whole if whole > 0 else 0.0


def surprise(table: NDArray[np.float64]) -> float:
    """How little other records with a record's value let expect of its outcome, summed: the entropy left.

    A value that only one record has says nothing of it: then all records are asked.

    Examples
    --------
    >>> round(surprise(np.eye(2)[[0, 1, 0, 1]]), 2), round(surprise(np.array([[50.0, 0.0], [0.0, 50.0]])), 2)
    (2.77, 1.01)
    """
    share = table.sum(axis=0) / max(float(table.sum()), 1.0)
    size = np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
    others = np.maximum(table - 1 + share, 1e-300) / size
    return float(-(table * np.log(np.where(table > 0, others, 1.0))).sum())


def known_only_for(table: NDArray[np.float64]) -> str:
    """For which records a column is known: ``with`` the outcome, ``without`` it, or empty for both.

    Examples
    --------
    Dates of death, of 100 dead among 500; and a column that is seldom known:

    >>> known_only_for(np.array([[400.0, 2.0], [0.0, 98.0]]))
    'with'
    >>> known_only_for(np.array([[390.0, 95.0], [10.0, 5.0]]))
    ''
    """
    known = table[1:].sum(axis=0)
    expected = known.sum() * table.sum(axis=0) / max(table.sum(), 1)
    is_so = (known <= constants.NEARLY * expected) & (expected >= FEWEST)
    return "with" if is_so[0] else "without" if is_so[1] else ""


def observation_time(sketch: Sketch) -> Note | None:
    """Of a number that is named like a time of observation and is shorter (or longer) with the outcome."""
    column, says_so = sketch.column, says_observation_time(sketch.name)
    if not says_so and not says_time(sketch.name):
        return None
    values = column.values
    if values is None or column.is_date or values[0] < 0:
        return None
    shorter, error = chance_of_shorter(values, sketch.table[1:, 1], sketch.table[1:, 0])
    far = abs(shorter - 0.5)
    if far < _BEYOND_CHANCE * error or (not says_so and far < _CLEAR):
        return None
    return Note("observation_time", {"column": sketch.name, "shorter": round(shorter, 3), "z": far / error})


def chance_of_shorter(
    values: NDArray[np.float64], n_with: NDArray[np.number], n_without: NDArray[np.number]
) -> tuple[float, float]:
    """How likely a record with the outcome has the smaller number, ties halved; and its standard error.

    That of Mann and Whitney, if the outcome had nothing to do with the number.

    Examples
    --------
    >>> shorter, error = chance_of_shorter(np.array([1.0, 2.0]), np.array([30, 10]), np.array([10, 30]))
    >>> round(shorter, 3), round(error, 3)
    (0.75, 0.056)
    """
    is_known = ~np.isnan(values)
    order = np.argsort(values[is_known], kind="stable")
    ill, well = n_with[is_known][order].astype(np.float64), n_without[is_known][order].astype(np.float64)
    a, b = float(ill.sum()), float(well.sum())
    n = a + b
    if not a or not b or n < 2:
        return 0.5, 0.5
    larger = b - np.cumsum(well)
    shorter = float((ill * (larger + well / 2)).sum()) / (a * b)
    ties = float((((ill + well) ** 3) - (ill + well)).sum())
    return shorter, sqrt(max(0.0, (n + 1 - ties / (n * (n - 1))) / (12 * a * b)))


def survey_weight(sketch: Sketch) -> Note | None:
    """Of a number named like a survey's weight, or like any weight if its mean is 1."""
    values, counts = sketch.column.values, sketch.counts
    if values is None or counts[0] or values[0] <= 0:
        return None
    has_mean_1 = abs(float(values @ counts[1:]) / sketch.n_known - 1) < 0.1
    if says_survey_weight(sketch.name) or (says_weight(sketch.name) and has_mean_1):
        return Note("survey_weight", {"column": sketch.name})
    return None


def chosen(found: dict[str, Note], code: str, by: str) -> str | None:
    """Of the columns set aside for one reason the one with the largest number; content breaks ties."""
    notes: Iterator[Note] = (note for note in found.values() if note.code == code)
    best = max(notes, key=lambda note: note.data[by], default=None)
    return None if best is None else str(best.data["column"])
