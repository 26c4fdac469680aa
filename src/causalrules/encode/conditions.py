"""Conditions on the values of a column: which records have them, and how the column is coded by them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from causalrules.domain.missing_values import missing_in
from causalrules.domain.pattern_grammar import Condition, condition_of_item, parse
from causalrules.domain.value_meaning import the_yes_of, value_meant
from causalrules.encode.column_codings import Bins, Categories
from causalrules.encode.columns import MISSING, Distinct
from causalrules.encode.values import as_numbers, cleaned, texts_of
from causalrules.errors import ConditionError, NoValueError, PatternError, UnknownValueError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from causalrules.encode.columns import Batch
    from causalrules.encode.tally import Tally
    from causalrules.encode.values import Numbers


def settled(condition: Condition, tally: Tally, missing: tuple[str, ...], role: str) -> Condition:
    """The condition in the words of the column, now that all its values are known.

    Raises
    ------
    UnknownValueError, NoValueError, ConditionError
        The column has no such value, or no order.
    """
    if condition.kind == "within" and tally.numbers is not None:
        if len(tally.values):
            _check_order(condition, tally.numbers, role)
        return condition
    found = Categories.of(tally, missing_in(missing, condition.column))
    counts = dict(zip(found.names, found.counts.tolist(), strict=True))
    if condition.kind == "within":
        if condition.item_value in counts:  # a text such as <5 is a value like others
            return Condition(condition.column, "is", (condition.item_value,))
        if len(tally.values):
            _check_order(condition, None, role)
        return condition
    if condition.kind == "yes":
        yes = the_yes_of(counts)
        if yes is None:
            raise NoValueError(role, condition.column, counts)
        return Condition(condition.column, "is", (yes,))
    if condition.raw in counts:
        return replace(condition, values=(condition.raw,))
    if condition.kind == "is not" and f"!={condition.raw}" in counts:
        return Condition(condition.column, "is", (f"!={condition.raw}",))
    other = _by_its_name(condition, counts)
    if other is not None:
        return settled(other, tally, missing, role)
    values = []
    for asked in condition.values:
        value = value_meant(asked, counts)
        if value is None:
            raise UnknownValueError(role, condition.column, asked, counts, missing)
        values.append(value)
    return replace(condition, values=tuple(dict.fromkeys(values)))


def _by_its_name(condition: Condition, values: Collection[str]) -> Condition | None:
    """What a single value stands for that is the name of an item made of others; None for any other."""
    if condition.kind != "is" or len(condition.values) > 1 or value_meant(condition.values[0], values):
        return None
    column, name = condition.column, condition.values[0]
    other = condition_of_item(column, name)
    if other.kind != "is":
        return other
    try:
        (listed,) = parse(f"x={name}", ["x"])
    except (PatternError, ValueError):
        return None
    return replace(listed, column=column, raw="") if len(listed.values) > 1 else None


def _check_order(condition: Condition, numbers: Numbers | None, role: str) -> None:
    """Refuse an interval of numbers among dates, of dates among numbers, or of either among texts."""
    limit = condition.low or condition.high
    assert limit is not None
    if numbers is None or numbers.are_dates != limit.is_date:
        found = "texts" if numbers is None else "dates" if numbers.are_dates else "numbers"
        kind = "date" if limit.is_date else "number"
        year = limit.text if re.fullmatch(r"(19|20)\d\d", limit.text) else "2024"
        example = f"{condition.column}>={year}-01-01" if found == "dates" else ""
        raise ConditionError(role, str(condition), condition.column, kind, found, example)


def states_of(
    condition: Condition, distinct: Distinct, missing: tuple[str, ...], role: str
) -> NDArray[np.int8]:
    """For each record: 1 if its value fulfils the condition, 0 if not, -1 if it is missing.

    Of texts no interval is known; whether one of them is written like it is asked by `settled`, once all are.
    """
    numbers = as_numbers(distinct.values) if condition.kind == "within" and len(distinct.values) else None
    if numbers is not None:
        _check_order(condition, numbers, role)
        values = numbers.values
        states = np.where(np.isnan(values), MISSING, _is_within(condition, values)).astype(np.int8)
    else:
        texts = cleaned(texts_of(distinct.values), missing_in(missing, condition.column))
        names = condition.values or (condition.item_value,)
        wanted = pc.is_in(texts, value_set=pa.array(names, pa.string())).to_pylist()
        is_not = condition.kind == "is not"
        known = texts.is_valid().to_pylist()
        states = np.array(
            [one != is_not if is_known else MISSING for one, is_known in zip(wanted, known, strict=True)],
            np.int8,
        )
    return np.append(states, np.int8(MISSING))[distinct.indices]


def _is_within(condition: Condition, values: NDArray[np.float64]) -> NDArray[np.bool_]:
    inside = np.ones(len(values), np.bool_)
    if condition.low is not None:
        low = condition.low.number
        inside &= (values >= low) if condition.low.is_inside else (values > low)
    if condition.high is not None:
        high = condition.high.number
        inside &= (values <= high) if condition.high.is_inside else (values < high)
    return inside


@dataclass(frozen=True, slots=True)
class OutcomePattern:
    """An outcome that is more than one value of a column.

    Parameters
    ----------
    conditions : tuple of Condition
        All of which a record must fulfil.
    missing : tuple of str
        Texts that mean a missing value.
    """

    conditions: tuple[Condition, ...]
    missing: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it is made of."""
        return tuple(dict.fromkeys(condition.column for condition in self.conditions))

    def names_values(self, column: str) -> bool:
        """Whether single values of a column are named, rather than a range of its numbers."""
        return any(one.column == column and one.kind != "within" for one in self.conditions)

    def distinct_in(self, batch: Batch) -> Distinct:
        """Yes, no or unknown for each record: no as soon as one condition is known to fail."""
        states = np.ones(batch.n_rows, np.int8)
        for condition in self.conditions:
            here = states_of(condition, batch.distinct(condition.column), self.missing, "outcome")
            states = np.where((states == 0) | (here == 0), 0, np.minimum(states, here)).astype(np.int8)
        return Distinct(pa.array(["no", "yes"], pa.string()), states.astype(np.int32))

    def settled(self, tallies: Mapping[str, Tally]) -> OutcomePattern:
        """The pattern in the words of its columns, now that all their values are known."""
        return replace(
            self,
            conditions=tuple(
                settled(one, tallies[one.column], self.missing, "outcome") for one in self.conditions
            ),
        )


def coding_by(condition: Condition, tally: Tally, missing: tuple[str, ...], role: str) -> Bins | Categories:
    """A column coded so that the records of a condition are one item of it."""
    name, condition = condition.item_value, settled(condition, tally, missing, role)
    if condition.kind == "within":
        return _bins_by(condition, tally)
    found = Categories.of(tally, missing_in(missing, condition.column))
    chosen = [name in condition.values for name in found.names]
    if condition.kind == "is not":
        chosen = [not one for one in chosen]
    if condition.kind == "is" and len(condition.values) == 1:
        return found
    # The values that belong together get one code, which comes first; the others follow in their order.
    codes = np.zeros(len(chosen) + 1, np.uint16)
    rest = [number for number, one in enumerate(chosen) if not one]
    codes[1:] = [1 if one else 2 + rest.index(number) for number, one in enumerate(chosen)]
    counts = np.append(found.counts[np.array(chosen)].sum(), found.counts[np.array(rest, np.intp)]).astype(
        np.int64
    )
    names = [name, *(found.names[number] for number in rest)]
    return Categories(names, found.known, codes[found.codes], counts, frozenset({name}))


def _bins_by(condition: Condition, tally: Tally) -> Bins:
    """Intervals below, within and above the condition's limits."""
    numbers = tally.numbers
    assert numbers is not None
    cuts, names = [], []
    if condition.low is not None:
        cuts.append(cut_below(condition.low.number, is_inside=condition.low.is_inside))
        names.append(f"<{'' if condition.low.is_inside else '='}{condition.low.text}")
    names.append(condition.item_value)
    if condition.high is not None:
        cuts.append(cut_below(condition.high.number, is_inside=not condition.high.is_inside))
        names.append(f">{'' if condition.high.is_inside else '='}{condition.high.text}")
    return Bins(names, cuts, numbers.kind, are_chosen=False)


def cut_below(limit: float, *, is_inside: bool) -> float:
    """A cut, which belongs to the interval below it, at a limit that may belong to the one above."""
    return float(np.nextafter(limit, -np.inf)) if is_inside else limit
