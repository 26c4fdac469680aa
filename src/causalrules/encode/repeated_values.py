"""Whether the records of a table come in groups, one person's visits say, judged by the records themselves.

A column that says who somebody is has many values that repeat, and what
belongs to a person stays the same within each of them: sex, year of birth,
village. One such column shows nothing, since a town tells its region too, nor
do several that follow from each other (county, state, region). Two or more that do not are
properties of whatever the values stand for, and its records are no independent evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.encode.values import as_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from causalrules.encode.columns import Batch, Distinct

_MOST_ROWS, _N_BLOCKS = 20_000, 10
_MOST_PAIRS = 2_000
_FEWEST_GROUPS = 10
_CONSTANT = 0.9
"""Share of the chance disagreement that must be gone where a column stays the same."""
_CHANCE = 1e-6
_N_COARSE = 4


class SampledRows:
    """Some rows of a table in blocks, because records that belong together often follow each other."""

    def __init__(self) -> None:
        self._parts: list[Batch] = []
        self._n_rows = 0

    def add(self, batch: Batch) -> None:
        """Take rows of another batch, as long as there are not enough."""
        wanted = min(batch.n_rows, _MOST_ROWS - self._n_rows)
        if wanted <= 0:
            return
        n_blocks = 1 if wanted == batch.n_rows else _N_BLOCKS
        size = max(1, wanted // n_blocks)
        for block in range(n_blocks):
            self._parts.append(batch.rows(block * (batch.n_rows // n_blocks), size))
        self._n_rows += wanted

    def columns(self, names: Sequence[str]) -> dict[str, SampledColumn]:
        """The columns of the sample."""
        if not self._parts:
            return {}
        rows = self._parts[0].with_rows_of(self._parts[1:])
        return {name: SampledColumn.of(rows.distinct(name)) for name in names}


@dataclass(frozen=True, slots=True, eq=False)
class SampledColumn:
    """A column of a sample.

    Parameters
    ----------
    codes : int32[n]
        Which value each row has, -1 where it is missing.
    coarse : int32[n]
        The same, with measurements (numbers that are not whole) in quarters.
    is_measured : bool
        Whether the values are such numbers; they name nobody.
    """

    codes: NDArray[np.int32]
    coarse: NDArray[np.int32]
    is_measured: bool

    @classmethod
    def of(cls, distinct: Distinct) -> SampledColumn:
        """A column by its different values."""
        codes, numbers = distinct.indices, as_numbers(distinct.values)
        if numbers is None or numbers.are_dates or (numbers.values == np.floor(numbers.values)).all():
            return cls(codes, codes, False)
        order = np.argsort(np.argsort(numbers.values, kind="stable"), kind="stable")
        quarters = (order * _N_COARSE // len(order)).astype(np.int32)
        return cls(codes, np.append(quarters, np.int32(-1))[codes], True)


def values_that_group(columns: Mapping[str, SampledColumn], candidates: Sequence[str]) -> dict[str, int]:
    """For each candidate, how many columns stay the same within its values and do not follow from each other.

    Those that are a copy of the candidate under another name are not counted.
    """
    if not columns:
        return {}
    names = list(columns)
    codes = np.stack([columns[name].codes for name in names])
    by_chance = np.array([_chance_agreement(one) for one in codes])
    n_groups = {name: len(np.unique(one)) for name, one in zip(names, codes, strict=True)}
    found = {}
    for candidate in candidates:
        if columns[candidate].is_measured:
            continue
        groups = _Groups.of(columns[candidate].codes)
        if groups.n_repeated < _FEWEST_GROUPS:
            continue
        agreement = groups.agreement(codes)
        is_beyond = groups.n_repeated * np.log(np.clip(by_chance, 1e-12, 1)) < np.log(_CHANCE)
        is_constant = is_beyond & (agreement - by_chance >= _CONSTANT * (1 - by_chance))
        constant = [
            name
            for name, holds in zip(names, is_constant, strict=True)
            if holds and name != candidate and not _is_copy(columns[candidate], columns[name])
        ]
        constant.sort(key=lambda name: -n_groups[name])
        found[candidate] = len(_independent([columns[name].coarse[groups.first] for name in constant]))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Rows of equal value: pairs of rows within a group, and one row of each."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    first: NDArray[np.intp]
    n_repeated: int

    @classmethod
    def of(cls, codes: NDArray[np.int32]) -> _Groups:
        order = np.argsort(codes, kind="stable")
        order = order[codes[order] >= 0]
        alike = codes[order[1:]] == codes[order[:-1]]
        pairs = np.flatnonzero(alike)
        n_repeated = len(np.unique(codes[order[pairs]]))
        if len(pairs) > _MOST_PAIRS:
            pairs = pairs[np.linspace(0, len(pairs) - 1, _MOST_PAIRS).astype(np.intp)]
        first = order[np.flatnonzero(np.append(True, ~alike))] if len(order) else order
        return cls(order[pairs], order[pairs + 1], first, n_repeated)

    def agreement(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """Of pairs that both have a value of a column, the share in which it is the same one."""
        left, right = codes[:, self.left], codes[:, self.right]
        is_known = (left >= 0) & (right >= 0)
        n_known = is_known.sum(1)
        share = (is_known & (left == right)).sum(1) / np.maximum(1, n_known)
        return np.where(2 * n_known >= len(self.left), share, 0.0)


def _chance_agreement(codes: NDArray[np.int32]) -> float:
    """How often two rows that both have a value have the same one."""
    counts = np.bincount(codes + 1)[1:].astype(np.float64)
    n = counts.sum()
    return float((counts * (counts - 1)).sum() / (n * (n - 1))) if n > 1 else 1.0


def _is_copy(one: SampledColumn, other: SampledColumn) -> bool:
    """Whether the other column names the same things: as many values, each beside one of the other's."""
    if other.is_measured:
        return False
    both = (one.codes >= 0) & (other.codes >= 0)
    joint = one.codes[both].astype(np.int64) << 32 | other.codes[both]
    n_other = len(np.unique(other.codes[both]))
    return n_other >= _CONSTANT * len(np.unique(joint))


def _independent(columns: Sequence[NDArray[np.int32]]) -> list[NDArray[np.int32]]:
    """Columns that do not follow from one before; those with the most values come first."""
    kept: list[NDArray[np.int32]] = []
    for column in columns:
        by_chance = _chance_agreement(column)
        needed = by_chance + _CONSTANT * (1 - by_chance)
        if all(
            _Groups.of(one).agreement(column[None, :])[0] < needed and _Groups.of(one).n_repeated
            for one in kept
        ):
            kept.append(column)
    return kept
