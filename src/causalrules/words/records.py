"""The records of a table as every room sees them: columns of small codes, an outcome, and counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Kind = Literal["category", "ordered", "number"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """One column of a table, coded.

    Parameters
    ----------
    name : str
        As the user knows it.
    kind : {'category', 'ordered', 'number'}
        What its codes mean. Those of a number are fine bins, at most 100, in ascending order; those of an
        ordered column are in the order of its values.
    levels : tuple of str
        The names of codes 1, 2, …; of a number the text of each bin's mean.
    codes : uint8, uint16 or int32[n_rows]
        0 where the value is missing.
    values : float64[number of levels] or None
        Of a number the mean of each bin.
    cuts : tuple of float
        Of a number the bounds between its bins; a value on a bound belongs below it.
    is_whole : bool
        Of a number: the mean of every bin is whole, as where each bin is one whole number.
    is_date : bool
        Of a number: its values are seconds since 1970.
    shown : Column, optional
        Of a number the same records by the user's cut points.
    """

    name: str
    kind: Kind
    levels: tuple[str, ...]
    codes: NDArray[np.integer]
    values: NDArray[np.float64] | None = None
    cuts: tuple[float, ...] = ()
    is_whole: bool = False
    is_date: bool = False
    shown: Column | None = None

    @property
    def n_codes(self) -> int:
        """Different codes, that of missing values included."""
        return len(self.levels) + 1

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return self.kind == "number"

    def sizes(self, mass: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[n_codes]: the mass of the rows that have each code."""
        return np.bincount(self.codes, mass, self.n_codes).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Records:
    """Rows with codes and an outcome, in an order that depends on nothing but what they hold.

    Parameters
    ----------
    columns : tuple of Column
        Every column that takes part, in canonical order.
    outcome : float64[n_rows]
        1 with the outcome and 0 without; or the number whose mean is asked about.
    count : float64[n_rows]
        How many records each row stands for.
    weight : float64[n_rows] or None
        What each record represents, of a weighted sample.
    cluster : int32[n_rows] or None
        Which records belong together, numbered from 0.
    is_mean : bool
        Whether the outcome is a number.

    Notes
    -----
    A sum over records is `(count * weight * value).sum()`; its variance adds up
    `count * (weight * value)**2`, or squares of sums by cluster.
    """

    columns: tuple[Column, ...]
    outcome: NDArray[np.float64]
    count: NDArray[np.float64]
    weight: NDArray[np.float64] | None = None
    cluster: NDArray[np.int32] | None = None
    is_mean: bool = False

    @property
    def n_rows(self) -> int:
        """Rows; equal records may share one."""
        return len(self.outcome)

    @cached_property
    def n_records(self) -> int:
        """Records."""
        return int(self.count.sum())

    @cached_property
    def mass(self) -> NDArray[np.float64]:
        """float64[n_rows]: what each row weighs in a sum, records times what each represents."""
        return self.count if self.weight is None else self.count * self.weight

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of every column, by name."""
        return {column.name: place for place, column in enumerate(self.columns)}

    def column(self, name: str) -> Column:
        """The column of this name."""
        return self.columns[self.places[name]]

    def table(self, column: Column) -> NDArray[np.float64]:
        """float64[n_codes, 2]: mass of each code without and with the outcome; of means, above the mean."""
        has = self.outcome > (0.5 if not self.is_mean else np.average(self.outcome, weights=self.mass))
        joint = 2 * column.codes.astype(np.intp) + has
        return np.bincount(joint, self.mass, 2 * column.n_codes).reshape(-1, 2).astype(np.float64)

    def only(self, rows: NDArray[np.bool_]) -> Records:
        """Some of the rows, with all columns."""
        return Records(
            tuple(replace(column, codes=column.codes[rows]) for column in self.columns),
            self.outcome[rows],
            self.count[rows],
            None if self.weight is None else self.weight[rows],
            None if self.cluster is None else self.cluster[rows],
            self.is_mean,
        )

    def with_columns(self, columns: Sequence[Column]) -> Records:
        """The same rows with other columns."""
        return Records(tuple(columns), self.outcome, self.count, self.weight, self.cluster, self.is_mean)
