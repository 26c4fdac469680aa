"""Who is matched with whom, the strata that follow from it, and the fair data set."""

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


class Matches(NamedTuple):
    """Who is matched with whom, in the order it happened: groups, number of records, distance."""

    seeker: NDArray[np.int64]
    partner: NDArray[np.int64]
    n_records: NDArray[np.int64]
    distance: NDArray[np.float64]


def by_seeker(
    matches: Matches, n_seeking: NDArray[np.int64], n_sought: NDArray[np.int64]
) -> tuple[Parts, Parts]:
    """One stratum for each group of seekers, with everybody it took.

    Seekers of the group that found nobody stay with it, and records that
    nobody took stay with those of their own group that were taken first:
    they are alike, and the average over pairs is over all of them. At most
    one side of a stratum has such records, or more would have been taken.
    """
    seeker, stratum = np.unique(matches.seeker, return_inverse=True)
    seekers = Parts(seeker, np.arange(len(seeker)), n_seeking[seeker])
    partner, first = np.unique(matches.partner, return_index=True)
    n_left = n_sought[partner] - np.bincount(matches.partner, matches.n_records, len(n_sought))[partner]
    n_records = matches.n_records.copy()
    n_records[first] += n_left.astype(np.int64)
    pairs, part = np.unique(np.column_stack([matches.partner, stratum]), axis=0, return_inverse=True)
    gathered = np.bincount(part.reshape(-1), n_records, len(pairs)).astype(np.int64)
    return seekers, Parts(pairs[:, 0], pairs[:, 1], gathered)


def by_partner(
    matches: Matches, n_seeking: NDArray[np.int64], n_sought: NDArray[np.int64]
) -> tuple[Parts, Parts]:
    """One stratum for each group of partners, with everybody who took it."""
    partner, stratum = np.unique(matches.partner, return_inverse=True)
    order = np.argsort(matches.seeker)
    seeker = matches.seeker[order]
    return (
        Parts(seeker, stratum[order], n_seeking[seeker]),
        Parts(partner, np.arange(len(partner)), n_sought[partner]),
    )
