"""Numbers that studies add up, a numeric outcome or the weights of a sample, as digits to be counted.

A number is written in fixed point: so many whole units above the smallest one.
The whole number's digits are small coded columns beside the others, as those of
clusters are, so the unique rows of every engine tell how many records have which
number, in integers that add up. Sums, and sums of squares, follow from those.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, frexp, ldexp, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa

from causalrules.domain.pattern_grammar import Condition, Limit
from causalrules.encode.values import as_numbers
from causalrules.errors import OutcomeError, Setting, SettingsError, quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.encode.columns import Distinct
    from causalrules.encode.tally import Tally

Role = Literal["outcome", "weights"]

BASE = 16
_MOST_UNITS = 2**52
"""Of a range: what is finer than this is finer than floating point numbers of that size are."""

_DECIMALS = range(10)


@dataclass(frozen=True, slots=True)
class CarriedNumber:
    """A column that is kept as a number, and how it is written.

    Parameters
    ----------
    role : {'outcome', 'weights'}
        What it is for.
    column : str
        Its name.
    low, unit : float
        A whole number n stands for ``low + n * unit``; of decimal numbers for ``(first + n) / 10**decimals``.
    n_digits : int
        Digits, of base 16.
    decimals : int
        Of numbers that all have so few; -1 for others.
    kind : pyarrow.DataType or None
        What texts are read as.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from causalrules.encode.columns import distinct_of
    >>> weight = CarriedNumber("outcome", "weight", 70.0, 0.1, 1, 1, None)
    >>> digits = weight.digits(distinct_of(pa.chunked_array([[70.0, 70.3, None, 71.5]]), ()))
    >>> digits.tolist()
    [[1, 4, 0, 16]]
    >>> weight.values(digits[:, [0, 1, 3]]).tolist()
    [70.0, 70.3, 71.5]
    """

    role: Role
    column: str
    low: float
    unit: float
    n_digits: int
    decimals: int
    kind: pa.DataType | None

    def digits(self, distinct: Distinct) -> NDArray[np.uint16]:
        """uint16[n_digits, n]: the digits of each record, the lowest first, from 1; 0 for missing."""
        numbers = as_numbers(distinct.values, self.kind)
        values = np.full(len(distinct.values), np.nan) if numbers is None else numbers.values
        is_known = np.isfinite(values)
        whole = np.rint(np.where(is_known, values - self.low, 0.0) / self.unit)
        units = np.clip(whole, 0, BASE**self.n_digits - 1).astype(np.int64)
        shifts = 4 * np.arange(self.n_digits)[:, None]
        digits = ((units >> shifts) & (BASE - 1)).astype(np.uint16) + np.uint16(1)
        digits[:, ~is_known] = 0
        return np.take(
            np.append(digits, np.zeros((self.n_digits, 1), np.uint16), axis=1), distinct.indices, 1
        )

    def values(self, digits: NDArray[np.uint16]) -> NDArray[np.float64]:
        """The numbers that digits stand for; nan for missing ones."""
        shifts = 4 * np.arange(self.n_digits)[:, None]
        units = ((digits.astype(np.int64) - 1).clip(0) << shifts).sum(axis=0)
        if self.decimals >= 0:  # the nearest floating point number to the decimal, as it was read
            found = (round(self.low * 10**self.decimals) + units) / 10.0**self.decimals
        else:
            found = self.low + units * self.unit
        return np.where(digits[0] > 0, found, np.nan)


def carried_number(role: Role, column: str, tally: Tally) -> CarriedNumber:
    """Decide how a column is written, from all its values.

    In decimal units where all numbers are decimals; otherwise in 2⁻⁵²ths of the range, which
    loses nothing that a floating point number of that size would hold.
    """
    numbers = tally.numbers
    if numbers is None or numbers.are_dates:
        raise _no_mean(column, tally.values.type, are_dates=numbers is not None)
    if np.isinf(numbers.values[tally.counts > 0]).any():
        raise OutcomeError(
            f"{quoted(column)} has infinite values, which have no mean. Leave these records out."
        )
    values = numbers.values[np.isfinite(numbers.values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    decimals = _decimals_of(values, high - low)
    if decimals >= 0:
        unit = 10.0**-decimals
        n_units = round((high - low) / unit)
    else:
        # The next power of two above the range, so that differences are multiples of the unit as they are.
        unit = ldexp(1.0, frexp(high - low)[1] - 52)
        n_units = ceil((high - low) / unit)
    n_digits = max(1, -(-n_units.bit_length() // 4))
    return CarriedNumber(role, column, low, unit, n_digits, decimals, numbers.kind)


def _decimals_of(values: NDArray[np.float64], span: float) -> int:
    """Decimals that write all of these numbers; -1 where there are too many."""
    for decimals in _DECIMALS:
        scaled = values * 10.0**decimals
        if span * 10.0**decimals >= _MOST_UNITS or np.abs(scaled).max(initial=0.0) >= _MOST_UNITS:
            break
        if np.array_equal(np.rint(scaled) / 10.0**decimals, values):
            return decimals
    return -1


def check_sampling_weights(column: str, tally: Tally) -> None:
    """Refuse weights that are missing, or not above 0."""
    demand = "a column of numbers above 0, what each record stands for in the population"
    numbers = tally.numbers
    if numbers is None or numbers.are_dates:
        raise SettingsError("weights", demand, f"{quoted(column)}, which has texts or dates")
    occurs = tally.counts > 0
    values = numbers.values[occurs]
    if int(tally.counts.sum()) < tally.n_records or np.isnan(values).any():
        raise SettingsError(
            "weights",
            f"{demand}; leave out the records without",
            f"{quoted(column)}, which has missing values",
        )
    is_odd = ~((values > 0) & np.isfinite(values))
    if is_odd.any():
        found = f"{quoted(column)}, which has {values[is_odd][0]:g}"
        raise SettingsError("weights", f"{demand}; leave out the records without", found)


def middle_of(column: str, tally: Tally) -> Condition:
    """The condition that divides the records at the middle of a number, as evenly as its values allow."""
    numbers = tally.numbers
    if numbers is None or numbers.are_dates:
        raise _no_mean(column, tally.values.type, are_dates=numbers is not None)
    is_there = (tally.counts > 0) & np.isfinite(numbers.values)
    values, number_of = np.unique(numbers.values[is_there], return_inverse=True)
    if len(values) < 2:
        raise OutcomeError(
            f"every record with a known {quoted(column)} has the same value; nothing can be compared. "
            "Choose an outcome that varies."
        )
    counts = np.bincount(number_of, tally.counts[is_there])
    cut = int(np.argmin(np.abs(2 * np.cumsum(counts)[:-1] - counts.sum())))
    return Condition(column, "within", low=Limit(_short(float(values[cut])), is_inside=False))


def mean_and_spread(tally: Tally) -> tuple[float, float]:
    """Mean and standard deviation over the records that a tally counts."""
    numbers = tally.numbers
    assert numbers is not None
    is_there = tally.counts > 0
    values, counts = numbers.values[is_there], tally.counts[is_there].astype(np.float64)
    order = np.argsort(values)  # tallies of parts come in another order: sums must not depend on it
    values, counts = values[order], counts[order]
    total = float(counts.sum())
    mean = float((counts * values).sum()) / total
    return mean, sqrt(float((counts * (values - mean) ** 2).sum()) / max(total - 1, 1.0))


def _no_mean(column: str, own: pa.DataType, *, are_dates: bool) -> OutcomeError:
    kind = "dates" if are_dates else "truth values" if pa.types.is_boolean(own) else "texts"
    return OutcomeError(
        f"the outcome {quoted(column)} has {kind}; only numbers have a mean. Choose a column of numbers, or "
        "ask about a value of it: leave out ",
        Setting("outcome_as"),
        ".",
    )


def _short(value: float) -> str:
    """A number as short as it can be written without loss."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
