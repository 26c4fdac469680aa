"""Who takes whom, and the strata that follow from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.cohort.matching.matched_strata import Parts

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Takes(NamedTuple):
    """Who takes whom, in the order it happened: groups, number of records, distance."""

    seeker: NDArray[np.int64]
    partner: NDArray[np.int64]
    n_records: NDArray[np.int64]
    distance: NDArray[np.float64]


def by_seeker(takes: Takes, n_seeking: NDArray[np.int64], n_sought: NDArray[np.int64]) -> tuple[Parts, Parts]:
    """One stratum for each group of seekers, with everybody it took.

    Seekers of the group that found nobody stay with it, and records that
    nobody took stay with those of their own group that were taken first:
    they are alike, and the average over pairs is over all of them. At most
    one side of a stratum has such records, or more would have been taken.
    """
    seeker, stratum = np.unique(takes.seeker, return_inverse=True)
    seekers = Parts(seeker, np.arange(len(seeker)), n_seeking[seeker])
    partner, first = np.unique(takes.partner, return_index=True)
    n_left = n_sought[partner] - np.bincount(takes.partner, takes.n_records, len(n_sought))[partner]
    n_records = takes.n_records.copy()
    n_records[first] += n_left.astype(np.int64)
    pairs, part = np.unique(np.column_stack([takes.partner, stratum]), axis=0, return_inverse=True)
    gathered = np.bincount(part.reshape(-1), n_records, len(pairs)).astype(np.int64)
    return seekers, Parts(pairs[:, 0], pairs[:, 1], gathered)


def by_partner(
    takes: Takes, n_seeking: NDArray[np.int64], n_sought: NDArray[np.int64]
) -> tuple[Parts, Parts]:
    """One stratum for each group of partners, with everybody who took it."""
    partner, stratum = np.unique(takes.partner, return_inverse=True)
    order = np.argsort(takes.seeker)
    seeker = takes.seeker[order]
    return (
        Parts(seeker, stratum[order], n_seeking[seeker]),
        Parts(partner, np.arange(len(partner)), n_sought[partner]),
    )
