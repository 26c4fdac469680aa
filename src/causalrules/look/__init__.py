"""What is odd in the columns of a table, and what of it acts on the answer.

`look` is asked once, before anything else. It hands on the records that are left, and notes with codes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from causalrules.look.copies import copies
from causalrules.look.looked import Looked, TableHints
from causalrules.look.odd_values import dates, missing_codes, repeated_records
from causalrules.look.set_aside import chosen, set_aside
from causalrules.look.shared_levels import take_out_shared_levels
from causalrules.look.sketches import Sketcher
from causalrules.words.findings import Note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from causalrules.words.records import Records

__all__ = ["CODES", "Looked", "TableHints", "look"]

CODES = (
    "leak",
    "observation_time",
    "repeated_identifier",
    "repeated_records",
    "does_not_apply",
    "copies",
    "survey_weight",
    "identifier",
    "constant",
    "missing_code",
    "date",
    "left_out",
)
"""Codes of notes, in the order in which they are given; behind each what its data say.

leak
    column; share of the outcome's entropy that it explains; known_for, ``with`` or ``without`` where it is
    known only for records with the outcome or without it, else empty. Set aside.
observation_time
    column; shorter, the chance that a record with the outcome has the smaller number; z, how many standard
    errors that is from one half. Set aside.
repeated_identifier
    column; values, how many different ones; records. Set aside, and the records are clustered by one of them.
repeated_records
    records that equal another one in every column; of, all records.
does_not_apply
    column that says to whom others do not apply; level of it that they do not apply to; made, the column of
    its own that this level became, empty where it is half of the column anyway; records that have this level;
    columns, to each column the name of the level that was taken out, empty where these records were missing.
copies
    columns, the one that stands for all of them first.
survey_weight
    column. Set aside.
identifier
    column; values and records where they are known. Set aside.
constant
    column. Set aside.
missing_code
    column; value that may mean that nothing is known; share of the records that have it.
date
    column.
left_out
    column; reason, as the caller gave it.
"""


def look(records: Records, hints: TableHints | None = None) -> Looked:
    """What is odd in the columns, and what of it acts on the answer.

    The order of columns and records and the names of values change nothing; names of columns only where a
    column is called a time of observation or a weight.

    Parameters
    ----------
    records : Records
        Without the outcome's column, and those that the user leaves out.
    hints : TableHints, optional
        What records in codes cannot tell.

    Returns
    -------
    Looked

    Examples
    --------
    >>> import numpy as np
    >>> from causalrules.words.records import Column, Records
    >>> draw = np.random.default_rng(1)
    >>> ill, sex = draw.integers(0, 2, 200), draw.integers(1, 3, 200)
    >>> cause = np.where(ill, draw.integers(1, 4, 200), 0)
    >>> looked = look(Records((
    ...     Column(name="sex", kind="category", levels=("f", "m"), codes=sex),
    ...     Column(name="female", kind="category", levels=("no", "yes"), codes=3 - sex),
    ...     Column(name="cause of illness", kind="category", levels=("a", "b", "c"), codes=cause),
    ... ), ill.astype(float), np.ones(200)))
    >>> looked.units, looked.set_aside["cause of illness"].data["known_for"]
    ((('female', 'sex'),), 'with')
    """
    hints = hints or TableHints()
    sketcher = Sketcher(records)
    aside = set_aside(records, sketcher.sketches, hints)
    kept = [sketch for sketch in sketcher.sketches if sketch.name not in aside]
    open_to_doubt = [sketch for sketch in kept if not hints.roles.is_after(sketch.name)]
    taken = take_out_shared_levels(open_to_doubt, records.count, hints.asked)
    changed = [sketcher.sketch(column) for column in taken.columns.values()]
    left = [sketch for sketch in kept if sketch.name not in taken.columns]
    left = sorted((*left, *changed), key=lambda sketch: sketch.rank)
    units = copies([sketch for sketch in left if not hints.roles.is_after(sketch.name)], records.count)
    cluster = chosen(aside, "repeated_identifier", "values") if records.cluster is None else None
    standing = {name for unit in units for name in unit[1:]}
    different = [sketch for sketch in left if sketch.name not in standing]
    notes = (
        *aside.values(),
        *taken.notes,
        *(Note("copies", {"columns": list(unit)}) for unit in units),
        *missing_codes(kept),
        *dates(kept),
        *(repeated_records(different, records.count) if cluster is None and records.cluster is None else ()),
        *(
            Note("left_out", {"column": name, "reason": why})
            for name, why in hints.left_out.items()
            if name not in aside and name not in records.places
        ),
    )
    return Looked(
        notes=(*_in_order(notes), *hints.notes),
        set_aside=aside,
        units=units,
        records=records.with_columns([sketch.column for sketch in left]),
        scope=taken.scope,
        made=taken.made,
        follow_up=chosen(aside, "observation_time", "z"),
        cluster=cluster,
    )


def _in_order(notes: Iterable[Note]) -> list[Note]:
    """By code; of one code in the order in which content has put them."""
    return sorted(notes, key=lambda note: CODES.index(note.code))
