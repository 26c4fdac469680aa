"""One pass over a column: what is counted of it once, and asked by every check.

A sketch has the counts of a column's codes by outcome, and by *buckets* of records, where a record counts as
plus or minus one. Which bucket and which sign depends on how frequent its values are, in all columns added
up, so neither names nor any order change a sketch. Two columns that say nearly the same have nearly the same
sketch, and of thousands of columns only those are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.words.records import Column, Records

FEWEST = 20
"""Of fewer records, or values, nothing is concluded: where 20 are expected, chance leaves two in one of a
million columns."""

N_BUCKETS = 32
"""Their 496 pairs say which records a column puts together."""

_KINDS = ("number", "ordered", "category")
_PAIRS = np.triu_indices(N_BUCKETS, 1)
_DIGEST = np.uint64(2**26 - 1)
"""Sums of numbers up to this stay exact for 100 million records."""


@dataclass(frozen=True, eq=False)
class Sketch:
    """What is counted of a column.

    Parameters
    ----------
    column : Column
    table : float64[n_codes, 2]
        Records of each code without and with the outcome, the first row those whose value is missing; of
        means, at most the mean or above.
    features : float32[pairs of buckets]
        Which buckets have the same levels, of length 1, whatever the levels are called. The cosine of two
        columns is near 0 without any relation, and 1 where the same records share a level.
    profile : float32[N_BUCKETS]
        The sum of its ranks in each bucket, of length 1: the cosine is near the rank correlation.
    digests : float64[n_codes]
        A number for the records of each code: equal where the records are.
    """

    column: Column
    table: NDArray[np.float64]
    features: NDArray[np.float32]
    profile: NDArray[np.float32]
    digests: NDArray[np.float64]

    @property
    def name(self) -> str:
        """Of the column."""
        return self.column.name

    @cached_property
    def counts(self) -> NDArray[np.float64]:
        """float64[n_codes]: records of each code, the first those whose value is missing."""
        counts: NDArray[np.float64] = self.table.sum(axis=1)
        return counts

    @property
    def n_known(self) -> float:
        """Records whose value is known."""
        return float(self.counts[1:].sum())

    @property
    def n_levels(self) -> int:
        """Levels that some record has."""
        return int(np.count_nonzero(self.counts[1:]))

    @cached_property
    def entropy(self) -> float:
        """Entropy of the known values."""
        return entropy(self.counts[1:])

    @cached_property
    def rank(self) -> tuple[float, int, bytes, bytes, str]:
        """Sorts columns by content: the best known first; the name only tells copies apart."""
        order = np.lexsort((self.table[:, 1], self.table[:, 0]))
        kind = _KINDS.index(self.column.kind)
        return -self.n_known, kind, self.table[order].tobytes(), np.sort(self.digests).tobytes(), self.name


class Sketcher:
    """Makes sketches of the columns of records.

    Examples
    --------
    Renamed values make the same sketch:

    >>> from causalrules.words.records import Column, Records
    >>> codes = np.array([1, 1, 2, 2, 2, 1, 2, 1], np.uint8)
    >>> sex = Column(name="sex", kind="category", levels=("f", "m"), codes=codes)
    >>> female = Column(name="female", kind="category", levels=("no", "yes"), codes=3 - codes)
    >>> ill = np.array([0.0, 1, 1, 1, 1, 0, 0, 0])
    >>> one, other = Sketcher(Records((sex, female), ill, np.ones(8))).sketches
    >>> bool(np.allclose(one.features, other.features, atol=1e-6)), one.name, one.table[1:].tolist()
    (True, 'female', [[1.0, 3.0], [3.0, 1.0]])
    """

    def __init__(self, records: Records) -> None:
        self._count = records.count
        limit = np.average(records.outcome, weights=records.count) if records.is_mean else 0.5
        self._has = (records.outcome > limit).astype(np.intp)
        tables = [self._table(column) for column in records.columns]
        content = self._content(records, tables)
        self._bucket = np.unique(content, return_inverse=True)[1] % N_BUCKETS
        self._signed = self._count * (1.0 - 2.0 * (content & np.uint64(1)))
        self._number = self._count * (content >> np.uint64(8) & _DIGEST)
        found = map(self._sketch, records.columns, tables)
        self.sketches = sorted(found, key=lambda sketch: sketch.rank)

    def sketch(self, column: Column) -> Sketch:
        """That of another column of the same records."""
        return self._sketch(column, self._table(column))

    def _table(self, column: Column) -> NDArray[np.float64]:
        joint = 2 * column.codes.astype(np.intp) + self._has
        return sums_by(joint, self._count, 2 * column.n_codes).reshape(-1, 2)

    def _content(self, records: Records, tables: list[NDArray[np.float64]]) -> NDArray[np.uint64]:
        """uint64[n_rows]: sums of whole numbers that wrap around, so the order of columns does not matter."""
        content = np.zeros(records.n_rows, np.uint64)
        for column, table in zip(records.columns, tables, strict=True):
            without, with_it = table.astype(np.uint64).T
            content += _mixed(without << np.uint64(32) | with_it)[column.codes]
        return _mixed(content)

    def _sketch(self, column: Column, table: NDArray[np.float64]) -> Sketch:
        joint = N_BUCKETS * column.codes.astype(np.intp) + self._bucket
        cells = sums_by(joint, self._signed, N_BUCKETS * column.n_codes).reshape(-1, N_BUCKETS)[1:]
        counts = table[1:].sum(axis=1)
        digests = sums_by(column.codes, self._number, column.n_codes)
        return Sketch(column, table, _features(cells, counts), _unit(centred_ranks(counts) @ cells), digests)


def _features(cells: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float32]:
    """Sums over levels, in which records weigh alike whether their level is frequent or rare."""
    expected = np.outer(counts, cells.sum(axis=0) / max(1.0, counts.sum()))
    levels = (cells - expected) / np.maximum(counts, 1.0)[:, None] ** 0.25
    return _unit((levels.T @ levels)[_PAIRS])


def _unit(sums: NDArray[np.float64]) -> NDArray[np.float32]:
    return (sums / max(1e-9, float(np.sqrt(sums @ sums)))).astype(np.float32)


def sums_by(codes: NDArray[np.integer], count: NDArray[np.float64], n_codes: int = 0) -> NDArray[np.float64]:
    """Records of each code, from 0."""
    return np.asarray(np.bincount(codes, count, n_codes), np.float64)


def centred_ranks(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean rank of the records of each level, minus the mean of all.

    Examples
    --------
    >>> centred_ranks(np.array([2.0, 2.0, 4.0])).tolist()
    [-3.0, -1.0, 2.0]
    """
    ranks: NDArray[np.float64] = np.cumsum(counts) - counts / 2 - counts.sum() / 2
    return ranks


def entropy(counts: NDArray[np.float64]) -> float:
    """Entropy of counts in nats, with what few records take away from it added (Miller 1955).

    Examples
    --------
    Half of two is what one toss of a coin leaves; four cells of one record each say nothing of more:

    >>> round(entropy(np.array([500.0, 500.0])), 3), round(entropy(np.ones(4)), 3)
    (0.694, 1.761)
    """
    cells = counts[counts > 0]
    n = cells.sum()
    return float(np.log(n) - (cells * np.log(cells)).sum() / n + (len(cells) - 1) / (2 * n)) if n else 0.0


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers that look drawn at random, one for each (the finaliser of SplitMix64, Steele et al. 2014)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)
