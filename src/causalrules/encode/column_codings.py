"""How one column becomes items: every value a category, or numbers in intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from causalrules.encode.bins import bin_codes
from causalrules.encode.columns import indices_of, positions_in
from causalrules.encode.values import as_numbers, cleaned, texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from causalrules.encode.tally import Tally


class Coding(Protocol):
    """A column that takes part: the names of its items, and the code of every value."""

    @property
    def names(self) -> list[str]:
        """Names of the items, in the order of their codes from 1."""

    def codes_of(self, values: pa.Array) -> NDArray[np.uint16]:
        """The code of each value, 0 where it is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """Every value is a category of its own, numbers by size before texts.

    Parameters
    ----------
    names : list of str
        The texts of those that occur.
    known : pyarrow.Array
        All values met.
    codes : uint16[number of values met]
        The code of each.
    counts : int64[number of names]
        Records with each.
    joined : frozenset of str
        The names that stand for several values, or for all but some.
    """

    names: list[str]
    known: pa.Array
    codes: NDArray[np.uint16]
    counts: NDArray[np.int64]
    joined: frozenset[str] = frozenset()

    @classmethod
    def of(cls, tally: Tally, missing: Sequence[str], in_order: Sequence[str] = ()) -> Categories:
        """Name the values; those written alike are one category. Values may have an order of their own."""
        merged = cleaned(texts_of(tally.values), missing).dictionary_encode()
        group = indices_of(merged)
        counts = np.bincount(group + 1, tally.counts, len(merged.dictionary) + 1)[1:].astype(np.int64)
        texts = merged.dictionary.to_pylist()
        place = {text: number for number, text in enumerate(in_order)}
        order = sorted(
            np.flatnonzero(counts).tolist(),
            key=lambda number: (place.get(texts[number], len(place)), text_order(texts[number])),
        )
        recode = np.zeros(len(texts) + 1, np.uint16)  # the last, reached by -1, is for missing values
        recode[order] = np.arange(1, len(order) + 1)
        return cls([texts[number] for number in order], tally.values, recode[group], counts[order])

    def codes_of(self, values: pa.Array) -> NDArray[np.uint16]:
        """The code of each value, 0 for one that is missing or was not met before."""
        if values is self.known:
            return self.codes
        return np.append(self.codes, np.uint16(0))[positions_in(self.known, values)]


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Numbers belong to intervals.

    Parameters
    ----------
    names : list of str
        Of the intervals.
    cuts : list of float
        The bounds between them.
    kind : pyarrow.DataType or None
        What texts are read as.
    are_chosen : bool
        Whether the cuts were chosen by looking at the outcome.
    """

    names: list[str]
    cuts: list[float]
    kind: pa.DataType | None
    are_chosen: bool

    def codes_of(self, values: pa.Array) -> NDArray[np.uint16]:
        """The number of each value's interval, 0 where there is no number."""
        numbers = as_numbers(values, self.kind)
        return np.zeros(len(values), np.uint16) if numbers is None else bin_codes(numbers.values, self.cuts)


@dataclass(frozen=True, slots=True, eq=False)
class FineBins(Bins):
    """A number as studies hold it: many narrow intervals and the mean of each.

    Parameters
    ----------
    values : float64[number of intervals]
        Mean of the number in each interval.
    are_dates : bool
        Whether the numbers are seconds since 1970.
    """

    values: NDArray[np.float64]
    are_dates: bool = False


def text_order(text: str) -> tuple[int, float, str]:
    """Numbers first and by size, then texts."""
    try:
        number = float(text)
    except ValueError:
        return 1, 0.0, text
    return (0, number, text) if number == number else (1, 0.0, text)
