"""What a survey settled about a table, and what follows from it: its items, and the coder of its records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import DataSummary, Item, LeftOut, Outcome
from causalrules.domain.column_labels import ColumnLabel
from causalrules.domain.cut_points import cuts_between, written_cuts
from causalrules.domain.marker_phrases import DECIMAL_COMMA
from causalrules.encode.clusters_of_records import BASE, N_DIGITS
from causalrules.encode.codes import Vocabulary
from causalrules.encode.column_codings import Bins, Categories
from causalrules.encode.item_kinds import items_of
from causalrules.encode.number_digits import BASE as BASE_OF_NUMBERS
from causalrules.encode.record_coder import RecordCoder
from causalrules.errors import NothingToMineError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

    from causalrules.domain import Declared
    from causalrules.encode.column_codings import Coding, FineBins
    from causalrules.encode.number_digits import CarriedNumber
    from causalrules.encode.outcome import OutcomeValue


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SurveyedTable:
    """What becomes of each column, and how many records have the outcome.

    Parameters
    ----------
    columns : mapping of str to Coding
        How each column that takes part is coded.
    left_out : mapping of str to str
        Why each other column is left out.
    fine : mapping of str to FineBins
        Numbers as studies hold them.
    outcome : OutcomeValue
        Tells which records have it.
    n_rows, n_with, n_without : int
        All records, those with the outcome and those without.
    declared : Declared
        What the source says about its columns, and all notes.
    types : mapping of str to pyarrow.DataType
        Of the columns.
    missing : tuple of str
        Texts that mean a missing value.
    cluster : str, optional
        The column that says which records belong together.
    carried : tuple of CarriedNumber
        Numbers that studies add up.
    repeating : tuple of str
        See `Vocabulary`.
    """

    columns: Mapping[str, Coding]
    left_out: Mapping[str, str]
    fine: Mapping[str, FineBins]
    outcome: OutcomeValue
    n_rows: int
    n_with: int
    n_without: int
    declared: Declared
    types: Mapping[str, pa.DataType]
    missing: tuple[str, ...]
    cluster: str | None
    carried: tuple[CarriedNumber, ...]
    repeating: tuple[str, ...]

    def coder(self) -> RecordCoder:
        """What writes batches of the records in codes."""
        coded = (*self.columns.items(), *self.fine.items())
        return RecordCoder(self.outcome, coded, self.missing, self.cluster, self.carried)

    def vocabulary(self) -> Vocabulary:
        """All items, and what the table was."""
        if not self.columns and not self.fine:
            commas = [note for note in self.declared.notes if DECIMAL_COMMA in note]
            raise NothingToMineError(dict(self.left_out), commas)
        items = tuple(self._items())
        held = tuple(Item(name, value) for name, bins in self.fine.items() for value in bins.names)
        codings = (*self.columns.values(), *self.fine.values())
        sizes = [len(coding.names) for coding in codings]
        digits: list[Item] = []
        if self.cluster is not None:
            digits += _digits(self.cluster, N_DIGITS, BASE)
            sizes += [BASE] * N_DIGITS
        for number in self.carried:
            digits += _digits(number.column, number.n_digits, BASE_OF_NUMBERS)
            sizes += [BASE_OF_NUMBERS] * number.n_digits
        return Vocabulary(
            items=(*items, *held, *digits),
            first_item=np.cumsum([0, *sizes], dtype=np.intp),
            summary=self._summary(len(items)),
            fine=tuple(bins.values for bins in self.fine.values()),
            chosen_cuts=frozenset(
                name
                for name, coding in self.columns.items()
                if isinstance(coding, Bins) and coding.are_chosen
            ),
            n_cluster_digits=N_DIGITS if self.cluster is not None else 0,
            orders={name: self._order(name) for name in self.declared.ordered},
            carried=self.carried,
            repeating=self.repeating,
            fine_cuts=tuple((tuple(bins.cuts), bins.are_dates) for bins in self.fine.values()),
        )

    def _order(self, name: str) -> tuple[str, ...]:
        """The order that a source gives to values; joined ones stand where the first of them does."""
        values, coding = self.declared.orders[name], self.columns.get(name)
        if not isinstance(coding, Categories) or not coding.joined:
            return values
        return tuple(value for value in coding.names if value in values or value in coding.joined)

    def _items(self) -> Iterator[Item]:
        """The items that may be hypotheses, column after column."""
        for name, coding in self.columns.items():
            yield from items_of(
                name,
                coding.names,
                self.types[name],
                joined=coding.joined if isinstance(coding, Categories) else (),
                are_intervals=isinstance(coding, Bins),
                is_untyped=self.declared.is_untyped,
            )

    def _summary(self, n_items: int) -> DataSummary:
        return DataSummary(
            source=self.declared.source,
            rows=self.n_rows,
            rows_without_outcome=self.n_rows - self.n_with - self.n_without,
            columns=len({*self.columns, *self.fine}),
            items=n_items,
            outcome=self._outcome(),
            left_out=tuple(LeftOut(name, why) for name, why in self.left_out.items()),
            notes=self.declared.notes,
            labels=tuple(ColumnLabel(label, name) for label, name in self.declared.names.items()),
            cuts=tuple(
                written_cuts(name, cuts_between(coding.names))
                for name, coding in self.columns.items()
                if isinstance(coding, Bins)
            ),
        )

    def _outcome(self) -> Outcome:
        """The outcome under the name of its column, if it is made of one."""
        text, counts = self.outcome.text, (self.n_with, self.n_without)
        if self.outcome.pattern is None:
            return Outcome(self.outcome.column, text, *counts)
        conditions = self.outcome.pattern.conditions
        written = " & ".join(map(str, conditions))
        if len(conditions) > 1:
            return Outcome(written, text, *counts, written)
        return Outcome(conditions[0].column, conditions[0].item_value, *counts, written)


def _digits(column: str, n_digits: int, base: int) -> list[Item]:
    """The items of a column that is written in digits."""
    return [Item(column, f"digit {place}: {one:x}") for place in range(n_digits) for one in range(base)]
