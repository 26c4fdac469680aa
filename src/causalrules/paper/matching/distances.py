"""Where records lie: the distances between signatures, in the form that the search needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import floor, inf, isfinite, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from causalrules.errors import MissingPackageError
from causalrules.kernels import nearest_search
from causalrules.paper.settings import DEFAULT_CALIPER

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from causalrules.domain.signatures import Signatures


_VERY_FAR = 1e6
_PENALTY = 1e-3
"""A ridge too weak to show in the scores: it settles collinear controls and keeps separation finite."""


class Overlap(NamedTuple):
    """Shares of the exposed, and of the unexposed, whose scores lie within the range of the others'."""

    exposed: float
    unexposed: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MatchingSpace:
    """Groups of records as points whose distances a kernel can compute.

    Parameters
    ----------
    metric : int
        See `kernels.nearest_search`.
    words : uint64[n_groups, n_words]
        Bits that distances are counted on.
    points : float64[n_groups, n_dimensions]
        Or coordinates, filled up with zeros to whole lanes.
    keys : float64[n_groups]
        Sort keys: two of them bound the distance from below.
    caliper : float
        In the kernel's unit.
    radius : int, optional
        Most controls in which records within the caliper differ, where that is known.
    is_square : bool
        The kernel's distance is the square of the one that was asked for.
    overlap : Overlap, optional
        Of propensity scores.
    """

    metric: int
    words: NDArray[np.uint64]
    points: NDArray[np.float64]
    keys: NDArray[np.float64]
    caliper: float
    radius: int | None = None
    is_square: bool = False
    overlap: Overlap | None = None

    def shown(self, distances: NDArray[np.float64]) -> NDArray[np.float64]:
        """The kernel's distances in the unit that was asked for."""
        return np.sqrt(distances) if self.is_square else distances

    @property
    def shown_caliper(self) -> float:
        """The caliper in that unit."""
        return sqrt(self.caliper) if self.is_square else self.caliper


def hamming(signatures: Signatures, chosen: NDArray[np.bool_], caliper: float | None) -> MatchingSpace:
    """Number of controls that one of two records has and the other has not."""
    if caliper is None:
        caliper = float(chosen.sum() // 20)
    return _counted(signatures, chosen, nearest_search.HAMMING, caliper, caliper)


def jaccard(signatures: Signatures, chosen: NDArray[np.bool_], caliper: float | None) -> MatchingSpace:
    """Controls that differ, as a share of those that either record has."""
    caliper = DEFAULT_CALIPER["jaccard"] if caliper is None else caliper
    most_controls = int(np.bitwise_count(signatures.words_of(chosen)).sum(axis=1).max(initial=0))
    # Of u controls that either has, (1 - t)·u or more are shared, and no record has more than it has.
    most_different = caliper / (1 - caliper) * most_controls if caliper < 1 else inf
    return _counted(signatures, chosen, nearest_search.JACCARD, caliper, most_different)


def euclidean(signatures: Signatures, chosen: NDArray[np.bool_], caliper: float | None) -> MatchingSpace:
    """Straight distance between records as points of zeros and ones: the root of Hamming's."""
    if caliper is None:
        caliper = sqrt(chosen.sum() // 20)
    largest_square = floor(caliper * caliper + 1e-9) if isfinite(caliper) else inf
    return _counted(
        signatures, chosen, nearest_search.HAMMING, largest_square, largest_square, is_square=True
    )


def _counted(
    signatures: Signatures,
    chosen: NDArray[np.bool_],
    metric: int,
    caliper: float,
    most_different: float,
    *,
    is_square: bool = False,
) -> MatchingSpace:
    words = signatures.words_of(chosen)
    return MatchingSpace(
        metric=metric,
        words=words,
        points=np.empty((len(words), 0)),
        keys=np.bitwise_count(words).sum(axis=1).astype(np.float64),
        caliper=caliper,
        radius=floor(most_different + 1e-9) if isfinite(most_different) else None,
        is_square=is_square,
    )


def mahalanobis(signatures: Signatures, chosen: NDArray[np.bool_], caliper: float | None) -> MatchingSpace:
    """Distance in units of the pooled covariance of the controls within the exposed and the unexposed.

    Directions in which nobody varies count for nothing, unless exposed and
    unexposed records differ in them: then they are very far apart. The
    covariance is a sum of whole numbers, so it does not depend on the order
    of records.
    """
    bits = signatures.bits()[:, chosen].astype(np.float64)
    sizes = signatures.sizes
    scatter = np.zeros((bits.shape[1], bits.shape[1]))
    for side in range(2):
        n = int(sizes[:, side].sum())
        total = sizes[:, side] @ bits
        scatter += (bits.T * sizes[:, side]) @ bits - np.outer(total, total) / max(n, 1)
    values, vectors = np.linalg.eigh(scatter / max(int(sizes.sum()) - 2, 1))
    largest = values.max(initial=0.0)
    varies = values > 1e-10 * largest
    if caliper is None:
        caliper = sqrt(varies.sum() / 2)
    points = bits @ (vectors[:, varies] / np.sqrt(values[varies]))
    # Directions in which nobody varies within a side count for nothing, unless the sides differ in them.
    unvaried = bits @ vectors[:, ~varies]
    separating = unvaried[:, np.ptp(unvaried, axis=0) > 1e-6]
    points = np.column_stack([points, _VERY_FAR * separating])
    # The most spread coordinates first: they tell soonest that two points are far apart.
    space = _points(points[:, np.argsort(-points.var(axis=0))], caliper)
    # A difference in m controls has a squared length of m, and no direction varies by more than `largest`.
    if separating.shape[1] or not isfinite(caliper):
        return space
    return replace(space, words=signatures.words_of(chosen), radius=floor(caliper**2 * largest + 1e-6))


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


def propensity(signatures: Signatures, chosen: NDArray[np.bool_], caliper: float | None) -> MatchingSpace:
    """Difference in the logit of the estimated chance of exposure, in its standard deviations.

    Rosenbaum and Rubin, Biometrika 1983; on the logit and within 0.2 of its standard deviations, unless a
    caliper is given: Austin, Pharmaceutical Statistics 2011.
    """
    caliper = DEFAULT_CALIPER["propensity"] if caliper is None else caliper
    logits = exposure_logits(signatures.bits()[:, chosen], signatures.sizes)
    n_records = signatures.sizes.sum(axis=1)
    n_all = max(int(n_records.sum()), 2)
    deviation = np.sqrt(((logits - logits @ n_records / n_all) ** 2 @ n_records) / (n_all - 1))
    points = (logits / deviation if deviation > 0 else logits)[:, None]
    return _points(points, caliper, overlap_of(logits, signatures.sizes))


def _points(points: NDArray[np.float64], caliper: float, overlap: Overlap | None = None) -> MatchingSpace:
    padded = np.zeros((len(points), -(-points.shape[1] // nearest_search.LANES) * nearest_search.LANES))
    padded[:, : points.shape[1]] = points
    return MatchingSpace(
        metric=nearest_search.POINTS,
        words=np.empty((len(points), 0), np.uint64),
        points=padded,
        keys=points[:, 0].copy() if points.shape[1] else np.zeros(len(points)),
        caliper=caliper,
        overlap=overlap,
    )


SPACES: dict[str, Callable[[Signatures, NDArray[np.bool_], float | None], MatchingSpace]] = {
    "hamming": hamming,
    "jaccard": jaccard,
    "euclidean": euclidean,
    "mahalanobis": mahalanobis,
    "propensity": propensity,
}
"""For each way of matching by distance, how to place the groups; `chosen` are the controls that count."""
