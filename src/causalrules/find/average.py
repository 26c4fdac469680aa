"""The average over all networks of a window, weighed by what they explain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from causalrules.kernels.network_average import average_arrows

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_VARIABLES = 13


@dataclass(frozen=True, slots=True, eq=False)
class Arrows:
    """Probabilities of all arrows of a window; the outcome is the last variable.

    Parameters
    ----------
    probability : float64[d, d]
        Of the arrow from the first variable to the second.
    families : float64[2^d]
        Of each set of causes of the outcome.
    """

    probability: NDArray[np.float64]
    families: NDArray[np.float64]

    @property
    def p_cause(self) -> NDArray[np.float64]:
        """For every column, that it causes the outcome."""
        return self.probability[:-1, -1]

    @property
    def p_effect(self) -> NDArray[np.float64]:
        """For every column, that the outcome causes it."""
        return self.probability[-1, :-1]

    @property
    def p_next(self) -> NDArray[np.float64]:
        """For every column, that it stands next to the outcome."""
        return self.p_cause + self.p_effect


def average(scores: NDArray[np.float64]) -> Arrows:
    """Average over all networks exactly.

    A network weighs the product of its families' weights once for every order
    of the variables that it agrees with, which is what makes the exact sum
    possible with 2^d steps (Koivisto and Sood 2004; Koivisto 2006).

    Parameters
    ----------
    scores : float64[d, 2^d]
        See `family_scores`; at most 13 variables.

    Examples
    --------
    Two variables that go together: an arrow is certain, its direction is not.

    >>> scores = np.full((2, 4), -np.inf)
    >>> scores[0, 0b00] = scores[1, 0b00] = 0.0
    >>> scores[0, 0b10] = scores[1, 0b01] = 20.0
    >>> average(scores).p_cause, average(scores).p_effect
    (array([0.5]), array([0.5]))

    What the user says about time forbids an arrow, and leaves the other:

    >>> scores[0, 0b10] = -np.inf
    >>> average(scores).p_cause.round(3), average(scores).p_effect
    (array([1.]), array([0.]))
    """
    d = len(scores)
    assert d <= MOST_VARIABLES, f"{d} variables have too many networks for an exact average"
    families = np.zeros(scores.shape[1])
    arrows = average_arrows(np.ascontiguousarray(scores), families)
    return Arrows(np.minimum(arrows, 1.0), families)
