"""Which records are held out to test what the others propose: decided by what a row of the table is.

Of rows that are the same each copy has a number from 0, and is held out if a hash of
the row, the number and the seed falls below the share. So the halves of a table are
the same however it is ordered, cut or stored, on every engine and whatever is asked of it: who changes a
setting after a look at the result tests on records that were held out before, too.

References
----------
Webb, Discovering significant patterns, Machine Learning 2007.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.encode.clusters_of_records import chosen_clusters
from causalrules.encode.record_keys import salt_of, stream_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from causalrules.domain.table_settings import TableSettings
    from causalrules.encode import CodedTable, RecordCoder, Vocabulary
    from causalrules.encode.columns import Batch

_COPIES_AT_ONCE = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class HoldOut:
    """Divides records in two.

    Parameters
    ----------
    share : float
        Of the records that are held out, on average.
    seed : int
        Another one holds others out.
    cluster_places : intp[k]
        Columns that tell which records belong together and stay together; none if all stand for themselves.
    """

    share: float
    seed: int
    cluster_places: NDArray[np.intp]

    @classmethod
    def asked_for(cls, settings: TableSettings, vocabulary: Vocabulary) -> HoldOut:
        """Which records the settings hold out."""
        return cls(settings.holdout, settings.seed, vocabulary.cluster_places)

    @property
    def by_clusters(self) -> bool:
        """Whether whole clusters are held out, and keys of rows are not needed."""
        return bool(len(self.cluster_places))

    def clusters(self, codes: NDArray[np.unsignedinteger]) -> NDArray[np.bool_]:
        """bool[n]: which coded records are of clusters that are held out."""
        return chosen_clusters(codes[self.cluster_places], self.share, self.seed)

    def of_coded(self, table: CodedTable) -> NDArray[np.bool_]:
        """bool[n_records]: which records of a coded table are held out."""
        if self.by_clusters:
            return self.clusters(table.codes)
        assert table.keys is not None, "they come with the table"
        return self.copies(table.keys, CopyNumbers([table.keys]).of(table.keys))

    def copies(self, keys: NDArray[np.uint64], numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """bool[n]: which rows are held out, by their keys and the numbers of their copies."""
        words = stream_of(keys, numbers, salt_of(f"holdout {self.seed}"))
        is_held_out: NDArray[np.bool_] = words < np.uint64(int(self.share * 2**64))
        return is_held_out

    def n_copies(self, keys: NDArray[np.uint64], n_rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[n]: of so many copies of the row with each key, those held out."""
        held = np.zeros(len(keys), np.int64)
        ends = np.cumsum(n_rows)
        for start in range(0, int(ends[-1]) if len(ends) else 0, _COPIES_AT_ONCE):
            copies = np.arange(start, min(start + _COPIES_AT_ONCE, int(ends[-1])))
            row = np.searchsorted(ends, copies, side="right")
            numbers = (copies - (ends - n_rows)[row]).astype(np.uint64)
            held += np.bincount(row[self.copies(keys[row], numbers)], minlength=len(held))
        return held


class CopyNumbers:
    """Numbers the copies of rows that are the same, batch after batch.

    Nothing is kept but the keys of rows that come more than once; to find these takes
    eight bytes a row.

    Parameters
    ----------
    keys : iterable of uint64[n]
        Of the rows of all batches.
    """

    def __init__(self, keys: Iterable[NDArray[np.uint64]]) -> None:
        gathered = array("Q")  # grows in place
        for some in keys:
            gathered.frombytes(some.tobytes())
        everything = np.frombuffer(gathered, np.uint64)
        everything.sort()
        self._repeated = np.unique(everything[1:][everything[1:] == everything[:-1]])
        self._n_seen = np.zeros(len(self._repeated), np.int64)

    def of(self, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """uint64[n]: the number of each row among those that are the same, from 0."""
        numbers = np.zeros(len(keys), np.int64)
        place = np.minimum(np.searchsorted(self._repeated, keys), max(len(self._repeated) - 1, 0))
        is_repeated = self._repeated[place] == keys if len(self._repeated) else np.zeros(len(keys), np.bool_)
        rows = np.flatnonzero(is_repeated)
        rows = rows[np.argsort(place[rows], kind="stable")]
        found = place[rows]
        starts = np.flatnonzero(np.diff(found, prepend=-1))
        n_here = np.diff(starts, append=len(found))
        numbers[rows] = np.arange(len(rows)) - np.repeat(starts, n_here) + self._n_seen[found]
        self._n_seen[found[starts]] += n_here
        return numbers.astype(np.uint64)


class HeldOutRows:
    """Which records of a table's batches are held out.

    Parameters
    ----------
    holdout : HoldOut
        How records are divided.
    batches : iterable of Batch
        Gone through once to find the rows that are the same, unless whole clusters are held out.
    """

    def __init__(self, holdout: HoldOut, batches: Iterable[Batch]) -> None:
        self._holdout = holdout
        self._numbers = None if holdout.by_clusters else CopyNumbers(batch.keys() for batch in batches)

    def of(self, batch: Batch, coder: RecordCoder, codes: NDArray[np.unsignedinteger]) -> NDArray[np.bool_]:
        """bool[n]: for each coded record of a batch, which come in order."""
        if self._numbers is None:
            return self._holdout.clusters(codes)
        keys = batch.keys()
        return self._holdout.copies(keys, self._numbers.of(keys))[coder.is_known(batch)]
