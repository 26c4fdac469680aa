"""Batches of records written in codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.encode.clusters_of_records import cluster_digits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.encode.column_codings import Coding
    from causalrules.encode.columns import Batch
    from causalrules.encode.number_digits import CarriedNumber
    from causalrules.encode.outcome import OutcomeValue


@dataclass(frozen=True, slots=True, eq=False)
class RecordCoder:
    """Writes batches of records in codes, once it is settled what every column becomes.

    Parameters
    ----------
    outcome : OutcomeValue
        Tells which records have it.
    columns : tuple of (str, Coding)
        The columns that take part, in order; a number may come twice.
    missing : tuple of str
        Texts that mean a missing value.
    cluster : str, optional
        The column that says which records belong together.
    carried : tuple of CarriedNumber
        Numbers that studies add up.
    """

    outcome: OutcomeValue
    columns: tuple[tuple[str, Coding], ...]
    missing: tuple[str, ...]
    cluster: str | None = None
    carried: tuple[CarriedNumber, ...] = ()

    def times(self, batch: Batch) -> NDArray[np.int64] | None:
        """How many records each row with a known outcome stands for; None where each stands for itself."""
        if batch.times is None:
            return None
        times: NDArray[np.int64] = batch.times[self.is_known(batch)]
        return times

    def is_known(self, batch: Batch) -> NDArray[np.bool_]:
        """bool[n_rows]: whether the outcome of each row is known."""
        known: NDArray[np.bool_] = self._states(batch) >= 0
        return known

    def code(self, batch: Batch) -> tuple[NDArray[np.unsignedinteger], NDArray[np.bool_]]:
        """Codes and outcome of the records whose outcome is known.

        They are as in `CodedTable`, but codes have one byte where that is enough for every column.
        """
        states = self._states(batch)
        n_values = max((len(coding.names) for _, coding in self.columns), default=0)
        size = np.uint8 if n_values <= np.iinfo(np.uint8).max else np.uint16
        codes = np.empty((len(self.columns), len(states)), size)
        for number, (column, coding) in enumerate(self.columns):
            codes[number] = batch.take_codes(column, coding)
        if self.cluster is not None:
            digits = cluster_digits(batch.distinct(self.cluster))
            codes = np.concatenate([codes, digits.astype(size)])
        for one in self.carried:
            codes = np.concatenate([codes, one.digits(batch.distinct(one.column)).astype(size)])
        is_known = states >= 0
        return (codes if is_known.all() else np.compress(is_known, codes, axis=1)), states[is_known] == 1

    def _states(self, batch: Batch) -> NDArray[np.int8]:
        """Of each row: 1 with the outcome, 0 without, -1 where it is not known."""
        return self.outcome.states_of(self.outcome.distinct_in(batch))
