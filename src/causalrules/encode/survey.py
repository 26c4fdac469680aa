"""The first pass over a table: what its columns hold, and what becomes of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import DataSummary, Item, LeftOut, Outcome
from causalrules.domain.notation import split_item
from causalrules.encode.coding import Coding
from causalrules.encode.columns import distinct_of, plain
from causalrules.encode.outcome import OutcomeGuess, OutcomeValue, choose_outcome, outcome_values
from causalrules.encode.tally import GrowingTally, Tally
from causalrules.encode.vocabulary import RecordCoder, Vocabulary
from causalrules.errors import NothingToMineError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import pyarrow as pa

    from causalrules.domain import Declared
    from causalrules.encode.roles import Roles


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Tallies of a part of a table: of the outcome's column and of each column that takes part."""

    n_rows: int
    outcomes: Tally
    columns: dict[str, Tally]


class Survey:
    """Adds up what the parts of a table hold.

    Parameters
    ----------
    schema : pyarrow.Schema
        Names and types of the columns.
    outcome : OutcomeGuess or OutcomeValue
        Tells which records have the outcome.
    roles : Roles
        Which columns take part.
    most_numbers : int, optional
        Different numbers of one column that memory allows for.
    """

    def __init__(
        self,
        schema: pa.Schema,
        outcome: OutcomeGuess | OutcomeValue,
        roles: Roles,
        most_numbers: int | None = None,
    ) -> None:
        roles.check(schema.names)
        self._roles = roles
        self._outcome = outcome
        self._n_rows = 0
        self._outcomes = GrowingTally(outcome.column, may_be_numbers=True, keeps_texts=True)
        self._why_not = {
            name: roles.why_not(name, kind)
            for name, kind in zip(schema.names, schema.types, strict=True)
            if name != outcome.column
        }
        self._columns = {
            name: GrowingTally(name, may_be_numbers=not roles.is_categorical(name), most_numbers=most_numbers)
            for name, why_not in self._why_not.items()
            if why_not is None
        }

    @property
    def columns(self) -> list[str]:
        """The columns that are looked at, besides the outcome's."""
        return list(self._columns)

    def count(self, batch: pa.Table) -> None:
        """Take more records into account."""
        missing = self._roles.settings.missing
        name = self._outcome.column
        outcomes = outcome_values(name, batch.column(name), missing)
        states = self._outcome.states_of(outcomes)
        columns = {}
        for name in self._columns:
            usable = plain(batch.column(name))
            assert usable is not None, "a column that cannot be used takes no part"
            columns[name] = Tally.of(distinct_of(usable, missing), states)
        self.add(Counted(batch.num_rows, Tally.of(outcomes, np.zeros(batch.num_rows, np.int8)), columns))

    def add(self, part: Counted) -> None:
        """Take a part into account that was counted elsewhere."""
        self._n_rows += part.n_rows
        self._outcomes.add(part.outcomes)
        for name, tally in part.columns.items():
            self._columns[name].add(tally)

    def total(self) -> Counted:
        """All that was counted."""
        columns = {name: growing.total() for name, growing in self._columns.items()}
        return Counted(self._n_rows, self._outcomes.total(), columns)

    def outcome(self, asked: str | None) -> OutcomeValue:
        """The outcome's value, now that all values of its column are known."""
        found, missing = self._outcomes.total(), self._roles.settings.missing
        return choose_outcome(self._outcome.column, asked, found.values, found.counts, missing, self._n_rows)

    def settle(self, outcome: OutcomeValue) -> tuple[Vocabulary, RecordCoder]:
        """Decide what becomes of each column."""
        chosen = {
            name: self._roles.coding_of(name, self._columns[name].total()) if why_not is None else why_not
            for name, why_not in self._why_not.items()
        }
        found = self._outcomes.total()
        n_with, n_without = (int(found.counts[outcome.states == state].sum()) for state in (1, 0))
        vocabulary = name_items(chosen, outcome, self._n_rows, n_with, n_without, self._roles.declared)
        columns = {name: coding for name, coding in chosen.items() if not isinstance(coding, str)}
        return vocabulary, RecordCoder(outcome, columns, self._roles.settings.missing)


def survey(
    batches: Callable[[], Iterable[pa.Table]],
    schema: pa.Schema,
    outcome: str | Item,
    roles: Roles,
    most_numbers: int | None = None,
) -> tuple[Vocabulary, RecordCoder]:
    """Go through a table once and settle what becomes of each column.

    The outcome is taken to be written as it was asked for; where that turns
    out to be wrong (``1`` for ``1.0``), the table is gone through again.

    Parameters
    ----------
    batches : callable
        Gives the table's records in parts, each time it is called.
    schema, roles, most_numbers
        See `Survey`.
    outcome : str or Item
        ``column=value``.
    """

    def counted(outcome: OutcomeGuess | OutcomeValue) -> Survey:
        counts = Survey(schema, outcome, roles, most_numbers)
        for batch in batches():
            counts.count(batch)
        return counts

    return settle_survey(counted, schema.names, outcome, roles.settings.missing)


def settle_survey(
    counted: Callable[[OutcomeGuess | OutcomeValue], Survey],
    names: Sequence[str],
    outcome: str | Item,
    missing: tuple[str, ...],
) -> tuple[Vocabulary, RecordCoder]:
    """The same, wherever the records are counted.

    Parameters
    ----------
    counted : callable
        Goes through the whole table with a notion of the outcome.
    names : sequence of str
        The table's columns.
    """
    name, asked = split_item(outcome, names, "outcome")
    guess = OutcomeGuess(name, asked, missing)
    counts = counted(guess)
    found = counts.outcome(asked)
    return (counts if guess.is_right(found) else counted(found)).settle(found)


def name_items(
    columns: Mapping[str, Coding | str],
    outcome: OutcomeValue,
    n_rows: int,
    n_with: int,
    n_without: int,
    declared: Declared,
) -> Vocabulary:
    """All items, and what the table was.

    Parameters
    ----------
    columns : mapping of str to Coding or str
        How each column is coded, or why it is left out.
    n_rows, n_with, n_without : int
        All records, those with the outcome and those without.
    """
    left_out = tuple(LeftOut(name, why) for name, why in columns.items() if isinstance(why, str))
    names = {name: coding.names for name, coding in columns.items() if not isinstance(coding, str)}
    if not names:
        raise NothingToMineError({entry.column: entry.reason for entry in left_out})
    items = tuple(Item(name, value) for name, values in names.items() for value in values)
    summary = DataSummary(
        source=declared.source,
        rows=n_rows,
        rows_without_outcome=n_rows - n_with - n_without,
        columns=len(names),
        items=len(items),
        outcome=Outcome(outcome.column, outcome.text, n_with, n_without),
        left_out=left_out,
        notes=(*declared.notes, *_decimal_commas(names)),
    )
    first_item = np.cumsum([0, *map(len, names.values())], dtype=np.intp)
    return Vocabulary(items=items, first_item=first_item, summary=summary)


_DECIMAL_COMMA = re.compile(r"[+-]?\d+(,\d+)?")
_MANY = 6


def _decimal_commas(names: Mapping[str, list[str]]) -> Iterator[str]:
    """A remark for each column of numbers that nobody recognises, because they have a decimal comma."""
    for column, values in names.items():
        with_comma = next((value for value in values if "," in value), None)
        if with_comma and len(values) >= _MANY and all(map(_DECIMAL_COMMA.fullmatch, values)):
            yield (
                f"Column {quoted(column)} seems to hold numbers with a decimal comma ({with_comma}); they "
                "count as texts, each a category of its own. With a point they would be cut into intervals."
            )
