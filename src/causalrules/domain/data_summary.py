"""The summary of a table: how many records, the outcome, and which columns are left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from causalrules.domain.column_labels import ColumnLabel
from causalrules.domain.file_layout import from_entry, to_entry
from causalrules.domain.item import Outcome


class WhyLeftOut(str):
    """Why a column takes no part, in a sentence; with a code for those who read none.

    Examples
    --------
    >>> why = WhyLeftOut("it is constant: always 'x'", "constant")
    >>> str(why), why.code
    ("it is constant: always 'x'", 'constant')
    """

    code: str

    def __new__(cls, sentence: str, code: str = "") -> Self:
        """A sentence with its code."""
        found = super().__new__(cls, sentence)
        found.code = code
        return found


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A column that takes no part, and why."""

    column: str
    reason: str

    @property
    def code(self) -> str:
        """The reason as a code, where it has one: of a column that was never coded."""
        return self.reason.code if isinstance(self.reason, WhyLeftOut) else ""


@dataclass(frozen=True, slots=True)
class ReadAs:
    """What the user said about how a table is written, such as its sheet: an option and its value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSummary:
    """How many records, columns and items a table has, its outcome, and which columns are left out."""

    source: str
    rows: int
    rows_without_outcome: int
    columns: int
    items: int
    outcome: Outcome
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    labels: tuple[ColumnLabel, ...] = ()
    read_as: tuple[ReadAs, ...] = ()
    cuts: tuple[str, ...] = ()

    @property
    def why_left_out(self) -> dict[str, str]:
        """The columns that take no part, each with the reason."""
        return {entry.column: entry.reason for entry in self.left_out}

    def to_dict(self) -> dict[str, Any]:
        """The summary as it stands in a result file."""
        return to_entry(self)

    @classmethod
    def from_dict(cls, entry: dict[str, Any]) -> DataSummary:
        """Read back what `to_dict` wrote."""
        return from_entry(cls, entry)
