"""Nearest partners: the closest pairs first.

The smaller side seeks. Identical records are matched first, as groups; then
the remaining pairs are visited from the closest to the farthest, and each is
taken if both are still free. Unlike letting records choose one after another,
this does not depend on their order, and no two records that are left with
worse partners, or none, would both be better off with each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.domain import Closeness
from causalrules.kernels.nearest_search import match_closest
from causalrules.paper.matching.matched_strata import Matches, by_partner, by_seeker
from causalrules.paper.matching.optimal import optimal_matches
from causalrules.paper.matching.partner_index import index_partners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.paper.matching.distances import MatchingSpace
    from causalrules.paper.matching.matched_strata import Parts
    from causalrules.paper.settings import PaperSettings


def match_nearest(
    space: MatchingSpace,
    sizes: NDArray[np.int64],
    block: NDArray[np.int64],
    settings: PaperSettings,
    chance: np.random.Generator,
) -> tuple[tuple[Parts, Parts], Closeness]:
    """Strata of nearest records.

    A stratum is a group of the smaller side with everybody it took; where
    partners may be used again, a group of partners with everybody who took
    it, so that no record is in two strata.

    Parameters
    ----------
    space : MatchingSpace
        Where the groups lie.
    sizes : int64[n_groups, 2]
        Exposed and unexposed records of each group.
    block : int64[n_groups]
        Partners are of the same block.
    settings : PaperSettings
        Ratio, replacement, optimal or not.
    chance : Generator
        Ranks the groups: of equally close pairs the one that ranks first is taken.

    Returns
    -------
    The exposed and the unexposed side's parts, and how close partners are.
    """
    seeking = int(sizes[:, 0].sum() > sizes[:, 1].sum())
    ranks = chance.permutation(len(sizes)), chance.permutation(len(sizes))
    matches, is_optimal = _rounds(space, sizes[:, seeking], sizes[:, 1 - seeking], block, ranks, settings)
    deal = by_partner if settings.replace else by_seeker
    seekers, partners = deal(matches, sizes[:, seeking], sizes[:, 1 - seeking])
    distances = space.shown(matches.distance)
    n_pairs = int(matches.n_records.sum())
    closeness = Closeness(
        method=settings.matching,
        mean_distance=float(distances @ matches.n_records / n_pairs) if n_pairs else 0.0,
        worst_distance=float(distances.max(initial=0.0)),
        caliper=space.shown_caliper,
        overlap_exposed=space.overlap.exposed if space.overlap else None,
        overlap_unexposed=space.overlap.unexposed if space.overlap else None,
        is_optimal=is_optimal,
    )
    return ((partners, seekers) if seeking else (seekers, partners)), closeness


def _rounds(
    space: MatchingSpace,
    need: NDArray[np.int64],
    free: NDArray[np.int64],
    block: NDArray[np.int64],
    ranks: tuple[NDArray[np.int64], NDArray[np.int64]],
    settings: PaperSettings,
) -> tuple[Matches, bool]:
    """Every seeker takes one partner; then those that found one take a second, and so on."""
    if settings.optimal:
        optimal = optimal_matches(space, need, free, block)
        if optimal is not None:
            return optimal, True
    rounds = []
    free = free.copy()
    for _ in range(settings.ratio):
        identical = np.where(free > 0, need, 0) if settings.replace else np.minimum(need, free)
        group = np.flatnonzero(identical)
        rounds.append(Matches(group, group, identical[group], np.zeros(len(group))))
        if not settings.replace:
            free -= identical
        closest = closest_matches(space, need - identical, free, block, ranks, keep_free=settings.replace)
        if not settings.replace:
            np.subtract.at(free, closest.partner, closest.n_records)
        rounds.append(closest)
        need = identical
        np.add.at(need, closest.seeker, closest.n_records)
    return Matches(*(np.concatenate(part) for part in zip(*rounds, strict=True))), False


def closest_matches(
    space: MatchingSpace,
    need: NDArray[np.int64],
    free: NDArray[np.int64],
    block: NDArray[np.int64],
    ranks: tuple[NDArray[np.int64], NDArray[np.int64]],
    *,
    keep_free: bool,
) -> Matches:
    """Groups that take each other, the closest first; see `kernels.nearest_search.match_closest`."""
    near = index_partners(space, need, free, block)
    seekers, partners = near.seekers, near.partners
    matches = np.empty((len(seekers) + len(partners), 3), np.int64)
    distances = np.empty(len(matches))
    n_matches = match_closest(
        space.metric,
        space.words[seekers],
        space.points[seekers],
        space.keys[seekers],
        ranks[0][seekers],
        need[seekers],
        space.words[partners],
        space.points[partners],
        space.keys[partners],
        ranks[1][partners],
        free[partners],
        near.masks,
        near.order,
        near.starts,
        near.ends,
        space.caliper,
        keep_free,
        matches,
        distances,
    )
    seeker, partner, n_records = matches[:n_matches].T
    return Matches(seekers[seeker], partners[partner], n_records, distances[:n_matches])
