"""Optimal assignment: as many pairs as possible, and of these the smallest sum of distances.

Among groups of identical records this is a transportation problem, whose
linear programme has whole solutions at its corners.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.nearest_search import list_pairs
from causalrules.paper.matching.matched_strata import Matches
from causalrules.paper.matching.partner_index import index_partners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.paper.matching.distances import MatchingSpace

MOST_PAIRS = 200_000
"""Pairs of groups within the caliper, up to which the programme is solved."""


def optimal_matches(
    space: MatchingSpace, need: NDArray[np.int64], free: NDArray[np.int64], block: NDArray[np.int64]
) -> Matches | None:
    """Groups that take each other; None if the problem is too large.

    Parameters
    ----------
    space : MatchingSpace
        Where the groups lie.
    need, free : int64[n_groups]
        Records that seek a partner, and records that may be one.
    block : int64[n_groups]
        Partners are of the same block.
    """
    near = index_partners(space, need, free, block, in_blocks=False)
    seekers, partners = near.seekers, near.partners
    pairs, distances = np.empty((MOST_PAIRS, 2), np.int64), np.empty(MOST_PAIRS)
    n_pairs = list_pairs(
        space.metric,
        space.words[seekers],
        space.points[seekers],
        space.keys[seekers],
        space.words[partners],
        space.points[partners],
        space.keys[partners],
        near.starts,
        near.ends,
        space.caliper,
        pairs,
        distances,
    )
    if n_pairs > MOST_PAIRS:
        return None
    seeker, partner = pairs[:n_pairs].T
    taken = _cheapest_flow(seeker, partner, space.shown(distances[:n_pairs]), need[seekers], free[partners])
    chosen = np.flatnonzero(taken)
    chosen = chosen[np.argsort(distances[chosen], kind="stable")]
    return Matches(seekers[seeker[chosen]], partners[partner[chosen]], taken[chosen], distances[chosen])


def _cheapest_flow(
    seeker: NDArray[np.int64],
    partner: NDArray[np.int64],
    cost: NDArray[np.float64],
    need: NDArray[np.int64],
    free: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Records that go along each pair: most of them, at the least cost."""
    if len(cost) == 0:
        return np.zeros(0, np.int64)
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, vstack

    edge = np.arange(len(cost))
    one = np.ones(len(cost))
    rows = vstack(
        [
            coo_array((one, (seeker, edge)), shape=(len(need), len(cost))),
            coo_array((one, (partner, edge)), shape=(len(free), len(cost))),
        ]
    )
    solution = linprog(
        cost,
        A_ub=rows,
        b_ub=np.concatenate([need, free]),
        A_eq=coo_array(one[None, :]),
        b_eq=[_largest_flow(seeker, partner, need, free)],
        method="highs-ds",
    )
    assert solution.status == 0, solution.message
    taken: NDArray[np.int64] = np.rint(solution.x).astype(np.int64)
    return taken


def _largest_flow(
    seeker: NDArray[np.int64],
    partner: NDArray[np.int64],
    need: NDArray[np.int64],
    free: NDArray[np.int64],
) -> int:
    """Most records that can be matched at all."""
    from scipy.sparse import coo_array, csr_array
    from scipy.sparse.csgraph import maximum_flow

    n_seekers, n_partners = len(need), len(free)
    source, sink = n_seekers + n_partners, n_seekers + n_partners + 1
    tails = np.concatenate([seeker, np.full(n_seekers, source), n_seekers + np.arange(n_partners)])
    heads = np.concatenate([n_seekers + partner, np.arange(n_seekers), np.full(n_partners, sink)])
    capacity = np.concatenate([np.minimum(need[seeker], free[partner]), need, free]).astype(np.int32)
    network = csr_array(coo_array((capacity, (tails, heads)), shape=(sink + 1, sink + 1)))
    return int(maximum_flow(network, source, sink).flow_value)
