"""Pairs of variables that say more together than apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.cohort.network.families import OUTCOME

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.cohort.network.families import Causes, Families


def pairs_in_company(families: Families, how_many: int) -> list[tuple[int, Causes]]:
    """Families of two causes with the outcome in them that gain most over their causes alone.

    An effect may show only in company: {x, y} on the outcome, or {outcome, y} on x.

    Returns
    -------
    Variable and its two causes, the largest extra gain first.
    """
    n_items = families.n_variables - 1
    if n_items < 2:
        return []
    tables = _three_way(families)
    found = []
    on_outcome = np.triu(_extra(families, tables[:, :, 1], tables[:, :, 0]))
    on_item = _extra(families, tables[1], tables[0])
    for extra, is_on_outcome in ((on_outcome, True), (on_item, False)):
        extra[np.diag_indices(n_items)] = 0
        for place in np.argsort(-extra, axis=None, kind="stable")[:how_many]:
            x, y = int(place // n_items), int(place % n_items)
            if extra[x, y] > 0:
                family = (OUTCOME, (x + 1, y + 1)) if is_on_outcome else (x + 1, (OUTCOME, y + 1))
                found.append((-float(extra[x, y]), *family))
    return [(variable, frozenset(pair)) for _, variable, pair in sorted(found)[:how_many]]


def _three_way(families: Families) -> NDArray[np.int64]:
    """int64[2, 2, 2, n, n]: whether x, y and the outcome are there, for every two items x and y."""
    both = np.stack([families.with_each(x)[1:] for x in range(1, families.n_variables)])
    tables = np.empty((2, 2, 2, len(both), len(both)), np.int64)
    for outcome in range(2):
        joint, single = both[:, :, outcome], families.with_each(OUTCOME)[1:, outcome]
        tables[1, 1, outcome] = joint
        tables[1, 0, outcome] = single[:, None] - joint
        tables[0, 1, outcome] = single[None, :] - joint
        tables[0, 0, outcome] = families.n_records[outcome] - single[:, None] - single[None, :] + joint
    return tables


def _extra(families: Families, ones: NDArray[np.int64], zeros: NDArray[np.int64]) -> NDArray[np.float64]:
    """Gain of two causes together less the gains of each alone, where these gain; leading axes are strata."""

    def gain(ones: NDArray[np.int64], zeros: NDArray[np.int64]) -> NDArray[np.float64]:
        axes = tuple(range(ones.ndim - 2))
        alone = families.code(ones.sum(axes), zeros.sum(axes))
        saved: NDArray[np.float64] = families.code(ones, zeros).sum(axes) - alone
        return saved - families.price * len(axes)

    apart = [np.maximum(gain(ones.sum(axis), zeros.sum(axis)), 0) for axis in (0, 1)]
    return gain(ones, zeros) - apart[0] - apart[1]
