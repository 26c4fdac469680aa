"""From who takes whom to the fair data set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.domain.histogram import WEIGHT_UNIT, StrataHistogram

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain import Closeness
    from causalrules.domain.signatures import Signatures


class Parts(NamedTuple):
    """How the records of one side are dealt out to strata, in ascending order of groups.

    A group that is named at all is dealt out completely.
    """

    group: NDArray[np.int64]
    stratum: NDArray[np.int64]
    n_records: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class FairData:
    """The matched records of one study.

    Parameters
    ----------
    strata : StrataHistogram
        Sets of records compared with each other.
    weights : int64[n_groups, 2]
        Weight of one exposed, and of one unexposed, record of each group, in
        parts of `WEIGHT_UNIT`; the mean over those of a group that are dealt
        out to several strata.
    closeness : Closeness
        How alike partners are.
    """

    strata: StrataHistogram
    weights: NDArray[np.int64]
    closeness: Closeness


def fair_data(
    signatures: Signatures, sides: tuple[Parts, Parts], closeness: Closeness, chance: np.random.Generator
) -> FairData:
    """Deal the records out to strata and count.

    Records of one group differ in nothing but the outcome, which matching
    must not see: where a group is dealt out to several strata, chance
    decides which of its records go where.

    Parameters
    ----------
    sides : pair of Parts
        Exposed and unexposed records. Every stratum has both.
    """
    n_strata = max((int(parts.stratum.max()) + 1 for parts in sides if len(parts.stratum)), default=0)
    cells = np.zeros((n_strata, 4), np.int64)
    sizes = signatures.sizes
    n_lonely = []
    for side, parts in enumerate(sides):
        with_outcome = _deal(parts, signatures.counts[:, 2 * side : 2 * side + 2], chance)
        np.add.at(cells[:, 2 * side], parts.stratum, with_outcome)
        np.add.at(cells[:, 2 * side + 1], parts.stratum, parts.n_records - with_outcome)
        n_lonely.append(int(sizes[:, side].sum() - parts.n_records.sum()))
    totals = cells.reshape(-1, 2, 2).sum(axis=2)
    n_pairs = totals.min(axis=1, initial=np.iinfo(np.int64).max)
    weights = np.zeros_like(sizes)
    for side, parts in enumerate(sides):
        weight = WEIGHT_UNIT * n_pairs[parts.stratum] // totals[parts.stratum, side]
        np.add.at(weights[:, side], parts.group, weight * parts.n_records)
    weights //= np.maximum(sizes, 1)
    return FairData(StrataHistogram.from_strata(cells, *n_lonely), weights, closeness)


def _deal(parts: Parts, counts: NDArray[np.int64], chance: np.random.Generator) -> NDArray[np.int64]:
    """Records with the outcome in each part: drawn without replacement from those of the group.

    All groups draw for their first part, then those that have one for their
    second, and so on.
    """
    with_outcome = np.zeros(len(parts.group), np.int64)
    left = counts.copy()
    is_first = np.append(True, parts.group[1:] != parts.group[:-1])[: len(parts.group)]
    turn = np.arange(len(parts.group)) - np.maximum.accumulate(
        np.where(is_first, np.arange(len(parts.group)), 0)
    )
    for now in range(int(turn.max(initial=-1)) + 1):
        part = np.flatnonzero(turn == now)
        group = parts.group[part]
        drawn = chance.hypergeometric(left[group, 0], left[group, 1], parts.n_records[part])
        with_outcome[part] = drawn
        left[group, 0] -= drawn
        left[group, 1] -= parts.n_records[part] - drawn
    return with_outcome
