"""The records of a study once more, with columns beside those that the study needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from causalrules.cohort.arms import Arms
    from causalrules.engines.contract import Engine


@dataclass(frozen=True, slots=True, eq=False)
class RowsBeside:
    """The records of a study by its rows and by the values of further columns.

    Parameters
    ----------
    row : intp[n]
        Row of the study.
    codes : uint16[number of further columns, n]
        Their values, 0 for missing.
    counts : int64[n, 2]
        Records without and with the outcome.
    """

    row: NDArray[np.intp]
    codes: NDArray[np.uint16]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, engine: Engine, columns: Sequence[int], arms: Arms, beside: Sequence[int]) -> RowsBeside:
        """Count them.

        Parameters
        ----------
        engine : Engine
            The records.
        columns : sequence of int
            The study's coded columns, ascending.
        arms : Arms
            The study's rows.
        beside : sequence of int
            Further coded columns; they may be among the study's.
        """
        own = np.array(columns, np.intp)
        further = np.array([place for place in dict.fromkeys(beside) if place not in columns], np.intp)
        rows = finer = engine.unique_rows(own)
        row = np.full(rows.n_rows, -1, np.intp)
        row[arms.kept] = np.arange(len(arms.kept))
        if len(further):
            finer = engine.unique_rows(np.append(own, further))
            row = row[rows.find(finer.codes[: len(own)])]
        kept = np.flatnonzero(row >= 0)
        order = finer.columns.tolist()
        codes = finer.codes[[order.index(one) for one in beside]]
        return cls(row[kept], np.take(codes, kept, axis=1), finer.counts[kept])
