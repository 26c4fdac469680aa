"""How far a cause can be relied on: the worst of three measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from causalrules.words import constants

if TYPE_CHECKING:
    from causalrules.words.findings import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """What could undo a cause.

    Parameters
    ----------
    gamma : float or None
        Rosenbaum's; None where no pairs were matched.
    distance : float
        Of the clearest contrast's odds ratio from 1: its limit, or one over it; asked where there is no Γ.
    imbalance : float
        Largest standardised difference that matched records keep, beyond what chance gives so many of them.
    share : float
        Of the records that risks are standardised to.
    disagree : bool
        Whether matched records say otherwise, or estimates of the factor differ in sign.
    unsettled : bool
        Whether follow-up is suspected to differ, or something else must be said first.
    """

    gamma: float | None
    distance: float
    imbalance: float
    share: float
    disagree: bool = False
    unsettled: bool = False


def grade_of(doubts: Doubts) -> Grade:
    """The worst of all measures; what disagrees with itself, or waits for a word of the user's, is fragile.

    Examples
    --------
    >>> good = dict(gamma=2.4, distance=1.9, imbalance=0.04, share=0.97)
    >>> grade_of(Doubts(**good)), grade_of(Doubts(**good | {"gamma": 1.5}))
    ('strong', 'moderate')
    >>> grade_of(Doubts(**good, disagree=True))
    'fragile'
    """
    if doubts.disagree or doubts.unsettled:
        return "fragile"
    order: tuple[Grade, ...] = ("fragile", "moderate", "strong")
    ranks = [
        _rank(-doubts.imbalance, (-constants.IMBALANCE[0], -constants.IMBALANCE[1])),
        _rank(doubts.share, constants.COMPARABLE),
        _rank(doubts.distance if doubts.gamma is None else doubts.gamma, constants.GAMMA),
    ]
    return order[min(ranks)]


def _rank(value: float, bounds: tuple[float, float]) -> int:
    return int(value >= bounds[0]) + int(value >= bounds[1])
