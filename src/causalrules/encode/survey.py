"""From a table to codes: a first pass settles what becomes of each column, a second one codes the records.

Decisions rest on tallies, which add up, so it does not matter how the table
is cut into batches; a table in memory is one batch.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import Declared
from causalrules.domain.data_summary import WhyLeftOut
from causalrules.domain.pattern_grammar import Condition
from causalrules.encode.codes import CodedTable
from causalrules.encode.column_kinds import choose_coding, choose_fine_bins
from causalrules.encode.column_notes import ColumnNotes
from causalrules.encode.column_roles import Roles
from causalrules.encode.columns import Batches
from causalrules.encode.conditions import OutcomePattern
from causalrules.encode.joined_values import joins_of
from causalrules.encode.number_digits import (
    carried_number,
    check_sampling_weights,
    mean_and_spread,
    middle_of,
)
from causalrules.encode.outcome import (
    OutcomeGuess,
    OutcomeValue,
    check_outcome_type,
    check_split,
    choose_outcome,
    guess_outcome,
    numeric_guess,
)
from causalrules.encode.surveyed_table import SurveyedTable
from causalrules.encode.tally import GrowingTally, Tally
from causalrules.errors import SettingsError, UnknownValueError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.domain import Item
    from causalrules.domain.table_settings import TableSettings
    from causalrules.encode.codes import Vocabulary
    from causalrules.encode.column_codings import Coding, FineBins
    from causalrules.encode.columns import Batch
    from causalrules.encode.number_digits import CarriedNumber
    from causalrules.encode.record_coder import RecordCoder


def encode(
    table: pa.Table,
    outcome: str | Item,
    settings: TableSettings,
    declared: Declared | None = None,
    exposure: str = "",
) -> CodedTable:
    """Turn a table in memory into items and codes.

    Parameters
    ----------
    table : pyarrow.Table
        Any named columns.
    outcome : str or Item
        ``column=value``.
    settings : TableSettings
        Which columns take part and how numbers become items.
    declared : Declared, optional
        What the source itself says about its columns.
    exposure : str
        A pattern whose conditions become items of their columns.
    """
    batches = Batches(lambda: [table], settings.missing, settings.frequencies)
    roles = Roles(settings, declared or Declared(), exposure)
    vocabulary, coder = survey(batches, table.schema, outcome, roles)
    (batch,) = batches
    times, (codes, has_outcome) = coder.times(batch), coder.code(batch)
    known = {field.name: getattr(vocabulary, field.name) for field in fields(vocabulary)}
    return CodedTable(
        **known,
        codes=codes.astype(np.uint16),
        has_outcome=has_outcome,
        times=times,
        keys=batch.keys()[coder.is_known(batch)],
    )


def survey(
    batches: Iterable[Batch],
    schema: pa.Schema,
    outcome: str | Item,
    roles: Roles,
    most_numbers: int | None = None,
) -> tuple[Vocabulary, RecordCoder]:
    """Go through a table once and settle what becomes of each column.

    Parameters
    ----------
    batches : iterable of Batch
        The table's records; they may be gone through twice, see `settle_survey`.
    schema, roles, most_numbers
        See `Survey`.
    outcome : str or Item
        ``column=value``.
    """

    def counted(outcome: OutcomeGuess | OutcomeValue) -> Survey:
        counts = Survey(schema, outcome, roles, most_numbers)
        for batch in batches:
            counts.count(batch)
        return counts

    roles.check(schema.names)
    return settle_survey(counted, schema.names, outcome, roles.settings)


def settle_survey(
    counted: Callable[[OutcomeGuess | OutcomeValue], Survey],
    names: Sequence[str],
    outcome: str | Item,
    settings: TableSettings,
) -> tuple[Vocabulary, RecordCoder]:
    """Have a table counted, here or elsewhere, and settle what becomes of each column.

    The outcome is taken to be written as it was asked for; where that turns
    out to be wrong (``1`` for ``1.0``), the table is counted again.

    Parameters
    ----------
    counted : callable
        Goes through the whole table with a notion of the outcome.
    names : sequence of str
        The table's columns.
    settings : TableSettings
        What means a missing value, and what is asked of the outcome.
    """
    missing = settings.missing
    guess = guess_outcome(outcome, names, missing)
    if settings.outcome_as == "mean":
        # The search asks which records are above the middle, which is known when all numbers are.
        guess = counted(numeric_guess(guess)).above_the_middle()
    counts = counted(guess)
    found = counts.outcome(guess)
    return (counts if guess.is_right(found) else counted(found)).settle(found)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What was counted of a part of a table: tallies of the outcome's column and of all that take part."""

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
        self._asked = roles.conditions(schema.names)
        self._parts = (outcome.column,) if outcome.pattern is None else outcome.pattern.columns
        for name in self._parts:
            check_outcome_type(name, schema.field(name).type)
        for role in ("cluster", "matched_set", "weights"):
            column = getattr(roles.settings, role)
            if column is not None and column in self._parts:
                raise SettingsError(role, "another column than the outcome's", column)
        self._joins = joins_of(roles.settings.join, schema.names, self._parts)
        self._roles = roles
        self._types = dict(zip(schema.names, schema.types, strict=True))
        self._outcome = outcome
        self._n_rows = self._n_batches = 0
        self._fine: dict[str, FineBins] = {}
        self._notes = ColumnNotes(roles)
        self._waiting: tuple[Batch, NDArray[np.int8]] | None = None
        self._outcomes = GrowingTally(outcome.column, may_be_numbers=True, keeps_texts=True)
        self._why_not = {
            name: roles.why_not(name, kind)
            for name, kind in zip(schema.names, schema.types, strict=True)
            if name not in self._parts
        }
        if len(self._parts) > 1:
            self._why_not |= dict.fromkeys(self._parts, WhyLeftOut("it is part of the outcome", "outcome"))
        counted = [name for name, why_not in self._why_not.items() if why_not is None]
        counted += () if outcome.pattern is None else self._parts
        self._weights = roles.settings.weights if roles.settings.is_sampled else None
        counted += () if self._weights is None else (self._weights,)
        self._columns = {
            name: GrowingTally(name, may_be_numbers=not roles.is_categorical(name), most_numbers=most_numbers)
            for name in counted
        }

    @property
    def columns(self) -> list[str]:
        """The columns that are looked at, besides the outcome's."""
        return list(self._columns)

    def count(self, batch: Batch) -> None:
        """Take more records into account.

        Columns are tallied when the next batch comes, those of the last batch
        one by one when they are settled. So of a table in one batch, which may
        be large, only one column's different values are in memory at a time.
        """
        self._tally_waiting()
        outcomes = self._outcome.distinct_in(batch)
        self._outcomes.add(Tally.of(outcomes, np.zeros(batch.n_rows, np.int8), batch.times))
        self._n_rows += batch.n_records
        self._n_batches += 1
        self._notes.look_at(batch)
        self._waiting = batch, self._outcome.states_of(outcomes)

    def _tally_waiting(self) -> None:
        if self._waiting is not None:
            batch, states = self._waiting
            for name, growing in self._columns.items():
                growing.add(Tally.of(batch.distinct(name), states, batch.times))
            self._waiting = None

    def add(self, part: Counted) -> None:
        """Take a part into account that was counted elsewhere."""
        self._n_rows += part.n_rows
        self._outcomes.add(part.outcomes)
        for name, tally in part.columns.items():
            self._columns[name].add(tally)

    def look_later(self, rows: Callable[[], Iterable[Batch]]) -> None:
        """Where rows can be had of parts that were counted elsewhere; see `RepeatedIdentifiers`."""
        self._notes.look_later(rows)

    def total(self) -> Counted:
        """All that was counted."""
        self._tally_waiting()
        columns = {name: growing.total() for name, growing in self._columns.items()}
        return Counted(self._n_rows, self._outcomes.total(), columns)

    def above_the_middle(self) -> OutcomeGuess:
        """The upper half of the records as an outcome, now that all numbers are known."""
        (column,) = self._parts
        missing, condition = self._roles.settings.missing, middle_of(column, self._outcomes.total())
        return OutcomeGuess(str(condition), "yes", missing, OutcomePattern((condition,), missing))

    def _carried(self) -> tuple[CarriedNumber, ...]:
        """The numbers that studies add up, and how they are written."""
        found = []
        if self._roles.settings.outcome_as == "mean":
            (column,) = self._parts
            found.append(carried_number("outcome", column, self._columns[column].total()))
        if self._weights is not None:
            tally = self._columns[self._weights].total()
            check_sampling_weights(self._weights, tally)
            found.append(carried_number("weights", self._weights, tally))
        return tuple(found)

    def outcome(self, guess: OutcomeGuess) -> OutcomeValue:
        """The outcome's value, now that all values of its columns are known."""
        found, missing = self._outcomes.total(), self._roles.settings.missing
        if guess.pattern is not None:
            self._tally_waiting()
            tallies = {name: self._columns[name].total() for name in self._parts}
            states = np.array([value == "yes" for value in found.values.to_pylist()], np.int8)
            return OutcomeValue(guess.column, "yes", found.values, states, guess.pattern.settled(tallies))
        asked = guess.text
        try:
            return choose_outcome(guess.column, asked, found.values, found.counts, missing, self._n_rows)
        except UnknownValueError:
            if guess.mistake is not None:
                raise guess.mistake from None
            raise

    def settle(self, outcome: OutcomeValue) -> tuple[Vocabulary, RecordCoder]:
        """Decide what becomes of each column; afterwards nothing can be added."""
        if self._roles.settings.outcome_as == "mean" or self._weights is not None:
            self._tally_waiting()
        carried = self._carried()
        chosen = {name: why_not or self._settle_column(name) for name, why_not in self._why_not.items()}
        found = self._outcomes.total()
        states = outcome.states_in(found.values)
        n_with, n_without = (int(found.counts[states == state].sum()) for state in (1, 0))
        if outcome.pattern is not None:
            check_split(outcome.column, n_with, n_without)
        settings = self._roles.settings
        self._notes.add_outcome(outcome, self._tallies_of(outcome))
        taking_part = [name for name, why_not in self._why_not.items() if why_not is None]
        repeating = self._notes.repeating(taking_part)
        # The order of labels means more and less if the file says so, or the user.
        source = self._roles.declared
        ordered = source.ordered.union(name for name in settings.orders if name in source.orders)
        settled = SurveyedTable(
            columns={name: coding for name, coding in chosen.items() if not isinstance(coding, str)},
            left_out={name: why for name, why in chosen.items() if isinstance(why, str)},
            fine=self._fine,
            outcome=outcome,
            n_rows=self._n_rows,
            n_with=n_with,
            n_without=n_without,
            declared=replace(source, notes=self._notes.notes(repeating), ordered=ordered),
            types=self._types,
            missing=settings.missing,
            cluster=settings.group_column,
            carried=carried,
            repeating=repeating,
        )
        vocabulary = settled.vocabulary()
        if settings.outcome_as == "mean":
            vocabulary = self._of_a_mean(vocabulary)
        return vocabulary, settled.coder()

    def _tallies_of(self, outcome: OutcomeValue) -> dict[str, Tally]:
        """The values of each column that the outcome is made of."""
        if outcome.pattern is None:
            return {outcome.column: self._outcomes.total()}
        self._tally_waiting()
        return {name: self._columns[name].total() for name in self._parts}

    def _of_a_mean(self, vocabulary: Vocabulary) -> Vocabulary:
        """The vocabulary with an outcome that is the number itself, not its upper half."""
        summary, (column,) = vocabulary.summary, self._parts
        mean, spread = mean_and_spread(self._columns[column].total())
        name = str(Condition(column, "yes"))
        outcome = replace(summary.outcome, written=name, mean=mean, spread=spread)
        return replace(vocabulary, summary=replace(summary, outcome=outcome))

    def _settle_column(self, name: str) -> Coding | str:
        """How a column is coded, or why it is left out; its tally is let go of."""
        growing = self._columns.pop(name)
        distinct = None
        if self._waiting is not None:
            batch, states = self._waiting
            distinct = batch.distinct(name)
            growing.add(Tally.of(distinct, states, batch.times))
        asked = self._asked.get(name)
        joins = self._joins.get(name, ())
        coding = choose_coding(name, growing.total(), self._roles, asked, joins)
        fine = choose_fine_bins(name, growing.total(), self._roles, asked)
        conditions = (*joins, *([] if asked is None else [asked.condition]))
        self._notes.add(name, growing.total(), coding, fine, conditions, joins)
        if fine is not None:
            self._fine[name] = fine
        if self._n_batches == 1 and distinct is not None:
            # The batch is all there is, and its different values are at hand: they need not be found again.
            for found in (coding, fine):
                if found is not None and not isinstance(found, str):
                    batch.keep_codes(found, distinct.codes(found))
        return coding
