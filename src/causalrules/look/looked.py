"""What the caller knows of a table besides its records, and what was seen in its columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from causalrules.domain.knowledge import Knowledge, KnownRoles
from causalrules.words.findings import Note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from causalrules.words.records import Records


@dataclass(frozen=True, kw_only=True)
class TableHints:
    """What records in codes cannot tell.

    Parameters
    ----------
    roles : KnownRoles
        What the user says about columns.
    persons : mapping of str to int
        Columns that seem to say whose record it is, and how many different values they have, 0 if
        that was not counted; these repeat.
    asked : tuple of str
        Columns whose levels the user names in a question; none is taken out of them.
    left_out : mapping of str to str
        Columns that were not coded, and why: ``identifier``, ``constant``, ``too_many_values``, …
    notes : tuple of Note
        What reading the texts of the table has shown; they are handed on.
    """

    roles: KnownRoles = field(default_factory=lambda: KnownRoles(Knowledge(), ""))
    persons: Mapping[str, int] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def is_settled(self, name: str) -> bool:
        """Whether the user says that a column comes before the outcome, or after it, or is to be held."""
        known = self.roles.knowledge
        is_timed = self.roles.is_before(name) or self.roles.is_after(name)
        return is_timed or name in known.timed or name in known.adjust


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What is odd in the columns, and what of it acts on the answer.

    Parameters
    ----------
    notes : tuple of Note
        Everything that was seen, in the order of `look.CODES`.
    set_aside : dict of str to Note
        Columns that are neither tested nor held, and why; they are not among the columns of `records`.
    units : tuple of tuple of str
        Copies: each is nearly a function of the others. The first stands for all.
    records : Records
        What is left, in an order that depends on content alone.
    scope : dict of str to str
        Which other column says to whom a column applies: among all others its values are missing, because the
        question was not asked. The note `does_not_apply` has the level.
    made : dict of str to str
        Columns that a level of another one became, and which column that is.
    follow_up : str or None
        The time of observation that is suspected.
    cluster : str or None
        The column that says whose record it is, suspected.
    """

    notes: tuple[Note, ...]
    set_aside: dict[str, Note]
    units: tuple[tuple[str, ...], ...]
    records: Records
    scope: dict[str, str]
    made: dict[str, str]
    follow_up: str | None
    cluster: str | None
