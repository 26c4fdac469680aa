"""The records that a study compares, and those of them with which its models begin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from causalrules.estimate.models import Design
from causalrules.estimate.products import part_of
from causalrules.estimate.sums import Summing
from causalrules.estimate.terms import term_of
from causalrules.words import constants

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from causalrules.estimate.models import Fit
    from causalrules.estimate.products import Part
    from causalrules.estimate.terms import Term
    from causalrules.words.records import Column, Records
    from causalrules.words.studies import Levels

FIRST_RECORDS, LEAST_OF_EACH = 20_000, (2_000, 100)
"""Records with which a model begins; and of the rarer outcome, and of the rarest level, at least."""


@dataclass(frozen=True, eq=False)
class Compared:
    """The records that a study compares, and what is held of them.

    Parameters
    ----------
    rows : intp[n]
        Of the table.
    level : int64[n]
    y : float64[n]
    summing : Summing
    parts : tuple of Part
        The controls as products see them.
    plain : Design
        The controls as models hold them.
    n_steps : int
        Of a number that is held, at most.
    treats_missing : {'complete', 'level'}
    is_mean : bool
    """

    rows: NDArray[np.intp]
    level: NDArray[np.int64]
    y: NDArray[np.float64]
    summing: Summing
    parts: tuple[Part, ...]
    plain: Design
    n_steps: int
    treats_missing: str
    is_mean: bool

    @property
    def mass(self) -> NDArray[np.float64]:
        """What each row weighs."""
        return self.plain.mass

    def surprise(self, outcome: Fit) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What a model does not expect of the outcome, and the variance that it expects of that."""
        return self.summing.surprise(self.y, outcome.mean, is_mean=self.is_mean)

    def design(self, products: Sequence[Term]) -> Design:
        """The controls, and products of them."""
        return Design((*self.plain.terms, *products), self.mass) if products else self.plain

    @cached_property
    def first(self) -> Compared:
        """The records with which models begin: all where they are few, else every so-many-eth.

        That is counted in the order of the outcome, and in their own, which depends on what they hold alone.
        """
        if self._drawn is None:
            return self
        rows, times = self._drawn
        plain = self.plain.only(rows, times * self.summing.weight[rows])
        return replace(
            self,
            rows=self.rows[rows],
            level=self.level[rows],
            y=self.y[rows],
            summing=Summing(times, self.summing.weight[rows], None),
            parts=tuple(part._replace(codes=part.codes[rows]) for part in self.parts),
            plain=plain,
        )

    def begun(self, design: Design) -> Design:
        """A design of all these records, for the first ones."""
        return design if self._drawn is None else design.only(self._drawn[0], self.first.mass)

    @cached_property
    def _drawn(self) -> tuple[NDArray[np.intp], NDArray[np.float64]] | None:
        """The first rows, and how many records each of them stands for; None where all are."""
        count, of_each = self.summing.count, (self.y > self.mass @ self.y / self.mass.sum(), self.level)
        share = FIRST_RECORDS / float(count.sum())
        for codes, least in zip(of_each, LEAST_OF_EACH, strict=True):
            size = np.bincount(codes, count)
            share = max(share, least / float(size[size > 0].min()))
        if share >= 1:
            return None
        order = np.argsort(self.y, kind="stable")
        times = np.empty(len(order))
        times[order] = np.diff(np.floor(np.cumsum(count[order]) * share + 0.5), prepend=0.0)
        rows = np.flatnonzero(times)
        return rows, times[rows]


def compared_records(
    records: Records,
    levels: Levels,
    controls: Sequence[Column],
    not_asked: Collection[str] = (),
    n_steps: int | None = None,
) -> Compared | None:
    """The records to compare: complete ones where enough are, else all with missing as a level.

    None where they have fewer than two levels, or all one outcome.

    Parameters
    ----------
    not_asked : collection of str
        Controls that do not apply to everybody: no value is one of their values.
    n_steps : int, optional
        Of a number that is held; as the controls by themselves ask for by default.
    """
    n_steps = steps_of_each(records, controls) if n_steps is None else n_steps
    has_level = levels.level >= 0
    complete = has_level.copy()
    for column in controls:
        if column.name not in not_asked:
            complete &= column.codes > 0
    known, whole = (_information(records, rows) for rows in (has_level, complete))
    least, share = constants.COMPLETE
    takes_complete = whole >= max(min(least, known), share * known)
    rows = np.flatnonzero(complete if takes_complete else has_level)
    level, y = levels.level[rows], records.outcome[rows]
    has_many = len(levels.names) > 1
    if not len(rows) or np.ptp(y) == 0 or (has_many and np.ptp(level) == 0):
        return None
    summing = Summing.over(records, rows)
    mass = summing.mass
    chosen = [replace(column, codes=column.codes[rows], shown=None) for column in controls]
    return Compared(
        rows=rows,
        level=level,
        y=y,
        summing=summing,
        parts=tuple(part_of(column, mass) for column in chosen),
        plain=Design([term_of(column, mass, n_steps) for column in chosen], mass),
        n_steps=n_steps,
        treats_missing="complete" if takes_complete else "level",
        is_mean=records.is_mean,
    )


def steps_of_each(records: Records, columns: Sequence[Column]) -> int:
    """How many steps each number has: all together no more than records of the rarer outcome."""
    information = _information(records, np.ones(records.n_rows, np.bool_))
    return min(constants.STEPS, int(information / max(sum(column.is_number for column in columns), 1)))


def _information(records: Records, rows: NDArray[np.bool_]) -> float:
    """Records of the rarer outcome; of means, all."""
    count = float(records.count[rows].sum())
    if records.is_mean:
        return count
    has = float((records.count * records.outcome)[rows].sum())
    return min(has, count - has)
