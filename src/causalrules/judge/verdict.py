"""The verdict on a factor, from four facts: links and rivals, p-values, comparable records, time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from causalrules.words.findings import Verdict

DIRECT = 0.5
"""Probability from which a direct link is more likely than not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that a verdict rests on.

    Parameters
    ----------
    p, p_corrected, p_crude : float
        Of the study; corrected for the number of factors; nothing held, and likewise corrected.
    shows : bool
        Whether some contrast of levels, or the slope, has an interval that leaves out no effect.
    p_link : float or None
        Probability of a direct link; None where the user asked: then it is not a question.
    rivals : tuple of str
        What takes the place when the factor leaves.
    is_comparable : bool
        Whether there are records to compare.
    comes_after : bool
        Whether the user says that it comes after the outcome.
    acts_through : bool
        Whether a declared order says that what is linked to the outcome comes later than it: then its whole
        effect was estimated, and a direct link is not asked for.
    """

    p: float
    p_corrected: float
    p_crude: float
    shows: bool
    p_link: float | None
    rivals: tuple[str, ...] = ()
    is_comparable: bool = True
    comes_after: bool = False
    acts_through: bool = False


def verdict_of(facts: Facts, alpha: float) -> Verdict:
    """The verdict on a factor.

    Examples
    --------
    >>> facts = dict(p=0.001, p_crude=1e-9, shows=True)
    >>> verdict_of(Facts(p_link=0.9, p_corrected=0.2, **facts), 0.05)
    'cause'
    >>> verdict_of(Facts(p_link=0.3, rivals=("smoker",), p_corrected=0.01, **facts), 0.05)
    'possible'
    """
    if facts.comes_after:
        return "after"
    if not facts.is_comparable:
        return "not comparable"
    if facts.p > alpha:
        return "no difference" if facts.p_crude > alpha else "explained"
    if not facts.shows:
        return "possible"
    is_direct = facts.p_link is None or facts.p_link >= DIRECT
    if facts.acts_through and not is_direct:
        return "indirect" if facts.p_corrected <= alpha else "possible"
    return "cause" if is_direct or (not facts.rivals and facts.p_corrected <= alpha) else "possible"


def corrected(p_values: list[float]) -> list[float]:
    """Benjamini and Hochberg's p-values.

    Examples
    --------
    >>> corrected([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__, reverse=True)
    found, least = [1.0] * len(p_values), 1.0
    for rank, place in enumerate(order):
        least = min(least, p_values[place] * len(p_values) / (len(p_values) - rank))
        found[place] = least
    return found
