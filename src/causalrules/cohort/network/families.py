"""Families: a variable with its causes, and what the causes save.

The table of a family (the variable in every stratum of its causes) has a code
length: the logarithm of the marginal likelihood of each stratum's two counts
under Jeffreys' prior (Krichevsky and Trofimov, IEEE Transactions on
Information Theory 1981), and a price for each cause that is named. An empty
stratum costs nothing. Strata that differ are rewarded in whichever direction,
so an effect that turns round between strata counts fully.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine

    Gains = NDArray[np.float64]
    Causes = frozenset[int]

OUTCOME = 0
"""Number of the outcome among the variables; variable i is the (i - 1)-th item."""

MOST_CAUSES = 6


class Ranked(NamedTuple):
    """Gains of all variables, and the largest of them."""

    gains: Gains
    largest: float

    @classmethod
    def of(cls, gains: Gains) -> Ranked:
        """Rank the gains."""
        return cls(gains, float(gains.max()))


class Families:
    """What families gain over variables alone; everything asked for is remembered.

    Parameters
    ----------
    engine : Engine
        Where records are counted.
    items : intp[n]
        The items that are variables.
    """

    def __init__(self, engine: Engine, items: NDArray[np.intp]) -> None:
        from scipy.special import gammaln

        self._engine = engine
        self._items = items
        self.n_variables = len(items) + 1
        self.price = log(self.n_variables)
        n = engine.n_with + engine.n_without
        counts = np.arange(n + 1, dtype=np.float64)
        self._half = gammaln(counts + 0.5) - gammaln(0.5)
        self._whole = gammaln(counts + 1.0)
        support = engine.item_counts().support[items]
        self._alone = self.code(np.append(engine.n_with, support), np.append(engine.n_without, n - support))
        self._gains: dict[tuple[int, Causes], float] = {}
        self._additions: dict[tuple[int, Causes], Ranked] = {}
        self._removals: dict[tuple[int, Causes], dict[int, float]] = {}
        self._effects: dict[int, Ranked] = {}
        self._with_each: dict[int, NDArray[np.int64]] = {}

    def code(self, ones: NDArray[np.int64], zeros: NDArray[np.int64]) -> Gains:
        """Log marginal likelihood of binary counts; never positive, 0 for nobody."""
        code: Gains = self._half[ones] + self._half[zeros] - self._whole[ones + zeros]
        return code

    def gain(self, variable: int, causes: Causes) -> float:
        """What the causes save."""
        if not causes:
            return 0.0
        key = variable, causes
        if key not in self._gains:
            ones, zeros = self._family(variable, causes, np.empty(0, np.intp))
            saved = self.code(ones[:, -1], zeros[:, -1]).sum() - self._alone[variable]
            self._gains[key] = float(saved) - self.price * len(causes)
        return self._gains[key]

    def removals(self, variable: int, causes: Causes) -> dict[int, float]:
        """What the family would gain without each of its causes."""
        key = variable, causes
        if key not in self._removals:
            gain = self.gain(variable, causes)
            self._removals[key] = {v: self.gain(variable, causes - {v}) - gain for v in sorted(causes)}
        return self._removals[key]

    def additions(self, variable: int, causes: Causes) -> Ranked:
        """What each variable would save as one more cause; minus infinity where it cannot be one."""
        key = variable, causes
        if key not in self._additions:
            self._additions[key] = Ranked.of(self._count_additions(variable, causes))
        return self._additions[key]

    def _count_additions(self, variable: int, causes: Causes) -> Gains:
        if len(causes) >= MOST_CAUSES:
            return np.full(self.n_variables, -np.inf)
        ones, zeros = self._family(variable, causes, self._items)
        before = self.code(ones[:, -1], zeros[:, -1]).sum()
        with_it = self.code(ones, zeros)
        without_it = self.code(ones[:, -1:] - ones, zeros[:, -1:] - zeros)
        after = (with_it + without_it).sum(axis=0)
        more = np.full(self.n_variables, -np.inf)
        more[1:] = after[: len(self._items)] - before - self.price
        if variable != OUTCOME and OUTCOME not in causes:
            split, unsplit = self._family(variable, causes | {OUTCOME}, np.empty(0, np.intp))
            more[OUTCOME] = self.code(split[:, -1], unsplit[:, -1]).sum() - before - self.price
        more[[variable, *causes]] = -np.inf
        return more

    def _family(
        self, variable: int, causes: Causes, items: NDArray[np.intp]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """int64[n_strata, n_items + 1] twice: records with and without the variable.

        For each item those that have it, last all records.
        """
        held = [self._items[v - 1] for v in sorted(causes - {OUTCOME})]
        if variable == OUTCOME:
            counts = self._engine.within(np.array(held, np.intp), items)
            return counts[:, :, 1], counts[:, :, 0]
        counts = self._engine.within(np.array([*held, self._items[variable - 1]], np.intp), items)
        zeros, ones = counts[: len(counts) // 2], counts[len(counts) // 2 :]
        if OUTCOME in causes:
            return np.concatenate(list(np.moveaxis(ones, 2, 0))), np.concatenate(
                list(np.moveaxis(zeros, 2, 0))
            )
        return ones.sum(axis=2), zeros.sum(axis=2)

    def effects(self, cause: int) -> Ranked:
        """What the cause would save each variable as its first cause."""
        if cause not in self._effects:
            both = self.with_each(cause).sum(axis=1) if cause else self.with_each(cause)[:, 1]
            n = self._engine.n_with + self._engine.n_without
            n_cause, ones = int(both[cause]), self._ones
            saved = self.code(both, n_cause - both) + self.code(ones - both, n - n_cause - ones + both)
            saved = saved - self._alone - self.price
            saved[cause] = -np.inf
            self._effects[cause] = Ranked.of(saved)
        return self._effects[cause]

    @property
    def n_records(self) -> tuple[int, int]:
        """Records without and with the outcome."""
        return self._engine.n_without, self._engine.n_with

    @property
    def _ones(self) -> NDArray[np.int64]:
        """Records with each variable."""
        return np.append(self._engine.n_with, self._engine.item_counts().support[self._items])

    def with_each(self, variable: int) -> NDArray[np.int64]:
        """int64[n_variables, 2]: records that have both variables, without and with the outcome.

        Parameters
        ----------
        variable : int
            Or `OUTCOME` for the records of each variable alone.
        """
        if variable not in self._with_each:
            counts = np.empty((self.n_variables, 2), np.int64)
            if variable == OUTCOME:
                of_items = self._engine.item_counts()[self._items]
                counts[0] = 0, self._engine.n_with
                counts[1:] = np.column_stack([of_items.without_outcome, of_items.with_outcome])
            else:
                found = self._engine.within(self._items[[variable - 1]], self._items)[1]
                counts[0] = 0, found[-1, 1]
                counts[1:] = found[:-1]
            self._with_each[variable] = counts
        return self._with_each[variable]
