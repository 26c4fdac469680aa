"""Levels that are the same records in several columns: to these the questions do not apply.

"No internet service" in eight columns, a skip code in five: held or tested column by column they are one
thing eight times over. The level becomes one column of its own, or is one already (``internet=no``). In the
others its records are missing from then on, since to ask them for the level of a service they do not have
compares nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.look.copies import left_within
from causalrules.look.sketches import FEWEST
from causalrules.words import constants
from causalrules.words.findings import Note
from causalrules.words.records import Column

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from causalrules.look.sketches import Sketch

LEAST_SHARED = 0.05
"""Share of the records that a shared level has; a bin of a number has 0.01, and may be shared by chance."""


class _Member(NamedTuple):
    """A code of a column; 0 is its missing values."""

    sketch: Sketch
    code: int

    @property
    def column(self) -> Column:
        return self.sketch.column

    @property
    def level(self) -> str:
        return self.column.levels[self.code - 1]

    @property
    def says_to_whom(self) -> bool:
        """Whether the column has one other level and is known of everybody: it says to whom others apply."""
        return self.code > 0 and self.sketch.n_levels == 2 and self.sketch.counts[0] == 0


@dataclass(slots=True)
class TakenOut:
    """Columns without the levels that they share.

    Parameters
    ----------
    columns : dict of str to Column
        Those that are new or changed.
    scope, made : dict of str to str
        See `Looked`.
    notes : list of Note
    """

    columns: dict[str, Column] = field(default_factory=dict)
    scope: dict[str, str] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)


def take_out_shared_levels(
    sketches: Sequence[Sketch], count: NDArray[np.float64], whole: Collection[str] = ()
) -> TakenOut:
    """Take levels that are the same records in several columns out of all but one, the largest first.

    Parameters
    ----------
    sketches : sequence of Sketch
        In the order of their content.
    count : float64[n_rows]
        Records of each row.
    whole : collection of str
        Columns that keep all their levels.
    """
    taken, names = TakenOut(), {sketch.name for sketch in sketches}
    for group in _equal_records(sketches, float(count.sum())):
        says = [member for member in group if member.says_to_whom]
        done = {*whole, *taken.scope}
        others = [m for m in group if not m.says_to_whom and m.column.name not in done]
        leveled = [member for member in others if member.code]
        if says:
            said, scope = says[0], says[0].column.name
        elif len(leveled) > 1 and _say_different_things(leveled, count):
            said = _with_a_name_of_its_own([member for member in group if member.code])
            column = _of_its_own(said, leveled, names)
            scope = column.name
            taken.columns[scope], taken.made[scope] = column, said.column.name
        else:
            continue
        if others:
            _take_out(others, scope, taken)
            taken.notes.append(_note(said, others, scope))
    return taken


def _equal_records(sketches: Sequence[Sketch], n_records: float) -> Iterator[list[_Member]]:
    """Levels of different columns that have the same records, the largest first."""
    least = max(FEWEST, LEAST_SHARED * n_records)
    found: dict[tuple[float, float], list[_Member]] = {}
    for sketch in sketches:
        for code in np.flatnonzero(sketch.counts >= least).tolist():
            key = (-float(sketch.counts[code]), float(sketch.digests[code]))
            found.setdefault(key, []).append(_Member(sketch, code))
    for key in sorted(key for key, members in found.items() if len(members) > 1):
        rows = found[key][0].column.codes == found[key][0].code
        same = [m for m in found[key] if np.array_equal(m.column.codes == m.code, rows)]
        if len(same) > 1 and any(member.code for member in same):
            yield same


def _say_different_things(members: Sequence[_Member], count: NDArray[np.float64]) -> bool:
    """Whether of the other records two columns are no functions of each other, as a text is of its code."""
    first, *others = sorted(members, key=lambda member: -member.sketch.entropy)
    applies = first.column.codes != first.code
    n = count[applies]
    return any(
        left_within(first.column.codes[applies], other.column.codes[applies], n) > constants.NEARLY
        and left_within(other.column.codes[applies], first.column.codes[applies], n) > constants.NEARLY
        for other in others
    )


def _with_a_name_of_its_own(members: Sequence[_Member]) -> _Member:
    """The member whose name for the level the fewest have: where many say "no internet", one says "no"."""
    often = Counter(member.level for member in members)
    return min(members, key=lambda member: often[member.level])


def _of_its_own(said: _Member, members: Sequence[_Member], names: set[str]) -> Column:
    """A column that says which records have the level, called like a pattern: ``internet=no``."""
    name = f"{said.column.name}={said.level}"
    while name in names:
        name += "…"
    is_known = np.logical_or.reduce([m.column.codes > 0 for m in members])
    codes = np.where(said.column.codes == said.code, 2, is_known).astype(np.uint8)
    return Column(name=name, kind="category", levels=("no", "yes"), codes=codes)


def _take_out(members: Sequence[_Member], scope: str, taken: TakenOut) -> None:
    for member in members:
        taken.scope[member.column.name] = scope
        if member.code:
            taken.columns[member.column.name] = without_level(member.column, member.code)


def without_level(column: Column, code: int) -> Column:
    """A column whose records with a code are missing, and the level gone.

    Examples
    --------
    >>> levels = ("no internet", "no", "yes")
    >>> backup = without_level(Column(name="backup", kind="category", levels=levels, codes=np.arange(4)), 1)
    >>> backup.levels, backup.codes.tolist()
    (('no', 'yes'), [0, 0, 1, 2])
    """
    new = np.arange(column.n_codes) - (np.arange(column.n_codes) >= code)
    new[code] = 0
    shown = column.shown
    if shown is not None:
        shown = replace(shown, codes=np.where(column.codes == code, 0, shown.codes).astype(shown.codes.dtype))
    return replace(
        column,
        levels=column.levels[: code - 1] + column.levels[code:],
        codes=new.astype(column.codes.dtype)[column.codes],
        values=None if column.values is None else np.delete(column.values, code - 1),
        cuts=column.cuts[: max(0, code - 2)] + column.cuts[max(1, code - 1) :],
        shown=shown,
    )


def _note(said: _Member, others: Sequence[_Member], scope: str) -> Note:
    return Note(
        "does_not_apply",
        {
            "column": said.column.name,
            "level": said.level,
            "made": "" if scope == said.column.name else scope,
            "records": int(said.sketch.counts[said.code]),
            "columns": {member.column.name: member.level if member.code else "" for member in others},
        },
    )
