"""What a source declares about its columns: kinds, labels, orders of values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What a source says about its columns, and remarks of its reader.

    Parameters
    ----------
    source : str
        Its name, without credentials.
    categorical, numeric, ignored : frozenset of str
        Columns that are categories or numbers whatever they look like, or no data at all.
    notes : tuple of str
        Remarks for the user.
    names : mapping of str to str
        For each column that is called by its label, the name it has in the source.
    codes : mapping of str to mapping of str to str
        For each column whose labels took the place of its codes, the label of each code that occurs.
    orders : mapping of str to tuple of str
        The values of columns in the order in which the source lists them.
    ordered : frozenset of str
        Of these, the columns whose order means more and less.
    other_tables : tuple of str
        Other sheets of the same workbook, of which none was chosen.
    n_titles : int
        Rows of a sheet that seem to stand above the names of its columns.
    is_untyped : bool
        Whether all values are texts because the source, a file of text, has nothing else.
    is_workbook : bool
        Whether it is a sheet of a workbook: texts among its cells can be read as those of a file of text.
    """

    source: str = "a table"
    categorical: frozenset[str] = frozenset()
    numeric: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ordered: frozenset[str] = frozenset()
    is_untyped: bool = False
    other_tables: tuple[str, ...] = ()
    n_titles: int = 0
    is_workbook: bool = False

    @property
    def has_written_values(self) -> bool:
        """Whether options say how numbers and dates are written in it."""
        return self.is_untyped or self.is_workbook
