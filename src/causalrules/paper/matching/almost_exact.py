"""Almost exact matching: agree on all controls, then on all but the least important, and so on.

The idea is that of FLAME (Wang, Morucci, Awan, Liu, Roy, Rudin and Volfovsky,
Journal of Machine Learning Research 2021). Records that found no partner give
up one control at a time; those that then agree with somebody on the other
side become a stratum and leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.stepwise import count_controls, match_stepwise
from causalrules.paper.matching.matched_strata import Parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from causalrules.domain.signatures import Signatures

_WORD_SEED = 20210401
"""Fixes the random words of the keys; results do not depend on it."""


def match_almost_exactly(
    signatures: Signatures, is_kept: NDArray[np.bool_], most_given_up: float
) -> tuple[tuple[Parts, Parts], NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Strata of records that agree on as many controls as it takes to find a partner.

    Parameters
    ----------
    is_kept : bool[n_controls]
        Controls that are never given up.
    most_given_up : float
        Share of the controls' summed importance that may be given up.

    Returns
    -------
    The exposed and the unexposed side's parts; the controls in the order they
    were given up; for each stratum the number of its pairs, and the share of
    importance that its records gave up.
    """
    importance = importance_of(signatures)
    order = np.argsort(importance, kind="stable")
    order = order[~is_kept[order]]
    total = importance[np.isfinite(importance)].sum()
    share = np.cumsum(importance[order]) / max(total, 1e-300)
    order, share = order[share <= most_given_up], share[share <= most_given_up]
    sizes = signatures.sizes
    n_controls = len(signatures.controls)
    key_words = np.random.default_rng(_WORD_SEED).integers(0, 2**64, (n_controls, 2), dtype=np.uint64)
    stratum, step = np.empty(len(sizes), np.int64), np.empty(len(sizes), np.int64)
    n_strata, n_steps = match_stepwise(signatures.words, sizes, order, key_words, stratum, step)
    exposed, unexposed = (_parts(stratum, sizes[:, side]) for side in range(2))
    totals = [np.bincount(part.stratum, part.n_records, n_strata) for part in (exposed, unexposed)]
    given_up = np.append(0.0, share)[step[:n_strata]]
    return (exposed, unexposed), order[:n_steps], np.minimum(*totals), given_up


def importance_of(signatures: Signatures) -> NDArray[np.float64]:
    """How strongly each control goes with the outcome, given the exposure.

    The Mantel-Haenszel chi-square statistic of control and outcome over the
    two strata of exposed and unexposed records; infinite for a control that
    one side has and the other has not, since nothing can be told about it.
    """
    n_controls = len(signatures.controls)
    having = np.zeros((n_controls, 4), np.int64)
    count_controls(signatures.words, signatures.counts, having)
    surplus, variance = np.zeros(n_controls), np.zeros(n_controls)
    for side in (0, 2):
        n_with, n_without = signatures.counts[:, side].sum(), signatures.counts[:, side + 1].sum()
        n = n_with + n_without
        if n < 2:
            continue
        n_having = having[:, side] + having[:, side + 1]
        surplus += having[:, side] - n_with * n_having / n
        variance += n_with * n_without * n_having * (n - n_having) / (n * n * (n - 1.0))
    importance = np.where(variance > 0, surplus**2 / np.where(variance > 0, variance, 1.0), 0.0)
    n_exposed, n_unexposed = signatures.sizes.sum(axis=0)
    of_exposed, of_unexposed = having[:, :2].sum(axis=1), having[:, 2:].sum(axis=1)
    separates = (of_exposed == 0) & (of_unexposed == n_unexposed)
    separates |= (of_exposed == n_exposed) & (of_unexposed == 0)
    importance[separates & (n_exposed > 0) & (n_unexposed > 0)] = np.inf
    return importance


def _parts(stratum: NDArray[np.int64], n_records: NDArray[np.int64]) -> Parts:
    group = np.flatnonzero((stratum >= 0) & (n_records > 0))
    return Parts(group, stratum[group], n_records[group])
