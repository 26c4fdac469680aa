"""Which records have the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from causalrules.encode.columns import MISSING, Distinct, indices_of, is_known, positions_in
from causalrules.encode.values import cleaned, texts_of
from causalrules.errors import NoValueError, OutcomeError, Setting, UnknownValueError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


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
    """

    column: str
    text: str
    known: pa.Array
    states: NDArray[np.int8]

    def states_of(self, distinct: Distinct) -> NDArray[np.int8]:
        """What each record's value means."""
        states = self.states
        if distinct.values is not self.known:
            states = np.append(states, np.int8(MISSING))[positions_in(self.known, distinct.values)]
        return np.append(states, np.int8(MISSING))[distinct.indices]


@dataclass(frozen=True, slots=True)
class OutcomeGuess:
    """The outcome before all values of its column are known.

    The value is taken to be written as it was asked for, which is nearly
    always right; `is_right` tells after the first pass.
    """

    column: str
    text: str | None
    missing: tuple[str, ...]

    def states_of(self, distinct: Distinct) -> NDArray[np.int8]:
        """What each record's value seems to mean."""
        states = _states(cleaned(texts_of(distinct.values), self.missing), self.text)
        return np.append(states, np.int8(MISSING))[distinct.indices]

    def is_right(self, found: OutcomeValue) -> bool:
        """Whether nothing changes now that all values are known; texts of moments depend on all of them."""
        return self.text == found.text and not pa.types.is_timestamp(found.known.type)


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
    if asked is None:
        raise NoValueError("outcome", column, by_value)
    if asked in by_value:
        return asked
    same = [value for value in by_value if _means_the_same(asked, value)]
    if len(same) == 1:
        return same[0]
    if asked in missing:
        raise OutcomeError(
            f"the outcome value {quoted(asked)} means a missing value; records that have it are left out. "
            "If it is a value like others, name the missing ones with ",
            Setting("missing"),
            ".",
        )
    raise UnknownValueError("outcome", column, asked, by_value)


def _means_the_same(asked: str, value: str) -> bool:
    """Whether both texts are one number, or one truth value, written in two ways."""
    if asked.casefold() == value.casefold() and value.casefold() in ("true", "false"):
        return True
    try:
        return float(asked) == float(value)
    except ValueError:
        return False
