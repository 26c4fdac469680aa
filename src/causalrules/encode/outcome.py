"""Which records have the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.domain.missing_values import missing_in
from causalrules.domain.notation import split_item
from causalrules.domain.pattern_grammar import parse
from causalrules.domain.value_meaning import the_yes_of, value_meant
from causalrules.encode.columns import MISSING, Distinct, indices_of, is_known, positions_in
from causalrules.encode.conditions import OutcomePattern
from causalrules.encode.values import cleaned, texts_of
from causalrules.errors import (
    CausalRulesError,
    NoValueError,
    OutcomeError,
    PatternError,
    Setting,
    UnknownColumnError,
    UnknownValueError,
    quoted,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.domain import Item
    from causalrules.encode.columns import Batch


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeValue:
    """The outcome's column and value, and what each value of the column means.

    Parameters
    ----------
    column, text : str
        As in ``column=text``.
    known : pyarrow.Array
        All values of the column.
    states : int8[number of values]
        1 for a value that is the outcome, 0 for another, -1 for a missing one.
    pattern : OutcomePattern, optional
        What it is made of, where it is not one value of a column.
    """

    column: str
    text: str
    known: pa.Array
    states: NDArray[np.int8]
    pattern: OutcomePattern | None = None

    def distinct_in(self, batch: Batch) -> Distinct:
        """The different values of the outcome in a batch."""
        return batch.distinct(self.column) if self.pattern is None else self.pattern.distinct_in(batch)

    def states_of(self, distinct: Distinct) -> NDArray[np.int8]:
        """What each record's value means."""
        return np.append(self.states_in(distinct.values), np.int8(MISSING))[distinct.indices]

    def states_in(self, values: pa.Array) -> NDArray[np.int8]:
        """What each of some values means; a second pass over a table may have them in another order."""
        if values is self.known:
            return self.states
        return np.append(self.states, np.int8(MISSING))[positions_in(self.known, values)]


@dataclass(frozen=True, slots=True)
class OutcomeGuess:
    """The outcome before all values of its column are known.

    The value is taken to be written as it was asked for, which is nearly
    always right; `is_right` tells after the first pass.
    """

    column: str
    text: str | None
    missing: tuple[str, ...]
    pattern: OutcomePattern | None = None
    mistake: CausalRulesError | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it is made of."""
        return (self.column,) if self.pattern is None else self.pattern.columns

    def distinct_in(self, batch: Batch) -> Distinct:
        """The different values of the outcome in a batch."""
        return batch.distinct(self.column) if self.pattern is None else self.pattern.distinct_in(batch)

    def states_of(self, distinct: Distinct) -> NDArray[np.int8]:
        """What each record's value seems to mean."""
        absent = missing_in(self.missing, self.column)
        states = _states(cleaned(texts_of(distinct.values), absent), self.text)
        return np.append(states, np.int8(MISSING))[distinct.indices]

    def is_right(self, found: OutcomeValue) -> bool:
        """Whether nothing changes now that all values are known; texts of moments depend on all of them."""
        are_moments = pa.types.is_timestamp(found.known.type)
        return (self.text, self.pattern) == (found.text, found.pattern) and not are_moments


def guess_outcome(outcome: str | Item, names: Sequence[str], missing: tuple[str, ...]) -> OutcomeGuess:
    """What an outcome means, as far as the names of the columns tell.

    One value of a column is looked for as it is written, also if it holds
    signs of the grammar; anything else is a pattern.
    """
    mistake = None
    if isinstance(outcome, str):
        try:
            conditions = parse(outcome, names, "outcome")
        except (PatternError, UnknownColumnError) as error:
            mistake = error
        else:
            first = conditions[0]
            if len(conditions) > 1 or first.kind in ("is not", "within") or len(first.values) > 1:
                text = " & ".join(map(str, conditions))
                return OutcomeGuess(text, "yes", missing, OutcomePattern(conditions, missing))
            return OutcomeGuess(first.column, first.values[0] if first.values else None, missing)
    try:
        name, asked = split_item(outcome, names, "outcome")
    except UnknownColumnError as error:
        raise mistake or error from None
    return OutcomeGuess(name, asked, missing, mistake=mistake)


def numeric_guess(guess: OutcomeGuess) -> OutcomeGuess:
    """An outcome whose mean is asked for: a column, and nothing else."""
    if guess.pattern is not None or guess.text is not None:
        asked = guess.column if guess.pattern is not None else f"{guess.column}={guess.text}"
        raise OutcomeError(
            f"the outcome {quoted(asked)} is had or not had; only a column of numbers has a mean. "
            "Name the column alone, or leave out ",
            Setting("outcome_as"),
            ".",
        )
    return guess


def _states(texts: pa.Array, wanted: str | None) -> NDArray[np.int8]:
    """1 for the text wanted, 0 for another, -1 for none."""
    return np.array([MISSING if text is None else text == wanted for text in texts.to_pylist()], np.int8)


def check_outcome_type(name: str, kind: pa.DataType) -> None:
    """Refuse an outcome column of lists, bytes or other things that have no items."""
    if not is_known(kind):
        raise OutcomeError(
            f"the outcome column {quoted(name)} holds values of type {kind}. "
            "Choose a column of texts, numbers or truth values."
        )


def check_split(text: str, n_with: int, n_without: int) -> None:
    """Refuse a pattern that all records have, or none."""
    if not n_with or not n_without:
        who = "no record has" if not n_with else "every record has"
        raise OutcomeError(
            f"{who} the outcome {quoted(text)}; nothing can be compared. "
            "Choose an outcome that some records have and some have not."
        )


def choose_outcome(
    name: str,
    asked: str | None,
    values: pa.Array,
    counts: NDArray[np.int64],
    missing: tuple[str, ...],
    n_rows: int,
) -> OutcomeValue:
    """Find the value asked for, and refuse one that does not split the records in two.

    Parameters
    ----------
    name, asked : str
        Column and value.
    values : pyarrow.Array
        Different values of the column.
    counts : int64[number of values]
        Records with each of them.
    n_rows : int
        All records of the table.
    """
    missing = missing_in(missing, name)
    texts = cleaned(texts_of(values), missing).dictionary_encode()
    sums = np.bincount(indices_of(texts) + 1, counts, len(texts.dictionary) + 1)[1:].astype(np.int64)
    found = sorted(zip(texts.dictionary.to_pylist(), sums.tolist(), strict=True), key=lambda pair: -pair[1])
    by_value = {value: count for value, count in found if count}
    if not by_value:
        raise OutcomeError(
            f"the outcome column {quoted(name)} has no value in any of the {n_rows:,} records. "
            "Choose another column, or say with ",
            Setting("missing"),
            " which texts mean a missing value.",
        )
    value = _choose_value(name, asked, by_value, missing)
    if len(by_value) == 1:
        raise OutcomeError(
            f"every record with a known {quoted(name)} has the value {quoted(value)}; "
            "nothing can be compared. Choose an outcome that some records have and some have not."
        )
    return OutcomeValue(name, value, values, _states(cleaned(texts_of(values), missing), value))


def _choose_value(column: str, asked: str | None, by_value: dict[str, int], missing: Sequence[str]) -> str:
    meant = the_yes_of(by_value) if asked is None else value_meant(asked, by_value)
    if meant is not None:
        return meant
    if asked is None:
        raise NoValueError("outcome", column, by_value)
    if asked in missing:
        raise OutcomeError(
            f"the outcome value {quoted(asked)} means a missing value; records that have it are left out. "
            "If it is a value like others, name the missing ones with ",
            Setting("missing"),
            ".",
        )
    raise UnknownValueError("outcome", column, asked, by_value)
