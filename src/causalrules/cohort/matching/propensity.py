"""The chance of being exposed, estimated from the controls.

Rosenbaum and Rubin, Biometrika 1983; matching on the logit within 0.2 of its
standard deviations: Austin, Pharmaceutical Statistics 2011.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.errors import MissingPackageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PENALTY = 1e-3
"""A ridge too weak to show in the scores: it settles collinear controls and keeps separation finite."""


class Overlap(NamedTuple):
    """Shares of the exposed, and of the unexposed, whose scores lie within the range of the others'."""

    exposed: float
    unexposed: float


def exposure_logits(bits: NDArray[np.bool_], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Logit of the chance of exposure of each group, by logistic regression.

    Parameters
    ----------
    bits : bool[n_groups, n_controls]
        The controls of each group.
    sizes : int64[n_groups, 2]
        Its exposed and unexposed records.
    """
    if bits.shape[1] == 0 or (sizes.sum(axis=0) == 0).any():
        return np.zeros(len(bits))
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingPackageError("matching by propensity score", "scikit-learn", "propensity") from error
    group, side = np.nonzero(sizes)
    model = LogisticRegression(C=1 / _PENALTY, solver="newton-cholesky", tol=1e-8, max_iter=200)
    model.fit(bits[group].astype(np.float64), side == 0, sample_weight=sizes[group, side])
    logits: NDArray[np.float64] = model.decision_function(bits.astype(np.float64))
    return logits


def overlap_of(logits: NDArray[np.float64], sizes: NDArray[np.int64]) -> Overlap:
    """How much of each side lies where the other side is."""
    shares = []
    for side in range(2):
        others = logits[sizes[:, 1 - side] > 0]
        own = sizes[:, side]
        if len(others) == 0 or own.sum() == 0:
            shares.append(0.0)
            continue
        is_inside = (logits >= others.min()) & (logits <= others.max())
        shares.append(float(own[is_inside].sum() / own.sum()))
    return Overlap(*shares)
