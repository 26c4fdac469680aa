"""Distinct records with the items they have, for methods that look at records again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.engines.contract import Engine


@dataclass(frozen=True, slots=True, eq=False)
class ItemRows:
    """Distinct records, the items that each has, and how many records are like it.

    One question to the engine, `unique_rows` of all columns, gives them.

    Parameters
    ----------
    column_of_item : intp[n_items]
        For each item the number of its column.
    has : bool[n_items, n_rows]
        Whether the record has the item.
    counts : int64[n_rows, 2]
        Records without and with the outcome.
    """

    column_of_item: NDArray[np.intp]
    has: NDArray[np.bool_]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, engine: Engine) -> ItemRows:
        """The distinct records of an engine."""
        column = engine.column_of_item
        columns, first = np.unique(column, return_index=True)
        rows = engine.unique_rows(columns)
        # A column's values are numbered from 1, in the order of its items; 0 is missing.
        code = np.arange(len(column)) - first[column] + 1
        return cls(column, rows.codes[column] == code[:, None], rows.counts)

    def only(self, chosen: NDArray[np.bool_]) -> ItemRows:
        """Some of the records."""
        return ItemRows(self.column_of_item, self.has[:, chosen], self.counts[chosen])

    def crude_tables(self, items: NDArray[np.intp]) -> NDArray[np.int64]:
        """int64[n, 1, 2, 2]: for each item the records without and with it, without and with the outcome."""
        having = self.has[items].astype(np.int64) @ self.counts
        return np.stack([self.counts.sum(axis=0) - having, having], axis=1)[:, None]

    def strata_of(self, item: int, held: NDArray[np.intp]) -> NDArray[np.int64]:
        """The strata of records that agree on every held item.

        Returns
        -------
        int64[n_strata, 5]
            Records with the item and the outcome, with the item only, with
            the outcome only, with neither; and 1, the number of such strata.
        """
        number = self._stratum_numbers(held)
        n_strata = int(number.max(initial=-1)) + 1
        # Whole numbers below 2**53 are exact as floats, so bincount may add them up as weights.
        cells = [
            np.bincount(number, self.counts[:, outcome] * (self.has[item] == exposed), n_strata)
            for exposed in (True, False)
            for outcome in (1, 0)
        ]
        return np.stack([*cells, np.ones(n_strata)], axis=1).astype(np.int64)

    def _stratum_numbers(self, held: NDArray[np.intp]) -> NDArray[np.intp]:
        """For each record the number of its combination of the held items."""
        n_rows = len(self.counts)
        if len(held) == 0:
            return np.zeros(n_rows, np.intp)
        packed = np.packbits(self.has[held], axis=0).T
        padded = np.zeros((n_rows, -(-packed.shape[1] // 8) * 8), np.uint8)
        padded[:, : packed.shape[1]] = packed
        words = padded.view(np.uint64)
        order = np.lexsort(words.T)
        is_new = (np.diff(words[order], axis=0) != 0).any(axis=1)
        number = np.empty(n_rows, np.intp)
        number[order] = np.concatenate([[0], np.cumsum(is_new)])[:n_rows]
        return number
