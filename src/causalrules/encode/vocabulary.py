"""The items of a table, and how records are written in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.encode.coding import Coding, record_codes
from causalrules.encode.columns import distinct_of, plain
from causalrules.encode.outcome import OutcomeValue, outcome_values

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.domain import DataSummary, Item


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vocabulary:
    """The items of a table and what the table was.

    Parameters
    ----------
    items : tuple of Item
        All items, those of one column side by side and in the order of codes.
    first_item : intp[n_columns + 1]
        Items of column c are ``items[first_item[c]:first_item[c + 1]]``.
    summary : DataSummary
        What the table was, and which columns were left out.
    """

    items: tuple[Item, ...]
    first_item: NDArray[np.intp]
    summary: DataSummary

    @property
    def column_of_item(self) -> NDArray[np.intp]:
        """For each item the number of its column."""
        return np.repeat(np.arange(len(self.first_item) - 1), np.diff(self.first_item))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedTable(Vocabulary):
    """Records as small integers.

    Parameters
    ----------
    codes : uint16[n_columns, n_records]
        For each column and record the number of its value, from 1; 0 is missing.
    has_outcome : bool[n_records]
        Whether the record has the outcome.
    """

    codes: NDArray[np.uint16]
    has_outcome: NDArray[np.bool_]

    def only(self, records: NDArray[np.bool_]) -> CodedTable:
        """The same items over some of the records."""
        return replace(
            self, codes=np.compress(records, self.codes, axis=1), has_outcome=self.has_outcome[records]
        )


@dataclass(frozen=True, slots=True, eq=False)
class RecordCoder:
    """Writes batches of records in codes, once it is settled what every column becomes.

    Parameters
    ----------
    outcome : OutcomeValue
        Tells which records have it.
    columns : dict of str to Coding
        The columns that take part, in order.
    missing : tuple of str
        Texts that mean a missing value.
    """

    outcome: OutcomeValue
    columns: dict[str, Coding]
    missing: tuple[str, ...]

    def code(self, batch: pa.Table) -> tuple[NDArray[np.uint16], NDArray[np.bool_]]:
        """Codes and outcome, as in `CodedTable`, of the records whose outcome is known."""
        name = self.outcome.column
        states = self.outcome.states_of(outcome_values(name, batch.column(name), self.missing))
        codes = np.empty((len(self.columns), len(states)), np.uint16)
        for place, (column, coding) in enumerate(self.columns.items()):
            usable = plain(batch.column(column))
            assert usable is not None, "a column that cannot be used takes no part"
            codes[place] = record_codes(coding, distinct_of(usable, self.missing))
        is_known = states >= 0
        return (codes if is_known.all() else np.compress(is_known, codes, axis=1)), states[is_known] == 1
